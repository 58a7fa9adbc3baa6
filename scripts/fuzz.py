"""Gives changed inputs to the program, and reports each that ends neither in a value nor in an error of the program's own.

    python scripts/fuzz.py --cases 1000000 --seed 1          # all targets
    python scripts/fuzz.py csv trees --cases 20000
    python scripts/fuzz.py --again build/fuzz/csv-1-57       # one saved input, with its traceback

Targets: every corpus reader, the configuration, records of every stage, parse trees, names in a text, and pages. A case depends
on the target, the seed and its number alone. A case that takes longer than ``--seconds`` is a fault, and so is one that ends its
process. For each target the table shows the cases, the cases per second, how many different errors there were, and the faults.
Inputs that are faults are saved; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import multiprocessing
import random
import re
import signal
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tqdm import tqdm

import fuzz_targets

# How many of all cases a target gets: fewer where a case is slow.
SHARES = Counter(
    {"records": 220, "trees": 120, "names": 80, "jsonl": 110, "csv": 90, "gigaword": 80, "trec": 60, "reuters21578": 60}
    | {"nitf": 40, "newsml": 40, "reuters-json": 40, "several": 20, "nitf-tar": 20, "newsml-zip": 20, "config": 20}
    | {"parquet": 10, "pages": 16, "warc": 4, "hf": 2}
)
CHUNK = 100
SAVED = Path("build/fuzz")
FAULTS_SHOWN = 20


class Slow(BaseException):
    """A case takes too long. No handler of the program catches it."""


def _stop(*_: object) -> None:
    raise Slow("the case takes too long")


def run_case(target: str, case: fuzz_targets.Input, seconds: float = 10) -> tuple[str, str]:
    """(outcome, fault) of a case: the fault is the traceback of what must not happen, or an empty text."""
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return fuzz_targets.outcome(TARGETS[target], case), ""
    except (Exception, Slow) as error:
        return f"{type(error).__name__}: {error}", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def generalised(message: str) -> str:
    """A message without its numbers, names and paths, so that two errors of one kind are equal."""
    return re.sub(r"""/[-\w./]+|\d+|'[^']*'|"[^"]*"|`[^`]*`""", "#", " ".join(message.split()))[:300]


def make_case(target: str, seed: int, number: int) -> fuzz_targets.Input:
    """The input of a case."""
    return TARGETS[target].make(random.Random(f"{target} {seed} {number}"))


def save(path: Path, case: fuzz_targets.Input) -> None:
    """Write an input: its target and name in the first line, then its bytes."""
    path.write_bytes(json.dumps([path.name.rpartition("-")[0].rpartition("-")[0], case[0]]).encode() + b"\n" + case[1])


def run_chunk(target: str, seed: int, numbers: range, seconds: float) -> tuple[Counter[str], list[tuple[str, str]]]:
    """The outcomes of some cases, and (file, traceback) of each fault. A case that ends the process leaves its input, too."""
    faulthandler.dump_traceback_later(CHUNK * seconds, exit=True)
    outcomes, faults = Counter[str](), []
    for number in numbers:
        case, path = make_case(target, seed, number), SAVED / f"{target}-{seed}-{number}"
        save(path, case)
        outcome, fault = run_case(target, case, seconds)
        outcomes[generalised(outcome)] += 1
        if fault:
            faults.append((str(path), fault))
        else:
            path.unlink()
    faulthandler.cancel_dump_traceback_later()
    return outcomes, faults


def run_target(target: str, options: argparse.Namespace, cases: int) -> tuple[Counter[str], list[tuple[str, str]]]:
    """All cases of a target, in a process that is replaced if a case ends it."""
    outcomes, faults, done = Counter[str](), list[tuple[str, str]](), 0
    bar = tqdm(total=cases, desc=f"{target:12}", unit="case")
    context = multiprocessing.get_context("fork")
    while done < cases:
        with ProcessPoolExecutor(1, context) as pool:
            try:
                while done < cases:
                    numbers = range(done, min(cases, done + CHUNK))
                    some, wrong = pool.submit(run_chunk, target, options.seed, numbers, options.seconds).result()
                    outcomes, faults, done = outcomes + some, faults + wrong, numbers.stop
                    bar.update(len(numbers))
            except BrokenProcessPool:
                last = max(SAVED.glob(f"{target}-{options.seed}-*"), key=lambda path: path.stat().st_mtime_ns)
                faults.append((str(last), "the process ended\n"))
                done = int(last.name.rpartition("-")[2]) + 1
    bar.close()
    return outcomes, faults


def main() -> int:
    """Run the targets, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "targets", nargs="*", choices=[*SHARES, []], metavar="TARGET", help=f"default all: {', '.join(SHARES)}"
    )
    parser.add_argument("--cases", type=int, default=100_000, help="cases of all targets together (default 100,000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cases (default 1)")
    parser.add_argument("--seconds", type=float, default=10, help="a case may take so long (default 10)")
    parser.add_argument("--again", type=Path, metavar="FILE", help="run one saved input, and print its outcome")
    options = parser.parse_args()
    if options.again:
        head, _, content = options.again.read_bytes().partition(b"\n")
        target, name = json.loads(head)
        outcome, fault = run_case(target, (name, content), options.seconds)
        print(fault or outcome)
        return int(bool(fault))
    SAVED.mkdir(parents=True, exist_ok=True)
    chosen = {name: SHARES[name] for name in options.targets or SHARES}
    rows, all_faults = [], list[tuple[str, str]]()
    for target, share in chosen.items():
        begun, cases = time.monotonic(), -(-options.cases * share // sum(chosen.values()))
        outcomes, faults = run_target(target, options, cases)
        all_faults += faults
        errors = len([outcome for outcome in outcomes if outcome != "value"])
        rate = cases / (time.monotonic() - begun)
        rows.append(f"{target:14}{cases:10,}{rate:10,.0f}{outcomes['value'] / cases:9.0%}{errors:9,}{len(faults):8,}")
    print(f"{'target':14}{'cases':>10}{'a second':>10}{'values':>9}{'errors':>9}{'faults':>8}", *rows, sep="\n")
    kinds = {generalised("".join(fault.splitlines(keepends=True)[-3:])): (path, fault) for path, fault in all_faults}
    for path, fault in list(kinds.values())[:FAULTS_SHOWN]:
        print(f"\n{path}\n{''.join(fault.splitlines(keepends=True)[-5:])}")
    return int(bool(all_faults))


TARGETS = fuzz_targets.targets()

if __name__ == "__main__":
    sys.exit(main())

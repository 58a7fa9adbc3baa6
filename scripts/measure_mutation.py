"""Measures how many small changes of the rules and the store the tests notice: mutation testing with mutmut.

    python scripts/measure_mutation.py [--share N] [--modules PATTERN] [--show]

One mutant in N is tested, chosen by the hash of its name, so that the sample is the same in every run. Mutants and
results are kept in ``mutants/``; a second run tests only what changed. The modules and the tests are in ``[tool.mutmut]``
of pyproject.toml. Prints a row for each module, and with ``--show`` the changes that no test noticed.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "mutants" / "src"
# The exit codes of mutmut's workers: tests failed, timed out or crashed; the test that is run for these passed; none was run.
SURVIVED = {0: "survived", 33: "no tests"}
# A run of any one mutant makes the files that name all of them.
FIRST = "wdw_build.text.tokens.x_words__mutmut_1"
Z = 1.96  # the 95% confidence interval


def is_sampled(mutant: str, share: int) -> bool:
    """Whether the mutant is in the sample of one in ``share``."""
    return int(hashlib.sha256(mutant.encode()).hexdigest(), 16) % share == 0


def results(share: int, pattern: str) -> Iterator[tuple[str, str, int | None]]:
    """Yield (module, mutant, exit code) of the sample; the code is None for a mutant that was not tested."""
    for path in sorted(RESULTS.rglob("*.meta")):
        module = path.relative_to(RESULTS / "wdw_build").as_posix().removesuffix(".py.meta")
        for mutant, code in json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"].items():
            if is_sampled(mutant, share) and fnmatch.fnmatch(module, pattern):
                yield module, mutant, code


def mutmut(*mutants: str) -> None:
    """Run mutmut on some mutants, in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, __file__, "--mutmut", *mutants]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def run_mutmut(mutants: list[str]) -> None:
    """Run mutmut in this process, the quickest test of each mutant first: most mutants fail one of these."""
    from mutmut.__main__ import cli
    from mutmut.runners.harness import PytestRunner
    from mutmut.state import state

    arguments = PytestRunner._pytest_args_regular_run

    def quickest_first(runner: PytestRunner, tests: list[str]) -> list[str]:
        seconds = state().duration_by_test
        return list(arguments(runner, sorted(tests, key=lambda test: (seconds.get(test, 0.0), test))))

    with patch.object(PytestRunner, "_pytest_args_regular_run", quickest_first):
        cli(["run", "--max-children", str(max(1, (os.cpu_count() or 2) - 1)), *mutants])


def row(name: str, counts: Counter[str]) -> str:
    """One row of the table: the mutants, the killed ones, the score and half of its confidence interval."""
    tested = sum(counts.values())
    share = counts["killed"] / tested
    margin = Z * math.sqrt(share * (1 - share) / tested)
    others = " | ".join(str(counts[kind]) for kind in ("killed", *SURVIVED.values()))
    return f"| {name} | {tested} | {others} | {100 * share:.1f} ± {100 * margin:.1f}% |"


def table(share: int, pattern: str) -> str:
    """The scores by module, and of all."""
    by_module: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for module, _, code in results(share, pattern):
        if code is not None:
            by_module[module][SURVIVED.get(code, "killed")] += 1
    rows = [row(f"`{module}`", counts) for module, counts in by_module.items()]
    head = ["| module | mutants | killed | survived | no tests | score |", "|---|---|---|---|---|---|"]
    return "\n".join([*head, *rows, row("all", sum(by_module.values(), Counter()))])


def main() -> None:
    """Test the sample and print the table."""
    if sys.argv[1:2] == ["--mutmut"]:
        run_mutmut(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=int, default=8, metavar="N", help="test one mutant in N (default: 8)")
    parser.add_argument("--modules", default="*", metavar="PATTERN", help="only these modules, such as 'text/names/*'")
    parser.add_argument("--show", action="store_true", help="print the changes that no test noticed")
    options = parser.parse_args()
    mutmut(FIRST)
    left = [mutant for _, mutant, code in results(options.share, options.modules) if code is None]
    if left:
        mutmut(*left)
    print(table(options.share, options.modules))
    for _, mutant, code in results(options.share, options.modules):
        if options.show and code in SURVIVED:
            subprocess.run([sys.executable, "-m", "mutmut", "show", mutant], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()

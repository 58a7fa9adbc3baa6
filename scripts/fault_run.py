"""Kills builds of a part of the sample at random moments, damages their files, and compares what they end in.

    python scripts/fault_run.py --faults 20 --seed 1

Each fault begins with an empty folder. ``kill``: SIGKILL of all processes of the build. ``term``: SIGTERM of the command.
``damage``: after the build, a part of one stage is cut, changed or removed, and the export is removed. The same command is then
given again until it ends with 0. Records, rejections, counts and exported files must be those of an undisturbed build. Prints a
line for each fault, and exits with 1 if a build differs. A fault takes about as long as two builds.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ARTICLES = 100
KINDS = ("kill", "term", "damage")
MOST_CALLS = 5
CONFIG = """
run: small
output_dir: out
corpus: {reader: jsonl, path: articles.jsonl, options: {fields: {title: headline}}}
ingest: {max_bad_input: 1.0}
adversary: {min_problems: 10}
execution: {workers: 2, shard_size: 512}
"""


def new_build(work: Path, name: str) -> Path:
    """A folder in which nothing was built."""
    folder = work / name
    folder.mkdir()
    lines = (ROOT / "data" / "sample" / "articles.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "articles.jsonl").write_bytes(b"".join(lines[:ARTICLES]))
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")
    return folder


def start(folder: Path) -> subprocess.Popen[bytes]:
    """The command in a process group of its own."""
    log = (folder / "log").open("ab")
    command = [sys.executable, "-m", "wdw_build.cli", "all", "-q", "-c", "config.yaml"]
    return subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True)


def digest(folder: Path) -> str:
    """A hash of what a user relies on: counts and content hashes of every stage, records, rejections and exported files."""
    run, sha256 = folder / "out" / "runs" / "small", hashlib.sha256()
    for stage in sorted(path for path in run.iterdir() if path.is_symlink()):
        manifest = json.loads((stage / "manifest.json").read_bytes())
        kept = {key: manifest[key] for key in ("read", "written", "rejected", "reasons", "content_hash")}
        sha256.update(stage.name.encode() + json.dumps(kept, sort_keys=True).encode())
        for path in sorted([*stage.glob("*.jsonl"), *stage.glob("jsonl/*.jsonl"), *stage.glob("wdw-xml/*/*")]):
            sha256.update(path.name.encode() + path.read_bytes())
    return sha256.hexdigest()


def disturb(folder: Path, kind: str, seconds: float, chance: random.Random) -> str:
    """Disturb a build; returns what was done. ``seconds``: how long an undisturbed build takes."""
    process = start(folder)
    if kind == "damage":
        process.wait()
        return damage(folder, chance)
    moment = chance.uniform(0.05, 0.95) * seconds
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL if kind == "kill" else signal.SIGTERM)
    process.wait()
    return f"after {moment:.1f} s"


def damage(folder: Path, chance: random.Random) -> str:
    """Cut, change or remove a part of a stage, and remove the export, so that there is work for the next build."""
    store = folder / "out" / "store"
    path = chance.choice(sorted(path for path in store.glob("*/*/part-*.jsonl") if path.stat().st_size))
    content, how = bytearray(path.read_bytes()), chance.choice(["cut", "changed", "removed"])
    if how == "removed":
        path.unlink()
    else:
        content[len(content) // 2] ^= 1
        path.write_bytes(content[: len(content) // 2] if how == "cut" else content)
    shutil.rmtree(store / "export")
    return f"{path.parent.parent.name} {how}"


def finish(folder: Path) -> int:
    """Give the command until it ends with 0; returns the number of calls, 0 if it never does."""
    for call in range(1, MOST_CALLS + 1):
        if start(folder).wait() == 0:
            return call
    return 0


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    chance, failed = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory(prefix="wdw-faults-") as work:
        undisturbed = new_build(Path(work), "undisturbed")
        begun = time.monotonic()
        if not finish(undisturbed):
            print((undisturbed / "log").read_text(encoding="utf-8"))
            return 1
        seconds, expected = time.monotonic() - begun, digest(undisturbed)
        for number in range(options.faults):
            kind = options.kinds[number % len(options.kinds)]
            folder = new_build(Path(work), str(number))
            what = disturb(folder, kind, seconds, chance)
            calls = finish(folder)
            is_same = bool(calls) and digest(folder) == expected
            failed += not is_same
            print(f"{number:4} {kind:7} {what:24} {calls} calls  {'same' if is_same else 'DIFFERENT'}", flush=True)
            if not is_same:
                print((folder / "log").read_text(encoding="utf-8")[-3000:])
            shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

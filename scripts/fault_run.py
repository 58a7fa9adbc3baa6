"""Disturbs builds of a small corpus in many ways, and compares each with an undisturbed build.

    python scripts/fault_run.py --faults 40 --seed 1

Each fault begins with an empty folder. A build is disturbed at a random moment, and the same command is then given again until it
ends with 0. Its records, rejections, counts and exported files must be those of the undisturbed build; no process and no staging
folder may be left. Prints a row for each kind of fault, and exits with 1 if a build differs. A fault takes about as long as two
builds.

Kinds: ``commit`` (SIGKILL of all just before or just after one of the renames that publish files, each as likely as the
others), ``power`` (the same, and then every file that was not synced since its last change is emptied, as after a power
failure), ``clock`` (SIGKILL of all; the build goes on with a clock that is a day slow), ``lmplz`` (SIGKILL of the estimator
of the language model), ``kill`` (SIGKILL of all), ``worker`` (SIGKILL of one worker process), ``hang`` (a worker process is
halted), ``term``, ``int`` and ``hup`` (the signal, to all processes), ``full`` (no file may grow beyond a random size, as on
a full disk), ``memory`` (no process may have more than a random size of memory), ``java`` (the virtual machine does not
start, or its heap is too small for Lucene), ``changed`` and ``vanished`` (the corpus is changed or moved away, and put back
after the command has ended), ``twice`` (two builds on one store at once).
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
ARTICLES = 100
POINTS = Path(__file__).resolve().parent / "fault_points"
# Read by fault_points/sitecustomize.py in every process of a build.
SYNCED, RENAMES, LAST_RENAME, SLOW_CLOCK = "WDW_FAULT_SYNCED", "WDW_FAULT_RENAMES", "WDW_FAULT_LAST", "WDW_FAULT_SLOW"
DAY = 86_400
SIGNALS = {"kill": signal.SIGKILL, "term": signal.SIGTERM, "int": signal.SIGINT, "hup": signal.SIGHUP}
KINDS = (
    "commit",
    "power",
    "clock",
    "lmplz",
    *SIGNALS,
    "worker",
    "hang",
    "full",
    "memory",
    "java",
    "changed",
    "vanished",
    "twice",
)
MARK = "WDW_FAULT_RUN"
HALTED = "halted"
# The sizes at which the disk is full: from the first shards to the index.
FULL_BYTES = (2_000, 400_000)
# From too little for the libraries to enough for all but the models.
MEMORY_BYTES = (400 << 20, 3000 << 20)
# Java's own variable, which wins over the options of the program: no start, and no room for an index.
JAVA_OPTIONS, JAVA_FAULTS = "_JAVA_OPTIONS", ("-Xmx1k", "-Xms2m -Xmx4m", "-Xms2m -Xmx6m", "-Xms2m -Xmx8m")
MOST_CALLS = 5
# On a busy machine, the processes of a build that has ended take seconds to go.
END_SECONDS = 10.0
CONFIG = """
run: small
output_dir: out
corpus: {reader: jsonl, path: articles.jsonl, options: {fields: {title: headline}}}
ingest: {max_bad_input: 1.0}
retrieve: {min_event_score: 0.2}
adversary: {min_problems: 10}
execution: {workers: 2, shard_size: 512, hang_seconds: 20}
"""


@dataclass(frozen=True)
class Build:
    """A folder with a corpus and a configuration. Its processes are known by their environment."""

    folder: Path

    def start(
        self, limit: tuple[int, int] | None = None, points: Mapping[str, object] = MappingProxyType({})
    ) -> subprocess.Popen[bytes]:
        """Start the command in a group of its own. ``limit``: a resource and its limit in bytes; ``points``: see above."""
        command = [sys.executable, "-m", "wdw_build.cli", "all", "-q", "-c", "config.yaml"]
        log = (self.folder / "log").open("ab")
        environment = os.environ | {MARK: str(self.folder), "OMP_NUM_THREADS": "1"}
        if points:
            paths = filter(None, [str(POINTS), os.environ.get("PYTHONPATH")])
            environment |= {
                "PYTHONPATH": os.pathsep.join(paths),
                **{name: str(value) for name, value in points.items()},
            }
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=None if limit is None else lambda: resource.setrlimit(limit[0], (limit[1], limit[1])),
        )

    def processes(self) -> list[int]:
        """The processes of the build that are still there."""
        wanted, found = f"{MARK}={self.folder}".encode(), []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdecimal() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        return found

    def staging(self) -> list[Path]:
        """The staging folders that are left."""
        return list((self.folder / "out" / "store").glob("*/.*.staging"))

    def digest(self) -> str:
        """A hash of what a user relies on: counts and content hashes of every stage, records, rejections and exported files."""
        run, sha256 = self.folder / "out" / "runs" / "small", hashlib.sha256()
        for stage in sorted(path for path in run.iterdir() if path.is_symlink()):
            manifest = json.loads((stage / "manifest.json").read_bytes())
            kept = {key: manifest[key] for key in ("read", "written", "rejected", "reasons", "content_hash")}
            sha256.update(stage.name.encode() + json.dumps(kept, sort_keys=True).encode())
            for path in sorted([*stage.glob("*.jsonl"), *stage.glob("jsonl/*.jsonl"), *stage.glob("wdw-xml/*/*")]):
                sha256.update(path.name.encode() + path.read_bytes())
        return sha256.hexdigest()


def new_build(work: Path, name: str) -> Build:
    """A folder in which nothing was built."""
    folder = work / name
    folder.mkdir()
    lines = (ROOT / "data" / "sample" / "articles.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "articles.jsonl").write_bytes(b"".join(lines[:ARTICLES]))
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")
    return Build(folder)


def count_renames(build: Build) -> int:
    """Make a build, and count how often it renames a file or a folder."""
    build.start(points={RENAMES: build.folder / "renames"}).wait()
    return (build.folder / "renames").stat().st_size


def stop_at_rename(build: Build, dice: random.Random, renames: int, *, power_fails: bool) -> None:
    """Kill a build at one of its renames; if the power fails, empty the files that are not on the disk."""
    last, synced = dice.randint(1, 2 * renames), build.folder / "synced"
    build.start(points={RENAMES: build.folder / "renames", LAST_RENAME: last, SYNCED: synced}).wait()
    for pid in build.processes():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if power_fails and synced.exists():
        on_disk = set(synced.read_text(encoding="utf-8").splitlines())
        for path in (build.folder / "out" / "store").rglob("*"):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and f"{status.st_ino} {status.st_size} {status.st_mtime_ns}" not in on_disk:
                path.write_bytes(b"")


def kill_lmplz(build: Build, process: subprocess.Popen[bytes]) -> None:
    """Wait for the program that estimates the language model, and kill it."""
    while process.poll() is None:
        for pid in build.processes():
            with contextlib.suppress(OSError):
                if Path(f"/proc/{pid}/comm").read_text().strip() == "lmplz":
                    os.kill(pid, signal.SIGKILL)
                    return
        time.sleep(0.005)


def disturb(build: Build, kind: str, dice: random.Random, seconds: float, renames: int) -> None:
    """Start a build, disturb it, and wait for its end."""
    if kind in ("commit", "power"):
        stop_at_rename(build, dice, renames, power_fails=kind == "power")
        return
    limits = {"full": (resource.RLIMIT_FSIZE, FULL_BYTES), "memory": (resource.RLIMIT_AS, MEMORY_BYTES)}
    limit = (limits[kind][0], dice.randint(*limits[kind][1])) if kind in limits else None
    process = build.start(limit, {JAVA_OPTIONS: dice.choice(JAVA_FAULTS)} if kind == "java" else {})
    if kind == "twice":
        build.start().wait()
    elif kind == "lmplz":
        kill_lmplz(build, process)
    elif kind in _ACTIONS:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(dice.uniform(0.2, seconds))
        _ACTIONS[kind](build, process, dice)
        if kind == "clock":
            process.wait()
            build.start(points={SLOW_CLOCK: DAY}).wait()
    process.wait()
    with contextlib.suppress(FileNotFoundError):
        (build.folder / "articles.jsonl.kept").replace(build.folder / "articles.jsonl")


def _signal(kind: str) -> Callable[[Build, subprocess.Popen[bytes], random.Random], None]:
    def send(build: Build, process: subprocess.Popen[bytes], dice: random.Random) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, SIGNALS[kind])

    return send


def _kill_worker(build: Build, process: subprocess.Popen[bytes], dice: random.Random) -> None:
    workers = [pid for pid in build.processes() if pid != process.pid]
    if workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(dice.choice(workers), signal.SIGKILL)


def _stop_worker(build: Build, process: subprocess.Popen[bytes], dice: random.Random) -> None:
    """Halt a worker. The build kills it when it has said nothing for a while."""
    server = {pid for pid in build.processes() if _parent(pid) == process.pid}
    workers = [pid for pid in build.processes() if _parent(pid) in server]
    if workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(halted := dice.choice(workers), signal.SIGSTOP)
            (build.folder / HALTED).write_text(str(halted), encoding="utf-8")


def _parent(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def _change(build: Build, process: subprocess.Popen[bytes], dice: random.Random) -> None:
    corpus = build.folder / "articles.jsonl"
    shutil.copy2(corpus, f"{corpus}.kept")
    corpus.write_bytes(corpus.read_bytes()[: dice.randint(1, corpus.stat().st_size)])


def _remove(build: Build, process: subprocess.Popen[bytes], dice: random.Random) -> None:
    (build.folder / "articles.jsonl").replace(build.folder / "articles.jsonl.kept")


_ACTIONS = {kind: _signal(kind) for kind in SIGNALS} | {
    "clock": _signal("kill"),
    "worker": _kill_worker,
    "changed": _change,
    "vanished": _remove,
    "hang": _stop_worker,
}


def finish(build: Build) -> int:
    """Give the command until it ends with 0; returns how often it was given. Raises ``RuntimeError`` if it never does."""
    for number in range(1, MOST_CALLS + 1):
        if build.start().wait() == 0:
            return number
    raise RuntimeError(f"the build in {build.folder} does not end with 0; its log is beside it")


def fault(work: Path, name: str, kind: str, dice: random.Random, seconds: float, renames: int, expected: str) -> str:
    """One fault; returns what is wrong after it, or an empty text. The folder of a build that is wrong is kept."""
    build = new_build(work, name)
    disturb(build, kind, dice, seconds, renames)
    try:
        finish(build)
    except RuntimeError as error:
        return str(error)
    if (build.folder / HALTED).exists():
        # A worker that had no task cannot end while it is halted.
        with contextlib.suppress(ProcessLookupError):
            os.kill(int((build.folder / HALTED).read_text(encoding="utf-8")), signal.SIGKILL)
    end = time.monotonic() + END_SECONDS
    while build.processes() and time.monotonic() < end:
        time.sleep(0.1)
    wrong = ["its bytes differ"] * (build.digest() != expected)
    wrong += [f"{len(left)} processes are left"] if (left := build.processes()) else []
    wrong += [f"{len(folders)} staging folders are left"] if (folders := build.staging()) else []
    if not wrong:
        shutil.rmtree(build.folder)
    return f"{build.folder}: {', '.join(wrong)}" if wrong else ""


def main() -> int:
    """Run the faults, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=18, metavar="N", help="number of faults (default 18)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--seed", type=int, default=0, help="seed of the moments (default 0)")
    parser.add_argument("--json", action="store_true", help="print machine-readable output")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    work = Path(tempfile.mkdtemp(prefix="wdw-faults-"))
    begun = time.monotonic()
    undisturbed = new_build(work, "undisturbed")
    if finish(undisturbed) != 1:
        raise SystemExit(f"the undisturbed build failed; see {undisturbed.folder / 'log'}")
    seconds, expected = time.monotonic() - begun, undisturbed.digest()
    counted = new_build(work, "counted")
    renames = count_renames(counted)
    if counted.digest() != expected:
        raise SystemExit(f"two undisturbed builds differ: {undisturbed.folder} and {counted.folder}")
    counts, wrong = Counter[str](), dict[str, list[str]]()
    for number in tqdm(range(options.faults), unit="fault"):
        kind = options.kinds[number % len(options.kinds)]
        counts[kind] += 1
        if message := fault(work, f"{number}-{kind}", kind, dice, seconds, renames, expected):
            wrong.setdefault(kind, []).append(message)
    if options.json:
        print(
            json.dumps({"faults": counts, "wrong": wrong, "seconds of a build": round(seconds, 1), "renames": renames})
        )
    else:
        for kind, count in counts.items():
            print(f"{kind:9} {count:4} faults {count - len(wrong.get(kind, [])):4} identical")
        print(*(line for lines in wrong.values() for line in lines), sep="\n")
    if not wrong:
        shutil.rmtree(work)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

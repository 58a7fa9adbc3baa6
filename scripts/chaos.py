"""Breaks a run on a dask cluster at random, and compares its outputs with those of an undisturbed local run.

Two network namespaces stand for two hosts, each with worker processes; the scheduler and the command run outside of them;
all share the folder of the store. Every fault is one of: SIGKILL of a worker, SIGKILL of the scheduler, a host cut off from
the network for 20 to 60 seconds, while its workers still see the shared folder. A supervisor starts again what died, as a job
system would. If the command itself ends with an error, it is started again, as a user would.

    sudo python scripts/chaos.py --config configs/sample.yaml --work /tmp/chaos --faults 20 --seed 1

Needs root (ip netns) and takes as many minutes as faults, about. Exits with 1 if an output differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wdw_build.pipeline import STAGES

_PORT = 8786
_NETWORK = "10.213"
_CUT_SECONDS = (20.0, 60.0)
_OUTSIDE = f"{_NETWORK}.0.1"
_BRIDGE = "wdw-chaos"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@dataclass
class Host:
    """A network namespace with worker processes."""

    number: int
    workers: int
    scheduler_file: Path
    log: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    cut_until: float = 0.0

    @property
    def name(self) -> str:
        """The name of the namespace."""
        return f"wdw-host{self.number}"

    @property
    def device(self) -> str:
        """The end of the host's cable that is plugged into the bridge."""
        return f"wdw-veth{self.number}"

    def make(self) -> None:
        """Make the namespace, and connect it to the bridge."""
        inner = f"wdw-in{self.number}"
        _ip("netns", "add", self.name)
        _ip("link", "add", self.device, "type", "veth", "peer", "name", inner)
        _ip("link", "set", inner, "netns", self.name)
        _ip("link", "set", self.device, "master", _BRIDGE)
        _ip("link", "set", self.device, "up")
        _ip("-n", self.name, "addr", "add", f"{_NETWORK}.0.{10 + self.number}/24", "dev", inner)
        _ip("-n", self.name, "link", "set", inner, "up")
        _ip("-n", self.name, "link", "set", "lo", "up")

    def tend(self) -> None:
        """Start the workers that are missing, and plug the cable in again when its time has come."""
        if self.cut_until and time.monotonic() > self.cut_until:
            _ip("link", "set", self.device, "up")
            self.cut_until = 0.0
        self.running = [worker for worker in self.running if worker.poll() is None]
        while len(self.running) < self.workers:
            command = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard"]
            command += ["--scheduler-file", str(self.scheduler_file), "--death-timeout", "60", "--no-nanny"]
            command += ["--local-directory", str(self.log.parent / "scratch"), "--memory-limit", "0"]
            self.running.append(_start(["ip", "netns", "exec", self.name, *command], self.log))

    def cut(self, seconds: float) -> None:
        """Pull the cable."""
        _ip("link", "set", self.device, "down")
        self.cut_until = time.monotonic() + seconds


def _start(command: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as stream:
        return subprocess.Popen(command, stdout=stream, stderr=stream, start_new_session=True)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Cluster:
    """A scheduler and two hosts, tended until the end."""

    def __init__(self, work: Path, workers: int) -> None:
        self._work = work
        self.scheduler_file = work / "scheduler.json"
        self.hosts = [Host(number, workers, self.scheduler_file, work / f"host{number}.log") for number in (1, 2)]
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.run: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Cluster:
        remove_network()
        _ip("link", "add", _BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{_OUTSIDE}/24", "dev", _BRIDGE)
        _ip("link", "set", _BRIDGE, "up")
        for host in self.hosts:
            host.make()
        return self

    def __exit__(self, *_: object) -> None:
        for process in [self.run, self.scheduler, *(worker for host in self.hosts for worker in host.running)]:
            if process is not None:
                _kill(process)
        remove_network()

    def tend(self) -> None:
        """Start what is missing."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", _OUTSIDE]
            command += ["--port", str(_PORT), "--scheduler-file", str(self.scheduler_file), "--no-dashboard"]
            self.scheduler = _start(command, self._work / "scheduler.log")
        for host in self.hosts:
            host.tend()

    def break_something(self, dice: random.Random) -> str:
        """Do a random fault; returns it in words."""
        host = dice.choice(self.hosts)
        fault = dice.choices(("worker", "cut", "scheduler"), weights=(6, 3, 1))[0]
        if fault == "worker" and host.running:
            worker = dice.choice(host.running)
            _kill(worker)
            return f"killed a worker of {host.name}"
        if fault == "scheduler" and self.scheduler is not None:
            _kill(self.scheduler)
            return "killed the scheduler"
        seconds = dice.uniform(*_CUT_SECONDS)
        host.cut(seconds)
        return f"cut off {host.name} for {seconds:.0f} s"


def remove_network() -> None:
    """Remove the namespaces and the bridge of an earlier run."""
    for number in (1, 2):
        subprocess.run(["ip", "netns", "del", f"wdw-host{number}"], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", f"wdw-veth{number}"], check=False, capture_output=True)
    subprocess.run(["ip", "link", "del", _BRIDGE], check=False, capture_output=True)


def command(options: argparse.Namespace, output: Path, *settings: str) -> list[str]:
    """The command that builds the dataset in a folder."""
    changed = [f"output_dir={output}", "run=chaos", *settings, *options.overrides]
    words = [word for setting in changed for word in ("--set", setting)]
    return [sys.executable, "-m", "wdw_build.cli", "all", "-c", str(options.config), *words]


def undisturbed(options: argparse.Namespace) -> Path:
    """The folder of a local run."""
    output = Path(options.work) / "local"
    subprocess.run(
        command(options, output, f"execution.workers={options.workers}"), check=True, stdout=subprocess.DEVNULL
    )
    return output


def disturbed(options: argparse.Namespace) -> Path:
    """The folder of a run on the cluster, after all faults."""
    work, dice = Path(options.work), random.Random(options.seed)
    output = work / "dask"
    with Cluster(work, options.workers) as cluster:
        settings = ["execution.engine=dask", f"execution.dask.scheduler_file={cluster.scheduler_file}"]
        run = cluster.run = _start(command(options, output, *settings), work / "run.log")
        cluster.tend()
        faults, starts, begun = 0, 1, time.monotonic()
        due = time.monotonic() + options.every
        while run.poll() != 0:
            cluster.tend()
            if run.poll() is not None:
                print(f"the command ended with {run.returncode}: started again", flush=True)
                run = cluster.run = _start(command(options, output, *settings), work / "run.log")
                starts += 1
            if faults < options.faults and time.monotonic() > due:
                faults, due = faults + 1, time.monotonic() + dice.uniform(0.5, 1.5) * options.every
                print(f"{time.monotonic() - begun:6.0f} s, fault {faults}: {cluster.break_something(dice)}", flush=True)
            time.sleep(0.5)
        print(f"{faults} faults, {starts} starts of the command, {time.monotonic() - begun:.0f} s", flush=True)
    return output


def contents(output: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What must be equal in each stage's manifest."""
    for stage in STAGES:
        manifest = json.loads((output / "runs" / "chaos" / stage.name / "manifest.json").read_bytes())
        names = ("fingerprint", "content_hash", "read", "written", "rejected", "reasons", "rejections_sha256")
        hashes = [part["sha256"] for part in manifest["parts"]]
        yield stage.name, {name: manifest[name] for name in names} | {"parts": hashes}


def main() -> int:
    """Run both and compare; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="folder for stores and logs; empty or new")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--every", type=float, default=20.0, help="mean seconds between faults")
    parser.add_argument("--workers", type=int, default=2, help="workers of each host")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    pairs = zip(contents(undisturbed(options)), contents(disturbed(options)), strict=True)
    different = [name for (name, local), (_, other) in pairs if local != other]
    print(f"different: {', '.join(different)}" if different else f"all {len(STAGES)} stages have the same bytes")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())

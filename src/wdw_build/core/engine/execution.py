"""How a run is executed: the section ``execution``, of which only ``device`` can affect the output, and the number of workers.

The number is that of ``execution.workers``, or with ``auto`` as many worker processes as cores and memory allow. The kernel says
how much a process may use in its affinity and in the files of its control groups, of version 1 or 2.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wdw_build.core.section import NonNegativeInt, PositiveInt, Section

AUTO: Literal["auto"] = "auto"


class DaskConfig(Section, frozen=True):
    """The cluster of ``engine: dask``: a running one (``scheduler`` or ``scheduler_file``), or else one on this machine."""

    scheduler: Annotated[str, Meta(pattern=r"^([a-z]+://.+)?$(?!\n)")] = ""
    """Address of a running scheduler, such as tcp://head:8786. Empty: use scheduler_file."""
    scheduler_file: str = ""
    """File of a running scheduler (`dask scheduler --scheduler-file FILE`). Empty: start a cluster on this machine."""
    workers: NonNegativeInt = 0
    """Number of worker processes for a cluster on this machine; 0: `execution.workers`."""
    wait_seconds: PositiveInt = 600
    """Seconds to wait for the scheduler, or for the first worker, before the run stops."""
    gpu_resource: Annotated[str, Meta(min_length=1)] = "GPU"
    """Resource that GPU workers offer (`dask worker --resources GPU=1`), for `device: cuda`."""
    tls_ca_file: str = ""
    """PEM file with the certificate authority of a scheduler with TLS (tls://...)."""
    tls_certificate: str = ""
    """PEM file with the TLS certificate of this process."""
    tls_key: str = ""
    """PEM file with the private key of `tls_certificate`."""

    def __post_init__(self) -> None:
        """Check that the keys name one cluster. Raises ``ValueError``."""
        named = [name for name in ("scheduler", "scheduler_file", "workers") if getattr(self, name)]
        if len(named) > 1:
            raise ValueError(f"{' and '.join(named)} exclude each other")

    @property
    def joins(self) -> bool:
        """Whether the run joins a cluster that is running already."""
        return bool(self.scheduler or self.scheduler_file)


class ExecutionConfig(Section, frozen=True):
    """How to run. Of these keys, only ``device`` can affect the output (see docs/howto/use-a-gpu.md)."""

    engine: Literal["local", "dask"] = "local"
    """Where tasks run: in processes on this machine, or on a cluster (see docs/howto/cluster.md)."""
    workers: PositiveInt | Literal["auto"] = AUTO
    """Number of worker processes on this machine. `auto`: the cores that this process may use, as far as memory allows."""
    dask: DaskConfig = DaskConfig()
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device for the models. `auto`: a GPU if torch finds one, otherwise the CPU."""
    shard_size: Annotated[int, Meta(ge=512, multiple_of=512)] = 2048
    """Records per shard, but at least 2048 in `index`."""
    java_heap: Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,5}[mg]$(?!\n)")] = "1g"
    """JVM heap size, such as 1g."""
    lm_memory: Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,5}[MG]$(?!\n)")] = "1G"
    """Memory for sorting in lmplz, such as 1G."""


# ---- the number of worker processes ----------------------------------------------------------------------------------

# Memory in MB that a worker has of its own at its peak, and that workers share with this process: the loaded models, the
# search index and the n-gram model. Measured in `choices` on the corpora of docs/development/performance.md.
_OF_A_WORKER, _SHARED = 700, 2000
_MEGABYTE = 1 << 20
# More than any machine has: no limit is known.
_UNLIMITED = 1 << 60


class Workers(msgspec.Struct, frozen=True):
    """A number of worker processes, and why it is that number."""

    count: int
    """At least 1."""
    reason: str
    """Such as `execution.workers: auto; 2 cores`."""

    def __str__(self) -> str:
        """Such as ``2 workers (execution.workers: auto; 2 cores)``."""
        return f"{self.count} worker{'s' if self.count != 1 else ''} ({self.reason})"


def workers_of(execution: ExecutionConfig) -> Workers:
    """The number of worker processes on this machine."""
    if execution.workers != AUTO:
        return Workers(execution.workers, f"execution.workers: {execution.workers}")
    cores, fitting = usable_cores(), max(1, (free_memory() - _SHARED) // _OF_A_WORKER)
    reason = f"execution.workers: {AUTO}; {cores} core{'s' if cores != 1 else ''}"
    return Workers(cores, reason) if cores <= fitting else Workers(fitting, f"{reason}, memory for {fitting}")


def usable_cores(root: Path = Path("/")) -> int:
    """The cores that this process may use: those of its affinity, within the quotas of its control groups, rounded up.

    ``root``: the folder with ``proc`` and ``sys``.
    """
    quotas = [math.ceil(quota) for quota in _quotas(root)]
    return max(1, min([len(os.sched_getaffinity(0)), *quotas]))


@functools.cache
def free_memory(root: Path = Path("/")) -> int:
    """The memory in MB that this process may still use: of the machine, within the limits of its control groups.

    It is measured once in a process, so that all parts of a command have the same number of workers.
    """
    kilobytes = _counts(root / "proc/meminfo").get("MemAvailable:")
    available = _UNLIMITED if kilobytes is None else kilobytes * 1024
    return min([available, *_memory_limits(root)]) // _MEGABYTE


def _quotas(root: Path) -> Iterator[float]:
    """The cores of each group with a quota."""
    for folder in _groups(root, "cpu"):
        quota, period = (_words(folder / f"cpu.cfs_{name}_us")[:1] for name in ("quota", "period"))
        words = _words(folder / "cpu.max") or [*quota, *period]
        if len(words) == 2 and all(map(str.isdecimal, words)) and words[1] != "0":
            yield int(words[0]) / int(words[1])


def _memory_limits(root: Path) -> Iterator[int]:
    """The bytes that each group with a limit may still use: the limit, without what its processes hold.

    Cached files are not counted, because the kernel drops them when memory is short.
    """
    for folder in _groups(root, "memory"):
        limit = _words(folder / "memory.max") or _words(folder / "memory.limit_in_bytes")
        if limit and limit[0].isdecimal():
            held = _counts(folder / "memory.stat")
            yield max(0, int(limit[0]) - held.get("anon", held.get("total_rss", 0)))


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The folders of this process's control group for a controller and of the groups around it.

    In a container, the path of the group may be that outside; then only the folder that is the container's root exists.
    """
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers or controller in controllers.split(","):
            top = root / "sys/fs/cgroup" / (controller if controllers else "")
            group = top / path.strip("/")
            yield from (folder for folder in (group, *group.parents) if folder.is_relative_to(top))


def _counts(file: Path) -> dict[str, int]:
    """The first number after the first word of each line."""
    words = (line.split() for line in _text(file).splitlines())
    return {line[0]: int(line[1]) for line in words if len(line) > 1 and line[1].isdecimal()}


def _words(file: Path) -> list[str]:
    return _text(file).split()


def _text(file: Path) -> str:
    """The text of a file; empty if this process cannot read it."""
    try:
        return file.read_text()
    except OSError:
        return ""

"""Counts a stage's inputs, records and rejections, checks that every input ends as one or the other, and names the failing one.

An unexpected exception of a stage becomes an error that names the last record read, and what to do.
"""

from __future__ import annotations

import contextlib
import shlex
import traceback
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.hashing import id_sum
from wdw_build.core.progress import printable
from wdw_build.core.stage import RUN, Stage
from wdw_build.errors import StageError, WdwError, is_full_disk, is_out_of_memory
from wdw_build.records import RawArticle, Record, Rejection, Unreadable

_WORD = 1 << 64


class Tally(msgspec.Struct, kw_only=True):
    """Counts of one shard or stage.

    ``sum_in`` and ``sum_out`` are sums of hashed ids modulo 2**64: they are equal if the ids that came out are those that
    went in. ``devices``: the devices on which models computed. ``peak_mb``: of the process that needed most memory.
    """

    read: int = 0
    written: int = 0
    rejected: int = 0
    reasons: dict[str, int] = msgspec.field(default_factory=dict)
    sum_in: int = 0
    sum_out: int = 0
    devices: tuple[str, ...] = ()
    cpu_seconds: float = 0.0
    peak_mb: int = 0

    def add(self, other: Tally) -> None:
        """Add another shard's counts."""
        self.read += other.read
        self.written += other.written
        self.rejected += other.rejected
        self.sum_in = (self.sum_in + other.sum_in) % _WORD
        self.sum_out = (self.sum_out + other.sum_out) % _WORD
        self.devices = tuple(sorted({*self.devices, *other.devices}))
        self.cpu_seconds += other.cpu_seconds
        self.peak_mb = max(self.peak_mb, other.peak_mb)
        for reason, count in other.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count

    def reject_written(self, reason: str, count: int) -> None:
        """Count ``count`` written records as rejected."""
        if count:
            self.written -= count
            self.rejected += count
            self.reasons[reason] = self.reasons.get(reason, 0) + count

    def check(self, stage: str) -> None:
        """Raise ``StageError`` unless read = written + rejected, id by id."""
        fault = "the ids written and rejected are not the ids read" if self.sum_in != self.sum_out else ""
        if self.read != self.written + self.rejected:
            fault = f"{self.read} read, but {self.written} written + {self.rejected} rejected"
        if fault:
            raise StageError(f"stage {stage}: {fault}", hint="this is a defect of the stage; nothing was stored")


def input_id(value: Record | RawArticle | Unreadable | int) -> str:
    """The id under which an input is counted: its own id, its place in the corpus without an id, or the number of a partition."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Unreadable):
        return value.place
    return value.own_id if isinstance(value, RawArticle) else value.id


class Counter:
    """Counts what a task reads and writes, and knows the last record that it read."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.tally = Tally()
        self.last_id = ""
        self.places: list[str] = []
        """Where each record was in the corpus, for a stage that names duplicates: it keeps the order of its inputs."""
        self._waiting: deque[str] = deque()

    def read(self, value: Any) -> None:
        """Count an input."""
        self.last_id = input_id(value)
        if self.stage.duplicates:
            self._waiting.append(getattr(value, "place", ""))
        self.tally.read += 1
        self.tally.sum_in = (self.tally.sum_in + id_sum(self.last_id)) % _WORD

    def write(self, result: Record | Rejection) -> None:
        """Count a result. Raises ``StageError`` for a reason or a record type that is not declared."""
        # Too many results are an error, which the counts show.
        place = self._waiting.popleft() if self._waiting else ""
        if isinstance(result, Rejection):
            if result.reason not in self.stage.reasons:
                raise StageError(f"stage {self.stage.name}: undeclared rejection reason {result.reason!r}")
            self.tally.rejected += 1
            self.tally.reasons[result.reason] = self.tally.reasons.get(result.reason, 0) + 1
        elif isinstance(result, self.stage.writes):
            self.tally.written += 1
            if self.stage.duplicates:
                self.places.append(place)
        else:
            raise StageError(f"stage {self.stage.name} yielded a {type(result).__name__}")
        self.tally.sum_out = (self.tally.sum_out + id_sum(result.id)) % _WORD


# ---- unexpected exceptions -------------------------------------------------------------------------------------------

_SAID_CHARACTERS = 300


@contextlib.contextmanager
def naming(stage: Stage, step: str, counter: Counter, folder: Path) -> Iterator[None]:
    """Make an unexpected exception a ``StageError`` that names the last record read and the line of code."""
    try:
        yield
    except WdwError:
        raise
    except Exception as error:
        raise _failure(stage, step, counter.last_id, error, folder) from error


def _failure(stage: Stage, step: str, record_id: str, error: Exception, folder: Path) -> StageError:
    name = stage.name if step == RUN else f"{stage.name} ({step})"
    if is_full_disk(error):
        # No record is to blame, and the error of a write does not name the file.
        reason = error.strerror if isinstance(error, OSError) else printable(str(error).partition("\n")[0])
        return StageError(
            f"stage {name} cannot write to {getattr(error, 'filename', None) or folder}: {reason}",
            hint="make room on that disk, or raise the limit of file sizes; the same command resumes from finished shards",
        )
    if is_out_of_memory(error):
        return _memory_failure(name, record_id, error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    printed_id = printable(record_id)
    at = f"at record {printed_id!r} (the last one read)" if record_id else "before it read a record"
    command = f"wdw-build run {stage.name} --only {shlex.quote(printed_id)} --config FILE  runs this record alone"
    if (stage.scope == "set" or step != RUN) and stage.primary:
        command = f"wdw-build inspect {stage.primary} --id {shlex.quote(printed_id)} --config FILE  shows this record"
    return StageError(
        f"stage {name} stopped {at}: {type(error).__name__}: "
        f"{printable(str(error))} ({Path(frame.filename).name}:{frame.lineno})",
        hint=f"{command}; finished shards are kept" if record_id else "finished shards are kept",
    )


def _memory_failure(name: str, record_id: str, error: Exception) -> StageError:
    first_line = str(error).replace("\\n", "\n").partition("\n")[0]
    message = f"{type(error).__name__}: {printable(first_line)[:_SAID_CHARACTERS]}".removesuffix(": ")
    after = f" after it had read {printable(record_id)!r}" * bool(record_id)
    in_java = "java" in first_line.lower()
    more = "a larger execution.java_heap" if in_java else "fewer execution.workers and no limit of memory (ulimit -v)"
    return StageError(
        f"stage {name} ran out of memory{' in Java' * in_java}{after}: {message}",
        hint=f"set {more}, or use a machine with more memory; the same command resumes from finished shards",
    )

"""Makes an unexpected exception of a stage an error that names the record, and what to do."""

from __future__ import annotations

import contextlib
import shlex
import traceback
from collections.abc import Iterator
from pathlib import Path

from wdw_build.core.progress import printable
from wdw_build.core.run.accounting import Counter
from wdw_build.core.stage import RUN, Stage
from wdw_build.errors import StageError, WdwError, is_full_disk, is_out_of_memory

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
    shown = printable(record_id)
    at = f"at record {shown!r} (the last one read)" if record_id else "before it read a record"
    command = f"wdw-build run {stage.name} --only {shlex.quote(shown)} --config FILE  runs this record alone"
    if (stage.scope == "set" or step != RUN) and stage.primary:
        command = f"wdw-build inspect {stage.primary} --id {shlex.quote(shown)} --config FILE  shows this record"
    return StageError(
        f"stage {name} stopped {at}: {type(error).__name__}: "
        f"{printable(str(error))} ({Path(frame.filename).name}:{frame.lineno})",
        hint=f"{command}; finished shards are kept" if record_id else "finished shards are kept",
    )


def _memory_failure(name: str, record_id: str, error: Exception) -> StageError:
    first_line = str(error).replace("\\n", "\n").partition("\n")[0]
    said = f"{type(error).__name__}: {printable(first_line)[:_SAID_CHARACTERS]}".removesuffix(": ")
    read = f" after it had read {printable(record_id)!r}" * bool(record_id)
    in_java = "java" in first_line.lower()
    more = "a larger execution.java_heap" if in_java else "fewer execution.workers and no limit of memory (ulimit -v)"
    return StageError(
        f"stage {name} ran out of memory{' in Java' * in_java}{read}: {said}",
        hint=f"set {more}, or use a machine with more memory; the same command resumes from finished shards",
    )

"""Find the rejections of an id: a sorted key file beside ``rejections.jsonl``, searched by bisection.

A key line is ``JSON string of the id, tab, byte offset, tab, byte length``. Other than among records, an id may stand there
more than once: an article that is filed twice is rejected twice.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from wdw_build.core.store import jsonl
from wdw_build.core.store.key_index import KeyLine, KeyLines, PartFile, damaged, id_of, key_of, shown
from wdw_build.core.store.manifest import read_manifest
from wdw_build.errors import UsageError
from wdw_build.records import Rejection

REJECTIONS = "rejections.jsonl"
KEYS = "rejections.keys"
_RUN = 100_000


def _keys(path: Path) -> Iterator[bytes]:
    offset = 0
    with path.open("rb") as stream:
        for line in stream:
            yield b"%s\t%d\t%d\n" % (key_of(id_of(line)), offset, len(line))
            offset += len(line)


def write_keys(folder: Path) -> None:
    """Write the key file of a folder's rejections. Memory does not grow with them: sorted runs are merged."""
    runs: list[Path] = []
    run: list[bytes] = []

    def close() -> None:
        runs.append(folder / f".{KEYS}.{len(runs)}")
        runs[-1].write_bytes(b"".join(sorted(run)))
        run.clear()

    for key in _keys(folder / REJECTIONS):
        run.append(key)
        if len(run) >= _RUN:
            close()
    close()
    _merge(folder / KEYS, runs)


def _merge(path: Path, runs: Iterable[Path]) -> None:
    # No JSON string is the beginning of another, so lines sort as their keys do.
    with ExitStack() as stack, path.open("wb") as stream:
        stream.writelines(heapq.merge(*(stack.enter_context(run.open("rb")) for run in runs)))
    for run in runs:
        run.unlink()


def _key_file(folder: Path) -> Path:
    """Raises ``UsageError`` if the folder has none."""
    if not (folder / KEYS).exists():
        raise UsageError(
            f"{folder} has no {KEYS}: an earlier version made it, or it was deleted",
            hint=f"make it again: wdw-build run {folder.resolve().parent.name} --force -c FILE",
        )
    return folder / KEYS


def _count_is_right(folder: Path, keys: KeyLines) -> None:
    """Raises ``DamagedOutputError`` if there are not as many keys as rejections. A folder without manifest is not judged."""
    manifest = read_manifest(folder)
    if manifest is not None:
        keys.check_count(manifest.rejected)


def places(folder: Path) -> Iterator[tuple[bytes, int, int]]:
    """(key, offset, length) of every rejection, in the order of the keys.

    Raises ``UsageError`` if the folder has no key file, and ``DamagedOutputError`` if it is not as it was written.
    """
    keys = KeyLines(_key_file(folder), 2)
    _count_is_right(folder, keys)
    for line in keys.since(0):
        yield line.key, line.numbers[0], line.numbers[1]


def find(folder: Path, record_id: str) -> list[Rejection]:
    """The rejections of an id, in order. Raises as ``places`` does."""
    keys, stored = KeyLines(_key_file(folder), 2), PartFile(folder / REJECTIONS)
    key = key_of(record_id)
    start = keys.first_from(key)
    run = list(itertools.takewhile(lambda line: line.key == key, keys.since(start)))
    after = keys.at(run[-1].end + 1 if run else start)
    # A line that was changed hides others of its id: it stands beside those that are found.
    for beside in filter(None, (keys.before(start), after)):
        stored.line(beside.key, *beside.numbers)
    if after is None:
        _count_is_right(folder, keys)
    return [jsonl.decode(line, Rejection, str(stored.path)) for line in _lines(stored, run, keys.path)]


def _lines(stored: PartFile, run: list[KeyLine], path: Path) -> list[bytes]:
    """The lines of one id, in the order of the file."""
    places = sorted(line.numbers for line in run)
    if len(set(places)) < len(places):
        raise damaged(path, f"it names one rejection of {shown(run[0].key)} twice")
    return [stored.line(run[0].key, *numbers) for numbers in places]

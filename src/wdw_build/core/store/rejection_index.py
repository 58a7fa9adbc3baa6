"""Index of rejections by id: a sorted key file beside ``rejections.jsonl``, searched by bisection.

A key line is ``JSON string of the id, tab, byte offset, tab, byte length``. Unlike a record's id, a rejection's id may
occur more than once: an article that is filed twice is rejected twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from wdw_build.core.store import jsonl
from wdw_build.core.store.key_index import KeyLine, KeyLines, PartFile, damaged, id_of, key_of, merge_keys, shown
from wdw_build.core.store.manifest import read_manifest
from wdw_build.records import Rejection

REJECTIONS = "rejections.jsonl"
KEYS = "rejections.keys"
_RUN = 100_000


def _key_lines(path: Path) -> Iterator[bytes]:
    offset = 0
    with path.open("rb") as stream:
        for line in stream:
            yield b"%s\t%d\t%d\n" % (key_of(id_of(line)), offset, len(line))
            offset += len(line)


def write_keys(folder: Path) -> int:
    """Write the key file of a folder's rejections: an external merge sort, in bounded memory. Returns their number."""
    runs, count = list[Path](), 0
    lines = _key_lines(folder / REJECTIONS)
    while run := sorted(itertools.islice(lines, _RUN)):
        runs.append(folder / f".{KEYS}.{len(runs)}")
        runs[-1].write_bytes(b"".join(run))
        count += len(run)
    merge_keys(folder / KEYS, runs)
    for path in runs:
        path.unlink()
    return count


def _open_keys(folder: Path) -> KeyLines:
    return KeyLines(folder / KEYS, 2)


def _check_count(folder: Path, keys: KeyLines) -> None:
    """Raise ``DamagedOutputError`` if the numbers of keys and rejections differ. A folder without manifest passes."""
    manifest = read_manifest(folder)
    if manifest is not None:
        keys.check_count(manifest.rejected)


def locations(folder: Path) -> Iterator[tuple[bytes, int, int]]:
    """(key, offset, length) of every rejection, in the order of the keys.

    Raises ``UsageError`` if the folder has no key file, and ``DamagedOutputError`` if the file is not as it was written.
    """
    keys = _open_keys(folder)
    _check_count(folder, keys)
    for line in keys.lines_from(0):
        yield line.key, line.numbers[0], line.numbers[1]


def find(folder: Path, record_id: str) -> list[Rejection]:
    """The rejections of an id, in order. Raises as ``locations`` does."""
    keys, rejections = _open_keys(folder), PartFile(folder / REJECTIONS)
    key = key_of(record_id)
    start = keys.lower_bound(key)
    equal = list(itertools.takewhile(lambda line: line.key == key, keys.lines_from(start)))
    after = keys.line_at(equal[-1].end + 1 if equal else start)
    # A damaged key line of this id would be one of these two, and a rejection would be missing.
    for neighbour in filter(None, (keys.line_before(start), after)):
        rejections.line(neighbour.key, *neighbour.numbers)
    if after is None:
        _check_count(folder, keys)
    return [jsonl.decode(line, Rejection, str(rejections.path)) for line in _stored_lines(rejections, equal, keys.path)]


def _stored_lines(rejections: PartFile, equal: list[KeyLine], path: Path) -> list[bytes]:
    """The lines of one id, in the order of the file."""
    positions = sorted(line.numbers for line in equal)
    if len(set(positions)) < len(positions):
        raise damaged(path, f"it names one rejection of {shown(equal[0].key)} twice")
    return [rejections.line(equal[0].key, *numbers) for numbers in positions]

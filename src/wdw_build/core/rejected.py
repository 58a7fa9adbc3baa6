"""Find the rejections of an id: a sorted key file beside ``rejections.jsonl``, searched by bisection.

A key line is ``JSON string of the id, tab, byte offset, tab, byte length``. Other than among records, an id may stand there
more than once: an article that is filed twice is rejected twice.
"""

from __future__ import annotations

import heapq
import mmap
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec

from wdw_build.core import jsonl
from wdw_build.core.lookup import key_of
from wdw_build.errors import FixCommand
from wdw_build.records import Rejection

REJECTIONS = "rejections.jsonl"
KEYS = "rejections.keys"
_RUN = 100_000


class _Id(msgspec.Struct):
    id: str


_id_decoder = msgspec.json.Decoder(_Id)


def _keys(path: Path) -> Iterator[bytes]:
    offset = 0
    with path.open("rb") as stream:
        for line in stream:
            yield b"%s\t%d\t%d\n" % (key_of(_id_decoder.decode(line).id), offset, len(line))
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


def _places_of(keys: mmap.mmap, wanted: bytes) -> list[tuple[int, int]]:
    """(offset, length) of every line of that id, in the order of the file."""
    low, high = 0, len(keys)
    while low < high:
        start = keys.rfind(b"\n", 0, (low + high) // 2) + 1
        end = keys.find(b"\n", start)
        if keys[start:end].split(b"\t")[0] < wanted:
            low = end + 1
        else:
            high = start
    found = []
    while keys[low : low + len(wanted) + 1] == wanted + b"\t":
        end = keys.find(b"\n", low)
        _, offset, length = keys[low:end].split(b"\t")
        found.append((int(offset), int(length)))
        low = end + 1
    return sorted(found)


def _key_file(folder: Path) -> Path:
    """Raises ``FixCommand`` if the folder has none."""
    if not (folder / KEYS).exists():
        raise FixCommand(
            f"{folder} has no {KEYS}: an earlier version made it, or it was deleted",
            hint=f"make it again: wdw-build run {folder.resolve().parent.name} --force",
        )
    return folder / KEYS


def places(folder: Path) -> Iterator[tuple[bytes, int, int]]:
    """(key, offset, length) of every rejection, in the order of the keys. Raises ``FixCommand`` as ``find`` does."""
    with _key_file(folder).open("rb") as stream:
        for line in stream:
            key, offset, length = line.split(b"\t")
            yield key, int(offset), int(length)


def find(folder: Path, record_id: str) -> list[Rejection]:
    """The rejections of an id, in order. Raises ``FixCommand`` if the folder has no key file."""
    path = _key_file(folder)
    if not path.stat().st_size:
        return []
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as keys:
        wanted = _places_of(keys, key_of(record_id))
    found = []
    with (folder / REJECTIONS).open("rb") as stream:
        for offset, length in wanted:
            stream.seek(offset)
            found.append(jsonl.decode(stream.read(length), Rejection, f"{folder / REJECTIONS}, byte {offset}"))
    return found

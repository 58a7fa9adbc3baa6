"""A sorted string table: values by key in one immutable file.

A segment holds, one after another:

- the values, a line of JSON each, in the order of their keys;
- for each value a key line of ``key_index``: key, byte offset, byte length and checksum of key and value (CRC-32);
- a Bloom filter of the keys (Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970);
- a footer of fixed length with the number of values, two byte offsets and the checksum of these numbers and the filter.

An open ``Segment`` keeps only the filter in memory, 2 bytes a key, and no open file: there may be hundreds of segments. The
file is read, not mapped, because over NFS a mapped file that another host deletes ends the process.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from wdw_build.core.store.key_index import FileBytes, KeyLines, shown
from wdw_build.errors import DamagedOutputError

# With 16 bits and 4 probes a key, the filter passes one absent key in 400.
_FILTER_BYTES, _PROBES = 2, 4
_FOOTER = b"segment 1 %016x %016x %016x %08x\n"
_FOOTER_LENGTH = len(_FOOTER % (0, 0, 0, 0))
_FOOTER_FORM = re.compile(rb"segment 1 ([0-9a-f]{16}) ([0-9a-f]{16}) ([0-9a-f]{16}) ([0-9a-f]{8})\n")
_NUMBERS = 3
_KEY_LINE = re.compile(rb'("[^\t\n]*")' + rb"\t(\d{1,18})" * _NUMBERS + rb"\n")

Hashes = tuple[int, int]


class _Footer(NamedTuple):
    values: int
    keys_at: int
    filter_at: int
    checksum: int


def _footer(values: int, keys_at: int, filter_at: int, bits: bytes | bytearray) -> _Footer:
    checksum = zlib.crc32(b"%d %d %d" % (values, keys_at, filter_at), zlib.crc32(bits))
    return _Footer(values, keys_at, filter_at, checksum)


def key_hashes(key: bytes) -> Hashes:
    """Two hashes of a key; the filter's probes are linear combinations of them (Kirsch and Mitzenmacher, 2006)."""
    number = hashlib.blake2b(key, digest_size=16).digest()
    return int.from_bytes(number[:8]), int.from_bytes(number[8:]) | 1


def _checksum(key: bytes, value: bytes) -> int:
    return zlib.crc32(value, zlib.crc32(key))


def _damaged(path: Path, what: str) -> DamagedOutputError:
    return DamagedOutputError(f"{path}: {what}", hint="the file was changed or truncated; delete it")


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield file
    finally:
        os.close(file)


class Segment:
    """A segment for look-up. Raises ``DamagedOutputError`` if the file is truncated or is no segment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with _opened(path) as file:
            self.count, self._keys_at, self._filter_at, checksum = self._read_footer(file)
            size = os.fstat(file).st_size - _FOOTER_LENGTH - self._filter_at
            self._filter = (
                os.pread(file, size, self._filter_at) if self._keys_at <= self._filter_at and size > 0 else b""
            )
        if not self._filter or _footer(self.count, self._keys_at, self._filter_at, self._filter).checksum != checksum:
            raise _damaged(path, "the checksum of its filter and footer is wrong")

    def _read_footer(self, file: int) -> _Footer:
        size = os.fstat(file).st_size
        match = _FOOTER_FORM.fullmatch(os.pread(file, _FOOTER_LENGTH, max(0, size - _FOOTER_LENGTH)))
        if match is None:
            raise _damaged(self.path, "it does not end as a segment ends")
        return _Footer(*(int(number, 16) for number in match.groups()))

    def may_hold(self, hashes: Hashes) -> bool:
        """False only if the segment does not hold the key of these hashes; true for one absent key in 400."""
        # Not with ``_probes``, because most calls end at the first bit, and a generator would take longer than that.
        (bit, step), table = hashes, self._filter
        bits = 8 * len(table)
        for _ in range(_PROBES):
            if not table[bit % bits >> 3] >> (bit % bits & 7) & 1:
                return False
            bit += step
        return True

    def find(self, key: bytes) -> bytes | None:
        """The value of a key, or None; opens the file. Raises ``OSError`` if the file is gone, ``DamagedOutputError``."""
        with _opened(self.path) as file:
            lines = KeyLines(self.path, _NUMBERS, FileBytes(file, self._keys_at, self._filter_at))
            line = lines.line_at(lines.lower_bound(key))
            return self._value(file, key, *line.numbers) if line is not None and line.key == key else None

    def entries(self) -> Iterator[tuple[bytes, bytes] | None]:
        """Yield (key, value) in the order of the keys, and None for each damaged entry."""
        previous = b""
        with self.path.open("rb") as stream:
            stream.seek(self._keys_at)
            while stream.tell() < self._filter_at:
                match = _KEY_LINE.fullmatch(stream.readline())
                try:
                    entry = self._entry(stream.fileno(), match) if match else None
                except DamagedOutputError:
                    entry = None
                if entry is not None and entry[0] < previous:
                    entry = None
                previous = entry[0] if entry else previous
                yield entry

    def _entry(self, file: int, match: re.Match[bytes]) -> tuple[bytes, bytes]:
        key, *numbers = match.groups()
        return key, self._value(file, key, *map(int, numbers))

    def _value(self, file: int, key: bytes, offset: int, length: int, checksum: int) -> bytes:
        value = os.pread(file, length, offset)
        if _checksum(key, value) != checksum:
            raise _damaged(self.path, f"the checksum of {shown(key)} is wrong")
        return value


def write_segment(path: Path, entries: Iterable[tuple[bytes, bytes]]) -> None:
    """Write sorted entries, each key once, into a new file, and wait until the disk has it.

    A key is a JSON string, a value is JSON without line breaks.
    """
    with path.open("xb") as stream, TemporaryFile(dir=path.parent) as keys:
        count, keys_at = _write_values(stream, keys, entries)
        filter_at = keys_at + keys.tell()
        keys.seek(0)
        bits = bytearray(_FILTER_BYTES * max(count, 4))
        for line in keys:
            stream.write(line)
            for bit in _probes(key_hashes(line.partition(b"\t")[0]), 8 * len(bits)):
                bits[bit >> 3] |= 1 << (bit & 7)
        stream.write(bits)
        stream.write(_FOOTER % _footer(count, keys_at, filter_at, bits))
        stream.flush()
        os.fsync(stream.fileno())


def _write_values(stream: BinaryIO, keys: BinaryIO, entries: Iterable[tuple[bytes, bytes]]) -> tuple[int, int]:
    """Write values and key lines; returns the number of values and their bytes."""
    count, offset = 0, 0
    for key, value in entries:
        stream.write(value + b"\n")
        keys.write(b"%s\t%d\t%d\t%d\n" % (key, offset, len(value), _checksum(key, value)))
        count, offset = count + 1, offset + len(value) + 1
    return count, offset


def _probes(hashes: Hashes, bits: int) -> Iterator[int]:
    """The bits of a filter that a key of these hashes sets."""
    first, second = hashes
    return ((first + number * second) % bits for number in range(_PROBES))

"""Splits files into lines, within bounded memory, and cuts large files into spans of lines.

Only a newline byte ends a line. A span holds the lines whose preceding newline lies between its two offsets, in bytes of
the unpacked file; the first span also holds the first line. So every line belongs to one span, wherever a file is cut.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from wdw_build.adapters.corpora.reading.streams import BLOCK, DAMAGE, unpacked_size
from wdw_build.ports import END, WHOLE, Span

LONGEST = 64 << 20
_SCAN = 1 << 20
# To read a span of a compressed file, the file is unpacked from its beginning. With n spans, it is unpacked (n + 1) / 2
# times, which costs most for the slow formats.
_MOST_SPANS = {".gz": 16, ".zst": 16, ".xz": 6, ".bz2": 3}
# A compressed file that is smaller than its target by this factor is not opened to estimate its size.
_LARGEST_RATIO = 16

Lines = Iterator[tuple[int, bytes | None]]


class DamagedElsewhere(Exception):
    """The file is damaged before or after the span that is read; the span with the damage reports it."""


class SpanLines:
    """Iterates over the lines of a span and the later lines of the file: (number from 1, line without its newline).

    A line of more than ``longest`` bytes is None. ``start`` is the offset of the last line. After the last whole line
    before damage, iteration raises a ``DAMAGE`` error if the damage lies in the span, else ``DamagedElsewhere``.
    """

    def __init__(self, stream: IO[bytes], span: Span = WHOLE, longest: int = LONGEST) -> None:
        self._stream, self._span, self._longest = stream, span, longest
        self._read = self._number = 0
        self.start = 0

    @property
    def is_beyond(self) -> bool:
        """Whether the last line belongs to a later span."""
        return self.start > self._span.end

    def __iter__(self) -> Lines:
        held: list[bytes] = []
        size = 0
        for block in self._blocks():
            first, *others = block.split(b"\n")
            size += len(first)
            held.append(first)
            if size > self._longest:
                held.clear()
            if others:
                self._number += 1
                yield self._number, (None if size > self._longest else b"".join(held))
                self.start += size + 1
                for line in others[:-1]:
                    self._number += 1
                    yield self._number, (None if len(line) > self._longest else line)
                    self.start += len(line) + 1
                held, size = [others[-1]], len(others[-1])
        if size:
            yield self._number + 1, (None if size > self._longest else b"".join(held))

    def _blocks(self) -> Iterator[bytes]:
        """Yield the bytes from the span's first line on; ``start`` and ``_number`` are then those of the line before."""
        try:
            with self._stream:
                first = self._skip() if self._span.start else self._next()
                yield first
                while block := self._next():
                    yield block
        except DAMAGE as error:
            if self._span.start <= self._read < self._span.end:
                raise
            raise DamagedElsewhere from error

    def _next(self) -> bytes:
        block = cast(io.BufferedReader, self._stream).read1(BLOCK)
        self._read += len(block)
        return block

    def _skip(self) -> bytes:
        """Read up to the span's first line; return the bytes that follow in the same read."""
        if self._stream.seekable():
            self._read, self._number = self._stream.seek(self._span.start), self._span.before
        while block := self._next():
            offset = self._read - len(block)
            newline = block.find(b"\n", max(0, self._span.start - offset))
            self._number += block.count(b"\n", 0, newline + 1 if newline >= 0 else len(block))
            if newline >= 0:
                self.start = offset + newline + 1
                return block[newline + 1 :]
        return b""


def offsets(path: Path, target: int) -> list[int]:
    """The starts of equal parts of about ``target`` bytes; larger parts of a compressed file. Raises a ``DAMAGE`` error.

    Of a compressed file, only the beginning is unpacked, to estimate its size: the last part extends to the end.
    """
    packing, size = path.suffix.lower(), path.stat().st_size
    if packing in _MOST_SPANS and size * _LARGEST_RATIO > target:
        size = unpacked_size(path)
    count = min(max(1, -(-size // target)), _MOST_SPANS.get(packing, END))
    return [size * number // count for number in range(count)]


def line_spans(path: Path, target: int) -> list[Span]:
    """Cut a file into spans of about ``target`` bytes. Raises a ``DAMAGE`` error.

    A plain file is read once, to count the lines before each span.
    """
    starts = offsets(path, target)
    spans = []
    before = 0
    with path.open("rb", buffering=0) as stream:
        for start, end in zip(starts, [*starts[1:], END], strict=True):
            spans.append(Span(start, end, before))
            if end < END and path.suffix.lower() not in _MOST_SPANS:
                before += _lines_in(stream, end - start)
    return spans


def _lines_in(stream: IO[bytes], size: int) -> int:
    """The newlines in the next ``size`` bytes."""
    count = 0
    while size and (block := stream.read(min(size, _SCAN))):
        count += block.count(b"\n")
        size -= len(block)
    return count


def too_long(longest: int = LONGEST) -> str:
    """The reason reported for a line or an article that is too long to read."""
    return f"longer than {longest >> 20} MB" if longest >= 1 << 20 else f"longer than {longest} bytes"

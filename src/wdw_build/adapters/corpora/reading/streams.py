"""Opens files, decompresses them as they are read, splits them into lines and cuts large ones, within bounded memory.

``read1`` returns all bytes before a damaged place, so no whole line before it is lost. Reading stops at a decompression
bomb: a few kilobytes that unpack to gigabytes.

Only a newline byte ends a line. A span holds the lines whose preceding newline lies between its two offsets, in bytes of
the unpacked file; the first span also holds the first line. So every line belongs to one span, wherever a file is cut.
"""

from __future__ import annotations

import io
import lzma
import zlib
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from wdw_build.core.text_files import utf_16_of
from wdw_build.ports import END, WHOLE, FileRange

BLOCK = 1 << 16
# Newswire unpacks to 3 to 10 times its size. gzip can reach a ratio of 1,030; the other formats, many thousands.
MAX_RATIO = 200.0
# Bytes that a file may unpack to at any ratio: four million empty lines are refused in seconds.
HARMLESS = 4 << 20
# Bytes of zstd that are unpacked together. A few of them can unpack to 128 KB, so all of them, to 128 MB at most.
_ZSTD_BLOCK = 1 << 12

LONGEST = 64 << 20
_SCAN = 1 << 20
# To read a span of a compressed file, the file is unpacked from its beginning. With n spans, it is unpacked (n + 1) / 2
# times, which costs most for the slow formats.
_MOST_SPANS = {".gz": 16, ".zst": 16, ".xz": 6, ".bz2": 3}
# A compressed file that is smaller than its target by this factor is not opened to estimate its size.
_LARGEST_RATIO = 16
# Bytes that show the encoding and the line ends of a file.
_HEAD = 1 << 13
# Bytes of a compressed file that are unpacked to estimate the size of the whole.
_SAMPLE = 4 << 20

Lines = Iterator[tuple[int, bytes | None]]

COMPRESSED = ("", ".gz", ".bz2", ".xz", ".zst")
DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)
# How the files of each compression begin.
_PACKED = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
_ZIP, _TAR = b"PK\x03\x04", b"ustar"
_TAR_AT = slice(257, 262)


def open_bytes(path: Path, max_ratio: float = MAX_RATIO, packing: str = "") -> IO[bytes]:
    """Open a file for reading; .gz, .bz2, .xz and .zst are decompressed as they are read. Raises ``OSError``.

    ``packing`` names the compression if the file's suffix does not. Reading raises ``OSError`` once the output exceeds
    ``max_ratio`` times the bytes read.
    """
    packing = packing or path.suffix.lower()
    stream = path.open("rb")
    return io.BufferedReader(bounded(stream, packing, max_ratio), BLOCK) if packing in COMPRESSED[1:] else stream


def bounded(stream: io.BufferedReader, packing: str, max_ratio: float) -> io.RawIOBase:
    """The unpacked bytes of a stream; its own bytes if ``packing`` is no compression. See ``open_bytes``."""
    return _Bounded(_unpacked(stream, packing) if packing in COMPRESSED[1:] else stream, stream, max_ratio)


def unpacked_size(path: Path) -> int:
    """Bytes that a file unpacks to, estimated from its first ``_SAMPLE`` bytes. Raises a ``DAMAGE`` error."""
    size, packing = path.stat().st_size, path.suffix.lower()
    if packing not in COMPRESSED[1:]:
        return size
    with path.open("rb") as packed:
        stream, sample = _unpacked(packed, packing), 0
        while sample < _SAMPLE and (piece := stream.read1(BLOCK)):
            sample += len(piece)
        return sample * size // max(1, packed.tell())


class _Bounded(io.RawIOBase):
    """Reads from ``unpacked`` while its output stays within ``max_ratio`` times the bytes read from ``packed``."""

    def __init__(self, unpacked: Any, packed: IO[bytes], max_ratio: float) -> None:
        self._unpacked, self._packed, self._max_ratio = unpacked, packed, max_ratio
        self._out = 0
        self._damage: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what one call of ``read1`` returns, so that bytes before a damaged place arrive before the error is raised."""
        if self._damage:
            raise self._damage
        try:
            content = self._unpacked.read1(len(buffer))
        except DAMAGE as error:
            # After an error, the libraries return no bytes, as at the end.
            self._damage = error
            raise
        self._out += len(content)
        if self._out > HARMLESS and self._out > self._max_ratio * self._packed.tell():
            raise OSError(
                f"it unpacks to more than {self._max_ratio:g} times its size (at byte {self._packed.tell()} of the file); "
                "corpus.options.max_unpack_ratio sets the limit"
            )
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        self._unpacked.close()
        self._packed.close()
        super().close()


class _Zstd(io.RawIOBase):
    """Decompresses consecutive zstandard frames and detects a truncated file, which the library does not."""

    def __init__(self, packed: IO[bytes]) -> None:
        import zstandard

        self._library, self._packed = zstandard, packed
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._fresh = True
        self._ready: memoryview = memoryview(b"")

    def read1(self, size: int) -> bytes:
        """Up to ``size`` bytes; no bytes at the end. Raises ``OSError`` or ``EOFError`` for a damaged file."""
        while not self._ready:
            block = self._packed.read(_ZSTD_BLOCK)
            if not block:
                if self._fresh:
                    return b""
                raise EOFError("compressed file ended before the end of its last frame")
            self._ready = memoryview(self._unpack(block))
        content, self._ready = self._ready[:size], self._ready[size:]
        return bytes(content)

    def _unpack(self, block: bytes) -> bytes:
        pieces = []
        try:
            while block:
                pieces.append(self._frame.decompress(block))
                self._fresh = False
                block = self._frame.unused_data if self._frame.eof else b""
                if self._frame.eof:
                    self._frame, self._fresh = self._library.ZstdDecompressor().decompressobj(), True
        except self._library.ZstdError as error:
            raise OSError(str(error)) from error
        return b"".join(pieces)


def _unpacked(packed: IO[bytes], packing: str) -> Any:
    # The zstandard of fsspec stops after the first frame, and takes a truncated file for a whole one.
    if packing == ".zst":
        return _Zstd(packed)
    from fsspec.compression import compr
    from fsspec.utils import infer_compression

    return compr[infer_compression(f"file{packing}")](packed, mode="rb")


class _Recoded(io.RawIOBase):
    """The bytes of a text in another encoding, with a newline byte at each line end."""

    def __init__(self, text: io.TextIOWrapper, encoding: str) -> None:
        self._text, self._encoding = text, encoding

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read fewer characters than the buffer has bytes: a character has four bytes at most."""
        content = self._text.read(max(1, len(buffer) // 4)).encode(self._encoding, "replace")
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        self._text.close()
        super().close()


def open_lines(path: Path, max_ratio: float = MAX_RATIO) -> IO[bytes]:
    """Open a file of lines; see ``as_lines``."""
    return as_lines(open_bytes(path, max_ratio), head_of(path, max_ratio))


def as_lines(stream: IO[bytes], head: bytes) -> IO[bytes]:
    """The lines of a stream that begins with ``head``: UTF-16 becomes UTF-8, and carriage returns that end lines, newlines.

    Raises ``OSError`` for an archive, which a workbook of Excel is too, and for compressed bytes, if the name does not say so.
    """
    if head.startswith(_ZIP):
        raise OSError(
            "it is a ZIP archive or an Excel workbook: end its name in .zip, or save its sheet as CSV (UTF-8)"
        )
    if head[_TAR_AT] == _TAR:
        raise OSError("it is a tar archive: end its name in .tar, or in .tar.gz if it is compressed")
    if packing := next((suffix for start, suffix in _PACKED.items() if head.startswith(start)), ""):
        raise OSError(f"it is compressed: end its name in {packing}")
    if not is_recoded(head):
        return stream
    old, new = (utf_16, "utf-8") if (utf_16 := utf_16_of(head)) else ("latin-1", "latin-1")
    return io.BufferedReader(_Recoded(io.TextIOWrapper(stream, old, "replace"), new), BLOCK)


def head_of(path: Path, max_ratio: float = MAX_RATIO) -> bytes:
    """The first bytes of a file, unpacked; none if they are damaged."""
    try:
        with open_bytes(path, max_ratio) as stream:
            return stream.read(_HEAD)
    except DAMAGE:
        return b""


def head_of_stream(stream: io.BufferedReader[Any]) -> bytes:
    """The first bytes of a stream, which it gives again; none if they are damaged."""
    try:
        return stream.peek(_HEAD)
    except DAMAGE:
        return b""


def is_recoded(head: bytes) -> bool:
    """Whether a file that begins so is in UTF-16, or has carriage returns as its only line ends."""
    return bool(utf_16_of(head)) or (b"\r" in head[:-1] and b"\n" not in head)


class DamagedElsewhere(Exception):
    """The file is damaged before or after the span that is read; the span with the damage reports it."""


class SpanLines:
    """Iterates over the lines of a span and the later lines of the file: (number from 1, line without its newline).

    A line of more than ``longest`` bytes is None. ``start`` is the offset of the last line. After the last whole line
    before damage, iteration raises a ``DAMAGE`` error if the damage lies in the span, else ``DamagedElsewhere``.
    """

    def __init__(self, stream: IO[bytes], span: FileRange = WHOLE, longest: int = LONGEST) -> None:
        self._stream, self._span, self._longest = cast(io.BufferedReader, stream), span, longest
        self._ahead = deque[bytes]()
        self._damage: Exception | None = None
        self._read = self._number = 0
        self.start = 0

    def close(self) -> None:
        """Close the file, if its lines are not read to the end."""
        self._stream.close()

    def ahead(self, count: int, most: int = LONGEST) -> list[bytes]:
        """The first lines, ``count`` of which are not blank, of a span that starts at 0 and was not read yet.

        They are read again later. Fewer lines if they have more than ``most`` bytes, or if the file ends or is damaged.
        """
        lines, rest, size, full = list[bytes](), list[bytes](), 0, 0
        while full < count and size < (most if full else self._longest):
            if not (block := self._block_ahead()):
                return [*lines, b"".join(rest)]
            size += len(block)
            first, *others = block.split(b"\n")
            rest.append(first)
            for other in others:
                lines.append(b"".join(rest))
                full, rest = full + bool(lines[-1].strip()), [other]
        return lines

    def whole(self) -> bytes | None:
        """All lines; None if they have more than ``longest`` bytes."""
        lines, size = list[bytes](), 0
        for _, line in self:
            size += self._longest + 1 if line is None else len(line) + 1
            if size > self._longest:
                return None
            lines.append(line or b"")
        return b"\n".join(lines)

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
        if self._damage and not self._ahead:
            raise self._damage
        block = self._ahead.popleft() if self._ahead else self._stream.read1(BLOCK)
        self._read += len(block)
        return block

    def _block_ahead(self) -> bytes:
        """The next bytes, which are read again later; none at the end, or at damage, which is raised then."""
        try:
            block = b"" if self._damage else self._stream.read1(BLOCK)
        except DAMAGE as error:
            self._damage, block = error, b""
        self._ahead.extend([block] if block else [])
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

    A file that is recoded is one part: offsets are those of its bytes.

    Of a compressed file, only the beginning is unpacked, to estimate its size: the last part extends to the end.
    """
    packing, size = path.suffix.lower(), path.stat().st_size
    if size > target and is_recoded(head_of(path)):
        return [0]
    if packing in _MOST_SPANS and size * _LARGEST_RATIO > target:
        size = unpacked_size(path)
    count = min(max(1, -(-size // target)), _MOST_SPANS.get(packing, END))
    return [size * number // count for number in range(count)]


def line_spans(path: Path, target: int) -> list[FileRange]:
    """Cut a file into spans of about ``target`` bytes. Raises a ``DAMAGE`` error.

    A plain file is read once, to count the lines before each span.
    """
    starts = offsets(path, target)
    spans = []
    before = 0
    with path.open("rb", buffering=0) as stream:
        for start, end in zip(starts, [*starts[1:], END], strict=True):
            spans.append(FileRange(start, end, before))
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

"""Bytes of a file, unpacked on the way and cut into lines, with a bound on what is held in memory.

Lines end at a newline byte only. Reading by ``read1`` gives every line that stands before damage in a compressed file.
What unpacks to far more than it is on disk is given up: a few kilobytes can stand for gigabytes of nothing.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

BLOCK = 1 << 16
LONGEST = 64 << 20
# Newswire unpacks to 3 to 10 times its size; gzip cannot go beyond some 1,030, the others go to many thousands.
MAX_RATIO = 200.0
# Below this much nothing is a bomb, whatever it was packed into.
HARMLESS = 16 << 20
# A few bytes of zstd may stand for 128 KB: so many of them at once are at most 128 MB.
_ZSTD_BLOCK = 1 << 12

COMPRESSED = ("", ".gz", ".bz2", ".xz", ".zst")
DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)
_MAGIC = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}

Lines = Iterator[tuple[int, bytes | None]]


def open_bytes(path: Path, max_ratio: float = MAX_RATIO, packing: str = "") -> IO[bytes]:
    """Open a file for reading; .gz, .bz2, .xz and .zst are unpacked as they are read. Raises ``OSError``.

    ``packing`` says how it is packed where its suffix does not.

    Reading raises ``OSError`` when more than ``max_ratio`` times the bytes read so far has come out.
    """
    unpack = _UNPACKERS.get(packing or path.suffix.lower())
    if unpack is None:
        return path.open("rb")
    packed = path.open("rb")
    return io.BufferedReader(_Bounded(unpack(packed), packed, max_ratio), BLOCK)


def packing_of(head: bytes) -> str:
    """The suffix of the compression that a file's first bytes show, empty if none."""
    return next((suffix for magic, suffix in _MAGIC.items() if head.startswith(magic)), "")


class _Bounded(io.RawIOBase):
    """What comes out of ``unpacked``, as long as it stays in proportion to what went in (``packed``)."""

    def __init__(self, unpacked: Any, packed: IO[bytes], max_ratio: float) -> None:
        self._unpacked, self._packed, self._max_ratio = unpacked, packed, max_ratio
        self._out = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """As much as comes at once: what stands before damage is handed on before the damage is raised."""
        found = self._unpacked.read1(len(buffer))
        self._out += len(found)
        if self._out > HARMLESS and self._out > self._max_ratio * self._packed.tell():
            raise OSError(
                f"it unpacks to more than {self._max_ratio:g} times its size (at byte {self._packed.tell()} of the file); "
                "corpus.options.max_unpack_ratio is the bound"
            )
        buffer[: len(found)] = found
        return len(found)

    def close(self) -> None:
        self._unpacked.close()
        self._packed.close()
        super().close()


class _Zstd(io.RawIOBase):
    """Unpacks zstandard frames, one after another, and tells a file that is cut off, which the library does not."""

    def __init__(self, packed: IO[bytes]) -> None:
        import zstandard

        self._library, self._packed = zstandard, packed
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._fresh = True
        self._ready: memoryview = memoryview(b"")

    def read1(self, size: int) -> bytes:
        """Up to ``size`` bytes; none at the end. Raises ``OSError`` or ``EOFError`` on damage."""
        while not self._ready:
            block = self._packed.read(_ZSTD_BLOCK)
            if not block:
                if self._fresh:
                    return b""
                raise EOFError("compressed file ended before the end of its last frame")
            self._ready = memoryview(self._unpack(block))
        found, self._ready = self._ready[:size], self._ready[size:]
        return bytes(found)

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


_UNPACKERS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda packed: gzip.GzipFile(fileobj=packed),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
    ".zst": _Zstd,
}


def read_lines(path: Path, longest: int = LONGEST, max_ratio: float = MAX_RATIO) -> Lines:
    """The lines of a file, see ``lines``. Raises what the unpacking raises on damage, after every whole line before it."""
    with open_bytes(path, max_ratio) as stream:
        yield from lines(stream, longest)


def lines(stream: IO[bytes], longest: int = LONGEST) -> Lines:
    """Yield (number from 1, line without its newline); None stands for a line of more than ``longest`` bytes."""
    number = 0
    held: list[bytes] = []
    size = 0
    while block := _some_bytes(stream):
        first, *others = block.split(b"\n")
        size += len(first)
        held.append(first)
        if size > longest:
            held.clear()
        if others:
            number += 1
            yield number, (None if size > longest else b"".join(held))
            for line in others[:-1]:
                number += 1
                yield number, (None if len(line) > longest else line)
            held, size = [others[-1]], len(others[-1])
    if size:
        yield number + 1, (None if size > longest else b"".join(held))


def _some_bytes(stream: IO[bytes]) -> bytes:
    return cast(bytes, stream.read1(BLOCK))  # type: ignore[attr-defined]


def too_long(longest: int = LONGEST) -> str:
    """The reason given for a line or an article that is not held in memory."""
    return f"longer than {longest >> 20} MB" if longest >= 1 << 20 else f"longer than {longest} bytes"

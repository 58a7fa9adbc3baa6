"""Opens files and decompresses them as they are read, within bounded memory.

``read1`` returns all bytes before a damaged place, so no whole line before it is lost. Reading stops at a decompression
bomb: a few kilobytes that unpack to gigabytes.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

BLOCK = 1 << 16
# Newswire unpacks to 3 to 10 times its size. gzip can reach a ratio of 1,030; the other formats, many thousands.
MAX_RATIO = 200.0
# Bytes that a file may unpack to at any ratio.
HARMLESS = 16 << 20
# Bytes of zstd that are unpacked together. A few of them can unpack to 128 KB, so all of them, to 128 MB at most.
_ZSTD_BLOCK = 1 << 12

# Bytes of a compressed file that are unpacked to estimate the size of the whole.
_SAMPLE = 4 << 20

COMPRESSED = ("", ".gz", ".bz2", ".xz", ".zst")
DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)
_MAGIC = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}


def open_bytes(path: Path, max_ratio: float = MAX_RATIO, packing: str = "") -> IO[bytes]:
    """Open a file for reading; .gz, .bz2, .xz and .zst are decompressed as they are read. Raises ``OSError``.

    ``packing`` names the compression if the file's suffix does not. Reading raises ``OSError`` once the output exceeds
    ``max_ratio`` times the bytes read.
    """
    unpack = _UNPACKERS.get(packing or path.suffix.lower())
    if unpack is None:
        return path.open("rb")
    packed = path.open("rb")
    return io.BufferedReader(_Bounded(unpack(packed), packed, max_ratio), BLOCK)


def unpacked_size(path: Path) -> int:
    """Bytes that a file unpacks to, estimated from its first ``_SAMPLE`` bytes. Raises a ``DAMAGE`` error."""
    size = path.stat().st_size
    unpack = _UNPACKERS.get(path.suffix.lower())
    if unpack is None:
        return size
    with path.open("rb") as packed:
        stream, sample = unpack(packed), 0
        while sample < _SAMPLE and (piece := stream.read1(BLOCK)):
            sample += len(piece)
        return sample * size // max(1, packed.tell())


def packing_of(head: bytes) -> str:
    """The suffix for the compression that a file's first bytes identify; empty for none."""
    return next((suffix for magic, suffix in _MAGIC.items() if head.startswith(magic)), "")


class _Bounded(io.RawIOBase):
    """Reads from ``unpacked`` while its output stays within ``max_ratio`` times the bytes read from ``packed``."""

    def __init__(self, unpacked: Any, packed: IO[bytes], max_ratio: float) -> None:
        self._unpacked, self._packed, self._max_ratio = unpacked, packed, max_ratio
        self._out = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what one call of ``read1`` returns, so that bytes before a damaged place arrive before the error is raised."""
        content = self._unpacked.read1(len(buffer))
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


_UNPACKERS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda packed: gzip.GzipFile(fileobj=packed),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
    ".zst": _Zstd,
}

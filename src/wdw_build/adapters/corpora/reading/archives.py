"""Reads the members of .zip and .tar archives, in the archive's order.

Nothing is unpacked to disk. The names of members only appear in messages, so a name such as ``../../x`` does no harm. Links,
devices and hidden files are skipped; so are the files ``._x`` that macOS adds.
"""

from __future__ import annotations

import contextlib
import functools
import io
import tarfile
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from wdw_build.adapters.corpora.reading.markup import tidy
from wdw_build.adapters.corpora.reading.streams import (
    BLOCK,
    COMPRESSED,
    DAMAGE,
    HARMLESS,
    as_lines,
    bounded,
    head_of_stream,
    open_bytes,
)

# The compression of a tar archive whose suffix does not end in it.
_PACKINGS = {".tgz": ".gz", ".tbz2": ".bz2", ".txz": ".xz"}
ARCHIVES = (".zip", *(f".tar{packing}" for packing in COMPRESSED), *_PACKINGS)
# zipfile raises these, besides its own, for unknown compression methods, for passwords, and for damaged and empty names.
_OF_ZIP = (zipfile.BadZipFile, NotImplementedError, RuntimeError, UnicodeDecodeError, IndexError)
_OF_LIBRARIES = (*_OF_ZIP, tarfile.TarError)


def is_archive(file: Path) -> bool:
    """Whether a file is an archive by its name."""
    return file.name.lower().endswith(ARCHIVES)


def member_names(file: Path, max_ratio: float) -> tuple[str, ...]:
    """The names of an archive's members; if it is damaged, those before the damage. A tar archive is read to its end."""
    state = file.stat()
    return _names(file, max_ratio, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=1024)
def _names(file: Path, max_ratio: float, *_: int) -> tuple[str, ...]:
    names = list[str]()
    with contextlib.suppress(*DAMAGE):
        names.extend(name for name, _ in _members(file, max_ratio))
    return tuple(names)


def member_lines(file: Path, wanted: Collection[str], max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name and the lines of every wanted member; a member may be compressed by itself.

    Raises ``OSError`` if the archive is damaged, if a member unpacks to more than ``max_ratio`` times its size, or if data follow
    the last member of a tar archive. Reading the lines can raise it, too.
    """
    for name, stream in _members(file, max_ratio):
        if name in wanted:
            packing = PurePosixPath(name).suffix.lower()
            unpacked = io.BufferedReader(bounded(io.BufferedReader(_Member(stream), BLOCK), packing, max_ratio), BLOCK)
            yield tidy(name), as_lines(unpacked, head_of_stream(unpacked))


class _Member(io.RawIOBase):
    """The bytes of a member, with the libraries' errors for a damaged archive as ``OSError``."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = cast(io.BufferedReader, stream)
        self._position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what one call of ``read1`` returns."""
        with _as_damage():
            content = self._stream.read1(len(buffer))
        buffer[: len(content)] = content
        self._position += len(content)
        return len(content)

    def tell(self) -> int:
        return self._position


@contextlib.contextmanager
def _as_damage() -> Iterator[None]:
    try:
        yield
    except _OF_LIBRARIES as error:
        raise OSError(f"damaged archive: {tidy(str(error))}") from error


def _members(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield (name, stream) for every member that is a visible file."""
    members = _zip(file, max_ratio) if file.suffix.lower() == ".zip" else _tar(file, max_ratio)
    while True:
        with _as_damage():
            member = next(members, None)
        if member is None:
            return
        if not any(part.strip(".") and part.startswith(".") for part in PurePosixPath(member[0]).parts):
            yield member


def _zip(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.file_size > HARMLESS and info.file_size > max_ratio * info.compress_size:
                raise OSError(f"damaged archive: {info.filename} unpacks to more than {max_ratio:g} times its size")
            # zipfile stops at the size that the archive declares, so a false size lets no more bytes through.
            with archive.open(info) as stream:
                yield info.filename, stream


def _tar(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    packing = _PACKINGS.get(file.suffix.lower(), "")
    with open_bytes(file, max_ratio, packing) as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
        while (info := archive.next()) is not None:
            # The library remembers every member, and its types do not show where.
            cast(Any, archive).members.clear()
            stream = archive.extractfile(info) if info.isfile() else None
            if stream is not None:
                yield info.name, stream
        # tarfile takes a damaged header for the end. Only at the end of the file is the checksum of its compression known.
        while block := cast(Any, archive).fileobj.read(BLOCK):
            if block.strip(b"\0"):
                raise OSError("damaged archive: there are data after its last readable member")

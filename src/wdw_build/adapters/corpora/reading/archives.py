"""Files within .zip and .tar files, read as they stand in them: nothing is unpacked to disk.

Names inside an archive are only shown, so it does not matter where they point. Links and devices are passed over.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from wdw_build.adapters.corpora.reading.streams import HARMLESS, open_bytes

ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")


def is_archive(file: Path) -> bool:
    """Whether the name is that of an archive."""
    return file.name.lower().endswith(ARCHIVES)


def members(file: Path, suffixes: tuple[str, ...], max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield (name, stream) of every member that ends in one of ``suffixes``, in the archive's order.

    Raises ``OSError`` if the archive is damaged, or unpacks to more than ``max_ratio`` times its size.
    """
    opened = _zip(file, max_ratio) if file.suffix.lower() == ".zip" else _tar(file, max_ratio)
    try:
        for name, stream in opened:
            if name.lower().endswith(suffixes):
                yield name, stream
    except (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError) as error:
        # The last two are how zipfile speaks of packings that it does not know, and of passwords.
        raise OSError(f"damaged archive: {error}") from error


def _zip(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.file_size > HARMLESS and info.file_size > max_ratio * info.compress_size:
                raise OSError(f"{info.filename} unpacks to more than {max_ratio:g} times its size")
            # zipfile stops at the size that the archive states, so a false one cannot let more out.
            with archive.open(info) as stream:
                yield info.filename, stream


def _tar(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    # A name such as 01.tgz hides from open_bytes that it is packed by gzip.
    packing = ".gz" if file.suffix.lower() == ".tgz" else ""
    with open_bytes(file, max_ratio, packing) as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
        while (info := archive.next()) is not None:
            # A list that would grow with the archive; the library's types leave it out.
            archive.members.clear()  # type: ignore[attr-defined]
            stream = archive.extractfile(info) if info.isfile() else None
            if stream is not None:
                yield info.name, stream

"""Reads the members of .zip and .tar archives without unpacking them to disk.

Member names only appear in messages, so a name such as ``../../x`` does no harm. Links and devices are skipped.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from wdw_build.adapters.corpora.reading.streams import HARMLESS, open_bytes

ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")


def is_archive(file: Path) -> bool:
    """Whether the file name ends in a suffix of an archive."""
    return file.name.lower().endswith(ARCHIVES)


def members(file: Path, suffixes: tuple[str, ...], max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield (name, stream) for every member whose name ends in one of ``suffixes``, in the archive's order.

    Raises ``OSError`` if the archive is damaged or a member unpacks to more than ``max_ratio`` times its size.
    """
    opened = _zip(file, max_ratio) if file.suffix.lower() == ".zip" else _tar(file, max_ratio)
    try:
        for name, stream in opened:
            if name.lower().endswith(suffixes):
                yield name, stream
    except (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError) as error:
        # zipfile raises the last two for unknown compression methods and for passwords.
        raise OSError(f"damaged archive: {error}") from error


def _zip(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.file_size > HARMLESS and info.file_size > max_ratio * info.compress_size:
                raise OSError(f"{info.filename} unpacks to more than {max_ratio:g} times its size")
            # zipfile stops at the size that the archive declares, so a false size lets no more bytes through.
            with archive.open(info) as stream:
                yield info.filename, stream


def _tar(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    # open_bytes does not know the suffix .tgz.
    packing = ".gz" if file.suffix.lower() == ".tgz" else ""
    with open_bytes(file, max_ratio, packing) as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
        while (info := archive.next()) is not None:
            # The library remembers every member, and its types do not show where.
            cast(Any, archive).members.clear()
            stream = archive.extractfile(info) if info.isfile() else None
            if stream is not None:
                yield info.name, stream

"""The list of an output's files with their sizes and hashes, from which damage is noticed.

The listed files get the time of modification of the list. A file with another time was changed or copied, and is hashed.
``files.json`` is not part of the manifest, because two builds of a search index differ in their bytes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from wdw_build.core.hashing import file_sha256, hash_file
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file

FILES = "files.json"
# Written after the list.
_NOT_LISTED = {FILES, "manifest.json", "timing.json"}


class ListedFile(msgspec.Struct, frozen=True):
    """A file as it was written."""

    bytes: int
    sha256: str


def write_file_list(folder: Path, hashes: Mapping[str, str]) -> None:
    """List the files below a folder, except hidden ones. ``hashes``: SHA-256 by path, where it is known."""
    listed = {
        name: ListedFile(path.stat().st_size, hashes.get(name) or file_sha256(path))
        for name, path in sorted(_files(folder))
    }
    replace_file(folder / FILES, jsonl.document(listed))
    modified = (folder / FILES).stat().st_mtime_ns
    for name in listed:
        # A file system that keeps no times costs hashes later.
        with contextlib.suppress(OSError):
            os.utime(folder / name, ns=(modified, modified))


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for entry in folder.glob("[!.]*"):
        for path in entry.rglob("*") if entry.is_dir() else [entry]:
            if path.is_file() and path.name not in _NOT_LISTED:
                yield path.relative_to(folder).as_posix(), path


def read_file_list(folder: Path) -> dict[str, ListedFile] | None:
    """The files of an output by path; None if the list is missing or cannot be decoded."""
    try:
        return msgspec.json.decode((folder / FILES).read_bytes(), type=dict[str, ListedFile])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def damage(folder: Path) -> str:
    """What is wrong with the files of an output, by their sizes; empty if nothing is. Reads no file but the list."""
    listed = read_file_list(folder)
    if listed is None:
        return f"{FILES} is missing or damaged"
    for name, file in listed.items():
        try:
            size = (folder / name).stat().st_size
        except OSError:
            return f"{name} is missing"
        if size != file.bytes:
            return f"{name} has {size} bytes, but {file.bytes} were written"
    return ""


def changed_file(folder: Path) -> str:
    """The path, in an output without ``damage``, of a file whose content is not what was written; empty if there is none.

    Reads only files that do not have the time of their list, and these once: their hashes are cached.
    """
    modified = (folder / FILES).stat().st_mtime_ns
    for name, file in (read_file_list(folder) or {}).items():
        if (folder / name).stat().st_mtime_ns != modified and hash_file(folder / name) != file.sha256:
            return name
    return ""

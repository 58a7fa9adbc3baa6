"""The list of an output's files with their sizes and hashes, from which damage is noticed.

``files.json`` is not part of the manifest, because two builds of a search index differ in their bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from wdw_build.core.hashing import file_sha256
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

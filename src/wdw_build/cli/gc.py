"""The command ``gc``: finds and deletes what no run of a store links to: outputs, and what stopped runs have left behind.

What a run links to is never deleted, nor what a process works on. Annotations, and the systems that were trained for
``bench``, are kept: other runs may find them again by content.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from typer import Option

from wdw_build.command import ConfigFile, Json, Overrides, Quiet
from wdw_build.command.opened import open_pipeline, print_result
from wdw_build.core.store.atomic_output import discard
from wdw_build.core.store.output import exclusive, lock_of
from wdw_build.views.table import Table
from wdw_build.views.table import terminal as table_text

Kind = Literal["output", "staging", "remains"]
_KINDS: dict[Kind, re.Pattern[str]] = {
    "output": re.compile(r"([0-9a-f]{16})"),
    "staging": re.compile(r"\.([0-9a-f]{16})\.staging"),
    "remains": re.compile(r"\.([0-9a-f]{16})\.(?:old|unused)-\d+"),
}
_DAY = 86400.0


class Unused(msgspec.Struct, frozen=True):
    """A folder that nothing needs.

    ``kind``: an output that no run links to, the finished shards of a stopped run, or the remains of a deletion that was
    stopped. ``days``: since it was last changed.
    """

    path: str
    stage: str
    fingerprint: str
    kind: Kind
    bytes: int
    days: float


def find_unused(root: Path, keep_days: int) -> list[Unused]:
    """The unused folders of ``root/store`` that were not changed for ``keep_days``, by stage and name."""
    linked = _linked(root)
    return [
        unused for unused in _folders(root) if unused.days >= keep_days and (root / unused.path).resolve() not in linked
    ]


def delete(root: Path, unused: Unused) -> bool:
    """Delete a folder; false if a run links to it by now, or a process works on it."""
    path = root / unused.path
    with exclusive(lock_of(root, unused.stage, unused.fingerprint)) as is_alone:
        if not is_alone or not path.is_dir() or path.resolve() in _linked(root):
            return False
        discard(path)
    return True


def _folders(root: Path) -> Iterator[Unused]:
    """The folders of all stages that are of one of the kinds; others are kept."""
    for path in sorted((root / "store").glob("*/*")):
        for kind, name in _KINDS.items():
            match = name.fullmatch(path.name)
            is_whole = kind != "output" or (path / "manifest.json").exists()
            if match and is_whole and path.is_dir() and not path.is_symlink():
                days = round(max(time.time() - path.stat().st_mtime, 0.0) / _DAY, 1)
                place = path.relative_to(root).as_posix()
                yield Unused(place, path.parent.name, match[1], kind, _size(path), days)


def _linked(root: Path) -> set[Path]:
    """The outputs that the runs, and exports in their folders, link to."""
    places = ("*/*", "*/exports*/*")
    return {link.resolve() for place in places for link in (root / "runs").glob(place) if link.is_symlink()}


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


_WHY = {
    "output": "no run links to it",
    "staging": "a stopped run left its finished shards",
    "remains": "a deletion was stopped",
}


def gc(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    is_deleting: Annotated[bool, Option("--delete", help="delete these folders instead of only showing them")] = False,
    keep_days: Annotated[
        int, Option("--keep-days", min=0, metavar="DAYS", help="keep folders that changed within the last DAYS days")
    ] = 1,
) -> None:
    """``gc``: prints what is unused; with ``--delete``, what was deleted."""
    pipeline = open_pipeline(config, overrides, quiet=quiet)
    folders = find_unused(pipeline.root, keep_days)
    if is_deleting:
        with pipeline.progress.bar("deleting", len(folders), "folders") as bar:
            deleted = []
            for unused in folders:
                if delete(pipeline.root, unused):
                    deleted.append(unused)
                bar.advance(1)
        folders = deleted
    print_result(folders, _unused_text(folders, deleted=is_deleting), as_json=as_json)


def _unused_text(folders: list[Unused], *, deleted: bool) -> str:
    if not folders:
        return (
            "nothing was deleted" if deleted else "nothing to delete: runs link to all outputs, or the rest is too new"
        )
    rows = [[unused.path, _WHY[unused.kind], f"{unused.bytes / 1e6:.1f}", f"{unused.days:.1f}"] for unused in folders]
    total = f"{sum(unused.bytes for unused in folders) / 1e6:.1f} MB"
    last = f"deleted: {total}" if deleted else f"{total}; wdw-build gc --delete with the same options deletes them"
    table = Table(["folder", "why", "MB", "days"], rows, words=2)
    return f"{table_text(table)}\n{last}"

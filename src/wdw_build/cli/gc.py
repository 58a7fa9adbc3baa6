"""``gc``: shows, and with ``--delete`` deletes, what no run of a store links to."""

from __future__ import annotations

import argparse

from wdw_build.cli.base import open_pipeline, print_result
from wdw_build.core.store.unused import Unused, delete, find_unused
from wdw_build.views.table import Table, terminal

_WHY = {
    "output": "no run links to it",
    "staging": "a stopped run left its finished shards",
    "remains": "a deletion was stopped",
}


def gc(options: argparse.Namespace) -> int:
    """``gc``: prints what is unused; with ``--delete``, what was deleted."""
    pipeline = open_pipeline(options)
    found = find_unused(pipeline.root, options.keep_days)
    if options.delete:
        with pipeline.progress.bar("deleting", len(found), "folders") as bar:
            deleted = []
            for unused in found:
                if delete(pipeline.root, unused):
                    deleted.append(unused)
                bar.advance(1)
        found = deleted
    print_result(options, found, _text(found, deleted=options.delete))
    return 0


def _text(found: list[Unused], *, deleted: bool) -> str:
    if not found:
        return (
            "nothing was deleted" if deleted else "nothing to delete: runs link to all outputs, or the rest is too new"
        )
    rows = [[one.path, _WHY[one.kind], f"{one.bytes / 1e6:.1f}", f"{one.days:.1f}"] for one in found]
    total = f"{sum(one.bytes for one in found) / 1e6:.1f} MB"
    last = f"deleted: {total}" if deleted else f"{total}; wdw-build gc --delete with the same options deletes them"
    table = Table(["folder", "why", "MB", "days"], rows, words=2)
    return f"{terminal(table)}\n{last}"

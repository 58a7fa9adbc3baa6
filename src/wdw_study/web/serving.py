"""Serves the pages of a study to its people and its owner, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import FastAPI

from wdw_study.collecting.adversary import Answerer
from wdw_study.collecting.collection import CollectionFolder
from wdw_study.folder import StudyFolder
from wdw_study.judging.sheets import SheetFolder
from wdw_study.people import checked_name
from wdw_study.web import collecting_app, judging_app
from wdw_study.web.access import Access
from wdw_study.web.server import Listener, serve


class Announced(NamedTuple):
    """What the terminal says when the server listens."""

    value: Mapping[str, Any]
    text: str
    warning: str


Announce = Callable[[Announced], None]


def serve_sheet(folder: SheetFolder, listener: Listener, invite: Sequence[str], announce: Announce) -> None:
    """Serve the pages of a sheet."""
    access = Access.kept(folder.secrets)
    _serve(folder, judging_app(folder, access, listener), access, listener, invite, announce, "annotators", "the key")


def serve_collection(
    opened: CollectionFolder, answerer: Answerer, listener: Listener, invite: Sequence[str], announce: Announce
) -> None:
    """Serve the pages of a collection."""
    access = Access.kept(opened.secrets)
    app = collecting_app(opened, answerer, access, listener)
    _serve(opened, app, access, listener, invite, announce, "writers", "all answers")


def _serve(
    folder: StudyFolder[Any, Any],
    app: FastAPI,
    access: Access,
    listener: Listener,
    invite: Sequence[str],
    announce: Announce,
    people: str,
    hidden: str,
) -> None:
    """Serve; ``invite``: people who get an address of their own instead of the common one; ``hidden``: what only owners see."""
    invited = {name: listener.address(access.personal(name)) for name in map(checked_name, invite)}
    readers, owner = invited or {people: listener.address(access.reader)}, listener.address(access.owner)
    rows = [*readers.items(), ("owner", owner)]
    width = max(len(name) for name, _ in rows) + 1
    whose = "each person the address beside the name" if invited else f"the first address to the {people}"
    lines = [
        f"{folder.KIND} {folder.head.name}: {len(folder.items)} items",
        *(f"{name + ':':<{width}} {address}" for name, address in rows),
        f"Give {whose}. Keep the last: it shows {hidden}. Ctrl-C stops the server.",
    ]
    value = {"name": folder.head.name, "folder": str(folder.path), "people": readers, "owner": owner}
    serve(app, listener, lambda: announce(Announced(value, "\n".join(lines), listener.warning)))

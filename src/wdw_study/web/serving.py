"""Serves the pages of a study to its people and its owner, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from wdw_study.collecting.adversary import Answerer
from wdw_study.collecting.collection import CollectionFolder
from wdw_study.judging.sheets import SheetFolder
from wdw_study.people import checked_name
from wdw_study.web import collecting_app, judging_app
from wdw_study.web.access import Access
from wdw_study.web.server import Listener, serve

_READERS = "people"


class Announced(NamedTuple):
    """What the terminal says when the server listens."""

    value: Mapping[str, Any]
    text: str
    warning: str


def serve_study(
    folder: SheetFolder | CollectionFolder,
    listener: Listener,
    invite: Sequence[str],
    announce: Callable[[Announced], None],
    answerer: Answerer | None = None,
) -> None:
    """Serve. ``invite``: people who get an address of their own instead of the common one; ``answerer``: of a collection."""
    access = Access.kept(folder.secrets)
    if isinstance(folder, SheetFolder):
        app = judging_app(folder, access, listener)
    else:
        app = collecting_app(folder, answerer or Answerer(None, print), access, listener)
    invited = {name: listener.address(access.personal(name)) for name in map(checked_name, invite)}
    readers, owner = invited or {_READERS: listener.address(access.reader)}, listener.address(access.owner)
    rows = [*readers.items(), ("owner", owner)]
    width = max(len(name) for name, _ in rows) + 1
    lines = [
        f"{folder.KIND} {folder.head.name}: {len(folder.items)} items",
        *(f"{name + ':':<{width}} {address}" for name, address in rows),
        "Keep the last address: it shows the answers. Ctrl-C stops the server.",
    ]
    value = {"name": folder.head.name, "folder": str(folder.path), "people": readers, "owner": owner}
    serve(app, listener, lambda: announce(Announced(value, "\n".join(lines), listener.warning)))

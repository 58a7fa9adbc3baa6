"""Serves the pages of a study until Ctrl-C: one application for both tasks. Every page of judging works without JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fastapi import FastAPI

from wdw_study.collecting.collection import CollectionFolder
from wdw_study.collecting.questions import Answerer
from wdw_study.folder import StudyFolder
from wdw_study.judging.sheets import SheetFolder
from wdw_study.web import judge, owner, review, write
from wdw_study.web.access import Access
from wdw_study.web.app import Pages, create_app
from wdw_study.web.marking import Site
from wdw_study.web.server import Listener, serve


def judging_app(folder: SheetFolder, access: Access, listener: Listener) -> FastAPI:
    """The application of a sheet."""
    pages = Pages(judge.MENU, owner.MENU)
    return create_app(pages, folder.log, [judge.router(folder, pages), owner.router(folder, pages)], access, listener)


def collecting_app(opened: CollectionFolder, answerer: Answerer, access: Access, listener: Listener) -> FastAPI:
    """The application of a collection."""
    pages = Pages(write.MENU, review.OWNER_MENU)
    site = Site(opened, answerer, pages)
    routers = [write.router(site), review.router(site), review.owner_router(site)]
    return create_app(pages, opened.log, routers, access, listener)


class Announced(NamedTuple):
    """The message of the terminal when the server listens: for programs, for people, and a warning to the owner or nothing."""

    value: Mapping[str, Any]
    text: str
    warning: str


def serve_study(
    folder: StudyFolder[Any, Any],
    make_app: Callable[[Access], FastAPI],
    listener: Listener,
    announce: Callable[[Announced], None],
) -> None:
    """Serve the application that ``make_app`` makes. ``announce`` is called when the server listens."""
    access = Access.stored(folder.secrets)
    people, owners = listener.address(access.reader), listener.address(access.owner)
    text = (
        f"{folder.KIND} {folder.head.name}: {len(folder.items)} items\npeople: {people}\nowner:  {owners}\n"
        "Keep the last address: it shows the answers. Ctrl-C stops the server."
    )
    value = {"name": folder.head.name, "folder": str(folder.path), "people": people, "owner": owners}
    serve(make_app(access), listener, lambda: announce(Announced(value, text, listener.warning)))

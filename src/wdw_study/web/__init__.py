"""The pages that people open in a browser: one application for both tasks. Every page of judging works without JavaScript."""

from __future__ import annotations

from fastapi import FastAPI

from wdw_study.collecting.adversary import Answerer
from wdw_study.collecting.collection import CollectionFolder
from wdw_study.judging.sheets import SheetFolder
from wdw_study.web import judge, owner, review, write
from wdw_study.web.access import Access
from wdw_study.web.app import Pages, create_app
from wdw_study.web.marking import Site
from wdw_study.web.server import Listener


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

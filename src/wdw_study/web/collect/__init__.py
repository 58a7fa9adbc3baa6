"""The pages of ``collect``: people write questions about passages, answer those of others, and label what they need."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from wdw_study.collection.adversary_worker import Answerer
from wdw_study.collection.collection_folder import CollectionFolder
from wdw_study.web.base import OWNER, READER, Access, Listener, Pages
from wdw_study.web.base.app import create_people_app
from wdw_study.web.collect import review_pages, write_pages
from wdw_study.web.collect.collect_site import Site

_TEMPLATES = Path(__file__).parent / "templates"
_MENU = (("Passages", "/"), ("Instructions", "/instructions"), ("Validate", "/validate"), ("Label", "/label"))
_MENUS = {READER: _MENU, OWNER: (*_MENU, ("Progress", "/progress"))}


def collect_app(opened: CollectionFolder, answerer: Answerer, access: Access, listener: Listener) -> FastAPI:
    """The application of a collection."""
    pages = Pages(_TEMPLATES, scripts=[_TEMPLATES / "collect.js", _TEMPLATES / "collect.css"], menus=_MENUS)
    site = Site(opened, answerer, pages)
    routers = [write_pages.router(site), review_pages.router(site), review_pages.owner_router(site)]
    return create_people_app(pages, routers, access, listener, opened.log, owner_page="/progress")

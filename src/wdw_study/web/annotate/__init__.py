"""``annotate``: pages on which people answer the problems of a sheet, and pages for the owner of the run.

Annotators see a problem's number, question, passage and choices, and what they themselves answered; nothing else leaves the
server for them. Every page works without JavaScript; with it, each change is saved at once.
"""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from wdw_study.sheet_folder import SheetFolder
from wdw_study.web.annotate.annotator_pages import MENUS, annotator_router, menu_of
from wdw_study.web.annotate.owner_pages import owner_router
from wdw_study.web.base import Access, Listener, Pages
from wdw_study.web.base.app import create_people_app

_TEMPLATES = Path(__file__).parent / "templates"


def annotate_app(folder: SheetFolder, access: Access, listener: Listener) -> FastAPI:
    """The application of one sheet."""
    pages = Pages(_TEMPLATES, scripts=[_TEMPLATES / "annotate.css", _TEMPLATES / "annotate.js"], menus=MENUS)
    return create_people_app(
        pages,
        [annotator_router(folder, pages), owner_router(folder, pages)],
        access,
        listener,
        folder.log,
        owner_page="/owner",
        parameter=folder.study.worker_parameter,
        menu_of=menu_of,
    )

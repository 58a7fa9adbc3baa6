"""``annotate``: pages on which people answer the problems of a sheet, and pages for the owner of the run.

Annotators see a problem's number, question, passage and choices, and what they themselves answered; nothing else leaves the
server for them. Every page works without JavaScript; with it, each change is saved at once.
"""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from wdw_build.annotation.folder import SheetFolder
from wdw_build.web.annotate.owner import owner_router
from wdw_build.web.annotate.reader import menu_of, reader_router
from wdw_build.web.base import Access, Listener, Pages, create_app
from wdw_build.web.base.people import sign_in_router

_TEMPLATES = Path(__file__).parent / "templates"


def annotate_app(folder: SheetFolder, access: Access, listener: Listener) -> FastAPI:
    """The application of one sheet."""
    pages = Pages(_TEMPLATES, scripts=[_TEMPLATES / "annotate.css", _TEMPLATES / "annotate.js"])
    routers = [sign_in_router(pages, folder.log, menu_of), reader_router(folder, pages), owner_router(folder, pages)]
    return create_app(pages, routers, access, port=listener.port, loopback=listener.loopback)

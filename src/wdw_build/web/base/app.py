"""Makes the application of a set of pages: security of requests and answers, static files, error pages."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.sessions import SessionMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from wdw_build.errors import UsageError, WdwError
from wdw_build.views.html import STYLE, environment
from wdw_build.web.base.access import CSRF, Access, sign_in
from wdw_build.web.base.guard import Guard

_TEMPLATES = Path(__file__).parent / "templates"
_LOOPBACK_NAMES = ["127.0.0.1", "localhost"]
_THIRTY_DAYS = 30 * 24 * 3600
_HASH_LETTERS = 12
ENTER = "/enter"


class Pages:
    """Renders templates for requests. ``folders`` hold templates; ``scripts`` are the files that pages may load."""

    def __init__(self, *folders: Path, scripts: Sequence[Path] = ()) -> None:
        self._files = {path.name: path.read_bytes() for path in (STYLE, *scripts)}
        self.templates = environment(*folders, _TEMPLATES)
        self.templates.globals["asset"] = self._asset

    def _asset(self, name: str) -> str:
        """The address of a static file; its hash makes browsers load a changed file."""
        return f"/static/{name}?{hashlib.sha256(self._files[name]).hexdigest()[:_HASH_LETTERS]}"

    def render(self, request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page. Templates also see ``csrf``, the session's secret for forms."""
        page = self.templates.get_template(template).render(csrf=request.session.get(CSRF, ""), **values)
        return HTMLResponse(page.encode("utf-8", "replace"), status)

    def error(self, request: Request, status: int, message: str) -> HTMLResponse:
        """The page of an error."""
        headings = {403: "No access", 404: "Not found", 405: "Not found"}
        heading = headings.get(status, "This page could not be made" if status >= 500 else "That did not work")
        return self.render(request, "error.html.j2", status, heading=heading, message=message)

    def file(self, name: str) -> Response:
        """A static file."""
        if name not in self._files:
            raise HTTPException(404, "There is no such file.")
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(self._files[name], media_type=kind, headers={"Cache-Control": "max-age=31536000, immutable"})


def create_app(pages: Pages, routers: Sequence[APIRouter], access: Access, *, port: int, loopback: bool) -> FastAPI:
    """The application. Routers must depend on ``require``; on the loopback address only its own names are answered.

    Cookies of one host are shared by all ports, so the port is part of the cookie's name.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(
        SessionMiddleware,
        secret_key=access.cookies,
        session_cookie=f"wdw-build-{port}",
        max_age=_THIRTY_DAYS,
        same_site="lax",
    )
    if loopback:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=_LOOPBACK_NAMES, www_redirect=False)
    app.add_middleware(Guard)
    for router in routers:
        app.include_router(router)

    @app.get(ENTER)
    def enter(request: Request, token: str = "") -> Response:
        if not sign_in(request, access, token):
            return pages.error(request, 403, "This token is not valid. Ask for the address again.")
        return RedirectResponse("/", 303)

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        return pages.file(name)

    _answer_errors(app, pages)
    return app


def _answer_errors(app: FastAPI, pages: Pages) -> None:
    @app.exception_handler(StarletteHTTPException)
    def http_error(request: Request, error: StarletteHTTPException) -> Response:
        answer = pages.error(request, error.status_code, str(error.detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(WdwError)
    def own_error(request: Request, error: WdwError) -> Response:
        message = "; ".join(filter(None, [error.message, error.hint]))
        return pages.error(request, 404 if isinstance(error, UsageError) else 500, message)

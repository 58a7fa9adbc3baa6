"""The one application of a study: its sign-in, its page frame, static files and errors; the task brings the pages."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.sessions import SessionMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from wdw_build.api import UsageError, WdwError, html_environment
from wdw_build.reading import BLANK
from wdw_study.event_log import EventLog
from wdw_study.people import LONGEST_NAME, put_aside, sign_in
from wdw_study.web.access import (
    CSRF,
    IS_KNOWN,
    OWNER,
    PERSON,
    READER,
    ROLE,
    SIGN_IN,
    Access,
    Form,
    field,
    require,
    see,
)
from wdw_study.web.server import ENTER, Listener, guard

_FOLDER = Path(__file__).parent
_THIRTY_DAYS = 30 * 24 * 3600
_FAILED = "An unexpected error prevented this page. The terminal that runs wdw-build says why."
_HEADINGS = {403: "No access", 404: "Not found", 405: "Not found"}
# What the router itself says, as a sentence.
_SENTENCES = {"Not Found": "There is no such page.", "Method Not Allowed": "This page cannot be sent such a request."}

Menu = Sequence[tuple[str, str]]


class Pages:
    """Renders templates for requests. ``menu``: (name, address) of everybody's pages; ``owner_menu``: of the owner's."""

    def __init__(self, menu: Menu, owner_menu: Menu) -> None:
        self._menu, self._owner_menu = menu, owner_menu
        self.templates = html_environment(_FOLDER / "templates")
        self.templates.globals["blank"] = BLANK

    def render(self, request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page. Templates also see ``csrf``, the session's secret, ``person``, who is signed in, and the navigation."""
        # A request that failed early has no session.
        session = request.scope.get("session", {})
        person, is_owner = session.get(PERSON, ""), session.get(ROLE) == OWNER
        menu = (*(self._menu if person else ()), *(self._owner_menu if is_owner else ()))
        frame = {"csrf": session.get(CSRF, ""), "menu": menu, "here": request.url.path, "person": person}
        page = self.templates.get_template(template).render(frame | values)
        return HTMLResponse(page.encode("utf-8", "replace"), status)

    def error(self, request: Request, status: int, message: str) -> HTMLResponse:
        """The page of an error."""
        heading = _HEADINGS.get(status, "This page could not be made" if status >= 500 else "That did not work")
        return self.render(request, "error.html.j2", status, heading=heading, message=message)


def create_app(
    pages: Pages,
    log: EventLog,
    routers: Sequence[APIRouter],
    access: Access,
    listener: Listener,
    report: Callable[[str], None] = print,
) -> FastAPI:
    """The application. Routers must depend on ``require``; on the loopback address only its own names are answered.

    What people do are events of ``log``. Cookies of one host are shared by all ports, so the port is part of the cookie's name.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    cookie = f"wdw-build-{listener.port}"
    app.add_middleware(SessionMiddleware, access.cookies, session_cookie=cookie, max_age=_THIRTY_DAYS, same_site="lax")
    if listener.loopback:
        # A foreign page could point a name of its own at this machine (DNS rebinding).
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1"], www_redirect=False)
    app.middleware("http")(guard)
    app.mount("/static", StaticFiles(directory=_FOLDER / "static"))
    for router in (_sign_in_router(pages, log), *routers, _people_router(log)):
        app.include_router(router)

    @app.get(ENTER)
    def enter(request: Request, token: str = "") -> Response:
        role, session = access.role(token), request.session
        if role is None:
            return pages.error(request, 403, "This token is not valid. Ask for the address again.")
        session.setdefault(CSRF, secrets.token_urlsafe(24))
        # An owner who opens a reader's address stays owner.
        session[ROLE] = OWNER if session.get(ROLE) == OWNER else role
        return see("/")

    _answer_errors(app, pages, report)
    return app


def _answer_errors(app: FastAPI, pages: Pages, report: Callable[[str], None]) -> None:
    @app.exception_handler(StarletteHTTPException)
    def http_error(request: Request, error: StarletteHTTPException) -> Response:
        detail = str(error.detail)
        answer = pages.error(request, error.status_code, _SENTENCES.get(detail, detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(RequestValidationError)
    def wrong_parameter(request: Request, error: Exception) -> Response:
        return pages.error(request, 400, "The address or the form has a part that is not a number, or too large.")

    @app.exception_handler(WdwError)
    def own_error(request: Request, error: WdwError) -> Response:
        message = "; ".join(filter(None, [error.message, error.hint]))
        if isinstance(error, UsageError):
            return pages.error(request, 404 if request.method == "GET" else 400, message)
        # The message can hold a path of this machine.
        report(f"{request.method} {request.url.path} failed: {message}")
        return pages.error(request, 500, _FAILED)

    @app.exception_handler(Exception)
    def unexpected(request: Request, error: Exception) -> Response:
        return pages.error(request, 500, _FAILED)


def _sign_in_router(pages: Pages, log: EventLog) -> APIRouter:
    """``/sign-in`` and ``/sign-out``; the names are events of the log."""
    router = APIRouter(dependencies=[Depends(require(READER))])

    @router.get(SIGN_IN)
    def show(request: Request) -> Response:
        return pages.render(request, "sign_in.html.j2", name="", longest=LONGEST_NAME, fault="")

    @router.post(SIGN_IN)
    def signed_in(request: Request, form: Form) -> Response:
        name = field(form, "name")
        try:
            visit = sign_in(log, name)
        except UsageError as error:
            fault = f"{error.message}: {error.hint}."
            return pages.render(request, "sign_in.html.j2", 422, name=name, longest=LONGEST_NAME, fault=fault)
        request.session.update({PERSON: visit.name, IS_KNOWN: visit.is_known})
        return see("/")

    @router.post("/sign-out")
    def sign_out(request: Request) -> Response:
        # The secret of forms stays: a page that is open in another tab can send its change after the next sign-in.
        secret = request.session.get(CSRF, "")
        request.session.clear()
        # The next person at this browser may be an annotator.
        request.session.update({ROLE: READER, CSRF: secret})
        return see(SIGN_IN)

    return router


def _people_router(log: EventLog) -> APIRouter:
    """The owner's form for a person: put aside, or count again."""
    router = APIRouter(dependencies=[Depends(require(OWNER))])

    @router.post("/owner/person")
    def change(form: Form) -> Response:
        name, action = field(form, "name"), field(form, "action")
        if action not in ("aside", "count"):
            raise HTTPException(400, "The form has an unknown action. Reload the page.")
        put_aside(log, name, aside=action == "aside")
        return see("/owner")

    return router

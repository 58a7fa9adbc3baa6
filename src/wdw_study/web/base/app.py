"""Makes the application of a set of pages: security of requests and answers, static files, error pages."""

from __future__ import annotations

import hashlib
import mimetypes
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from itsdangerous import SignatureExpired, TimestampSigner
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.sessions import SessionMiddleware
from starlette.types import ASGIApp

from wdw_build.errors import UsageError, WdwError
from wdw_build.views.html import STYLE, environment
from wdw_study.event_log import EventLog
from wdw_study.people import LONGEST_NAME, put_aside, reset_passphrase, sign_in, sign_in_by_address
from wdw_study.web.base.access import (
    CSRF,
    IS_KNOWN,
    OWNER,
    PERSON,
    READER,
    SIGN_IN,
    Access,
    Form,
    Role,
    field,
    require,
    see,
)
from wdw_study.web.base.server import ENTER, PREFIX, Guard, Listener, report

_TEMPLATES = Path(__file__).parent / "templates"
_THIRTY_DAYS = 30 * 24 * 3600
_HASH_LETTERS = 12
_FAILED = "An unexpected error prevented this page. The terminal that runs wdw-build shows the traceback."
_STOPPED = "This could not be done. The terminal that runs wdw-build says why."
# An address of this server in an attribute, up to its first slash.
_ADDRESS = re.compile(r'\b(?:href|src|action|formaction|data-ask)="(?=/)')
# What the router itself says, as a sentence.
_SENTENCES = {"Not Found": "There is no such page.", "Method Not Allowed": "This page cannot be sent such a request."}


Application: TypeAlias = FastAPI
Menu: TypeAlias = Sequence[tuple[str, str]]


class Pages:
    """Renders templates for requests.

    ``folders`` hold templates; ``scripts`` are the files that pages may load; ``menus`` are the (name, address) of the
    navigation of each role. Whoever has not signed in gets no navigation.
    """

    def __init__(
        self, *folders: Path, scripts: Sequence[Path] = (), menus: Mapping[Role, Menu] = MappingProxyType({})
    ) -> None:
        self._files = {path.name: path.read_bytes() for path in (STYLE, *scripts)}
        self._menus = menus
        self.templates = environment(*folders, _TEMPLATES)
        # The address of a static file; its hash makes browsers load a changed file.
        self.templates.globals["asset"] = lambda name: (
            f"/static/{name}?{hashlib.sha256(self._files[name]).hexdigest()[:_HASH_LETTERS]}"
        )

    def render(self, request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page.

        Templates also see ``csrf``, the session's secret for forms, ``menu``, ``here``, the page's path, and ``signed_in``,
        the name of the person.
        """
        # A request that failed early has no session.
        session = request.scope.get("session", {})
        known = {
            "csrf": session.get(CSRF, ""),
            "menu": self._menus.get(session.get("role"), ()),
            "here": request.url.path,
            "signed_in": session.get(PERSON, ""),
        }
        page = self.templates.get_template(template).render(known | values)
        # Quotes in text are escaped, so that this finds the addresses of templates alone.
        page = _ADDRESS.sub(rf"\g<0>{request.scope.get(PREFIX, '')}", page)
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


class _Signer(TimestampSigner):
    """Signs cookies. A cookie from the future is valid, so that a clock that is set back signs nobody out."""

    def unsign(  # type: ignore[override]  # Sessions ask for no timestamp.
        self, signed_value: str | bytes, max_age: int | None = None
    ) -> bytes:
        """The value. Raises ``BadSignature`` if the signature is wrong or older than ``max_age`` seconds."""
        value, signed = super().unsign(signed_value, return_timestamp=True)
        age = self.get_timestamp() - signed.timestamp()
        if max_age is not None and age > max_age:
            raise SignatureExpired(f"the cookie is {age:.0f} s old", payload=value, date_signed=signed)
        return value


class _Sessions(SessionMiddleware):
    """Keeps the session of a browser in a signed cookie for thirty days."""

    def __init__(self, app: ASGIApp, secret_key: str, session_cookie: str) -> None:
        super().__init__(app, secret_key, session_cookie, max_age=_THIRTY_DAYS, same_site="lax")
        self.signer = _Signer(secret_key)


def create_app(
    pages: Pages,
    routers: Sequence[APIRouter],
    access: Access,
    *,
    port: int,
    loopback: bool,
    arrive: Callable[[Request, str], None] = lambda request, invited: None,
) -> Application:
    """The application. Routers must depend on ``require``; on the loopback address only its own names are answered.

    ``arrive`` signs in the person whose personal token was given (a name), or whom the address names in another way.
    Cookies of one host are shared by all ports, so the port is part of the cookie's name.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    app.add_middleware(
        _Sessions,
        secret_key=access.cookies,
        session_cookie=f"wdw-build-{port}",
    )
    app.add_middleware(Guard, loopback=loopback, failed=lambda request: pages.error(request, 500, _FAILED))
    for router in routers:
        app.include_router(router)

    @app.get(ENTER)
    def enter(request: Request, token: str = "") -> Response:
        role, session = access.role(token), request.session
        if role is None:
            return pages.error(request, 403, "This token is not valid. Ask for the address again.")
        session.setdefault(CSRF, secrets.token_urlsafe(24))
        # An owner who opens a reader's address stays owner.
        session["role"] = OWNER if session.get("role") == OWNER else role
        arrive(request, access.person(token))
        return see("/")

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        return pages.file(name)

    _answer_errors(app, pages)
    return app


def _answer_errors(app: FastAPI, pages: Pages) -> None:
    @app.exception_handler(StarletteHTTPException)
    def http_error(request: Request, error: StarletteHTTPException) -> Response:
        detail = str(error.detail)
        answer = pages.error(request, error.status_code, _SENTENCES.get(detail, detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(RequestValidationError)
    def incomplete(request: Request, error: RequestValidationError) -> Response:
        return pages.error(request, 400, "The address or the form is not complete.")

    @app.exception_handler(WdwError)
    def own_error(request: Request, error: WdwError) -> Response:
        message = "; ".join(filter(None, [error.message, error.hint]))
        if isinstance(error, UsageError):
            return pages.error(request, 404 if request.method == "GET" else 400, message)
        # The message can hold a path of this machine.
        report(request.scope, [message])
        is_owner = request.scope.get("session", {}).get("role") == OWNER
        return pages.error(request, 500, message if is_owner else _STOPPED)


# ---- people ---------------------------------------------------------------------------------------------------------


def create_people_app(
    pages: Pages,
    routers: Sequence[APIRouter],
    access: Access,
    listener: Listener,
    log: EventLog,
    *,
    owner_page: str,
    parameter: str = "",
    menu_of: Callable[[Request], Menu] = lambda request: (),
) -> Application:
    """The application of pages on which people sign in; what they do are events of ``log``.

    Whoever comes with a personal token, or with a name in a ``parameter`` of the address, if one is given, is signed in. The
    owner's forms for people are on ``owner_page``. ``menu_of`` gives the navigation of the page to sign in; the other pages
    need a name, so that there is none by default.
    """

    def arrive(request: Request, invited: str) -> None:
        name = invited or (request.query_params.get(parameter, "") if parameter else "")
        if name:
            visit = sign_in_by_address(log, name, invited=bool(invited))
            request.session.update({PERSON: visit.name, IS_KNOWN: False})

    everything = [_sign_in_router(pages, log, menu_of), *routers, _people_router(log, owner_page)]
    return create_app(pages, everything, access, port=listener.port, loopback=listener.loopback, arrive=arrive)


def _sign_in_router(pages: Pages, log: EventLog, menu_of: Callable[[Request], Menu]) -> APIRouter:
    """``/sign-in`` and ``/sign-out``; the names and the hashes of passphrases are events of the log."""
    router = APIRouter(dependencies=[Depends(require(READER))])

    def page(request: Request, name: str, status: int = 200, fault: str = "") -> Response:
        return pages.render(
            request, "sign_in.html.j2", status, menu=menu_of(request), name=name, longest=LONGEST_NAME, fault=fault
        )

    @router.get(SIGN_IN)
    def show(request: Request) -> Response:
        return page(request, request.session.get(PERSON, ""))

    @router.post(SIGN_IN)
    def signed_in(request: Request, form: Form) -> Response:
        name = field(form, "name")
        try:
            visit = sign_in(log, name, field(form, "passphrase"))
        except UsageError as error:
            return page(request, name, 422, f"{error.message}: {error.hint}.")
        request.session.update({PERSON: visit.name, IS_KNOWN: visit.is_known})
        return see("/")

    @router.post("/sign-out")
    def sign_out(request: Request) -> Response:
        # The secret of forms stays: a page that is open in another tab can send its change after the next sign-in.
        secret = request.session.get(CSRF, "")
        request.session.clear()
        # The next person at this browser may be an annotator.
        request.session.update({"role": READER, CSRF: secret})
        return see(SIGN_IN)

    return router


def _people_router(log: EventLog, owner_page: str) -> APIRouter:
    """The owner's forms for a person: put aside, count again, forget the passphrase."""
    router = APIRouter(dependencies=[Depends(require(OWNER))])

    @router.post(f"{owner_page}/person")
    def change(form: Form) -> Response:
        name, action = field(form, "name"), field(form, "action")
        if action not in ("aside", "count", "reset"):
            raise HTTPException(400, "The form has an unknown action. Reload the page.")
        if action == "reset":
            reset_passphrase(log, name)
        else:
            put_aside(log, name, aside=action == "aside")
        return see(owner_page)

    return router

"""Signs people in by name, with a passphrase if they chose one.

The address of a page has a token already (``Access``); a name says which of the people who have the address is here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from wdw_build.annotation.event_log import EventLog
from wdw_build.annotation.people import LONGEST_NAME, sign_in
from wdw_build.errors import UsageError
from wdw_build.web.base.access import READER, form_of, require, session_of
from wdw_build.web.base.app import Menu, Pages

_SIGN_IN = "/sign-in"
PERSON = "person"

Form = Annotated[FormData, Depends(form_of)]


def person_of(request: Request) -> str:
    """A dependency: the name of the person who is signed in. Redirects to the sign-in page if nobody is."""
    name = session_of(request).get(PERSON, "")
    if not name:
        raise HTTPException(303, "Sign in first.", {"Location": _SIGN_IN})
    return str(name)


Person = Annotated[str, Depends(person_of)]


def sign_in_router(pages: Pages, log: EventLog, menu_of: Callable[[Request], Menu] = lambda request: ()) -> APIRouter:
    """``/sign-in`` and ``/sign-out``; the names and the hashes of passphrases are events of the log.

    ``menu_of`` gives the navigation of the page; the other pages need a name, so that there is none by default.
    """
    router = APIRouter(dependencies=[Depends(require(READER))])

    def page(request: Request, name: str, status: int = 200, fault: str = "") -> Response:
        return pages.render(
            request, "sign_in.html.j2", status, menu=menu_of(request), name=name, longest=LONGEST_NAME, fault=fault
        )

    @router.get(_SIGN_IN)
    def show(request: Request) -> Response:
        return page(request, session_of(request).get(PERSON, ""))

    @router.post(_SIGN_IN)
    def signed_in(request: Request, form: Form) -> Response:
        name = str(form.get("name", ""))
        try:
            session_of(request)[PERSON] = sign_in(log, name, str(form.get("passphrase", "")))
        except UsageError as error:
            return page(request, name, 422, f"{error.message}: {error.hint}.")
        return RedirectResponse("/", 303)

    @router.post("/sign-out")
    def sign_out(request: Request) -> Response:
        session_of(request).pop(PERSON, None)
        return RedirectResponse(_SIGN_IN, 303)

    return router

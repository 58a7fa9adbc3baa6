"""What pages with forms share: the fields of a form, and the page on which a person signs in.

The address of a page has a token already (``Access``); a name says which of the people who have the address is here, with a
passphrase if they chose one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from wdw_build.annotation.event_log import EventLog
from wdw_build.annotation.sign_in import LONGEST_NAME, checked_name, sign_in
from wdw_build.errors import UsageError
from wdw_build.web.base.access import READER, form_of, require, session_of
from wdw_build.web.base.app import Menu, Pages

_SIGN_IN = "/sign-in"
PERSON = "person"
# Whether the person typed the name in other letters than the first time. A page may say so once.
OTHER_SPELLING = "other-spelling"

Form = Annotated[FormData, Depends(form_of)]


def field(form: FormData, name: str) -> str:
    """The text of a field of a form; empty if the form does not have it."""
    return str(form.get(name, ""))


def labels_of(form: FormData, name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The ticked labels of a form, in the order in which they are known. Raises 400 for an unknown one."""
    given, known = {str(value) for value in form.getlist(name)}, tuple(known)
    if not given <= set(known):
        raise HTTPException(400, "The form has an unknown label. Reload the page.")
    return tuple(label for label in known if label in given)


def see(address: str) -> Response:
    """The answer to a form that was saved: the page to go to."""
    return RedirectResponse(address, 303)


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
        name = field(form, "name")
        try:
            person = sign_in(log, name, field(form, "passphrase"))
        except UsageError as error:
            return page(request, name, 422, f"{error.message}: {error.hint}.")
        session_of(request).update({PERSON: person, OTHER_SPELLING: person != checked_name(name)})
        return see("/")

    @router.post("/sign-out")
    def sign_out(request: Request) -> Response:
        session_of(request).pop(PERSON, None)
        return see(_SIGN_IN)

    return router

"""Who may see which page, who is here, and the fields of forms.

A secret token in the first address gives a browser its role, which a signed cookie keeps; a name says which of the people
who have the address is here. Forms carry a second secret of the session, so that no other site can send them (synchroniser
token pattern, OWASP).
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from fastapi import Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from wdw_build.api import UsageError, replace_file

Role = Literal["reader", "owner"]
READER: Role = "reader"
OWNER: Role = "owner"
SIGN_IN = "/sign-in"
# Keys of a session. ``IS_KNOWN``: somebody signed in under the name before; the next page says so once.
CSRF, ROLE, PERSON, IS_KNOWN = "csrf", "role", "person", "is-known"
_CSRF_HEADER = "X-CSRF-Token"

Secret = Annotated[str, msgspec.Meta(min_length=16)]


class Access(msgspec.Struct, frozen=True):
    """The tokens of the two roles, and the key that signs cookies."""

    reader: Secret
    owner: Secret
    cookies: Secret

    @staticmethod
    def fresh() -> Access:
        """New tokens."""
        return Access(*(secrets.token_urlsafe(24) for _ in range(3)))

    @staticmethod
    def stored(path: Path) -> Access:
        """The tokens in a file that only its owner can read; made if it does not exist.

        People keep their addresses and their sign-ins when the server is started again. Raises ``UsageError`` if the
        file is damaged.
        """
        if not path.exists():
            replace_file(path, msgspec.json.encode(Access.fresh()), mode=0o600)
        try:
            return msgspec.json.decode(path.read_bytes(), type=Access)
        except msgspec.MsgspecError as error:
            raise UsageError(f"{path}: {error}", hint="delete the file: new addresses will be made") from error

    def role(self, token: str) -> Role | None:
        """The role that a token gives."""
        if _is_same(token, self.owner):
            return OWNER
        return READER if _is_same(token, self.reader) else None


def _is_same(token: str, expected: str) -> bool:
    return hmac.compare_digest(token.encode("utf-8", "replace"), expected.encode())


async def form_of(request: Request) -> FormData:
    """The fields of a form; the same on every call."""
    return await request.form(max_files=0, max_fields=200)


Form = Annotated[FormData, Depends(form_of)]


def require(role: Role) -> Callable[[Request], Awaitable[None]]:
    """A dependency for routers: the session must have the role (an owner may do all), and forms the session's secret."""

    async def check(request: Request) -> None:
        session = request.session
        if role == OWNER and session.get(ROLE) == READER:
            raise HTTPException(403, "This page is for the owner of the study.")
        if session.get(ROLE) not in (role, OWNER):
            raise HTTPException(403, "Open the complete address that wdw-build printed; it ends in a token.")
        if request.method != "GET":
            await _check_origin(request, str(session.get(CSRF, "")))

    return check


async def _check_origin(request: Request, expected: str) -> None:
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise HTTPException(403, "The form was sent by another site.")
    token = request.headers.get(_CSRF_HEADER) or (await form_of(request)).get(CSRF, "")
    if not expected or not _is_same(str(token), expected):
        raise HTTPException(403, "The form is out of date. Reload the page; what you saved before is kept.")


# ---- people and their forms -----------------------------------------------------------------------------------------


def field(form: FormData, name: str) -> str:
    """The text of a field of a form; empty if the form does not have it."""
    return str(form.get(name, ""))


def labels_of(form: FormData, name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The ticked labels of a form, in the order in which they are known. Raises 400 for an unknown one."""
    ticked, known = {str(value) for value in form.getlist(name)}, tuple(known)
    if not ticked <= set(known):
        raise HTTPException(400, "The form has an unknown label. Reload the page.")
    return tuple(label for label in known if label in ticked)


def see(address: str) -> Response:
    """The answer to a form that was saved: the page to go to."""
    return RedirectResponse(address, 303)


def person_of(request: Request) -> str:
    """A dependency: the name of the person who is signed in. Redirects to the sign-in page if nobody is."""
    name = request.session.get(PERSON, "")
    if not name:
        raise HTTPException(303, "Sign in first.", {"Location": SIGN_IN})
    return str(name)


Person = Annotated[str, Depends(person_of)]


def is_nameless_owner(request: Request) -> bool:
    """Whether the owner has not signed in with a name. The owner's pages need none; the pages for people do."""
    return request.session.get(ROLE) == OWNER and not request.session.get(PERSON)

"""Who may see which page, who is here, and the fields of forms.

A secret token in the first address gives a browser its role, which a signed cookie keeps; a name says which of the people
who have the address is here. Forms carry a second secret of the session, so that no other site can send them (synchroniser
token pattern, OWASP).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from fastapi import Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from wdw_build.core.store.atomic_output import replace_file
from wdw_build.errors import UsageError

Role = Literal["reader", "owner"]
READER: Role = "reader"
OWNER: Role = "owner"
CSRF = "csrf"
_CSRF_HEADER = "X-CSRF-Token"
_SHORTEST_TOKEN = 16
_PROOF_LETTERS = 32
_SAFE_METHODS = frozenset({"GET"})
SIGN_IN = "/sign-in"
PERSON = "person"
# Whether somebody signed in under the name before. The next page says so once.
IS_KNOWN = "is-known"


_Secret: TypeAlias = Annotated[str, msgspec.Meta(min_length=_SHORTEST_TOKEN)]


class Access(msgspec.Struct, frozen=True):
    """The tokens of the two roles, and the key that signs cookies."""

    reader: _Secret
    owner: _Secret
    cookies: _Secret

    @staticmethod
    def fresh() -> Access:
        """New tokens, valid until the server stops."""
        return Access(*(secrets.token_urlsafe(24) for _ in range(3)))

    @staticmethod
    def kept(path: Path) -> Access:
        """The tokens in a file that only its owner can read; made if it does not exist.

        People keep their addresses and their sign-ins when the server is started again. Raises ``UsageError`` if the
        file is damaged.
        """
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, msgspec.json.encode(Access.fresh()), mode=0o600)
        try:
            return msgspec.json.decode(path.read_bytes(), type=Access)
        except msgspec.MsgspecError as error:
            raise UsageError(f"{path}: {error}", hint="delete the file: new addresses will be made") from error

    def with_reader(self, token: str) -> Access:
        """The same with a chosen token for readers, which ends the sessions that another token began.

        Raises ``UsageError`` if the token is short or the owner's.
        """
        if len(token) < _SHORTEST_TOKEN or not token.isascii() or token == self.owner:
            raise UsageError(
                f"the token must have at least {_SHORTEST_TOKEN} ASCII characters",
                hint="leave it out to have one made, or: python3 -c 'import secrets; print(secrets.token_urlsafe(24))'",
            )
        return Access(token, self.owner, hashlib.sha256(f"{self.cookies} {token}".encode()).hexdigest())

    def personal(self, name: str) -> str:
        """A token for readers that also signs in a person."""
        return f"{base64.urlsafe_b64encode(name.encode()).decode().rstrip('=')}.{self._proof(name)}"

    def person(self, token: str) -> str:
        """The name of the person whose token this is; empty if it is nobody's."""
        encoded, _, proof = token.partition(".")
        try:
            name = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True).decode()
        except ValueError:
            return ""
        return name if hmac.compare_digest(proof.encode("utf-8", "replace"), self._proof(name).encode()) else ""

    def _proof(self, name: str) -> str:
        """Depends on the kept token of the owner alone, so that personal addresses stay valid."""
        return hmac.new(self.owner.encode(), f"person\x1f{name}".encode(), hashlib.sha256).hexdigest()[:_PROOF_LETTERS]

    def role(self, token: str) -> Role | None:
        """The role that a token gives."""
        if self.person(token):
            return READER
        roles: Mapping[Role, str] = {OWNER: self.owner, READER: self.reader}
        given = token.encode("utf-8", "replace")
        return next((role for role, known in roles.items() if hmac.compare_digest(given, known.encode())), None)


async def form_of(request: Request) -> FormData:
    """The fields of a form; the same on every call."""
    return await request.form(max_files=0, max_fields=200)


Form = Annotated[FormData, Depends(form_of)]


def require(role: Role) -> Callable[[Request], Awaitable[None]]:
    """A dependency for routers: the session must have the role (an owner may do all), and forms the session's secret."""

    async def check(request: Request) -> None:
        session = request.session
        if role == OWNER and session.get("role") == READER:
            raise HTTPException(403, "This page is for the owner of the run.")
        if session.get("role") not in (role, OWNER):
            raise HTTPException(403, "Open the complete address that wdw-build printed; it ends in a token.")
        if request.method not in _SAFE_METHODS:
            await _check_origin(request, str(session.get(CSRF, "")))

    return check


async def _check_origin(request: Request, expected: str) -> None:
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise HTTPException(403, "The form was sent by another site.")
    given = request.headers.get(_CSRF_HEADER) or (await form_of(request)).get(CSRF, "")
    if not expected or not hmac.compare_digest(str(given).encode("utf-8", "replace"), expected.encode()):
        raise HTTPException(403, "The form is out of date. Reload the page; what you saved before is kept.")


# ---- people and their forms -----------------------------------------------------------------------------------------


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
    name = request.session.get(PERSON, "")
    if not name:
        raise HTTPException(303, "Sign in first.", {"Location": SIGN_IN})
    return str(name)


Person = Annotated[str, Depends(person_of)]

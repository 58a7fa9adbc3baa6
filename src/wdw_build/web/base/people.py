"""Signs people in by name, with a passphrase if they chose one. Names and hashes of passphrases are events of the log.

The address of a page has a token already (``Access``); a name says which of the people who have the address is here. Only
a passphrase stops a second person from using the name.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Iterable
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from wdw_build.annotation.event_log import Event, EventLog
from wdw_build.web.base.access import READER, form_of, require, session_of
from wdw_build.web.base.app import Pages

SIGNED_UP = "signed-up"
_SIGN_IN = "/sign-in"
_PERSON = "person"
_LONGEST_NAME = 40
_LONGEST_PASSPHRASE = 200
# scrypt with 16 MiB and about 50 ms (RFC 7914).
_COST = {"n": 2**14, "r": 8, "p": 1}


class SignUp(msgspec.Struct, frozen=True):
    """The value of the event ``signed-up``."""

    salt: str = ""
    """Hexadecimal salt of the passphrase; empty: the person has no passphrase."""
    hash: str = ""
    """Hexadecimal scrypt hash of the passphrase."""


Form = Annotated[FormData, Depends(form_of)]


def person_of(request: Request) -> str:
    """A dependency: the name of the person who is signed in. Redirects to the sign-in page if nobody is."""
    name = session_of(request).get(_PERSON, "")
    if not name:
        raise HTTPException(303, "Sign in first.", {"Location": _SIGN_IN})
    return str(name)


Person = Annotated[str, Depends(person_of)]


def sign_in_router(pages: Pages, log: EventLog) -> APIRouter:
    """``/sign-in`` and ``/sign-out``. A name that is new is signed up with the passphrase that was typed, or with none."""
    router = APIRouter(dependencies=[Depends(require(READER))])

    @router.get(_SIGN_IN)
    def show(request: Request) -> Response:
        return pages.render(request, "sign_in.html.j2", name=session_of(request).get(_PERSON, ""), fault="")

    @router.post(_SIGN_IN)
    def sign_in(request: Request, form: Form) -> Response:
        typed = str(form.get("name", ""))
        name, fault = _signed_in(log, typed, str(form.get("passphrase", "")))
        if fault:
            return pages.render(request, "sign_in.html.j2", 422, name=typed[:_LONGEST_NAME], fault=fault)
        session_of(request)[_PERSON] = name
        return RedirectResponse("/", 303)

    @router.post("/sign-out")
    def sign_out(request: Request) -> Response:
        session_of(request).pop(_PERSON, None)
        return RedirectResponse(_SIGN_IN, 303)

    return router


def _signed_in(log: EventLog, typed: str, passphrase: str) -> tuple[str, str]:
    """(name, ""), as the person signed up, or ("", what is wrong)."""
    name = " ".join(unicodedata.normalize("NFC", typed).split())
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
        return "", f"Give a name of 1 to {_LONGEST_NAME} printable characters."
    if len(passphrase) > _LONGEST_PASSPHRASE:
        return "", f"A passphrase has at most {_LONGEST_PASSPHRASE} characters."
    known = _sign_up(log.events(), name)
    if known is None:
        log.append(name, SIGNED_UP, "", _hashed(passphrase))
        # Another browser may have signed up the same name meanwhile; the first event decides.
        known = _sign_up(log.events(), name)
    if known is None or not _is_passphrase(passphrase, known.value):
        return "", "This name is taken, and the passphrase is wrong. Type its passphrase, or choose another name."
    return known.person, ""


def _sign_up(events: Iterable[Event], name: str) -> Event | None:
    """The first event by which a name was signed up; upper and lower case are the same name."""
    return next((event for event in events if event.kind == SIGNED_UP and _folded(event.person) == _folded(name)), None)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _hashed(passphrase: str) -> SignUp:
    if not passphrase:
        return SignUp()
    salt = secrets.token_bytes(16)
    return SignUp(salt.hex(), _scrypt(passphrase, salt).hex())


def _is_passphrase(passphrase: str, stored: msgspec.Raw) -> bool:
    known = msgspec.json.decode(stored, type=SignUp)
    if not known.hash:
        return True
    return hmac.compare_digest(_scrypt(passphrase, bytes.fromhex(known.salt)), bytes.fromhex(known.hash))


def _scrypt(passphrase: str, salt: bytes) -> bytes:
    return hashlib.scrypt(passphrase.encode("utf-8", "replace"), salt=salt, **_COST)

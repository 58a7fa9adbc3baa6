"""The names of people in an event log, and the passphrases that they may choose.

A passphrase keeps one annotator from writing under the name of another. It is stored as a scrypt hash (RFC 7914).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Iterable

import msgspec

from wdw_build.annotation.event_log import Event, EventLog, value_of
from wdw_build.errors import UsageError

# The kind of the event; its value is ``SignedIn``.
SIGNED_IN = "signed-in"
LONGEST_NAME = 40
# scrypt's work factors: about 50 ms and 16 MiB a hash.
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1
_SALT_BYTES = 16


class SignedIn(msgspec.Struct, frozen=True):
    """Value of the event ``signed-in``. The passphrase is kept with the first one of a person."""

    salt: str = ""
    """Salt of the passphrase (hex); empty without a passphrase."""
    passphrase: str = ""
    """scrypt hash of the passphrase (hex); empty without one."""


def checked_name(text: str) -> str:
    """A name with single spaces.

    Raises ``UsageError`` unless it has 1 to 40 printable characters and begins with a letter or a digit; names in brackets,
    such as `(all)`, have other meanings in scores.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name[:1].isalnum() or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"a name has 1 to {LONGEST_NAME} printable characters and begins with a letter or a digit",
            hint="choose another name",
        )
    return name


def canonical_name(events: Iterable[Event], text: str) -> str:
    """The name as the person first wrote it; case and forms of letters do not matter. Raises ``UsageError`` as above."""
    name = checked_name(text)
    known = (event.person for event in events if event.kind == SIGNED_IN)
    return next((other for other in known if _compared(other) == _compared(name)), name)


def _compared(name: str) -> str:
    """A name without case and compatibility forms, such as full-width letters and ligatures (Unicode's NFKC)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def sign_in(log: EventLog, text: str, passphrase: str) -> str:
    """Sign a person in and return the name. The first sign-in may choose a passphrase, which later ones must repeat.

    Raises ``UsageError`` if the name is not allowed or the passphrase is wrong, or given for a name that has none.
    """
    events = log.events()
    name = canonical_name(events, text)
    first = next((event for event in events if event.kind == SIGNED_IN and event.person == name), None)
    if first is None:
        salt = secrets.token_hex(_SALT_BYTES)
        value = SignedIn(salt, _hash(passphrase, salt)) if passphrase else SignedIn()
        log.append(name, SIGNED_IN, value=value)
        return name
    chosen: SignedIn = value_of(first, SignedIn)
    if passphrase and not chosen.passphrase:
        raise UsageError(
            f"{name} has signed in before, and without a passphrase", hint="leave it out, or choose another name"
        )
    if chosen.passphrase and not hmac.compare_digest(_hash(passphrase, chosen.salt), chosen.passphrase):
        raise UsageError(
            f"{name} has signed in before, and with another passphrase", hint="repeat it, or choose another name"
        )
    log.append(name, SIGNED_IN, value=SignedIn())
    return name


def _hash(passphrase: str, salt: str) -> str:
    given = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(given, salt=bytes.fromhex(salt), n=_COST, r=_BLOCK, p=_PARALLEL).hex()

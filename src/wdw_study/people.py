"""The people of a study: their names, the passphrases that they may choose, and whose work does not count.

All of it is events of the log. A passphrase keeps one annotator from writing under the name of another. It is stored as a
scrypt hash (RFC 7914).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from wdw_build.errors import UsageError
from wdw_study.event_log import FORGOTTEN_NAME, Event, EventLog, value_of

SIGNED_IN = "signed-in"
# Of the owner, with the name of a person as subject: forget the passphrase; put the person aside (true), or not (false).
PASSPHRASE_RESET, PUT_ASIDE = "passphrase-reset", "put-aside"
# The person of the owner's events. No person has a name in brackets.
OWNER_NAME = "(owner)"
LONGEST_NAME = 40
# scrypt's work factors: about 50 ms and 16 MiB a hash.
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1
_SALT_BYTES = 16


class SignedIn(msgspec.Struct, frozen=True):
    """Value of the event ``signed-in``. The passphrase is kept with the first one of a person, or the first after a reset."""

    salt: str = ""
    """Salt of the passphrase (hex); empty without a passphrase."""
    passphrase: str = ""
    """scrypt hash of the passphrase (hex); empty without one."""
    way: Literal["form", "invited", "address"] = "form"
    """`form`: the page for signing in; `invited`: a personal address; `address`: an address with the name in it."""


class Visit(NamedTuple):
    """A person who has just signed in."""

    name: str
    is_known: bool
    """Whether somebody signed in under this name before."""


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


def people_of(events: Iterable[Event]) -> list[str]:
    """The names of everybody who signed in, in the order of the first time."""
    return list(dict.fromkeys(event.person for event in events if event.kind == SIGNED_IN))


def canonical_name(events: Iterable[Event], text: str) -> str:
    """The name as the person first wrote it; case and forms of letters do not matter. Raises ``UsageError`` as above."""
    name = checked_name(text)
    return next((known for known in people_of(events) if _compared(known) == _compared(name)), name)


def _compared(name: str) -> str:
    """A name without case and compatibility forms, such as full-width letters and ligatures (Unicode's NFKC)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def sign_in(log: EventLog, text: str, passphrase: str) -> Visit:
    """Sign a person in. The first sign-in may choose a passphrase, which later ones must repeat.

    Of several first sign-ins at the same time, one is the first. Raises ``UsageError`` if the name is not allowed, or if it
    is taken: the passphrase is wrong, or given for a name that has none.
    """
    events = log.events()
    name = canonical_name(events, text)
    if _chosen(events, name) is None:
        salt = secrets.token_hex(_SALT_BYTES)
        value = SignedIn(salt, _hash(passphrase, salt)) if passphrase else SignedIn()
        if log.append_if(lambda now: _is_free(now, name), name, SIGNED_IN, value=value) is not None:
            return Visit(name, name in people_of(events))
        events = log.events()
        name = canonical_name(events, text)
    _check(name, _chosen(events, name) or SignedIn(), passphrase)
    log.append(name, SIGNED_IN, value=SignedIn())
    return Visit(name, is_known=True)


def sign_in_by_address(log: EventLog, text: str, *, invited: bool) -> Visit:
    """Sign in a person whose name is in the address. Nobody can take a name that began in this way on the page for signing in.

    ``invited``: the address proves the name. Raises ``UsageError`` if the name is not allowed, or if it proves nothing and
    somebody signed in under it in another way.
    """
    events = log.events()
    name = canonical_name(events, text)
    chosen, is_known = _chosen(events, name), name in people_of(events)
    way: Literal["invited", "address"] = "invited" if invited else "address"
    if chosen is not None and not invited and chosen.way != way:
        raise UsageError(f"the name {name} is taken", hint="ask the owner of the study for another address")
    # A passphrase that nobody knows.
    unknown = secrets.token_hex(_SALT_BYTES)
    value = SignedIn(way=way) if chosen else SignedIn(unknown, _hash(secrets.token_hex(), unknown), way)
    log.append(name, SIGNED_IN, value=value)
    return Visit(name, is_known)


def forget(log: EventLog, name: str) -> int:
    """Delete what the log holds of a person; the number of events. Raises ``UsageError`` if nobody has this name."""
    return log.forget(_known(name, log.events()), (PUT_ASIDE, PASSPHRASE_RESET))


def count_events(log: EventLog, name: str) -> tuple[str, int]:
    """The name of a person as it is stored, and how many events the person has. Raises ``UsageError`` as ``forget``."""
    events = log.events()
    known = _known(name, events)
    return known, sum(event.person == known for event in events)


def _is_free(events: Sequence[Event], name: str) -> bool:
    """Whether the next sign-in under this name may choose a passphrase."""
    return canonical_name(events, name) == name and _chosen(events, name) is None


def _chosen(events: Iterable[Event], name: str) -> SignedIn | None:
    """What the first sign-in under a name chose, or the first after a reset; None if there was none."""
    chosen: SignedIn | None = None
    for event in events:
        if event.kind == PASSPHRASE_RESET and event.subject == name:
            chosen = None
        elif event.kind == SIGNED_IN and event.person == name and chosen is None:
            chosen = value_of(event, SignedIn)
    return chosen


def _check(name: str, chosen: SignedIn, passphrase: str) -> None:
    """Raise ``UsageError`` unless the passphrase is the chosen one."""
    if passphrase and not chosen.passphrase:
        raise UsageError(
            f"the name {name} is taken: somebody has signed in under it before, and without a passphrase",
            hint="leave the passphrase out if that was you, or choose another name",
        )
    if chosen.passphrase and not hmac.compare_digest(_hash(passphrase, chosen.salt), chosen.passphrase):
        raise UsageError(
            f"the name {name} is taken: somebody has signed in under it before, and with another passphrase",
            hint="repeat the passphrase if that was you, or choose another name; the owner of the study can reset it",
        )


def _hash(passphrase: str, salt: str) -> str:
    given = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(given, salt=bytes.fromhex(salt), n=_COST, r=_BLOCK, p=_PARALLEL).hex()


# ---- who counts ------------------------------------------------------------------------------------------------------


def put_aside(log: EventLog, name: str, *, aside: bool) -> None:
    """Say whether the work of a person counts. Raises ``UsageError`` if nobody has this name."""
    log.append(OWNER_NAME, PUT_ASIDE, _known(name, log.events()), aside)


def reset_passphrase(log: EventLog, name: str) -> None:
    """Let the next sign-in under a name choose a passphrase, or none. Raises ``UsageError`` if nobody has this name."""
    log.append(OWNER_NAME, PASSPHRASE_RESET, _known(name, log.events()))


def aside_of(events: Iterable[Event]) -> frozenset[str]:
    """The people whom the owner put aside, such as those who tried the pages."""
    last: dict[str, bool] = {event.subject: value_of(event, bool) for event in events if event.kind == PUT_ASIDE}
    return frozenset(name for name, aside in last.items() if aside)


def uncounted(events: Sequence[Event], persons: Collection[str] = (), exclude: Collection[str] = ()) -> frozenset[str]:
    """The people whose work does not count: those put aside, or everybody except ``persons``; and those in ``exclude``.

    Raises ``UsageError`` for a name that nobody has.
    """
    named = {_known(name, events) for name in persons}
    others = {event.person for event in events} - named if persons else aside_of(events)
    return frozenset(others | {_known(name, events) for name in exclude})


def _known(text: str, events: Iterable[Event]) -> str:
    """The name of a person with events, in any case of letters. Raises ``UsageError`` if nobody has it."""
    names = sorted({event.person for event in events} - {OWNER_NAME, FORGOTTEN_NAME})
    found = next((name for name in names if _compared(name) == _compared(text)), None)
    if found is None:
        raise UsageError(f"nobody is called {text[:LONGEST_NAME]!r}", hint=f"people: {', '.join(names) or 'none yet'}")
    return found

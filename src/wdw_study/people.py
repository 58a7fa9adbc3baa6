"""The people of a study: their names, and whose work does not count. All of it is events of the log."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from wdw_build.api import UsageError
from wdw_study.event_log import FORGOTTEN_NAME, Event, EventLog, value_of

SIGNED_IN = "signed-in"
# Of the owner, with the name of a person as subject: the work of the person does not count (true), or counts again (false).
PUT_ASIDE = "put-aside"
# The person of the owner's events. No person has a name in brackets.
OWNER_NAME = "(owner)"
LONGEST_NAME = 40


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


def sign_in(log: EventLog, text: str) -> Visit:
    """Sign a person in. Raises ``UsageError`` if the name is not allowed."""
    events = log.events()
    name = canonical_name(events, text)
    log.append(name, SIGNED_IN)
    return Visit(name, name in people_of(events))


def forget(log: EventLog, name: str) -> int:
    """Delete a person's events; returns their number. Raises ``UsageError`` if nobody has this name."""
    return log.forget(_known(name, log.events()), (PUT_ASIDE,))


def count_events(log: EventLog, name: str) -> tuple[str, int]:
    """The name of a person as it is stored, and how many events the person has. Raises ``UsageError`` as ``forget``."""
    events = log.events()
    known = _known(name, events)
    return known, sum(event.person == known for event in events)


# ---- who counts ------------------------------------------------------------------------------------------------------


def put_aside(log: EventLog, name: str, *, aside: bool) -> None:
    """Say whether the work of a person counts. Raises ``UsageError`` if nobody has this name."""
    log.append(OWNER_NAME, PUT_ASIDE, _known(name, log.events()), aside)


def aside_of(events: Iterable[Event]) -> frozenset[str]:
    """The people whom the owner put aside, such as those who tried the pages."""
    last: dict[str, bool] = {event.subject: value_of(event, bool) for event in events if event.kind == PUT_ASIDE}
    return frozenset(name for name, aside in last.items() if aside)


def _known(text: str, events: Iterable[Event]) -> str:
    """The name of a person with events, in any case of letters. Raises ``UsageError`` if nobody has it."""
    names = sorted({event.person for event in events} - {OWNER_NAME, FORGOTTEN_NAME})
    found = next((name for name in names if _compared(name) == _compared(text)), None)
    if found is None:
        raise UsageError(f"nobody is called {text[:LONGEST_NAME]!r}", hint=f"people: {', '.join(names) or 'none yet'}")
    return found

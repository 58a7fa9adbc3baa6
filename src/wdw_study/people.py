"""The people of a study: their names, and whose work does not count. All of it is events of the log.

A language model that answers like a person has a name that no person can choose, such as `(model) smollm2`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from wdw_build.api import UsageError, printable
from wdw_study.event_log import FORGOTTEN_NAME, Event, EventLog, value_of

SIGNED_IN = "signed-in"
# Of the owner, with the name of a person as subject: the work of the person does not count (true), or counts again (false).
PUT_ASIDE = "put-aside"
# The person of the owner's events. No person has a name in brackets.
OWNER_NAME = "(owner)"
LONGEST_NAME = 40
_MODEL = "(model) "


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


def is_model(name: str) -> bool:
    """Whether a name is that of a model."""
    return name.startswith(_MODEL)


def model_participant(model: str) -> str:
    """The name under which a model answers; ``model`` may also be this name."""
    return _MODEL + printable(" ".join(model.removeprefix(_MODEL).split()))


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


def sign_in_once(log: EventLog, text: str) -> str:
    """Sign in a person who answers elsewhere, or a model, unless it was done before; the name. Raises as ``sign_in``."""
    name = model_participant(text) if is_model(text) else text
    if name in people_of(log.events()):
        return name
    if not is_model(name):
        return sign_in(log, name).name
    log.append(name, SIGNED_IN)
    return name


def forget(log: EventLog, name: str) -> None:
    """Delete the events of a person, by the stored name, and the events about that person."""
    log.forget(name, PUT_ASIDE)


def count_events(log: EventLog, name: str) -> tuple[str, int]:
    """The name of a person as it is stored, and how many events the person has. Raises ``UsageError`` if nobody has it."""
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
    known = next((name for name in names if _compared(name) == _compared(text)), None)
    if known is None:
        raise UsageError(f"nobody is called {text[:LONGEST_NAME]!r}", hint=f"people: {', '.join(names) or 'none yet'}")
    return known

"""What a sheet, its key, the answers and the score hold. Declared once: the files, the page and docs/records.md follow it."""

from __future__ import annotations

import msgspec

BLANK = "XXX"
CANNOT_TELL = "cannot tell"
# What can be wrong with a problem; a reader ticks any number of them.
FAULTS: dict[str, str] = {
    "wrong-span": "the blank is too long, too short, or cuts a phrase",
    "not-a-person": "a choice, or what the blank stands for, is no person",
    "same-person-twice": "two choices are the same person",
    "two-answers": "two choices are right",
    "given-away": "the question can be answered without the passage",
    "other-event": "the passage is about something else",
    "no-story": "the passage is no news story: a list, a round-up, a table",
    "broken-text": "the question or the passage is damaged",
}


class SheetLine(msgspec.Struct, frozen=True):
    """A problem as a reader sees it, with room for an answer."""

    sheet: str
    number: int
    question: str
    passage: str
    choices: tuple[str, ...]
    answer: str | None = None
    faults: tuple[str, ...] = ()
    remarks: str = ""


class KeyLine(msgspec.Struct, frozen=True):
    """What the reader must not see."""

    sheet: str
    number: int
    id: str
    split: str
    level: str
    choices: tuple[str, ...]
    order: tuple[int, ...]
    answer: int
    guesses: dict[str, int]


class Answer(msgspec.Struct, frozen=True):
    """A reader's answer to one problem. ``answer`` is a choice, or ``cannot tell``; fields of the sheet are passed over."""

    number: int
    answer: str | None
    faults: tuple[str, ...] = ()
    remarks: str = ""


class SavedAnswers(msgspec.Struct, frozen=True):
    """The file that the page saves."""

    sheet: str
    answers: tuple[Answer, ...]


class Written(msgspec.Struct, frozen=True):
    """A sheet that was written, and where."""

    sheet: str
    problems: int
    page: str
    lines: str
    key: str


class Miss(msgspec.Struct, frozen=True):
    """A problem that was not answered right."""

    number: int
    id: str
    given: str
    answer: str
    faults: tuple[str, ...]
    remarks: str


class Agreement(msgspec.Struct, frozen=True):
    """A baseline on the same problems: its accuracy, and how often the reader chose what it chose."""

    accuracy: float
    agreement: float


class Score(msgspec.Struct, frozen=True):
    """What a reader's answers come to. ``accuracy`` is over all problems: who cannot tell is not right."""

    sheet: str
    problems: int
    answered: int
    right: int
    cannot_tell: int
    accuracy: float
    interval: tuple[float, float]
    accuracy_of_answered: float
    chance: float
    faults: dict[str, int]
    baselines: dict[str, Agreement]
    missed: tuple[Miss, ...]

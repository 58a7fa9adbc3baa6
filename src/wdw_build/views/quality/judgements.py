"""A sheet, its key, the answers and the score. The files, the page and docs/reference/reports.md follow these declarations."""

from __future__ import annotations

import msgspec

CANNOT_TELL = "cannot tell"
# Faults of a problem; a reader ticks any number of them.
FAULTS: dict[str, str] = {
    "wrong-span": "the blank is too long, too short, or cuts a phrase",
    "not-a-person": "a choice or the deleted phrase is not a person",
    "same-person-twice": "two choices are the same person",
    "two-answers": "two choices are right",
    "given-away": "the question can be answered without the passage",
    "other-event": "the passage is about something else",
    "no-story": "the passage is not a news story: a list, a round-up, a table",
    "broken-text": "the question or the passage is damaged",
}


class SheetLine(msgspec.Struct, frozen=True):
    """``sheet.jsonl``: a problem as a reader sees it, with room for an answer."""

    sheet: str
    """Hash of the sheet's problems; the same in every line, in the key and in the answers."""
    number: int
    """Place on the sheet, from 1."""
    question: str
    """The sentence with `XXX` for the deleted phrase."""
    passage: str
    """Text of the passage."""
    choices: tuple[str, ...]
    """The names, in an order drawn by the seed."""
    answer: str | None = None
    """To be filled in: one of `choices`, or `cannot tell`."""
    faults: tuple[str, ...] = ()
    """To be filled in: labels of faults."""
    remarks: str = ""
    """To be filled in: free text."""


class KeyLine(msgspec.Struct, frozen=True):
    """``key.jsonl``: the id, the answer and the predictions of a problem, which the reader must not see."""

    sheet: str
    """Hash of the sheet."""
    number: int
    """Place on the sheet."""
    id: str
    """Id of the problem."""
    split: str
    """`train`, `validation` or `test`."""
    level: str
    """`strict` or `relaxed`."""
    choices: tuple[str, ...]
    """The names, in the order of the sheet."""
    order: tuple[int, ...]
    """The names in the order of the sheet, as indices into the problem's choices."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    guesses: dict[str, int]
    """Baseline -> index of its prediction in `choices`."""


class Answer(msgspec.Struct, frozen=True):
    """One answer, in the page's file; a line of the filled-in sheet has these fields too."""

    number: int
    """Place on the sheet."""
    answer: str | None
    """A choice, or `cannot tell`; null if not answered, which the scorer refuses."""
    faults: tuple[str, ...] = ()
    """Labels of faults."""
    remarks: str = ""
    """Free text."""


class SavedAnswers(msgspec.Struct, frozen=True):
    """The file that the page saves."""

    sheet: str
    """Hash of the sheet."""
    answers: tuple[Answer, ...]
    """One answer for each problem."""


class Written(msgspec.Struct, frozen=True):
    """The output of ``quality --sample --json``."""

    sheet: str
    """Hash of the sheet."""
    problems: int
    """Number of problems."""
    page: str
    """Path of `sheet.html`."""
    lines: str
    """Path of `sheet.jsonl`."""
    key: str
    """Path of `key.jsonl`."""


class Miss(msgspec.Struct, frozen=True):
    """A problem that was not answered correctly."""

    number: int
    """Place on the sheet."""
    id: str
    """Id of the problem."""
    given: str
    """The reader's answer."""
    answer: str
    """The right answer."""
    faults: tuple[str, ...]
    """The reader's labels."""
    remarks: str
    """The reader's remarks."""


class Agreement(msgspec.Struct, frozen=True):
    """A baseline compared with a reader."""

    accuracy: float
    """The baseline's accuracy on the sheet."""
    agreement: float
    """Share of the reader's choices that the baseline chose too."""


class Score(msgspec.Struct, frozen=True):
    """The output of ``quality --score --json``. The answer ``cannot tell`` counts as wrong."""

    sheet: str
    """Hash of the sheet."""
    problems: int
    """Number of problems."""
    answered: int
    """Problems for which the reader gave a choice."""
    right: int
    """Problems answered correctly."""
    cannot_tell: int
    """Problems answered `cannot tell`."""
    accuracy: float
    """`right` over `problems`."""
    interval: tuple[float, float]
    """Wilson interval of 95 % of the accuracy."""
    accuracy_of_answered: float
    """`right` over `answered`."""
    chance: float
    """Mean of 1/choices."""
    faults: dict[str, int]
    """Label -> number of problems."""
    baselines: dict[str, Agreement]
    """Baseline -> the baseline's result on the problems of the sheet."""
    missed: tuple[Miss, ...]
    """Problems not answered correctly."""

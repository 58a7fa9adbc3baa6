"""What a trace says, typed: the form of ``wdw-build trace --json``, and what text and page are made from."""

from __future__ import annotations

import datetime as dt

import msgspec

from wdw_build.records import Mention, Refusal


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the parts of a trace."""


class StageOutcome(Form, frozen=True, kw_only=True):
    """One stage: ``written``, ``rejected``, ``not-reached`` (an earlier stage ended it) or ``not-run``.

    ``meaning`` is the reason in words. ``note`` says what is odd, such as an output that was made from another input.
    """

    stage: str
    outcome: str
    reason: str = ""
    meaning: str = ""
    detail: str = ""
    note: str = ""


class Text(Form, frozen=True, kw_only=True):
    """The article as ``ingest`` left it."""

    date: dt.date
    source: str
    kind: str
    title: str
    dateline: str
    paragraphs: int
    first: str


class Tried(Refusal, frozen=True, kw_only=True):
    """A mention of the first sentence that was not deleted: the rule, its meaning, the words that broke it."""

    meaning: str = ""


class Climb(Form, frozen=True, kw_only=True):
    """The node that the climb from the name ended on, and the phrase that was deleted. Tokens are half open.

    ``position`` leads to the node from the root: the number of the child at each step. ``agrees``: the installed program
    deletes the same tokens as the record says.
    """

    label: str
    position: tuple[int, ...]
    node_tokens: tuple[int, int]
    deleted_tokens: tuple[int, int]
    agrees: bool


class Lead(Form, frozen=True, kw_only=True):
    """The first sentence. Where no question was made it has neither blank nor tree."""

    sentence: str
    blank: Mention | None = None
    name: Mention | None = None
    others: tuple[Mention, ...] = ()
    refused: tuple[Tried, ...] = ()
    tree: str = ""
    climb: Climb | None = None


class Query(Form, frozen=True, kw_only=True):
    """What the index was asked: all words of the sentence, one of ``names`` as a phrase, within the windows (days)."""

    sentence: str
    match: str
    names: tuple[str, ...]
    windows: tuple[int, ...]


class Measured(Form, frozen=True, kw_only=True):
    """What every test of a candidate gives; see ``docs/howto/trace-a-record.md``."""

    overlap: float
    overlap_sentence: str
    left_context: str
    right_context: str
    other_persons: tuple[str, ...]
    reprint: float
    figures: float


class CandidateLine(Form, frozen=True, kw_only=True):
    """A candidate in the order of trial. ``rule`` is empty if it is valid; ``stage`` is the one that refused it."""

    rank: int
    article: str
    date: dt.date
    title: str
    window: int
    score: float
    event: float | None = None
    rule: str = ""
    stage: str = ""
    meaning: str = ""
    detail: str = ""
    passage: bool = False
    tests: Measured | None = None
    note: str = ""


class Written(Form, frozen=True, kw_only=True):
    """One way in which a person's name is written in the passage, and how often."""

    form: str
    count: int


class Person(Form, frozen=True, kw_only=True):
    """A person of the passage: a choice (with its number from 1), or left out because ``left_out``."""

    name: str
    written: tuple[Written, ...]
    number: int = 0
    answer: bool = False
    left_out: str = ""


class PassagePersons(Form, frozen=True, kw_only=True):
    """The persons of one article that was annotated. ``no_persons``: names that were tagged and are none, and why.

    ``rule`` and ``detail``: what refused it; empty for the passage.
    """

    article: str
    rule: str
    detail: str
    persons: tuple[Person, ...]
    no_persons: tuple[Refusal, ...] = ()


class Reading(Form, frozen=True, kw_only=True):
    """The passage with its choices' mentions (character spans with the number of the choice)."""

    article: str
    date: dt.date
    source: str
    title: str
    text: str
    tokens: int
    mentions: tuple[tuple[int, int, int], ...]


class Duplicate(Form, frozen=True, kw_only=True):
    """The earlier question that a problem was dropped for."""

    id: str
    date: dt.date
    sentence: str
    similarity: float
    threshold: float


class Guess(Form, frozen=True, kw_only=True):
    """What one baseline chose, by which numbers (one a choice), whether it is right, and whether others had as much."""

    baseline: str
    choice: str
    right: bool
    scores: tuple[float, ...]
    tied: bool


class Cell(Form, frozen=True, kw_only=True):
    """The cell of the linear programme. Rates are None if no problem of the cell was kept."""

    pattern: str
    solved_by: tuple[str, ...]
    choices: int
    draw: float
    strict_rate: float | None
    relaxed_rate: float | None
    level: str
    why: str


class Place(Form, frozen=True, kw_only=True):
    """Where a problem stands in the dataset."""

    split: str
    level: str
    draw: float
    files: tuple[str, ...]


class AsPassage(Form, frozen=True, kw_only=True):
    """A question that looked at the article as a passage."""

    question: str
    rank: int
    window: int
    score: float
    event: float | None
    rule: str
    detail: str
    chosen: bool


class Trace(Form, frozen=True, kw_only=True):
    """The way of one id through a run. ``ended`` says in words where it came to. ``derived`` names what is not stored."""

    id: str
    run: str
    ended: str
    stations: tuple[StageOutcome, ...]
    article: Text | None = None
    lead: Lead | None = None
    query: Query | None = None
    candidates: tuple[CandidateLine, ...] = ()
    passage: Reading | None = None
    casts: tuple[PassagePersons, ...] = ()
    duplicate: Duplicate | None = None
    guesses: tuple[Guess, ...] = ()
    cell: Cell | None = None
    place: Place | None = None
    as_passage: tuple[AsPassage, ...] | None = None
    derived: tuple[str, ...] = ()

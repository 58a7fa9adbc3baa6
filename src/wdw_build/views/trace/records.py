"""What a trace says, typed: the output of ``wdw-build trace --json``, from which the text and the page are made."""

from __future__ import annotations

import datetime as dt

import msgspec

from wdw_build.records import Mention, Refusal


class TracePart(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the parts of a trace."""


class StageOutcome(TracePart, frozen=True, kw_only=True):
    """One stage: ``written``, ``rejected``, ``not-reached`` (an earlier stage rejected the id) or ``not-run``.

    ``meaning`` is the reason in words. ``note`` is a warning, such as an output that was made from an older input.
    """

    stage: str
    outcome: str
    reason: str = ""
    meaning: str = ""
    detail: str = ""
    note: str = ""


class TracedArticle(TracePart, frozen=True, kw_only=True):
    """The article as ``ingest`` wrote it; ``paragraphs`` is their number, ``first`` the first of them."""

    date: dt.date
    source: str
    kind: str
    title: str
    dateline: str
    paragraphs: int
    first: str


class RefusedMention(Refusal, frozen=True, kw_only=True):
    """A mention of the first sentence that was not deleted: the rule, its meaning, and the words that broke it."""

    meaning: str = ""


class ClimbedNode(TracePart, frozen=True, kw_only=True):
    """The tree node that the climb from the name ended on, and the phrase that was deleted. Token spans are half open.

    ``position`` is the path from the root to the node: the index of the child at each step. ``agrees`` says whether the
    installed program deletes the tokens that the record names.
    """

    label: str
    position: tuple[int, ...]
    node_tokens: tuple[int, int]
    deleted_tokens: tuple[int, int]
    agrees: bool


class TracedSentence(TracePart, frozen=True, kw_only=True):
    """The first sentence. If no question was made of it, it has neither blank nor tree."""

    sentence: str
    blank: Mention | None = None
    name: Mention | None = None
    others: tuple[Mention, ...] = ()
    refused: tuple[RefusedMention, ...] = ()
    tree: str = ""
    climb: ClimbedNode | None = None


class IndexQuery(TracePart, frozen=True, kw_only=True):
    """What the index was asked: all words of the sentence, one of ``names`` as a phrase, within the windows (days)."""

    sentence: str
    match: str
    names: tuple[str, ...]
    windows: tuple[int, ...]


class CandidateTests(TracePart, frozen=True, kw_only=True):
    """The result of every test of a candidate; see ``docs/howto/trace-a-record.md``."""

    overlap: float
    overlap_sentence: str
    left_context: str
    right_context: str
    other_persons: tuple[str, ...]
    reprint: float
    figures: float


class TracedCandidate(TracePart, frozen=True, kw_only=True):
    """A candidate, in the order of trial. ``rule`` is empty if it is valid; ``stage`` is the stage that refused it."""

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
    tests: CandidateTests | None = None
    note: str = ""


class NameForm(TracePart, frozen=True, kw_only=True):
    """One way in which a person's name is written in the passage, and how often."""

    form: str
    count: int


class PassagePerson(TracePart, frozen=True, kw_only=True):
    """A person of the passage: a choice (``number`` counts from 1), or no choice because of ``left_out``."""

    name: str
    written: tuple[NameForm, ...]
    number: int = 0
    answer: bool = False
    left_out: str = ""


class PassagePersons(TracePart, frozen=True, kw_only=True):
    """The persons of one annotated article. ``no_persons`` are tagged names that were judged not to be persons, and why.

    ``rule`` and ``detail`` say what refused the article; they are empty for the passage.
    """

    article: str
    rule: str
    detail: str
    persons: tuple[PassagePerson, ...]
    no_persons: tuple[Refusal, ...] = ()


class TracedPassage(TracePart, frozen=True, kw_only=True):
    """The passage with the mentions of its choices: (start, end, number of the choice from 1), in characters."""

    article: str
    date: dt.date
    source: str
    title: str
    text: str
    tokens: int
    mentions: tuple[tuple[int, int, int], ...]


class EarlierDuplicate(TracePart, frozen=True, kw_only=True):
    """The earlier question because of which a problem was dropped."""

    id: str
    date: dt.date
    sentence: str
    similarity: float
    threshold: float


class BaselineGuess(TracePart, frozen=True, kw_only=True):
    """The choice of one baseline, and its score for every choice. ``tied``: another choice has the same highest score."""

    baseline: str
    choice: str
    right: bool
    scores: tuple[float, ...]
    tied: bool


class SuppressionCell(TracePart, frozen=True, kw_only=True):
    """The problem's cell in the linear program. The rates are None if no problem of the cell was kept."""

    pattern: str
    solved_by: tuple[str, ...]
    choices: int
    draw: float
    strict_rate: float | None
    relaxed_rate: float | None
    level: str
    why: str


class DatasetPlacement(TracePart, frozen=True, kw_only=True):
    """The split, the level and the files that a problem is in."""

    split: str
    level: str
    draw: float
    files: tuple[str, ...]


class PassageTrial(TracePart, frozen=True, kw_only=True):
    """A question that tried the article as its passage."""

    question: str
    rank: int
    window: int
    score: float
    event: float | None
    rule: str
    detail: str
    chosen: bool


class Trace(TracePart, frozen=True, kw_only=True):
    """One id in every stage of a run. ``ended`` says how far it came; ``derived`` names what is not stored but derived."""

    id: str
    run: str
    ended: str
    stations: tuple[StageOutcome, ...]
    article: TracedArticle | None = None
    lead: TracedSentence | None = None
    query: IndexQuery | None = None
    candidates: tuple[TracedCandidate, ...] = ()
    passage: TracedPassage | None = None
    casts: tuple[PassagePersons, ...] = ()
    duplicate: EarlierDuplicate | None = None
    guesses: tuple[BaselineGuess, ...] = ()
    cell: SuppressionCell | None = None
    place: DatasetPlacement | None = None
    as_passage: tuple[PassageTrial, ...] | None = None
    derived: tuple[str, ...] = ()

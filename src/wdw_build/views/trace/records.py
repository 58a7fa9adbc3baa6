"""The structs of a trace: the output of ``wdw-build trace --json``. The terminal and the HTML page show the same structs."""

from __future__ import annotations

import datetime as dt
from typing import Any, Self

import msgspec

from wdw_build.records import Mention, Refusal, RenamedPerson


class TracePart(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the parts of a trace."""

    @classmethod
    def like(cls, source: object, **others: Any) -> Self:
        """A part with the fields ``others``, and else with the values that ``source`` has under the same names."""
        copied = {name: getattr(source, name) for name in cls.__struct_fields__ if hasattr(source, name)}
        return cls(**copied | others)


class StageOutcome(TracePart, frozen=True, kw_only=True):
    """The outcome of one stage."""

    stage: str
    """Name of the stage."""
    outcome: str
    """`written`, `rejected`, `not-reached` (an earlier stage rejected the id) or `not-run`."""
    reason: str = ""
    """The rejection reason; empty unless rejected."""
    meaning: str = ""
    """The reason in words."""
    detail: str = ""
    """The fact behind the reason."""
    note: str = ""
    """A warning, for example that the output was made from an older input; empty without a warning."""


class TracedArticle(TracePart, frozen=True, kw_only=True):
    """The article as ``ingest`` wrote it."""

    date: dt.date
    """Day of publication."""
    source: str
    """Agency or newspaper."""
    kind: str
    """Kind of document, such as `story`."""
    title: str
    """Headline."""
    dateline: str
    """Place and date that open the text, as printed; may be empty."""
    paragraphs: int
    """Number of paragraphs."""
    first: str
    """The first paragraph."""


class RefusedMention(Refusal, frozen=True, kw_only=True):
    """A mention of the first sentence that was not deleted."""

    meaning: str = ""
    """The rule in words."""


class ClimbedNode(TracePart, frozen=True, kw_only=True):
    """The tree node on which the climb from the name ended, and the phrase that was deleted."""

    label: str
    """Label of the node, such as `NP`."""
    position: tuple[int, ...]
    """Path from the root to the node: the index of the child at each step."""
    node_tokens: tuple[int, int]
    """Tokens of the node, half open."""
    deleted_tokens: tuple[int, int]
    """Tokens that were deleted, half open."""
    agrees: bool
    """Whether the installed program deletes the tokens that the record names."""


class TracedSentence(TracePart, frozen=True, kw_only=True):
    """The first sentence. Blank and tree are missing if no question was made from the sentence."""

    sentence: str
    """The sentence."""
    blank: Mention | None = None
    """The phrase that the problem deletes, or the first blank without a problem; null if no question was made."""
    name: Mention | None = None
    """The deleted person's name."""
    others: tuple[Mention, ...] = ()
    """The other persons of the sentence."""
    refused: tuple[RefusedMention, ...] = ()
    """The mentions that were not deleted."""
    tree: str = ""
    """Constituency tree in Penn brackets; empty if the sentence was not parsed."""
    climb: ClimbedNode | None = None
    """The node on which the climb ended."""
    more_blanks: tuple[Mention, ...] = ()
    """The phrases of the other persons who may be deleted."""


class IndexQuery(TracePart, frozen=True, kw_only=True):
    """The search for candidate passages."""

    sentence: str
    """The words that were searched for."""
    match: str
    """`phrase` or `part`: how a name must occur (`retrieve.name_match`)."""
    names: tuple[str, ...]
    """The names; a candidate must contain at least one of the names."""
    more_names: tuple[tuple[str, ...], ...] = ()
    """The names of the further searches: one for each of the blanks 1, 2, …"""
    windows: tuple[int, ...]
    """The windows, in days."""


class CandidateTests(TracePart, frozen=True, kw_only=True):
    """The results of the tests of a candidate."""

    overlap: float
    """Highest share of the words of one sentence of the candidate that also occur in the question."""
    overlap_sentence: str
    """The sentence with the highest share, cut to 300 characters."""
    left_context: str
    """The words left of the blank, if the article contains these words in order; else empty."""
    right_context: str
    """The words right of the blank, if the article contains these words in order; else empty."""
    other_persons: tuple[str, ...]
    """The other persons of the question that the article names."""
    reprint: float
    """Share of 8-grams in common with the question's article."""
    figures: float
    """Share of the tokens that are numeric, symbols or in capitals."""


class TracedCandidate(TracePart, frozen=True, kw_only=True):
    """A candidate."""

    rank: int
    """Place in the order of trial, from 1; ranks count for each blank apart."""
    blank: int = 0
    """Number of the question's blank for which the article was found."""
    deleted: str = ""
    """The person whom this blank deletes."""
    article: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    title: str
    """Title of the article."""
    window: int
    """The narrowest window in which the search found the article, in days."""
    score: float
    """BM25 score."""
    event: float | None = None
    """Event score, from 0 to 1; null if no scorer ran."""
    rule: str = ""
    """The rule that refused the candidate; empty for a valid candidate."""
    stage: str = ""
    """The stage that refused the candidate: `retrieve` or `choices`."""
    meaning: str = ""
    """The rule in words."""
    detail: str = ""
    """The evidence."""
    passage: bool = False
    """Whether the candidate became the passage."""
    alternatives: int = 0
    """Number of alternatives with this candidate as their passage."""
    tests: CandidateTests | None = None
    """The results of the tests, computed again for the trace."""
    note: str = ""
    """A warning if the tests, run again for the trace, disagree with the record."""


class NameForm(TracePart, frozen=True, kw_only=True):
    """One way in which a person's name is written in the passage, and how often."""

    form: str
    """The name as written."""
    count: int
    """Number of mentions in this form."""


class PassagePerson(TracePart, frozen=True, kw_only=True):
    """A person of the passage."""

    name: str
    """The fullest form of the name."""
    written: tuple[NameForm, ...]
    """The forms of the name."""
    number: int = 0
    """Number of the choice, from 1; 0 if the person is not a choice."""
    answer: bool = False
    """Whether the person is the answer."""
    left_out: str = ""
    """Why the person is not a choice: the question names the person, or another set of choices was selected; else empty."""


class PassagePersons(TracePart, frozen=True, kw_only=True):
    """The persons of one annotated article."""

    article: str
    """Id of the article."""
    rule: str
    """The rule of `choices` that refused the article; empty for the passage."""
    detail: str
    """The evidence."""
    persons: tuple[PassagePerson, ...]
    """The persons of the article."""
    no_persons: tuple[Refusal, ...] = ()
    """Tagged names that the rules do not accept as persons, with the reason."""


class TracedPassage(TracePart, frozen=True, kw_only=True):
    """The passage with the mentions of its choices."""

    article: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    source: str
    """Source of the article."""
    title: str
    """Title of the article."""
    text: str
    """The paragraphs, separated by blank lines."""
    tokens: int
    """Number of tokens."""
    mentions: tuple[tuple[int, int, int], ...]
    """Start, end and number of the choice (from 1) of each mention, in characters of `text`."""


class TracedAlternative(TracePart, frozen=True, kw_only=True):
    """A problem that the article can give. ``suppress`` selects at most one of them."""

    number: int
    """Number of the alternative, from 0."""
    deleted: str
    """The deleted person."""
    passage: str
    """Id of the passage's article."""
    date: dt.date
    """Date of the passage."""
    window: int
    """Window of the passage, in days."""
    event: float | None
    """Event score of the passage; null if no scorer ran."""
    choice_set: str
    """How the choices were selected: `all`, `drawn`, `most-named` or `first-named`."""
    choices: tuple[str, ...]
    """Names of the choices."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    solved_by: tuple[str, ...] | None = None
    """The baselines and adversaries that solve it; null if they have not run."""
    cell: str = ""
    """A digit for each baseline and adversary, as in `suppress`; empty if the adversaries have not run."""
    outcome: str = ""
    """`selected`, `not-selected`, `excluded` (with `adversary.mode: filter`, an adversary solves it), or empty if `suppress`
    has not run."""
    level: str = ""
    """`strict` or `relaxed`, for the selected alternative."""


class EarlierDuplicate(TracePart, frozen=True, kw_only=True):
    """The earlier question of which a dropped problem is a near-duplicate."""

    id: str
    """Id of the earlier question."""
    date: dt.date
    """Date of the earlier question."""
    sentence: str
    """The earlier question."""
    similarity: float
    """Share of the shorter question's words that both questions contain."""
    threshold: float
    """`dedup.threshold` of the run."""


class BaselineGuess(TracePart, frozen=True, kw_only=True):
    """The prediction of one baseline or adversary."""

    baseline: str
    """Name of the baseline or adversary."""
    choice: str
    """Name of the predicted choice."""
    right: bool
    """Whether the predicted choice is the answer."""
    scores: tuple[float, ...]
    """The score of each choice."""
    tied: bool
    """Whether another choice has the same highest score."""


class SuppressionCell(TracePart, frozen=True, kw_only=True):
    """The cell of the problem, and why ``suppress`` selected the problem or none of the article's alternatives."""

    pattern: str
    """One digit for each baseline and adversary: 1 if it solves the problem, 0 if not, `-` if its bound does not count the
    problem."""
    solved_by: tuple[str, ...]
    """The baselines and adversaries that solve the problem."""
    choices: int
    """Number of choices."""
    level: str
    """`strict`, `relaxed` or `suppressed`."""
    alternative: int = 0
    """Number of the selected alternative; 0 if none was selected."""
    alternatives: int = 1
    """Number of alternatives that the article has."""
    why: str
    """The selected alternative, or the reason for which none was selected, in words."""


class DatasetPlacement(TracePart, frozen=True, kw_only=True):
    """The split, the level and the files that a problem is in."""

    split: str
    """`train`, `validation` or `test`."""
    level: str
    """`strict` or `relaxed`."""
    draw: float
    """Pseudo-random number in [0, 1) that orders validation and test."""
    files: tuple[str, ...]
    """Files of the export."""


class PassageTrial(TracePart, frozen=True, kw_only=True):
    """A question that tried the article as its passage."""

    question: str
    """Id of the question."""
    rank: int
    """Place of the article in the order of trial, from 1."""
    window: int
    """The narrowest window in which the search found the article, in days."""
    score: float
    """BM25 score."""
    event: float | None
    """Event score, from 0 to 1; null if no scorer ran."""
    rule: str
    """The rule that refused the article; empty for a valid article."""
    detail: str
    """The evidence."""
    blank: int = 0
    """Number of the question's blank for which the article was found."""
    alternatives: int = 0
    """Number of alternatives with the article as their passage."""
    chosen: bool
    """Whether the article became the passage."""


class Trace(TracePart, frozen=True, kw_only=True):
    """One id in every stage of a run: ``wdw-build trace --json``."""

    id: str
    """Id of the article, question or problem."""
    run: str
    """Name of the run."""
    ended: str
    """The stage that rejected the id, or the last stage that wrote the id, in words."""
    stations: tuple[StageOutcome, ...]
    """The outcome of each stage."""
    article: TracedArticle | None = None
    """The article after `ingest`."""
    lead: TracedSentence | None = None
    """The first sentence."""
    query: IndexQuery | None = None
    """The search of `retrieve`."""
    candidates: tuple[TracedCandidate, ...] = ()
    """The candidates, in the order of trial."""
    passage: TracedPassage | None = None
    """The passage."""
    casts: tuple[PassagePersons, ...] = ()
    """The persons of the candidates that `choices` refused, and of the passage, which is last."""
    alternatives: tuple[TracedAlternative, ...] = ()
    """The alternatives that `choices` made of the article."""
    duplicate: EarlierDuplicate | None = None
    """The earlier question, if `dedup` dropped the problem as a duplicate."""
    pseudonyms: tuple[RenamedPerson, ...] = ()
    """The persons of the problem with their codes; empty if the names cannot be replaced."""
    guesses: tuple[BaselineGuess, ...] = ()
    """The predictions of the baselines and the adversaries."""
    cell: SuppressionCell | None = None
    """The problem's cell in suppression."""
    place: DatasetPlacement | None = None
    """The problem's split, level and files."""
    as_passage: tuple[PassageTrial, ...] | None = None
    """The questions that tried the article as a passage; null without `--as-passage`."""
    derived: tuple[str, ...] = ()
    """The parts of the trace that no record stores, and the functions that computed them again."""

"""Every record that crosses a stage boundary: frozen, strict, declared once.

The declaration gives the type, the JSONL codec, the JSON schema and errors with a JSON path. Character offsets are
code points, half open, into the text named beside them. The problem, its question and its question article share one
id, so that an id can be followed through all stages.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import msgspec

TokenSpan = tuple[int, int]


def pack_spans(spans: Iterable[TokenSpan]) -> tuple[int, ...]:
    """Spans in order as a compact layout: for each, the characters since the end of the one before, and its length."""
    layout: list[int] = []
    end = 0
    for start, stop in spans:
        layout += (start - end, stop - start)
        end = stop
    return tuple(layout)


def unpack_spans(layout: tuple[int, ...]) -> tuple[TokenSpan, ...]:
    """The spans [start, end) of a layout that ``pack_spans`` made."""
    spans: list[TokenSpan] = []
    end = 0
    for gap, length in zip(layout[::2], layout[1::2], strict=True):
        start, end = end + gap, end + gap + length
        spans.append((start, end))
    return tuple(spans)


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the pieces that records are made of."""


class Record(Part, frozen=True, kw_only=True):
    """Base of everything that a stage reads or writes."""

    id: str


class Span(Part, frozen=True, kw_only=True):
    """A stretch of text: [start, end) in characters."""

    start: int
    end: int


class Mention(Span, frozen=True, kw_only=True):
    """A name's span, with its text."""

    text: str


class Article(Record, frozen=True, kw_only=True):
    """A source text. The dateline is taken off the first paragraph, credits off the text; both are kept beside it."""

    date: dt.date
    source: str
    kind: str
    title: str
    dateline: str
    paragraphs: tuple[str, ...]
    credits: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The paragraphs with one blank line between; passage offsets count in this string."""
        return "\n\n".join(self.paragraphs)


class TaggedName(Part, frozen=True):
    """A name that the tagger found: tokens [start, end) of its sentence, and its kind (PERSON, ORG, LOC, MISC)."""

    start: int
    end: int
    kind: str


class FirstSentence(Record, frozen=True, kw_only=True):
    """The first sentence of an article: its tokens, and every name that the tagger found in it, in order.

    ``spans`` are the tokens' offsets in ``text``.
    """

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    names: tuple[TaggedName, ...]

    @property
    def tokens(self) -> Tokens:
        """The sentence as the annotator takes it."""
        return Tokens(text=self.text, words=self.words, spans=self.spans)


class CountedNames(Record, frozen=True, kw_only=True):
    """An article whose first sentence is counted in the table of names. ``names`` is how many it gave."""

    names: int


class IndexedArticle(Record, frozen=True, kw_only=True):
    """An article that stands in the search index. ``day`` is days since 1970-01-01."""

    day: int
    words: int


class Refusal(Part, frozen=True, kw_only=True):
    """A person of a first sentence that was tried and not deleted, with the rule that refused it."""

    name: str
    rule: str
    detail: str = ""


class Candidate(Part, frozen=True, kw_only=True):
    """An article found for a question. ``rule`` is empty for a valid one, else the rule that refused it.

    ``score`` is BM25's. ``event`` is the event score in [0, 1]; None if no scorer ran, or a rule refused it before.
    """

    article: str
    date: dt.date
    window: int
    rank: int
    score: float
    event: float | None = None
    rule: str = ""
    detail: str = ""


class Question(Record, frozen=True, kw_only=True):
    """A first sentence with one blank. Offsets are characters of ``sentence``.

    ``token_layout`` holds the spans of ``tokens`` (see ``pack_spans``); it is empty in records of earlier versions.
    """

    date: dt.date
    source: str
    sentence: str
    tokens: tuple[str, ...]
    blank_tokens: tuple[int, int]
    blank: Mention
    name: Mention
    others: tuple[Mention, ...]
    tree: str
    refused: tuple[Refusal, ...] = ()
    token_layout: tuple[int, ...] = ()

    @property
    def token_spans(self) -> tuple[TokenSpan, ...]:
        """The span [start, end) of each token in ``sentence``."""
        return unpack_spans(self.token_layout)

    def token_range(self, span: Span) -> tuple[int, int] | None:
        """The tokens [first, last) that overlap a span of ``sentence``; None if no token does."""
        inside = [at for at, (start, end) in enumerate(self.token_spans) if start < span.end and end > span.start]
        return (inside[0], inside[-1] + 1) if inside else None

    @property
    def left(self) -> str:
        """The sentence up to the blank."""
        return self.sentence[: self.blank.start]

    @property
    def right(self) -> str:
        """The sentence after the blank."""
        return self.sentence[self.blank.end :]


class Retrieval(Record, frozen=True, kw_only=True):
    """The candidates of one question in the order in which they are tried, refused ones included."""

    candidates: tuple[Candidate, ...]


class Choice(Part, frozen=True, kw_only=True):
    """A person of the passage: the fullest form of the name, and all its mentions in the passage's text."""

    name: str
    mentions: tuple[Span, ...]


class Passage(Part, frozen=True, kw_only=True):
    """The article that answers a question, as it stands in the corpus (dateline taken off).

    ``tokens`` is the number of the annotator's tokens. ``token_layout`` holds their spans in ``text`` (see
    ``pack_spans``); it is empty in records of earlier versions.
    """

    article: str
    date: dt.date
    source: str
    title: str
    text: str
    tokens: int
    token_layout: tuple[int, ...] = ()

    @property
    def token_spans(self) -> tuple[TokenSpan, ...]:
        """The span [start, end) of each token in ``text``."""
        return unpack_spans(self.token_layout)


class Problem(Record, frozen=True, kw_only=True):
    """Question, passage, choices in the order of their first mention, and the index of the answer.

    ``window``, ``score`` and ``event_score`` are the passage's as a candidate; ``event_score`` is None if no scorer ran.
    ``persons``: every person who could be a choice, in the same order, if the choices were drawn from them; else empty.
    """

    question: Question
    passage: Passage
    choices: tuple[Choice, ...]
    answer: int
    window: int
    score: float
    event_score: float | None = None
    persons: tuple[Choice, ...] = ()
    refused: tuple[Candidate, ...] = ()

    @property
    def date(self) -> dt.date:
        """The question article's date: what windows, duplicates and splits are ordered by."""
        return self.question.date


class BaselinePredictions(Record, frozen=True, kw_only=True):
    """What each baseline chose (an index into the choices) and the numbers it chose by, one a choice."""

    date: dt.date
    choices: int
    answer: int
    guesses: dict[str, int]
    scores: dict[str, tuple[float, ...]]


class SuppressionDecision(Record, frozen=True, kw_only=True):
    """A problem that suppression kept. ``cell`` has a 1 for each baseline that solved the problem.

    ``draw`` in [0, 1) comes from the id alone; it was compared with the cell's keep rates.
    """

    date: dt.date
    choices: int
    cell: str
    draw: float
    strict_rate: float
    relaxed_rate: float
    strict: bool


class SplitAssignment(Record, frozen=True, kw_only=True):
    """A problem's place in the dataset: ``level`` strict or relaxed, ``split`` train, validation or test."""

    date: dt.date
    level: str
    split: str


class Exported(Record, frozen=True, kw_only=True):
    """The files of the export that a problem stands in."""

    files: tuple[str, ...]


class Rejection(Record, frozen=True, kw_only=True):
    """An input that made no output, with its reason; ``refused`` and ``candidates`` hold the evidence."""

    reason: str
    detail: str = ""
    refused: tuple[Refusal, ...] = ()
    candidates: tuple[Candidate, ...] = ()


class RawArticle(Part, frozen=True, kw_only=True):
    """What a corpus reader yields: an article as it stands in its file, nothing decided yet.

    ``place`` says where it stands ("file.jsonl:17"); ``date`` is the reader's text, parsed by ``ingest``.
    """

    place: str
    id: str
    date: str
    source: str
    kind: str
    title: str
    dateline: str
    paragraphs: tuple[str, ...]


class Unreadable(Part, frozen=True, kw_only=True):
    """A place in the corpus that could not be read, and why; ``ingest`` puts it in quarantine."""

    place: str
    error: str


class Tokens(Part, frozen=True, kw_only=True):
    """One tokenised sentence. ``text`` is the raw sentence; ``spans`` are the tokens' offsets in it."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


class Annotation(Record, frozen=True, kw_only=True):
    """The persons of one article, from one model: mentions in ``Article.text``, in order, and its tokens.

    ``token_layout`` holds the spans of the tokens in ``Article.text`` (see ``pack_spans``); it is empty in annotations
    of earlier versions.
    """

    persons: tuple[Mention, ...]
    tokens: int
    sentences: int
    token_layout: tuple[int, ...] = ()

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
    """Identifies the record. A question and its problem have the id of the question's article."""


class Span(Part, frozen=True, kw_only=True):
    """A stretch of text, [start, end) in characters."""

    start: int
    """First character."""
    end: int
    """Character after the last."""


class Mention(Span, frozen=True, kw_only=True):
    """The span of a name, with its text."""

    text: str
    """The text from `start` to `end`."""


class Article(Record, frozen=True, kw_only=True):
    """An article of the corpus, cleaned: the dateline and the credits are kept beside the text."""

    date: dt.date
    """Day of publication."""
    source: str
    """Agency or newspaper, as the reader gives it; may be empty."""
    kind: str
    """Such as `story`."""
    title: str
    """Headline; may be empty."""
    dateline: str
    """The dateline, with notes and labels around it, taken off the first paragraph or given by the reader; may be
    empty."""
    paragraphs: tuple[str, ...]
    """The text. A passage's text is these paragraphs with a blank line between."""
    credits: tuple[str, ...] = ()
    """What `ingest.cut_credits` took off the text, in order: whole paragraphs, and credits at the beginning or end
    of others."""

    @property
    def text(self) -> str:
        """The paragraphs with one blank line between; passage offsets count in this string."""
        return "\n\n".join(self.paragraphs)


class TaggedName(Part, frozen=True):
    """A name that the tagger found, in tokens of its sentence."""

    start: int
    """First token."""
    end: int
    """Token after the last."""
    kind: str
    """`PERSON`, `ORG`, `LOC` or `MISC`."""


class FirstSentence(Record, frozen=True, kw_only=True):
    """The first sentence of an article, tokenised and tagged."""

    text: str
    """The sentence."""
    words: tuple[str, ...]
    """Its tokens."""
    spans: tuple[tuple[int, int], ...]
    """Start and end of each token, in characters of `text`."""
    names: tuple[TaggedName, ...]
    """The names that the tagger found, of all kinds, in order."""

    @property
    def tokens(self) -> Tokens:
        """The sentence as the annotator takes it."""
        return Tokens(text=self.text, words=self.words, spans=self.spans)


class CountedNames(Record, frozen=True, kw_only=True):
    """An article whose first sentence is counted in the table of names."""

    names: int
    """Number of names in the first sentence."""


class IndexedArticle(Record, frozen=True, kw_only=True):
    """An article in the search index."""

    day: int
    """Date of the article, in days since 1970-01-01."""
    words: int
    """Number of words (runs of letters and digits)."""


class Refusal(Part, frozen=True, kw_only=True):
    """A person of a first sentence that was not deleted, with the rule that refused it."""

    name: str
    """Text of the mention."""
    rule: str
    """The rule of `questions` that refused it."""
    detail: str = ""
    """The words or the fact that broke the rule."""


class Candidate(Part, frozen=True, kw_only=True):
    """An article that was found for a question."""

    article: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    window: int
    """The narrowest window in which it was found, in days."""
    rank: int
    """Place in the order of trial, from 1."""
    score: float
    """BM25 score."""
    event: float | None = None
    """Event score, from 0 to 1; null if no scorer ran, or a rule refused the candidate first."""
    rule: str = ""
    """Empty if the candidate is valid, else the rule that refused it."""
    detail: str = ""
    """The evidence: shared words, a share, names, a number."""


class Question(Record, frozen=True, kw_only=True):
    """A first sentence with one blank. Spans are in characters of ``sentence``."""

    date: dt.date
    """Date of the article."""
    source: str
    """Source of the article."""
    sentence: str
    """The whole sentence, nothing deleted."""
    tokens: tuple[str, ...]
    """Its tokens."""
    blank_tokens: tuple[int, int]
    """First token of the blank, and the token after its last."""
    blank: Mention
    """The deleted phrase."""
    name: Mention
    """The deleted person's name, within the blank."""
    others: tuple[Mention, ...]
    """Every other person of the sentence, outside the blank."""
    tree: str
    """Constituency tree in Penn brackets, one leaf a token."""
    refused: tuple[Refusal, ...] = ()
    """The mentions that were judged not to be persons, then the persons that were tried first, each with the rule
    that refused it."""
    token_layout: tuple[int, ...] = ()
    """For each token, the characters of `sentence` since the end of the token before it, and its length (see ``pack_spans``);
    empty in records of earlier versions."""

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
    """The candidates of one question."""

    candidates: tuple[Candidate, ...]
    """All articles that were looked at, in the order of trial, refused ones included."""


class Choice(Part, frozen=True, kw_only=True):
    """A person of the passage. Spans are in characters of the passage's text."""

    name: str
    """The fullest form of the name in the passage."""
    mentions: tuple[Span, ...]
    """Every mention, by any form of the name, in order."""


class Passage(Part, frozen=True, kw_only=True):
    """The article that answers a question, without its dateline."""

    article: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    source: str
    """Source of the article."""
    title: str
    """Title of the article; not part of the text."""
    text: str
    """The paragraphs with a blank line between."""
    tokens: int
    """Number of tokens, by Stanza."""
    token_layout: tuple[int, ...] = ()
    """For each token, the characters of `text` since the end of the token before it, and its length (see ``pack_spans``);
    empty in records of earlier versions."""

    @property
    def token_spans(self) -> tuple[TokenSpan, ...]:
        """The span [start, end) of each token in ``text``."""
        return unpack_spans(self.token_layout)


class Problem(Record, frozen=True, kw_only=True):
    """Question, passage, choices and answer."""

    question: Question
    """The question."""
    passage: Passage
    """The passage."""
    choices: tuple[Choice, ...]
    """In the order of their first mention."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    window: int
    """Window of the passage, in days."""
    score: float
    """BM25 score of the passage."""
    event_score: float | None = None
    """Event score of the passage, from 0 to 1; null if no scorer ran."""
    persons: tuple[Choice, ...] = ()
    """Everybody who could be a choice, if the choices were drawn from them; else empty."""
    refused: tuple[Candidate, ...] = ()
    """Valid candidates that a rule of `choices` refused first."""

    @property
    def date(self) -> dt.date:
        """The question article's date: what windows, duplicates and splits are ordered by."""
        return self.question.date


class BaselinePredictions(Record, frozen=True, kw_only=True):
    """What each baseline chose, and the scores it chose by."""

    date: dt.date
    """Date of the question's article."""
    choices: int
    """Number of choices."""
    answer: int
    """Index of the answer."""
    guesses: dict[str, int]
    """Baseline -> index of the choice with the highest score; ties go to the first."""
    scores: dict[str, tuple[float, ...]]
    """Baseline -> a score for each choice: minus the character of its first mention, number of mentions, log10
    probability of the filled-in sentence, count of the last name in the corpus."""


class SuppressionDecision(Record, frozen=True, kw_only=True):
    """A problem that suppression kept, with the rates of its cell."""

    date: dt.date
    """Date of the question's article."""
    choices: int
    """Number of choices."""
    cell: str
    """A digit for each baseline (first-person, most-frequent, ngram, unigram): 1 if it solved the problem."""
    draw: float
    """A number in [0, 1) from seed and id, compared with the keep rates."""
    strict_rate: float
    """Strict keep rate of the cell."""
    relaxed_rate: float
    """Relaxed keep rate of the cell."""
    strict: bool
    """Whether the problem is strict; otherwise it is only relaxed."""


class SplitAssignment(Record, frozen=True, kw_only=True):
    """The split and level of a problem in the dataset."""

    date: dt.date
    """Date of the question's article."""
    level: str
    """`strict` or `relaxed`."""
    split: str
    """`train`, `validation` or `test`."""


class Exported(Record, frozen=True, kw_only=True):
    """The files of the export that contain a problem."""

    files: tuple[str, ...]
    """Paths relative to the folder of `export`."""


class Rejection(Record, frozen=True, kw_only=True):
    """An input that gave no output, with the reason and the evidence."""

    reason: str
    """One of the stage's rejection reasons."""
    detail: str = ""
    """The fact behind it."""
    refused: tuple[Refusal, ...] = ()
    """`questions`: the persons, with the rules that refused them."""
    candidates: tuple[Candidate, ...] = ()
    """`retrieve` and `choices`: the candidates, with the rules that refused them."""


class RawArticle(Part, frozen=True, kw_only=True):
    """An article as it stands in its file. Readers yield it; nothing is decided yet."""

    place: str
    """File and line, such as `file.jsonl:17`."""
    id: str
    """May be empty: then the place becomes the id."""
    date: str
    """As written; `ingest` parses it."""
    source: str
    """Agency or newspaper."""
    kind: str
    """Such as `story`."""
    title: str
    """Headline."""
    dateline: str
    """Empty unless the corpus marks it."""
    paragraphs: tuple[str, ...]
    """The text."""


class Unreadable(Part, frozen=True, kw_only=True):
    """A place of the corpus that cannot be read. Readers yield it, and ``ingest`` rejects it."""

    place: str
    """File and line."""
    error: str
    """Why it cannot be read."""


class Tokens(Part, frozen=True, kw_only=True):
    """One tokenised sentence. Annotators yield it."""

    text: str
    """The raw sentence."""
    words: tuple[str, ...]
    """The tokens."""
    spans: tuple[tuple[int, int], ...]
    """Start and end of each token, in characters of `text`."""

    def mention(self, tokens: TokenSpan, offset: int = 0) -> Mention:
        """The mention over the tokens [first, last); ``offset`` is where ``text`` starts in the text it is a part of."""
        start, end = self.spans[tokens[0]][0], self.spans[tokens[1] - 1][1]
        return Mention(start=offset + start, end=offset + end, text=self.text[start:end])


class Annotation(Record, frozen=True, kw_only=True):
    """The persons of one article, as the model found them. Kept in ``store/annotations``."""

    persons: tuple[Mention, ...]
    """Mentions in the article's text, in order."""
    tokens: int
    """Number of tokens."""
    sentences: int
    """Number of sentences."""
    token_layout: tuple[int, ...] = ()
    """For each token, the characters of `Article.text` since the end of the token before it, and its length (see ``pack_spans``);
    empty in records of earlier versions."""

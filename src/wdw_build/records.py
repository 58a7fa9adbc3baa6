"""Every record that crosses a stage boundary: frozen, strict, declared once.

The declaration gives the type, the JSONL codec, the JSON schema and errors with a JSON path. Character offsets are
code points, half open, into the text named beside them. The problem, its question and its question article share one
id, so that an id can be followed through all stages.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import accumulate
from typing import Literal, Self

import msgspec

# A range [start, end), of tokens or of the characters of one token; ``Span`` is part of a record.
TokenSpan = tuple[int, int]
# Replaces the deleted phrase where a question is shown. Sentences may contain these letters themselves.
BLANK = "XXX"
# The names of persons in a problem: those of the articles, or those that replace them.
Names = Literal["original", "codes"]


def pack_spans(spans: Iterable[TokenSpan]) -> tuple[int, ...]:
    """A compact layout of spans in order: the gap after the previous span and the length of each span, in characters."""
    layout: list[int] = []
    end = 0
    for start, stop in spans:
        layout.append(start - end)
        layout.append(stop - start)
        end = stop
    return tuple(layout)


def unpack_spans(layout: tuple[int, ...]) -> tuple[TokenSpan, ...]:
    """The spans [start, end) that ``pack_spans`` put into a layout."""
    return tuple(zip(*unpack_bounds(layout), strict=True))


def unpack_bounds(layout: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The starts and the ends of the spans that ``pack_spans`` put into a layout."""
    bounds = list(accumulate(layout))
    return bounds[::2], bounds[1::2]


class BaseStruct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base class of records and of their parts."""


class Record(BaseStruct, frozen=True, kw_only=True):
    """Base class of the records that stages read and write."""

    id: str
    """Identifies the record. A question and its problem have the id of the question's article."""


class Span(BaseStruct, frozen=True, kw_only=True):
    """A span of text, [start, end) in characters."""

    start: int
    """Offset of the first character."""
    end: int
    """Offset after the last character."""

    def overlaps(self, other: Span) -> bool:
        """Whether the spans share a character."""
        return self.start < other.end and other.start < self.end


class Mention(Span, frozen=True, kw_only=True, omit_defaults=True):
    """The span of a name, with its text."""

    text: str
    """The text from `start` to `end`."""
    score: float = 1.0
    """The probability that this is a person's name, by the tags of both taggers. Only annotations have another one than 1."""
    odds: float = 3.0
    """The log odds that this is a person's name, by the second tagger's view of the whole span; 3 without one."""
    given: float = 0.0
    """The log odds that this lone word is a given name and no family name, by the second tagger; 0 for longer names."""


class Mark(BaseStruct, frozen=True):
    """A part of an article's text that was removed because it is no part of the story."""

    kind: str
    """`dateline`, `byline`, `credit`, `caption`, `heading`, `page`, `comments` or `other-story` (of a wire)."""
    text: str
    """The part."""
    paragraph: int
    """Index of its paragraph in the text before anything was removed."""
    start: int
    """Offset in the paragraph at which it starts."""
    end: int
    """Offset at which it ends."""
    by: str
    """What showed it: its `form`, the `article` (which repeats it) or the `model`."""
    score: float = 1.0
    """The probability by the model; 1 for others."""


class Joined(BaseStruct, frozen=True):
    """How often the texts of a source run on: a headline or a caption goes on into a sentence. Smoothed."""

    openings: float = 0.002
    """The share of its articles of which the first sentence runs on."""
    articles: float = 0.002
    """The share of those of which any sentence does."""


class Article(Record, frozen=True, kw_only=True):
    """A cleaned article of the corpus. What was removed from the text is in separate fields."""

    date: dt.date
    """Day of publication."""
    source: str
    """Agency or newspaper; may be empty."""
    kind: str
    """Kind of article: that of the reader, or what the text looks like: `story`, `brief`, `running`, `transcript`, `list`,
    `teasers`, `none` or `language`."""
    title: str
    """Headline; may be empty."""
    dateline: str
    """The removed dateline, with adjacent notes and labels; may be empty."""
    paragraphs: tuple[str, ...]
    """The text."""
    marks: tuple[Mark, ...] = ()
    """The removed parts of the text, in text order."""
    kind_score: float = 1.0
    """The probability of the kind; 1 if the reader gives it."""
    profile: str = "pages"
    """The profile of its source: `wire` or `pages`."""
    joined: Joined = Joined()
    """How often the texts of its source run on."""

    @property
    def text(self) -> str:
        """The paragraphs with one blank line between; passage offsets count in this string."""
        return "\n\n".join(self.paragraphs)


# The kind of a name that is a person's.
PERSON = "PERSON"


class TaggedName(BaseStruct, frozen=True):
    """A name that the tagger found; positions are tokens of the sentence."""

    start: int
    """Index of the first token."""
    end: int
    """Index after the last token."""
    kind: str
    """`PERSON`, `ORG`, `LOC` or `MISC`."""
    score: float = 1.0
    """The probability that a `PERSON` is one, by the tags of both taggers; 1 for other kinds and without a second opinion."""
    odds: float = 3.0
    """The log odds that a `PERSON` is one, by the second tagger's view of the whole span; 3 if it has none."""
    given: float = 0.0
    """The log odds that a `PERSON` of one word is a given name and no family name, by the second tagger; 0 for other names."""


class FirstSentence(Record, frozen=True, kw_only=True):
    """The first sentence of an article, tokenised and tagged."""

    text: str
    """The sentence."""
    words: tuple[str, ...]
    """Tokens of the sentence."""
    spans: tuple[TokenSpan, ...]
    """Character offsets [start, end) of each token in `text`."""
    names: tuple[TaggedName, ...]
    """The tagged names of all kinds, in order."""

    @property
    def tokens(self) -> Tokens:
        """The sentence in the form that annotators take."""
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


class Refusal(BaseStruct, frozen=True, kw_only=True):
    """A mention in a first sentence that a rule refused to delete."""

    name: str
    """Text of the mention."""
    rule: str
    """The rule of `questions` that refused the mention."""
    detail: str = ""
    """The evidence."""


class Candidate(BaseStruct, frozen=True, kw_only=True):
    """An article that the search found for a question."""

    article: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    window: int
    """The narrowest window that contains the article, in days."""
    rank: int
    """Rank, from 1, in the order in which passages are tried."""
    score: float
    """BM25 score."""
    event: float | None = None
    """Event score, from 0 to 1; null if no scorer ran or an earlier rule refused the passage."""
    rule: str = ""
    """The rule that refused the candidate passage; empty if the passage is valid."""
    detail: str = ""
    """The evidence."""
    blank: int = 0
    """Number of the blank for which the article was found; blank 0 deletes the last person who may be deleted."""


class Blank(BaseStruct, frozen=True, kw_only=True):
    """Another person in a first sentence who may be deleted. Spans are in characters of the sentence."""

    blank_tokens: TokenSpan
    """The tokens [start, end) of the blank."""
    blank: Mention
    """The deleted phrase."""
    name: Mention
    """The deleted person's name, within the blank."""
    others: tuple[Mention, ...]
    """The other persons in the sentence, outside the blank."""


class Question(Record, frozen=True, kw_only=True):
    """A first sentence with one blank. Spans are in characters of ``sentence``."""

    date: dt.date
    """Date of the article."""
    source: str
    """Source of the article."""
    sentence: str
    """The whole sentence, before the deletion."""
    tokens: tuple[str, ...]
    """Tokens of the sentence."""
    blank_tokens: TokenSpan
    """The tokens [start, end) of the blank."""
    blank: Mention
    """The deleted phrase."""
    name: Mention
    """The deleted person's name, within the blank."""
    others: tuple[Mention, ...]
    """The other persons in the sentence, outside the blank."""
    tree: str
    """Constituency tree in Penn brackets; empty if the names are replaced."""
    refused: tuple[Refusal, ...] = ()
    """First the mentions that are not persons, then the persons who cannot be deleted."""
    token_layout: tuple[int, ...] = ()
    """For each token: gap after the previous token, and length, in characters of `sentence`."""
    more_blanks: tuple[Blank, ...] = ()
    """Further blanks, numbered from 1: one for each other person who may be deleted, from last to first in the
    sentence."""

    def with_blank(self, number: int) -> Question:
        """The question that deletes the person of one blank, without the other blanks; 0 is the question's own blank."""
        if not number:
            return msgspec.structs.replace(self, more_blanks=()) if self.more_blanks else self
        blank = msgspec.structs.asdict(self.more_blanks[number - 1])
        return msgspec.structs.replace(self, **blank, more_blanks=())

    def each_blank(self) -> list[Question]:
        """The question with each of its blanks, in order."""
        return [self.with_blank(number) for number in range(1 + len(self.more_blanks))]

    @property
    def token_spans(self) -> tuple[TokenSpan, ...]:
        """The span [start, end) of each token in ``sentence``."""
        return unpack_spans(self.token_layout)

    def token_range(self, span: Span) -> TokenSpan | None:
        """The tokens [first, last) that overlap a span of ``sentence``; None if no token does."""
        inside = [token for token, (start, end) in enumerate(self.token_spans) if start < span.end and end > span.start]
        return (inside[0], inside[-1] + 1) if inside else None

    @property
    def left(self) -> str:
        """The sentence up to the blank."""
        return self.sentence[: self.blank.start]

    @property
    def right(self) -> str:
        """The sentence after the blank."""
        return self.sentence[self.blank.end :]

    def filled(self, text: str) -> str:
        """The sentence with a text in the blank."""
        return f"{self.left}{text}{self.right}"

    @property
    def blanked(self) -> str:
        """The sentence with `XXX` for the deleted phrase."""
        return self.filled(BLANK)


class Retrieval(Record, frozen=True, kw_only=True):
    """The candidate passages of one question."""

    candidates: tuple[Candidate, ...]
    """All tested articles, ordered by blank and rank."""


class Choice(BaseStruct, frozen=True, kw_only=True):
    """A person in the passage. Spans are in characters of the passage's text."""

    name: str
    """The fullest form of the name in the passage."""
    mentions: tuple[Span, ...]
    """All mentions, under any form of the name, in text order."""


class Passage(BaseStruct, frozen=True, kw_only=True):
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
    """The paragraphs, separated by blank lines."""
    tokens: int
    """Number of Stanza tokens."""
    token_layout: tuple[int, ...] = ()
    """For each token: gap after the previous token, and length, in characters of `text`."""

    @staticmethod
    def of(article: Article, tokens: int, token_layout: tuple[int, ...] = ()) -> Passage:
        """An article as a passage."""
        return Passage(
            article=article.id,
            date=article.date,
            source=article.source,
            title=article.title,
            text=article.text,
            tokens=tokens,
            token_layout=token_layout,
        )

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
    """The choices, by first mention."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    window: int
    """Window of the passage, in days."""
    score: float
    """BM25 score of the passage."""
    event_score: float | None = None
    """Event score of the passage, from 0 to 1; null if no scorer ran."""
    evidence_score: float | None = None
    """Evidence score, from 0 to 1: how likely the passage decides for the answer; null if `choices.min_evidence` is 0."""
    persons: tuple[Choice, ...] = ()
    """All persons who could be choices, if only some of them are; otherwise empty."""
    refused: tuple[Candidate, ...] = ()
    """Valid candidate passages that a rule of `choices` refused for the same blank."""
    alternative: int = 0
    """Number of the alternative that became the problem."""

    @property
    def date(self) -> dt.date:
        """The date of the question's article; windows, `dedup` and `split` use this date."""
        return self.question.date


class CandidatePassage(BaseStruct, frozen=True, kw_only=True):
    """A valid passage for a question, with its persons but without its text."""

    article: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    window: int
    """Window of the passage, in days."""
    score: float
    """BM25 score of the passage."""
    event_score: float | None = None
    """Event score of the passage, from 0 to 1; null if no scorer ran."""
    tokens: int
    """Number of Stanza tokens."""
    token_layout: tuple[int, ...] = ()
    """For each token: gap after the previous token, and length, in characters of the article's text."""
    persons: tuple[Choice, ...]
    """All persons of the passage, in order of first mention."""


ChoiceSet = Literal["all", "drawn", "most-named", "first-named"]


class Alternative(BaseStruct, frozen=True, kw_only=True):
    """One possible problem of an article: a deleted person, a passage and a set of choices."""

    blank: int
    """Number of the question's blank."""
    passage: int
    """Index of the passage in `passages`."""
    choice_set: ChoiceSet
    """How the wrong choices were selected: by a hash (`drawn`), by number of mentions (`most-named`) or by first
    mention (`first-named`)."""
    choices: tuple[int, ...]
    """Indexes of the choices in the passage's `persons`."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    eligible: tuple[int, ...] = ()
    """Indexes of all persons who could be choices, if only some of them are; otherwise empty."""
    evidence_score: float | None = None
    """Evidence score, from 0 to 1: how likely the passage decides for the answer; null if `choices.min_evidence` is 0."""


class ProblemAlternatives(Record, frozen=True, kw_only=True):
    """All possible problems of an article, of which ``suppress`` selects at most one.

    The first alternative is the paper's: the last person who may be deleted, and the first usable passage.
    """

    question: Question
    """The question with all its blanks."""
    passages: tuple[CandidatePassage, ...]
    """The passages of the alternatives, in the order in which they were tried."""
    alternatives: tuple[Alternative, ...]
    """The alternatives, ordered by blank, rank of the passage and set of choices."""
    refused: tuple[Candidate, ...] = ()
    """Valid candidate passages that a rule of `choices` refused."""

    @property
    def date(self) -> dt.date:
        """The date of the question's article."""
        return self.question.date

    def outline(self, number: int) -> Problem:
        """The problem of one alternative without the passage's source, title and text, which the article has."""
        alternative = self.alternatives[number]
        passage = self.passages[alternative.passage]
        return Problem(
            id=self.id,
            question=self.question.with_blank(alternative.blank),
            passage=Passage(
                article=passage.article,
                date=passage.date,
                source="",
                title="",
                text="",
                tokens=passage.tokens,
                token_layout=passage.token_layout,
            ),
            choices=tuple(passage.persons[index] for index in alternative.choices),
            answer=alternative.answer,
            persons=tuple(passage.persons[index] for index in alternative.eligible),
            window=passage.window,
            score=passage.score,
            event_score=passage.event_score,
            evidence_score=alternative.evidence_score,
            refused=tuple(candidate for candidate in self.refused if candidate.blank == alternative.blank),
            alternative=number,
        )

    def outlines(self) -> list[Problem]:
        """The ``outline`` of every alternative, in order."""
        return [self.outline(number) for number in range(len(self.alternatives))]

    def problem(self, number: int, article: Article) -> Problem:
        """The problem of one alternative; ``article`` is the article of its passage."""
        outline = self.outline(number)
        passage = Passage.of(article, outline.passage.tokens, outline.passage.token_layout)
        return msgspec.structs.replace(outline, passage=passage)


class Predictions(BaseStruct, frozen=True, kw_only=True):
    """The predictions of baselines and adversaries for one more alternative of an article."""

    choices: int
    """Number of choices."""
    answer: int
    """Index of the answer."""
    guesses: dict[str, int]
    """Baseline or adversary -> index of the choice with the highest score."""
    scores: dict[str, tuple[float, ...]]
    """Baseline or adversary -> a score for each choice."""


class BaselinePredictions(Record, frozen=True, kw_only=True):
    """The prediction of each baseline, and its score for each choice, for the first alternative of an article."""

    date: dt.date
    """Date of the question's article."""
    choices: int
    """Number of choices."""
    answer: int
    """Index of the answer."""
    guesses: dict[str, int]
    """Baseline -> index of the first choice with the highest score."""
    scores: dict[str, tuple[float, ...]]
    """Baseline -> score of each choice: negated offset of the first mention (`first-person`), number of mentions
    (`most-frequent`), log10 probability of the sentence (`ngram`), or frequency of the last name (`unigram`)."""
    others: tuple[Predictions, ...] = ()
    """The predictions for the alternatives 1, 2, …"""

    def of(self, alternative: int) -> Self:
        """The predictions for one alternative as a record without ``others``."""
        if not alternative:
            return msgspec.structs.replace(self, others=()) if self.others else self
        other = msgspec.structs.asdict(self.others[alternative - 1])
        return msgspec.structs.replace(self, **other, others=())

    @property
    def solvers(self) -> tuple[str, ...]:
        """The baselines and adversaries that chose the answer."""
        return tuple(name for name, guess in self.guesses.items() if guess == self.answer)

    def each(self) -> list[Self]:
        """The predictions for each alternative, in order."""
        return [self.of(number) for number in range(1 + len(self.others))]


class AdversaryPredictions(BaselinePredictions, frozen=True, kw_only=True):
    """The predictions of the baselines, followed by the predictions of the adversaries.

    An adversary's scores are the system's scores. If an adversary was trained in several rounds, each round has an entry:
    `shallow`, `shallow-2`, …
    """

    fold: int | None = None
    """The fold of the problem's event; systems trained on the other folds answered the problem. Null if there is no
    adversary."""
    unbounded: tuple[str, ...] = ()
    """Always empty: every bound counts every problem."""
    excluded: tuple[int, ...] = ()
    """Always empty: no alternative is excluded."""


class SuppressionDecision(Record, frozen=True, kw_only=True):
    """The alternative that suppression selected for an article, with its cell."""

    date: dt.date
    """Date of the question's article."""
    choices: int
    """Number of choices."""
    cell: str
    """One character for each baseline (first-person, most-frequent, ngram, unigram) and adversary: 1 if the system
    solved the problem, 0 if not."""
    draw: float
    """Pseudo-random number in [0, 1), computed from seed and id; decides between articles that are equal otherwise."""
    strict: bool
    """True if the problem is strict, false if it is only relaxed."""
    alternative: int = 0
    """Number of the selected alternative."""
    alternatives: int = 1
    """Number of alternatives that the article has."""


class BoundCount(msgspec.Struct, frozen=True, kw_only=True):
    """How a bound, a place or a cap fares on some problems."""

    level: str
    """`strict`: on the strict problems; `relaxed`: on strict and relaxed problems together."""
    name: str
    """What is bounded: a system, a place of the answer or an answer, with the number of choices if each has its own bound."""
    problems: int
    """Problems that the bound counts."""
    count: int
    """Problems that the system solves, or whose answer has the place or is the person."""
    low: float | None
    """The least number that is allowed; null: there is none."""
    high: float
    """The greatest number that is allowed."""

    excess: float
    """Problems above `high` (positive) or below `low` (negative); 0 if the count is allowed."""

    @property
    def allowed(self) -> str:
        """The allowed numbers, in words."""
        return f"{self.high:.2f}" if self.low is None else f"{self.low:.2f} to {self.high:.2f}"


class SuppressionCost(msgspec.Struct, frozen=True, kw_only=True):
    """About how many problems the stage `suppress` keeps as strict with another value of one key."""

    key: str
    """The key, such as `suppress.bounds`."""
    value: str
    """Its value in this run."""
    other: str
    """Another value."""
    kept: int
    """Strict problems of this run."""
    other_kept: int
    """Strict problems with the other value, estimated by a linear program; never fewer than `kept`."""
    price: str
    """What the dataset no longer guarantees with the other value."""

    @property
    def more(self) -> int:
        """The number of problems that the other value adds."""
        return self.other_kept - self.kept

    @property
    def is_all_bounds(self) -> bool:
        """Whether the other value turns off all bounds: this shows what they cost together, and is no advice."""
        return self.key == "suppress.strict"

    def __str__(self) -> str:
        return f"{self.key} {self.other} instead of {self.value}: about {self.more} more, but {self.price}"


def largest_cost(costs: Iterable[SuppressionCost]) -> SuppressionCost | None:
    """The first of the costs, the largest first, that is advice; None if there is none."""
    return next((cost for cost in costs if not cost.is_all_bounds), None)


class TraitShare(msgspec.Struct, frozen=True, kw_only=True):
    """How frequent a trait is among the strict problems, compared with the problems before suppression."""

    trait: str
    """The trait, such as `passage tokens`."""
    value: str
    """Its value or range of values, such as `256 to 511`."""
    problems: int
    """Problems that have it before suppression: first alternatives of articles."""
    strict: int
    """Strict problems that have it."""
    ratio: float | None
    """Its share of the strict problems, divided by its share before suppression; null if there is none."""
    low: float | None
    """Lower limit of the ratio's interval."""
    high: float | None
    """Upper limit. If suppression ignored all traits, all intervals of traits with at least 20 problems would contain 1 with
    95% probability."""
    differs: bool
    """Whether at least 20 problems have the trait before suppression, and the interval excludes 1."""


class SplitAssignment(Record, frozen=True, kw_only=True):
    """The split and level of a problem in the dataset."""

    date: dt.date
    """Date of the question's article."""
    level: str
    """`strict` or `relaxed`."""
    split: str
    """`train`, `validation` or `test`."""


class NameReplacement(Span, frozen=True, kw_only=True):
    """A span of text that names a person, with the text that replaces it."""

    person: int
    """Index of the person in `persons`."""
    kind: str
    """`mention` (a tagged name), `word` (a word of a name outside the tagged names) or `derived` ("Reaganomics")."""
    code: str
    """The text with the person's code in place of the name, such as `@entity3's`."""


class RenamedPerson(BaseStruct, frozen=True, kw_only=True):
    """A person in a problem, with its code."""

    name: str
    """The fullest form of the name."""
    choice: int | None
    """Index of the choice that is this person; null if the person is not a choice."""
    code: str
    """The code, such as `@entity3`; each problem numbers its persons in random order."""


class Pseudonyms(Record, frozen=True, kw_only=True):
    """Replacements for all names of persons in a problem. They are in text order and do not overlap."""

    persons: tuple[RenamedPerson, ...]
    """The choices, in their order, then the other persons."""
    passage: tuple[NameReplacement, ...]
    """Replacements in the passage's text."""
    question: tuple[NameReplacement, ...]
    """Replacements in the question's sentence, including the blank."""
    title: tuple[NameReplacement, ...]
    """Replacements in the passage's title."""


class Exported(Record, frozen=True, kw_only=True):
    """The export files that contain a problem."""

    files: tuple[str, ...]
    """Paths relative to the folder of `export`."""


class Rejection(Record, frozen=True, kw_only=True):
    """An input record that a stage rejected, with the reason and the evidence."""

    reason: str
    """One of the stage's rejection reasons."""
    detail: str = ""
    """The evidence."""
    refused: tuple[Refusal, ...] = ()
    """`questions`: the refused persons, with the rules that refused them."""
    candidates: tuple[Candidate, ...] = ()
    """`retrieve` and `choices`: the refused candidate passages, with the rules that refused them."""


class RawArticle(BaseStruct, frozen=True, kw_only=True):
    """An article as a corpus reader returns it, before `ingest` tests and cleans it."""

    place: str
    """File and line, such as `file.jsonl:17`."""
    id: str
    """Id in the corpus; if blank, `ingest` uses the place."""
    date: str
    """Date as written in the file; `ingest` parses it."""
    source: str
    """Agency or newspaper."""
    kind: str
    """Kind of article, such as `story`."""
    title: str
    """Headline."""
    dateline: str
    """The dateline; empty unless the corpus marks it."""
    paragraphs: tuple[str, ...]
    """The text."""

    @property
    def own_id(self) -> str:
        """The article's id in the pipeline: its place if it has no id of its own, or only white space."""
        return self.id.strip() or self.place


class Unreadable(BaseStruct, frozen=True, kw_only=True):
    """A corpus entry that the corpus reader cannot read and ``ingest`` rejects."""

    place: str
    """File and line."""
    error: str
    """Why the entry cannot be read."""
    ends_file: bool = False
    """Whether nothing more of the file can be read."""


class Tokens(BaseStruct, frozen=True, kw_only=True):
    """One tokenised sentence, as annotators return it."""

    text: str
    """The raw sentence."""
    words: tuple[str, ...]
    """The tokens."""
    spans: tuple[TokenSpan, ...]
    """Start and end of each token in `text`."""

    def mention(self, tokens: TokenSpan, offset: int = 0) -> Mention:
        """The mention over the tokens [first, last). ``offset`` is the position of this sentence in the text that contains it."""
        start, end = self.spans[tokens[0]][0], self.spans[tokens[1] - 1][1]
        return Mention(start=offset + start, end=offset + end, text=self.text[start:end])


class Annotation(Record, frozen=True, kw_only=True):
    """The persons that the model found in one article. Stored in ``store/annotations.sqlite``."""

    persons: tuple[Mention, ...]
    """Mentions in the article's text, in order."""
    tokens: int
    """Number of tokens."""
    sentences: int
    """Number of sentences."""
    token_layout: tuple[int, ...] = ()
    """For each token: gap after the previous token, and length, in characters of the article's text."""

"""A problem as positions in two articles, without a word of them; and back.

Positions count in the article's text as its reader gives it: the paragraphs with one blank line between, before
anything is taken off. A passage is a row of stretches (the dateline, credits are left out), a token a stretch without its white
space, a name a stretch with single spaces. Nothing is tokenised or annotated again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from wdw_build.adapters.exports.jsonl import BLANK, PassageLine, ProblemLine, QuestionLine, QuestionTokens
from wdw_build.records import Part, Problem, Question, RawArticle, SplitAssignment

FORMAT = "wdw-build keys 2"
_SPACE = re.compile(r"\s+")
_BETWEEN = "\n\n"

Stretch = tuple[int, int]


class Unaligned(ValueError):
    """What a problem says does not stand in its articles."""


class ArticleKey(Part, frozen=True):
    """An article that is needed. ``sha256`` is of the JSON array [source, title, text]."""

    id: str
    sha256: str


class QuestionKey(Part, frozen=True):
    """Where the question stands. ``tokens`` holds, for each, the characters after the one before and its length."""

    sentence: Stretch
    blank: Stretch
    name: Stretch
    tokens: tuple[tuple[int, int], ...]
    blank_tokens: tuple[int, int]


class PassageKey(Part, frozen=True):
    """Where the passage's text stands, piece by piece; a blank line goes between the pieces."""

    article: str
    date: dt.date
    text: tuple[Stretch, ...]


class ProblemKey(Part, frozen=True):
    """A problem: its id is that of the question's article, ``choices`` are positions in the passage's article.

    ``event_score`` is carried as it is: it cannot be derived from the texts without the scorer and the whole corpus.
    """

    id: str
    date: dt.date
    level: str
    split: str
    question: QuestionKey
    passage: PassageKey
    choices: tuple[Stretch, ...]
    answer: int
    event_score: float | None


class KeysHeader(Part, frozen=True):
    """What belongs to the keys, and the SHA-256 of the files that they give back."""

    format: str
    problems: int
    articles: int
    problems_sha256: str
    articles_sha256: str
    dataset: dict[str, str]


K = TypeVar("K", ArticleKey, ProblemKey, KeysHeader)


def own_id(article: RawArticle) -> str:
    """The id by which the stages know an article."""
    return article.id or article.place


def own_text(article: RawArticle) -> str:
    """The text that positions count in."""
    return _BETWEEN.join(article.paragraphs)


def article_sha256(article: RawArticle) -> str:
    """What tells whether an article is the one that the keys were made from: hash of source, title and text."""
    whole = msgspec.json.encode([article.source, article.title, own_text(article)])
    return hashlib.sha256(whole).hexdigest()


# ---- from a problem to positions -------------------------------------------------------------------------------------


def encode(problem: Problem, placed: SplitAssignment, asked: RawArticle, told: RawArticle) -> ProblemKey:
    """The key of a problem from its question's and its passage's article. Raises ``Unaligned``."""
    text = own_text(told)
    passage = tuple(_joined(_in_order(problem.passage.text.split(_BETWEEN), text), text))
    return ProblemKey(
        id=problem.id,
        date=problem.date,
        level=placed.level,
        split=placed.split,
        question=_question(problem.question, own_text(asked)),
        passage=PassageKey(article=problem.passage.article, date=problem.passage.date, text=passage),
        choices=tuple(_name(choice.name, text) for choice in problem.choices),
        answer=problem.answer,
        event_score=problem.event_score,
    )


def _in_order(paragraphs: Iterable[str], text: str) -> Iterator[Stretch]:
    position = 0
    for paragraph in paragraphs:
        start = text.find(paragraph, position)
        if start < 0:
            raise Unaligned(f"paragraph {paragraph[:40]!r}")
        position = start + len(paragraph)
        yield start, position


def _joined(stretches: Iterable[Stretch], text: str) -> Iterator[Stretch]:
    """Neighbours with nothing but a blank line between made one."""
    open_: Stretch | None = None
    for start, end in stretches:
        if open_ is not None and text[open_[1] : start] == _BETWEEN:
            open_ = (open_[0], end)
            continue
        if open_ is not None:
            yield open_
        open_ = (start, end)
    if open_ is not None:
        yield open_


def _name(name: str, text: str) -> Stretch:
    """The first place of a name; any other holds the same."""
    found = re.search(r"\s+".join(map(re.escape, name.split(" "))), text)
    if found is None:
        raise Unaligned(f"choice {name!r}")
    return found.span()


def _question(question: Question, text: str) -> QuestionKey:
    start = text.find(question.sentence)
    if start < 0:
        raise Unaligned(f"sentence {question.sentence[:40]!r}")
    return QuestionKey(
        sentence=(start, start + len(question.sentence)),
        blank=(start + question.blank.start, start + question.blank.end),
        name=(start + question.name.start, start + question.name.end),
        tokens=tuple(_tokens(question)),
        blank_tokens=question.blank_tokens,
    )


def _tokens(question: Question) -> Iterator[tuple[int, int]]:
    """For each token, the characters after the one before and its length.

    Raises ``Unaligned`` for a token that the sentence does not spell: annotators replace very long words.
    """
    position = 0
    for token, (start, end) in zip(question.tokens, question.token_spans, strict=True):
        if _SPACE.sub("", question.sentence[start:end]) != token:
            raise Unaligned(f"token {token!r}")
        yield start - position, end - start
        position = end


# ---- from positions to the line of the dataset -----------------------------------------------------------------------


def decode(key: ProblemKey, asked: RawArticle, told: RawArticle) -> ProblemLine:
    """The line of the dataset that a key stands for, from the same two articles."""
    text = own_text(told)
    return ProblemLine(
        id=key.id,
        date=key.date,
        source=asked.source,
        question=_question_line(key.question, own_text(asked)),
        passage=PassageLine(
            id=key.passage.article,
            date=key.passage.date,
            source=told.source,
            title=told.title,
            text=_BETWEEN.join(text[start:end] for start, end in key.passage.text),
        ),
        choices=tuple(_SPACE.sub(" ", text[start:end]) for start, end in key.choices),
        answer=key.answer,
        level=key.level,
        event_score=key.event_score,
    )


def _question_line(key: QuestionKey, text: str) -> QuestionLine:
    left, right = text[key.sentence[0] : key.blank[0]], text[key.blank[1] : key.sentence[1]]
    tokens = tuple(_read_tokens(key.tokens, text[slice(*key.sentence)]))
    first, last = key.blank_tokens
    return QuestionLine(
        text=left + BLANK + right,
        left=left,
        deleted=text[slice(*key.blank)],
        right=right,
        tokens=QuestionTokens(tokens[:first], tokens[first:last], tokens[last:]),
        name=text[slice(*key.name)],
    )


def _read_tokens(places: Iterable[tuple[int, int]], sentence: str) -> Iterator[str]:
    position = 0
    for skipped, length in places:
        start, position = position + skipped, position + skipped + length
        yield _SPACE.sub("", sentence[start:position])


# ---- which file a line belongs in ------------------------------------------------------------------------------------


def place(key: ProblemKey) -> SplitAssignment:
    """The problem's place in the dataset."""
    return SplitAssignment(id=key.id, date=key.date, level=key.level, split=key.split)

"""Encodes a problem as positions in two articles, and decodes the positions to the problem's line.

Positions are characters of the article's text as its reader gives it: its paragraphs with a blank line between. A
passage is a sequence of stretches, without the dateline and credits. A token is a stretch without its white space; a name,
a stretch with single spaces. Decoding runs no tokeniser and no model.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from wdw_build.adapters.exports.jsonl import PassageLine, ProblemLine, QuestionLine, QuestionTokens
from wdw_build.adapters.exports.key_names import NamesKey, Stretch, in_stretches, names_key, rewritten
from wdw_build.ports import OriginalProblem
from wdw_build.reading import BLANK
from wdw_build.records import Names, Part, Question, RawArticle, SplitAssignment

FORMAT = "wdw-build keys 3"
# Keys of format 2 are keys of format 3 with original names.
READABLE = ("wdw-build keys 2", FORMAT)
_SPACE = re.compile(r"\s+")
_BETWEEN = "\n\n"


class Unaligned(ValueError):
    """A part of the problem does not occur in its articles."""


class ArticleKey(Part, frozen=True):
    """A line of ``keys/articles.jsonl``: an article that the dataset needs."""

    id: str
    """Id of the article."""
    sha256: str
    """SHA-256 of the JSON array [source, title, text]."""


class QuestionKey(Part, frozen=True):
    """Position of a question in its article."""

    sentence: Stretch
    """The whole sentence."""
    blank: Stretch
    """The deleted phrase."""
    name: Stretch
    """The deleted person's name."""
    tokens: tuple[tuple[int, int], ...]
    """For each token, how many characters after the previous token (the first: after the start of the sentence) it
    starts, and its length."""
    blank_tokens: tuple[int, int]
    """First token of the blank, and the token after its last."""


class PassageKey(Part, frozen=True):
    """Position of a passage in its article."""

    article: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    text: tuple[Stretch, ...]
    """The stretches of the text; a blank line goes between them."""


class ProblemKey(Part, frozen=True):
    """A line of ``keys/problems.jsonl``.

    Positions are [start, end) in characters of the article's text as its reader gives it.
    """

    id: str
    """Id of the problem, and of the question's article."""
    date: dt.date
    """Date of the question's article."""
    level: str
    """`strict` or `relaxed`."""
    split: str
    """`train`, `validation` or `test`."""
    question: QuestionKey
    """Position of the question."""
    passage: PassageKey
    """Position of the passage."""
    choices: tuple[Stretch, ...]
    """Position of each choice's name in the passage's article."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    event_score: float | None
    """Event score of the passage, from 0 to 1; null if no scorer ran."""
    names: NamesKey | None = None
    """The replaced names; null if the dataset has its original names."""


class KeysHeader(Part, frozen=True):
    """``keys/keys.json``."""

    format: str
    """`wdw-build keys 3`."""
    problems: int
    """Number of problems."""
    articles: int
    """Number of articles."""
    problems_sha256: str
    """SHA-256 of `problems.jsonl`."""
    articles_sha256: str
    """SHA-256 of `articles.jsonl`."""
    dataset: dict[str, str]
    """File of the `jsonl` export -> its SHA-256."""
    names: str = "original"
    """Names of persons in the dataset: `original`, `codes` or `surrogate`."""
    originals: dict[str, str] = msgspec.field(default_factory=dict)
    """The same for the dataset with its original names; empty if `names` is `original`."""


def own_id(article: RawArticle) -> str:
    """The article's id in the pipeline: its place if it has no id of its own."""
    return article.id or article.place


def own_text(article: RawArticle) -> str:
    """The text that positions refer to."""
    return _BETWEEN.join(article.paragraphs)


def article_sha256(article: RawArticle) -> str:
    """A hash of source, title and text, which identifies the version of an article that the keys refer to."""
    content = msgspec.json.encode([article.source, article.title, own_text(article)])
    return hashlib.sha256(content).hexdigest()


# ---- from a problem to positions -------------------------------------------------------------------------------------


def encode(original: OriginalProblem, names: Names, source: RawArticle, passage: RawArticle) -> ProblemKey:
    """Encode a problem as positions in its question's and its passage's article. Raises ``Unaligned``."""
    problem, placed = original.problem, original.placed
    text = own_text(passage)
    stretches = tuple(_joined(_in_order(problem.passage.text.split(_BETWEEN), text), text))
    question = _question(problem.question, own_text(source))
    changed = original.renamed(names)
    places: dict[str, Callable[[int], int]] = {
        "question": lambda offset: question.sentence[0] + offset,
        "passage": lambda offset: in_stretches(offset, stretches, len(_BETWEEN)),
        "title": lambda offset: offset,
    }
    return ProblemKey(
        id=problem.id,
        date=problem.date,
        level=placed.level,
        split=placed.split,
        question=question,
        passage=PassageKey(article=problem.passage.article, date=problem.passage.date, text=stretches),
        choices=tuple(_name(choice.name, text) for choice in problem.choices),
        answer=problem.answer,
        event_score=problem.event_score,
        names=names_key(original, names, changed, _tokens(changed.question), places),
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
    """Join consecutive stretches that only a blank line separates."""
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
    """The first occurrence of a name."""
    match = re.search(r"\s+".join(map(re.escape, name.split(" "))), text)
    if match is None:
        raise Unaligned(f"choice {name!r}")
    return match.span()


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


def decode(key: ProblemKey, source: RawArticle, passage: RawArticle, *, original: bool = False) -> ProblemLine:
    """Decode a key to the problem's line, given the same two articles. ``original``: with its original names."""
    names = None if original else key.names
    text = own_text(passage)
    changed = rewritten(text, names.passage if names else ())
    return ProblemLine(
        id=key.id,
        date=key.date,
        source=source.source,
        question=_question_line(key.question, names, own_text(source)),
        passage=PassageLine(
            id=key.passage.article,
            date=key.passage.date,
            source=passage.source,
            title=rewritten(passage.title, names.title if names else ()).text,
            text=_BETWEEN.join(changed.text[slice(*changed.span(*stretch))] for stretch in key.passage.text),
        ),
        choices=names.choices if names else tuple(_SPACE.sub(" ", text[start:end]) for start, end in key.choices),
        answer=key.answer,
        level=key.level,
        event_score=key.event_score,
    )


def _question_line(key: QuestionKey, names: NamesKey | None, text: str) -> QuestionLine:
    changed = rewritten(text, names.question if names else ())
    sentence, blank, name = (changed.span(*stretch) for stretch in (key.sentence, key.blank, key.name))
    left, right = changed.text[sentence[0] : blank[0]], changed.text[blank[1] : sentence[1]]
    tokens = tuple(_read_tokens(names.tokens if names else key.tokens, changed.text[slice(*sentence)]))
    first, last = names.blank_tokens if names else key.blank_tokens
    return QuestionLine(
        text=left + BLANK + right,
        left=left,
        deleted=changed.text[slice(*blank)],
        right=right,
        tokens=QuestionTokens(tokens[:first], tokens[first:last], tokens[last:]),
        name=changed.text[slice(*name)],
    )


def original_names(key: ProblemKey, source: RawArticle, passage: RawArticle) -> dict[str, str]:
    """Maps each code or surrogate of a problem to the longest form of the original name; empty without replaced names."""
    texts = {"question": own_text(source), "passage": own_text(passage), "title": passage.title}
    persons = key.names.persons if key.names else ()
    return {person.name: _SPACE.sub(" ", texts[person.text][slice(*person.mention)]) for person in persons}


def _read_tokens(steps: Iterable[tuple[int, int]], sentence: str) -> Iterator[str]:
    position = 0
    for skipped, length in steps:
        start, position = position + skipped, position + skipped + length
        yield _SPACE.sub("", sentence[start:position])


# ---- the files that hold a line ---------------------------------------------------------------------------------------


def place(key: ProblemKey) -> SplitAssignment:
    """The level and split that the key assigns to its problem."""
    return SplitAssignment(id=key.id, date=key.date, level=key.level, split=key.split)

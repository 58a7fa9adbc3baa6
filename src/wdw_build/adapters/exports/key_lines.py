"""Encodes a problem as positions in two articles, and decodes the positions to the problem's line.

The question's sentence consists of stretches of its article's text as the reader gives it, and the passage of stretches of
another article's text, without the dateline and the text that ``ingest`` cut. All other positions count in the sentence, in
the passage or in its title. A token is a stretch without its white space; the name of a choice, a stretch with single spaces.
Decoding runs no tokeniser and no model.
"""

from __future__ import annotations

import bisect
import datetime as dt
import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from wdw_build.adapters.exports.jsonl import PassageLine, ProblemLine, QuestionLine, question_line
from wdw_build.ports import OriginalProblem
from wdw_build.records import (
    BaseStruct,
    NameReplacement,
    Names,
    Problem,
    Pseudonyms,
    RawArticle,
    RenamedPerson,
    pack_spans,
    unpack_spans,
)
from wdw_build.text.names.name import in_text
from wdw_build.text.pseudonyms.apply import Replacement, RewrittenText

FORMAT = "wdw-build keys 5"
_SPACE = re.compile(r"\s+")
_BETWEEN = "\n\n"

Stretch = tuple[int, int]
Block = tuple[Stretch, ...]
ReplacementKey = tuple[int, int, str]


class Unaligned(ValueError):
    """A part of the problem does not occur in its articles."""


class ArticleKey(BaseStruct, frozen=True):
    """A line of ``keys/articles.jsonl``: an article that the dataset needs."""

    id: str
    """Id of the article."""
    sha256: str
    """SHA-256 of the JSON array [source, title, text]."""


class QuestionKey(BaseStruct, frozen=True):
    """A question, as positions in its sentence."""

    sentence: Block
    """Positions of the sentence in the article's text: one, or several if text between them was cut."""
    blank: Stretch
    """Position of the deleted phrase in the sentence."""
    name: Stretch
    """Position of the deleted person's name in the sentence."""
    tokens: tuple[int, ...]
    """For each token: gap after the previous token, and length."""
    blank_tokens: tuple[int, int]
    """Tokens [start, end) of the blank."""


class PassageKey(BaseStruct, frozen=True):
    """Position of a passage in its article."""

    article: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    text: tuple[Block, ...]
    """Positions of the passage's paragraphs in the article's text; a list has several if text between them was cut."""


class PersonKey(BaseStruct, frozen=True):
    """A person of a problem: the replacing name, and the position of the original name."""

    name: str
    """The code."""
    text: str
    """Text that contains the mention: `passage`, `question` or `title`."""
    mention: Stretch
    """Position of the longest form of the original name."""


class NamesKey(BaseStruct, frozen=True):
    """Replaced names, as [start, end, replacing text]."""

    question: tuple[ReplacementKey, ...]
    """Replacements in the question's sentence."""
    passage: tuple[ReplacementKey, ...]
    """Replacements in the passage."""
    title: tuple[ReplacementKey, ...]
    """Replacements in the passage's title."""
    tokens: tuple[int, ...]
    """Tokens of the question after the replacement."""
    blank_tokens: tuple[int, int]
    """Tokens [start, end) of the blank after the replacement."""
    choices: tuple[str, ...]
    """The code of each choice."""
    persons: tuple[PersonKey, ...]
    """The persons whose names are replaced."""


class ProblemKey(BaseStruct, frozen=True):
    """A line of ``keys/problems.jsonl``. Positions are [start, end) in characters."""

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
    """Position of each choice's name in the passage."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    event_score: float | None
    """Event score of the passage, from 0 to 1; null if no scorer ran."""
    capitals: dict[int, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """For each choice that the passage has in another case: positions of the capital letters in its name."""
    evidence_score: float | None = None
    """Evidence score, from 0 to 1; null if it was not computed."""
    names: NamesKey | None = None
    """The replaced names; null if the dataset has its original names."""


class KeysHeader(BaseStruct, frozen=True):
    """``keys/keys.json``."""

    format: str
    """`wdw-build keys 5`."""
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
    names: str
    """Names of persons in the dataset: `original` or `codes`."""
    originals: dict[str, str]
    """The same map as `dataset`, for the original names; empty if `names` is `original`."""
    release: dict[str, Any] = msgspec.field(default_factory=dict)
    """The `release` section of the configuration."""
    corpus: dict[str, Any] = msgspec.field(default_factory=dict)
    """`reader` and `options` of the section `corpus`."""


def own_text(article: RawArticle) -> str:
    """The article's text, in which sentence and passage are stretches."""
    return _BETWEEN.join(article.paragraphs)


def article_sha256(article: RawArticle) -> str:
    """A hash of source, title and text, which identifies the version of an article that the keys refer to."""
    content = msgspec.json.encode([article.source, article.title, own_text(article)])
    return hashlib.sha256(content).hexdigest()


# ---- from a problem to positions -------------------------------------------------------------------------------------


def encode(original: OriginalProblem, names: Names, source: RawArticle, passage: RawArticle) -> ProblemKey:
    """Encode a problem as positions in its question's and its passage's article. Raises ``Unaligned``."""
    problem, placed = original.problem, original.placed
    question, pseudonyms = problem.question, original.pseudonyms
    stretches = tuple(_first(choice.name, problem.passage.text) for choice in problem.choices)
    return ProblemKey(
        id=problem.id,
        date=problem.date,
        level=placed.level,
        split=placed.split,
        question=QuestionKey(
            sentence=_stretches("sentence", question.sentence, own_text(source)),
            blank=(question.blank.start, question.blank.end),
            name=(question.name.start, question.name.end),
            tokens=pack_spans(question.token_spans),
            blank_tokens=question.blank_tokens,
        ),
        passage=PassageKey(
            article=problem.passage.article,
            date=problem.passage.date,
            text=tuple(_blocks(problem.passage.text.split(_BETWEEN), own_text(passage))),
        ),
        choices=stretches,
        capitals={
            index: tuple(place for place, letter in enumerate(choice.name) if letter.isupper())
            for index, (choice, (start, end)) in enumerate(zip(problem.choices, stretches, strict=True))
            if _SPACE.sub(" ", problem.passage.text[start:end]) != choice.name
        },
        answer=problem.answer,
        event_score=problem.event_score,
        evidence_score=problem.evidence_score,
        names=_names_key(problem, original.renamed(names), pseudonyms) if pseudonyms else None,
    )


def _blocks(paragraphs: Iterable[str], text: str) -> list[Block]:
    """Where the paragraphs occur in a text, in order; one stretch for consecutive paragraphs that a blank line separates."""
    blocks: list[Block] = []
    for paragraph in paragraphs:
        last = blocks[-1][-1][1] if blocks else 0
        block = _stretches("paragraph", paragraph, text, last)
        if blocks and text[last : block[0][0]] == _BETWEEN:
            *before, (start, _) = blocks.pop()
            block = (*before, (start, block[0][1]), *block[1:])
        blocks.append(block)
    return blocks


def _stretches(kind: str, part: str, text: str, start: int = 0) -> Block:
    """Where a part occurs in a text at ``start`` or later: the fewest stretches, in order. Raises ``Unaligned``."""
    stretches, rest = list[Stretch](), part
    while rest:
        # The longest beginning of the rest that occurs.
        size = bisect.bisect(range(1, len(rest) + 1), False, key=lambda size: text.find(rest[:size], start) < 0)
        if not size:
            raise Unaligned(f"{kind} {part[:40]!r}")
        start = text.find(rest[:size], start)
        stretches.append((start, start + size))
        start, rest = start + size, rest[size:]
    return tuple(stretches)


def _first(name: str, text: str) -> Stretch:
    """The first occurrence of a name, with any white space between its words; in another case if the text has no other."""
    match = in_text(name, any_case=False).search(text) or in_text(name).search(text)
    if match is None:
        raise Unaligned(f"choice {name!r}")
    return match.span()


def _names_key(problem: Problem, changed: Problem, pseudonyms: Pseudonyms) -> NamesKey:
    """The replaced names of a problem; ``changed`` is the renamed problem."""
    texts = {
        "passage": (problem.passage.text, pseudonyms.passage),
        "question": (problem.question.sentence, pseudonyms.question),
        "title": (problem.passage.title, pseudonyms.title),
    }
    replaced = {
        text: tuple((replacement.start, replacement.end, replacement.code) for replacement in replacements)
        for text, (_, replacements) in texts.items()
    }
    persons = []
    for index, person in enumerate(pseudonyms.persons):
        forms = [
            (form, text)
            for text, (content, replacements) in texts.items()
            for form in _forms(person, index, content, replacements)
        ]
        if forms:
            mention, text = max(forms, key=lambda form: form[0][1] - form[0][0])
            persons.append(PersonKey(name=person.code, text=text, mention=mention))
    return NamesKey(
        **replaced,
        tokens=pack_spans(changed.question.token_spans),
        blank_tokens=changed.question.blank_tokens,
        choices=tuple(choice.name for choice in changed.choices),
        persons=tuple(persons),
    )


def _forms(person: RenamedPerson, index: int, text: str, replacements: Iterable[NameReplacement]) -> Iterator[Stretch]:
    """Where a text names a person: the whole name within a replaced stretch, or the stretch."""
    name = in_text(person.name, any_case=False)
    for replacement in replacements:
        if replacement.person == index and replacement.kind != "derived":
            match = name.search(text, replacement.start, replacement.end)
            yield match.span() if match else (replacement.start, replacement.end)


# ---- from positions to the line of the dataset -----------------------------------------------------------------------


def decode(key: ProblemKey, source: RawArticle, passage: RawArticle, *, original: bool = False) -> ProblemLine:
    """Decode a key to the problem's line, given the same two articles. ``original``: with its original names."""
    sentence, text = _texts(key, source, passage)
    names = key.names
    if original or names is None:
        choices = [_SPACE.sub(" ", text[start:end]) for start, end in key.choices]
        for index, capitals in key.capitals.items():
            choices[index] = _with_capitals(choices[index], capitals)
        names = NamesKey((), (), (), key.question.tokens, key.question.blank_tokens, tuple(choices), ())
    return ProblemLine(
        id=key.id,
        date=key.date,
        source=source.source,
        question=_question(key.question, names, sentence),
        passage=PassageLine(
            id=key.passage.article,
            date=key.passage.date,
            source=passage.source,
            title=_rewritten(passage.title, names.title).text,
            text=_rewritten(text, names.passage).text,
        ),
        choices=names.choices,
        answer=key.answer,
        level=key.level,
        event_score=key.event_score,
        evidence_score=key.evidence_score,
    )


def _with_capitals(name: str, capitals: tuple[int, ...]) -> str:
    """A name with capital letters at these positions only."""
    return "".join(letter.upper() if place in capitals else letter.lower() for place, letter in enumerate(name))


def _texts(key: ProblemKey, source: RawArticle, passage: RawArticle) -> tuple[str, str]:
    """The question's sentence and the passage's text."""
    article = own_text(passage)
    text = _BETWEEN.join(_joined(block, article) for block in key.passage.text)
    return _joined(key.question.sentence, own_text(source)), text


def _joined(block: Block, text: str) -> str:
    return "".join(text[start:end] for start, end in block)


def _rewritten(text: str, replacements: Iterable[ReplacementKey]) -> RewrittenText:
    return RewrittenText(text, (Replacement(*replacement) for replacement in replacements))


def _question(key: QuestionKey, names: NamesKey, sentence: str) -> QuestionLine:
    changed = _rewritten(sentence, names.question)
    tokens = tuple(_SPACE.sub("", changed.text[low:high]) for low, high in unpack_spans(names.tokens))
    name = changed.text[slice(*changed.span(*key.name))]
    return question_line(changed.text, changed.span(*key.blank), tokens, names.blank_tokens, name)


def original_names(key: ProblemKey, source: RawArticle, passage: RawArticle) -> dict[str, str]:
    """Maps each code of a problem to the longest form of the original name; empty without replaced names."""
    sentence, text = _texts(key, source, passage)
    texts = {"question": sentence, "passage": text, "title": passage.title}
    persons = key.names.persons if key.names else ()
    return {person.name: _SPACE.sub(" ", texts[person.text][slice(*person.mention)]) for person in persons}

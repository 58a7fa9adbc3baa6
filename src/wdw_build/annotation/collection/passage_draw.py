"""Draws the passages that people write questions about: the first paragraphs of articles that mention several persons.

A passage needs something to resolve: third-person pronouns, and at least two names that they may refer to. Articles without
them, such as tables of results, allow no question that asks for coreference.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

import msgspec

from wdw_build.annotation.collection.answer_spans import sentence_spans
from wdw_build.core.progress import Progress
from wdw_build.dataset import HashSample, Run
from wdw_build.errors import UsageError
from wdw_build.ports import SentenceSplitter
from wdw_build.records import Article
from wdw_build.text.function_words import STOP_WORDS
from wdw_build.text.tokens import words

FEWEST_WORDS = 80
FEWEST_PRONOUNS = 3
FEWEST_NAMES = 2
# "it" is left out: in newswire it often refers to nothing ("it rained", "it is clear that").
PRONOUNS = frozenset("he him his himself she her hers herself they them their theirs themselves".split())
# Initials keep their full stop; any other character between two words ends a name.
_WORD_OR_EDGE = re.compile(r"[^\W\d_]\.|[^\W\d_][\w’'-]*|[^\w ]")
_ID_LETTERS = 12


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of a collection: a line of ``passages.jsonl``. Offsets are code points of ``text``."""

    id: str
    """Hash of the article's id and the text."""
    article: str
    """Id of the article."""
    title: str
    """Headline of the article; may be empty."""
    date: str
    """Day of publication, as YYYY-MM-DD."""
    source: str
    """Agency or newspaper; may be empty."""
    text: str
    """Whole paragraphs, with a blank line between."""
    sentences: tuple[tuple[int, int], ...]
    """Start and end of each sentence in `text`."""


def draw_passages(
    run: Run, count: int, seed: int, max_words: int, splitter: SentenceSplitter, progress: Progress
) -> list[Passage]:
    """``count`` passages from the run's articles, in random order. Raises ``UsageError`` if the corpus has fewer."""
    sample = HashSample[tuple[Article, str]](count, seed, "collect")
    with progress.bar("passages", len(run.articles), "articles") as bar:
        for article in run.articles:
            text = passage_text(article.paragraphs, max_words)
            if is_suitable(text):
                sample.offer(article.id, (article, text))
            bar.advance()
    if sample.offered < count:
        raise UsageError(
            f"the corpus has {sample.offered} passages to write about, fewer than the {count} asked for",
            hint=f"--passages {sample.offered}"
            if sample.offered
            else f"a passage needs {FEWEST_WORDS} words, {FEWEST_PRONOUNS} pronouns and {FEWEST_NAMES} names",
        )
    return [_passage(article, text, splitter) for article, text in sample.by_hash()]


def passage_text(paragraphs: Sequence[str], max_words: int) -> str:
    """The first paragraphs that together have at most ``max_words`` words; empty if the first one alone has more."""
    taken, left = [], max_words
    for paragraph in paragraphs:
        left -= len(paragraph.split())
        if left < 0:
            break
        taken.append(paragraph)
    return "\n\n".join(taken)


def is_suitable(text: str) -> bool:
    """Whether a passage is long enough and has enough pronouns and names to ask about."""
    in_order = words(text)
    if len(in_order) < FEWEST_WORDS or sum(word in PRONOUNS for word in in_order) < FEWEST_PRONOUNS:
        return False
    return len(set(_names(text))) >= FEWEST_NAMES


def _names(text: str) -> Iterator[str]:
    """Runs of two or more capitalised words with only spaces between them; function words do not count."""
    run: list[str] = []
    for match in _WORD_OR_EDGE.finditer(text):
        word = match[0].removesuffix("’s").removesuffix("'s")
        if word[0].isupper() and word.casefold() not in STOP_WORDS:
            run.append(word)
            continue
        if len(run) > 1:
            yield " ".join(run)
        run = []
    if len(run) > 1:
        yield " ".join(run)


def _passage(article: Article, text: str, splitter: SentenceSplitter) -> Passage:
    return Passage(
        id=hashlib.sha256(f"{article.id}\x1f{text}".encode("utf-8", "surrogatepass")).hexdigest()[:_ID_LETTERS],
        article=article.id,
        title=article.title,
        date=article.date.isoformat(),
        source=article.source,
        text=text,
        sentences=tuple(sentence_spans(text, splitter.sentences(text))),
    )

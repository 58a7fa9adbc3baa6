"""Draws the passages that people write questions about, and finds the spans of answers in them.

A passage is the first paragraphs of an article. It needs something to resolve: third-person pronouns, and at least two names
that they may refer to. Articles without them, such as tables of results, allow no question that asks for coreference.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from wdw_build.api import STOP_WORDS, HashSample, Progress, Run, SentenceSplitter, UsageError, words
from wdw_build.records import Article, TokenSpan
from wdw_study.judging.phenomena import sentence_spans

FEWEST_WORDS = 80
FEWEST_PRONOUNS = 3
FEWEST_NAMES = 2
# "it" is left out: in newswire it often refers to nothing ("it rained", "it is clear that").
PRONOUNS = frozenset("he him his himself she her hers herself they them their theirs themselves".split())
# Initials keep their full stop; any other character between two words ends a name.
_WORD_OR_EDGE = re.compile(r"[^\W\d_]\.|[^\W\d_][\w’'-]*|[^\w ]")
_ID_LETTERS = 12
# A full stop belongs to "Jr." and "Sr.".
_BEFORE = re.compile(r"^[\s,;:.!?…–—-]+")
_AFTER = re.compile(r"(?:['’]s|[\s,;:!?…–—-]|(?<!\bJr)(?<!\bSr)\.)+$")
_PAIRS = (("“", "”"), ("‘", "’"), ('"', '"'), ("'", "'"), ("(", ")"), ("[", "]"))


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of a collection: a line of ``items.jsonl``. Offsets are code points of ``text``."""

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
    first, left = [], max_words
    for paragraph in paragraphs:
        left -= len(paragraph.split())
        if left < 0:
            break
        first.append(paragraph)
    return "\n\n".join(first)


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


# ---- spans ----------------------------------------------------------------------------------------------------------
# Python counts code points. JavaScript counts UTF-16 units, so that a character outside the Basic Multilingual Plane, such
# as an emoji, counts twice.


def from_utf16(text: str, offset: int) -> int:
    """The code point at a UTF-16 offset. Raises ``ValueError`` for an offset outside the text or within a character."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    if not 0 <= 2 * offset <= len(encoded):
        raise ValueError(f"the text has no UTF-16 unit {offset}")
    return len(encoded[: 2 * offset].decode("utf-16-le"))


def to_utf16(text: str, position: int) -> int:
    """The UTF-16 offset of a code point."""
    return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2


def places(text: str, answer: str) -> list[TokenSpan]:
    """The spans of an answer in a text, as whole words, with any white space between words, any case and any accents."""
    text, pieces = _without_accents(text), _without_accents(answer).split()
    if not pieces:
        return []
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, pieces)) + r"(?!\w)"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _without_accents(text: str) -> str:
    """The text with each letter replaced by its base letter; of the same length, so that offsets stay."""
    return text if text.isascii() else "".join(unicodedata.normalize("NFD", letter)[0] for letter in text)


def trimmed(text: str, span: TokenSpan) -> TokenSpan:
    """The span without white space, punctuation and a possessive at its ends; quotes and brackets that close within it stay."""
    start, end = span
    piece, before = text[start:end] if 0 <= start < end <= len(text) else "", None
    while piece != before:
        before = piece
        piece = _without_pair(_AFTER.sub("", _BEFORE.sub("", piece)))
    start = text.find(piece, max(start, 0))
    return (start, start + len(piece)) if piece else span


def _without_pair(piece: str) -> str:
    """The piece without an opening mark that it does not close, and without a closing mark that it does not open."""
    inner = piece[1:-1]
    if any(piece.startswith(first) and last not in inner for first, last in _PAIRS):
        return piece[1:]
    return piece[:-1] if any(piece.endswith(last) and first not in inner for first, last in _PAIRS) else piece


def texts(text: str, spans: Iterable[TokenSpan]) -> tuple[str, ...]:
    """The text of each span."""
    return tuple(text[start:end] for start, end in spans)


def overlap(spans: Sequence[TokenSpan]) -> bool:
    """Whether two of the spans share a character."""
    in_order = sorted(spans)
    return any(second[0] < first[1] for first, second in pairwise(in_order))


def cuts_a_word(text: str, span: TokenSpan) -> bool:
    """Whether an edge of the span is between two letters or digits."""
    return any(0 < edge < len(text) and text[edge - 1].isalnum() and text[edge].isalnum() for edge in span)

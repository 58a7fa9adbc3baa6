"""What a run did with the articles of its corpus: their kinds, the wires among their sources, and what was removed from texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from wdw_build.records import Article, Rejection
from wdw_build.stages.ingest.entries import KindShares
from wdw_build.text.counts import most_frequent_first
from wdw_build.text.pages.profile import WIRE

# Of a removed part, the characters that are shown; and the different parts that are counted.
_LONGEST_PART, _MOST_PARTS = 60, 50_000


class KindOfArticle(msgspec.Struct, frozen=True):
    """The articles of one kind, kept and rejected."""

    articles: int
    """Their number."""
    share: float
    """Their share of all articles that have a kind."""
    example: str
    """The beginning of the first one, with its id."""


class RemovedParts(msgspec.Struct, frozen=True):
    """The parts of one kind that `ingest` removed from texts."""

    articles: int
    """The articles that have such parts."""
    example: str
    """The first part, with the id of its article."""
    most_frequent: str
    """The part that was removed most often, with its number and its source; empty if none was removed from two articles."""


class ArticleFacts(NamedTuple):
    """Kinds, kinds of removed parts, and wires with the number of their articles; the most frequent ones first."""

    kinds: dict[str, KindOfArticle]
    removed: dict[str, RemovedParts]
    wires: dict[str, int]


def article_facts(articles: Iterable[Article], not_stories: Iterable[Rejection]) -> ArticleFacts:
    """The facts of articles and of documents that were rejected for their kinds; each is read once."""
    shares, removed, wires = KindShares(), _Removed(), Counter[str]()
    for article in articles:
        shares.count(article)
        removed.count(article)
        if article.profile == WIRE:
            wires[article.source] += 1
    for rejection in not_stories:
        shares.count(rejection)
    kinds = {kind: KindOfArticle(count, share, example) for kind, count, share, example in shares.rows}
    return ArticleFacts(kinds, removed.parts, dict(most_frequent_first(wires)))


class _Removed:
    """Counts what was removed from texts."""

    def __init__(self) -> None:
        self._articles, self._examples = Counter[str](), dict[str, str]()
        self._texts: dict[str, Counter[tuple[str, str]]] = {}

    def count(self, article: Article) -> None:
        """Count the marks of an article."""
        self._articles.update({mark.kind for mark in article.marks})
        for mark in article.marks:
            text = " ".join(mark.text.split())[:_LONGEST_PART]
            self._examples.setdefault(mark.kind, f"{text!r} ({article.id})")
            of_kind = self._texts.setdefault(mark.kind, Counter())
            of_kind[text, article.source] += 1
            if len(of_kind) > _MOST_PARTS:
                # What was removed once is hardly the most frequent part.
                self._texts[mark.kind] = Counter({part: count for part, count in of_kind.items() if count > 1})

    @property
    def parts(self) -> dict[str, RemovedParts]:
        """The kinds of parts, the most frequent first."""
        return {
            kind: RemovedParts(count, self._examples[kind], _most_frequent(self._texts[kind]))
            for kind, count in most_frequent_first(self._articles)
        }


def _most_frequent(parts: Mapping[tuple[str, str], int]) -> str:
    (text, source), count = min(parts.items(), key=lambda pair: (-pair[1], pair[0]), default=(("", ""), 0))
    return f"{text!r} ({count:,} times{f', {source}' if source else ''})" if count > 1 else ""

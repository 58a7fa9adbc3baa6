"""Searches an open Lucene index: one query for all windows of a question.

Most of the time of a query goes into looking up its terms and finding the articles with the name. So the widest window is
searched once for all its hits, and the narrower windows are selected from them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.adapters.lucene.classes import LuceneClasses, encodable
from wdw_build.adapters.lucene.documents import Documents
from wdw_build.ports import Hit

_READER_SIGNATURE = "(Lorg/apache/lucene/index/IndexReader;)V"
# Characters of a sentence that a query uses, and so at most as many terms. Lucene's default limit is 1,024 clauses,
# filters included.
_MAX_CHARACTERS = 1 << 16
# Hits requested first, and how many times as many if there are more: few names are in so many articles of a month.
_FIRST_HITS, _MORE_HITS = 4096, 16


class _ScoreDoc(msgspec.Struct):
    doc: int
    score: float


class _TopDocs(msgspec.Struct):
    scoreDocs: list[_ScoreDoc]


@dataclass(frozen=True)
class FoundDocuments:
    """All documents that a query found, as numbers with scores, the best first."""

    documents: Documents
    numbers: Sequence[int]
    scores: Sequence[float]
    day: int
    with_keyword: Set[int]

    def best(self, window: int, exclude: str, limit: int, require_keyword: bool = False) -> list[Hit]:
        """The best ``limit`` hits within ``window`` days, without the article ``exclude``, by (-score, id)."""
        days, low, high = self.documents.days, self.day - window, self.day + window
        hits: list[Hit] = []
        for number, score in zip(self.numbers, self.scores, strict=True):
            if not low <= days[number] <= high or (require_keyword and number not in self.with_keyword):
                continue
            # All documents that tie with the last hit are read, because the tie is decided by their ids.
            if len(hits) >= limit and score < hits[limit - 1].score:
                break
            name = self.documents.id(number)
            if name != exclude:
                hits.append(Hit(name, score, days[number], number in self.with_keyword))
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


class Searcher:
    """An open index."""

    def __init__(self, java: LuceneClasses, folder: Path) -> None:
        java("search.IndexSearcher").setMaxClauseCount(2 * _MAX_CHARACTERS)
        self._documents = Documents(folder)
        self._reader = java("index.DirectoryReader").open(java.directory(folder))
        self._searcher = java("search.IndexSearcher")(self._reader, signature=_READER_SIGNATURE)
        self._searcher.setSimilarity(java.similarity())
        occur = java("search.BooleanClause$Occur")
        self._filter, self._should = occur.FILTER, occur.SHOULD
        builder = java("util.QueryBuilder")
        self._text, self._names = builder(java.english_analyzer), builder(java.names_analyzer)
        self._keywords = builder(java.keywords_analyzer)
        self._builder = java("search.BooleanQuery$Builder")
        self._range = java("document.LongField").newRangeQuery
        # Passes all hits in one call: a call into Java for each hit would cost more than the search.
        self._json = java("com.fasterxml.jackson.databind.ObjectMapper")().writeValueAsString
        self._top_docs = msgspec.json.Decoder(_TopDocs)

    def search(
        self, sentence: str, names: Sequence[str], day: int, window: int, keywords: str, require_keyword: bool = False
    ) -> FoundDocuments:
        """All articles within ``window`` days that have one of the names; ``keywords`` have spaces between.

        With ``require_keyword`` only those that have a keyword.
        """
        phrases = [phrase for name in names if (phrase := self._names.createPhraseQuery("names", encodable(name)))]
        if not phrases:
            return FoundDocuments(self._documents, (), (), day, frozenset())
        any_name = self._builder()
        for phrase in phrases:
            any_name.add(phrase, self._should)
        filters = [any_name.build(), self._range("day", day - window, day + window)]
        scored = self._text.createBooleanQuery("text", encodable(sentence)[:_MAX_CHARACTERS])
        any_keyword = self._keywords.createBooleanQuery("keywords", keywords) if keywords else None
        if require_keyword:
            # A filter does not change scores, so one query finds and scores the hits.
            hits = with_keyword = self._hits([*filters, any_keyword], scored) if any_keyword else []
        else:
            hits = self._hits(filters, scored)
            with_keyword = self._hits([*filters, any_keyword], None) if any_keyword and hits else []
        return FoundDocuments(
            self._documents,
            [hit.doc for hit in hits],
            # Lucene's scores have single precision.
            array("f", [hit.score for hit in hits]).tolist(),
            day,
            frozenset(hit.doc for hit in with_keyword),
        )

    def _hits(self, filters: Sequence[Any], scored: Any) -> list[_ScoreDoc]:
        query = self._builder()
        for required in filters:
            query.add(required, self._filter)
        if scored:
            query.add(scored, self._should)
        built, count = query.build(), _FIRST_HITS
        while len(hits := self._top_docs.decode(self._json(self._searcher.search(built, count))).scoreDocs) == count:
            count *= _MORE_HITS
        return hits

"""BM25 search with Lucene's own classes, through pyserini's jar and pyjnius.

An article has the fields day, text, names and keywords. The English analyser (stop words, Porter stemmer) reads ``text``;
it would turn "Will Smith" into "smith", so ``names`` has the words of ``text.tokens``. A query filters by a phrase in
``names`` and a range of days, and scores by the terms of the sentence. Most of its time goes into looking up terms and
finding the articles with the name. So one query searches the widest window of a question for all hits, and the narrower
windows are selected from them.

Shards of a corpus are written as indexes of their own and then joined into one index of one segment. Its documents are in
the order in which they were added, as with one writer.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
from array import array
from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from wdw_build.adapters.lucene_java import BM25_B, BM25_K1, LuceneClasses, jar, java_home
from wdw_build.ports import AddArticle, Hit
from wdw_build.text.tokens import encodable, search_phrases, search_words

VERSION = 4
_FIELD_SIGNATURE = "(Ljava/lang/String;Ljava/lang/CharSequence;Lorg/apache/lucene/index/IndexableFieldType;)V"
# Lucene's tokenizer would cut other strings.
_WORD = re.compile(r"\S{1,100}")
_READER_SIGNATURE = "(Lorg/apache/lucene/index/IndexReader;)V"
# Characters of a sentence that a query uses, and so at most as many terms. Lucene's default limit is 1,024 clauses,
# filters included.
_MAX_CHARACTERS = 1 << 16
# Hits requested first, and how many times as many if there are more: few names are in so many articles of a month.
_FIRST_HITS, _MORE_HITS = 4096, 16
# The ids and days of the indexed articles, by document number, beside Lucene's files. Lucene would read a stored field from
# disk for each hit; here, a look-up takes about a microsecond.
_IDS, _ENDS, _DAYS = "ids.npy", "ends.npy", "days.npy"


class LuceneIndex:
    """``SearchIndex`` on Lucene."""

    def __init__(self, heap: str) -> None:
        self._heap = heap
        self._open: dict[Path, Searcher] = {}

    @property
    def identity(self) -> str:
        """The jar, pyserini's version and BM25's parameters. Raises ``MissingResourceError`` if Java is missing or too old."""
        java_home()
        version = importlib.metadata.version("pyserini")
        return f"lucene {VERSION}, pyserini {version}, {jar().name}, k1 {BM25_K1}, b {BM25_B}"

    @contextmanager
    def writer(self, folder: Path) -> Iterator[AddArticle]:
        """See ``SearchIndex.writer``."""
        java = LuceneClasses(self._heap)
        no, unscored = java("document.Field$Store").NO, java.unscored
        document, number, text_field, field = (
            java(f"document.{name}") for name in ("Document", "LongField", "TextField", "Field")
        )
        ids, days = list[str](), array("i")
        with java.writer(folder) as writer:

            def add(article: str, day: int, text: str, keywords: Collection[str] = ()) -> None:
                fields = document()
                fields.add(number("day", day, no))
                fields.add(text_field("text", encodable(text), no))
                fields.add(text_field("names", search_words(text), no))
                fields.add(field("keywords", _keyword_text(keywords), unscored, signature=_FIELD_SIGNATURE))
                writer.addDocument(fields)
                ids.append(article)
                days.append(day)

            yield add
            writer.forceMerge(1)
        _write_documents(folder, ids, days)

    def join(self, folders: Sequence[Path], folder: Path) -> None:
        """See ``SearchIndex.join``. One merge of all segments."""
        java = LuceneClasses(self._heap)
        as_codec_reader = java("index.SlowCodecReaderWrapper").wrap
        with ExitStack() as stack, java.writer(folder) as writer:
            leaves = []
            for part in folders:
                segments = stack.enter_context(java.reader(part)).leaves()
                leaves += [as_codec_reader(segments.get(number).reader()) for number in range(segments.size())]
            # Not addIndexes(Directory...): the merge policy would choose the order of its segments.
            writer.addIndexes(*leaves)
        _join_documents(folders, folder)

    def search(
        self,
        folder: Path,
        *,
        sentence: str,
        names: Sequence[str],
        day: int,
        windows: Sequence[int],
        exclude: str,
        limit: int,
        keywords: Collection[str] = (),
        require_keyword: bool = False,
    ) -> Iterator[list[Hit]]:
        """See ``SearchIndex.search``."""
        if folder not in self._open:
            self._open[folder] = Searcher(LuceneClasses(self._heap), folder)
        hits = self._open[folder].search(sentence, names, day, max(windows), _keyword_text(keywords), require_keyword)
        for window in windows:
            yield hits.best(window, exclude, limit)


def _keyword_text(keywords: Collection[str]) -> str:
    """Keywords with spaces between; a keyword that has spaces or is very long is replaced by its hash."""
    return encodable(
        " ".join(
            word if _WORD.fullmatch(word) else hashlib.sha256(word.encode("utf-8", "replace")).hexdigest()
            for word in keywords
        )
    )


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

    def best(self, window: int, exclude: str, limit: int) -> list[Hit]:
        """The best ``limit`` hits within ``window`` days, without the article ``exclude``, by (-score, id)."""
        days, low, high = self.documents.days, self.day - window, self.day + window
        hits: list[Hit] = []
        for number, score in zip(self.numbers, self.scores, strict=True):
            day = int(days[number])
            if not low <= day <= high:
                continue
            # All documents that tie with the last hit are read, because the tie is decided by their ids.
            if len(hits) >= limit and score < hits[limit - 1].score:
                break
            name = self.documents.id(number)
            if name != exclude:
                hits.append(Hit(name, score, day, number in self.with_keyword))
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
        self._text, self._words = builder(java.english_analyzer), builder(java.words_analyzer)
        self._builder = java("search.BooleanQuery$Builder")
        self._range = java("document.LongField").newRangeQuery
        # Passes all hits in one call: a call into Java for each hit would cost more than the search.
        self._json = java("com.fasterxml.jackson.databind.ObjectMapper")().writeValueAsString
        self._top_docs = msgspec.json.Decoder(_TopDocs)

    def search(
        self, sentence: str, names: Sequence[str], day: int, window: int, keywords: str, require_keyword: bool
    ) -> FoundDocuments:
        """All articles within ``window`` days that have one of the names; ``keywords`` have spaces between.

        With ``require_keyword`` only those that have a keyword.
        """
        phrases = [self._words.createPhraseQuery("names", phrase) for name in names for phrase in search_phrases(name)]
        if not phrases:
            return FoundDocuments(self._documents, (), (), day, frozenset())
        any_name = self._builder()
        for phrase in phrases:
            any_name.add(phrase, self._should)
        filters = [any_name.build(), self._range("day", day - window, day + window)]
        scored = self._text.createBooleanQuery("text", encodable(sentence)[:_MAX_CHARACTERS])
        any_keyword = self._words.createBooleanQuery("keywords", keywords) if keywords else None
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


class Documents:
    """The documents of an index by number: ``id`` and ``days``. The arrays are memory-mapped, so that processes share them."""

    def __init__(self, folder: Path) -> None:
        self._ids, self._ends, self.days = (np.load(folder / name, mmap_mode="r") for name in (_IDS, _ENDS, _DAYS))

    def id(self, number: int) -> str:
        """The id of a document."""
        start = self._ends[number - 1] if number else 0
        # An id may hold lone surrogates.
        return str(self._ids[start : self._ends[number]].tobytes(), "utf-8", "surrogatepass")


def _write_documents(folder: Path, ids: Sequence[str], days: Sequence[int]) -> None:
    """Write the ids and days of the documents of an index."""
    encoded = [article.encode("utf-8", "surrogatepass") for article in ids]
    _save_documents(folder, np.frombuffer(b"".join(encoded), np.uint8), list(map(len, encoded)), days)


def _join_documents(folders: Sequence[Path], folder: Path) -> None:
    """Write the documents of several indexes as those of one."""
    parts = [Documents(part) for part in folders]
    ids, days = (np.concatenate([getattr(part, name) for part in parts]) for name in ("_ids", "days"))
    _save_documents(folder, ids, np.concatenate([np.diff(part._ends, prepend=0) for part in parts]), days)


def _save_documents(folder: Path, ids: Any, lengths: Any, days: Any) -> None:
    for name, values in ((_IDS, ids), (_ENDS, np.cumsum(lengths, dtype=np.int64)), (_DAYS, np.array(days, np.int32))):
        np.save(folder / name, values)

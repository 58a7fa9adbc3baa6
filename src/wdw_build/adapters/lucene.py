"""BM25 search with Lucene's own classes, through pyserini's jar and pyjnius.

An article has the fields id, day, text and names. The English analyser (stop words, Porter stemmer) reads ``text``; it
would turn "Will Smith" into "smith", so ``names`` has its own analyser (lower case, no accents and possessives). A query
filters by a phrase in ``names`` and a range of days, excludes the question's own article, and scores by the terms of the
sentence.
"""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wdw_build.adapters.java import jar, java_home, start
from wdw_build.core.config.settings import IndexConfig
from wdw_build.ports import Hit

VERSION = 1
_LUCENE = "org.apache.lucene"
_BUILDER_SIGNATURE = (
    f"(Ljava/lang/String;Ljava/util/Map;)L{_LUCENE.replace('.', '/')}/analysis/custom/CustomAnalyzer$Builder;"
)
_READER_SIGNATURE = f"(L{_LUCENE.replace('.', '/')}/index/IndexReader;)V"
# Characters of a sentence that a query uses, and so at most as many terms. Lucene's default limit is 1,024 clauses,
# filters included.
_MAX_CHARACTERS = 1 << 16
# Hits requested beyond the limit, and four times as many while the last score ties, so that ties can be ordered by id.
_EXTRA_HITS = 16
# A small buffer makes many segments, which Lucene must merge repeatedly.
_BUFFER_MB = 96.0
# The windows of one question share the parsed query.
_CACHED_QUERIES = 4


def _encodable(text: str) -> str:
    """The text without lone surrogates, which cannot be passed to Java."""
    return text.encode("utf-8", "replace").decode("utf-8")


class LuceneIndex:
    """``SearchIndex`` on Lucene."""

    def __init__(self, config: IndexConfig, heap: str, locate: Callable[[Path], Path] = lambda folder: folder) -> None:
        """``locate`` returns where to search an index, such as a copy on a local disk."""
        self._config, self._heap, self._locate = config, heap, locate
        self._open: dict[Path, _Searcher] = {}

    @property
    def identity(self) -> str:
        """The jar, pyserini's version and BM25's parameters. Raises ``MissingResourceError`` if Java is missing or too old."""
        java_home()
        version = importlib.metadata.version("pyserini")
        return f"lucene {VERSION}, pyserini {version}, {jar().name}, k1 {self._config.k1}, b {self._config.b}"

    @contextmanager
    def writer(self, folder: Path) -> Iterator[Callable[[str, int, str], None]]:
        """See ``SearchIndex.writer``."""
        java = _Java(self._config, self._heap)
        settings = java("index.IndexWriterConfig")(java.analyzers())
        settings.setOpenMode(java("index.IndexWriterConfig$OpenMode").CREATE)
        settings.setSimilarity(java.similarity())
        settings.setRAMBufferSizeMB(_BUFFER_MB)
        directory = java.directory(folder)
        writer = java("index.IndexWriter")(directory, settings)
        yes, no = java("document.Field$Store").YES, java("document.Field$Store").NO
        document, string, number, text_field = (
            java(f"document.{name}") for name in ("Document", "StringField", "LongField", "TextField")
        )

        def add(article: str, day: int, text: str) -> None:
            fields, safe = document(), _encodable(text)
            fields.add(string("id", _encodable(article), yes))
            fields.add(number("day", day, no))
            fields.add(text_field("text", safe, no))
            fields.add(text_field("names", safe, no))
            writer.addDocument(fields)

        try:
            yield add
            writer.forceMerge(1)
            writer.commit()
        finally:
            writer.close()
            directory.close()

    def search(
        self, folder: Path, *, sentence: str, names: Sequence[str], day: int, window: int, exclude: str, limit: int
    ) -> list[Hit]:
        """See ``SearchIndex.search``."""
        if folder not in self._open:
            self._open[folder] = _Searcher(_Java(self._config, self._heap), self._locate(folder))
        return self._open[folder].search(sentence, names, day - window, day + window, exclude, limit)


class _Java:
    """Lucene's classes, and the objects that the writer and the searcher share."""

    def __init__(self, config: IndexConfig, heap: str) -> None:
        self._config = config
        self._autoclass = start(heap)

    @functools.cache  # noqa: B019 (lives as long as the process)
    def __call__(self, name: str) -> Any:
        return self._autoclass(name if name.startswith(("java.", "io.")) else f"{_LUCENE}.{name}")

    def similarity(self) -> Any:
        return self("search.similarities.BM25Similarity")(self._config.k1, self._config.b)

    def directory(self, folder: Path) -> Any:
        return self("store.FSDirectory").open(self("java.nio.file.Paths").get(str(folder)))

    @functools.cache  # noqa: B019 (lives as long as the process)
    def names_analyzer(self) -> Any:
        empty = self("java.util.HashMap")
        builder = self("analysis.custom.CustomAnalyzer").builder()
        builder = builder.withTokenizer("standard", empty(), signature=_BUILDER_SIGNATURE)
        for name in ("englishPossessive", "lowercase", "asciiFolding"):
            builder = builder.addTokenFilter(name, empty(), signature=_BUILDER_SIGNATURE)
        return builder.build()

    @functools.cache  # noqa: B019 (lives as long as the process)
    def english_analyzer(self) -> Any:
        return self("analysis.en.EnglishAnalyzer")()

    def analyzers(self) -> Any:
        fields = self("java.util.HashMap")()
        fields.put("names", self.names_analyzer())
        return self("analysis.miscellaneous.PerFieldAnalyzerWrapper")(self.english_analyzer(), fields)


class _Searcher:
    """An open index."""

    def __init__(self, java: _Java, folder: Path) -> None:
        self._java = java
        java("search.IndexSearcher").setMaxClauseCount(2 * _MAX_CHARACTERS)
        self._reader = java("index.DirectoryReader").open(java.directory(folder))
        self._searcher = java("search.IndexSearcher")(self._reader, signature=_READER_SIGNATURE)
        self._searcher.setSimilarity(java.similarity())
        occur = java("search.BooleanClause$Occur")
        self._filter, self._not, self._should = occur.FILTER, occur.MUST_NOT, occur.SHOULD
        builder = java("util.QueryBuilder")
        self._text, self._names = builder(java.english_analyzer()), builder(java.names_analyzer())
        # Fetches the ids and scores of all hits at once: one call into Java for each hit costs more than the search.
        self._all_hits = java("io.anserini.search.ScoredDocs").fromTopDocs
        self._builder = java("search.BooleanQuery$Builder")
        self._range, self._term = java("document.LongField").newRangeQuery, java("search.TermQuery")
        self._make_term = java("index.Term")

    @functools.lru_cache(_CACHED_QUERIES)  # noqa: B019 (lives as long as the process)
    def _parts(self, sentence: str, names: tuple[str, ...], exclude: str) -> tuple[Any, Any, Any] | None:
        """The parts of a query that do not depend on the days: any of the names, the excluded id, the sentence's terms."""
        phrases = [phrase for name in names if (phrase := self._names.createPhraseQuery("names", _encodable(name)))]
        if not phrases:
            return None
        any_name = self._builder()
        for phrase in phrases:
            any_name.add(phrase, self._should)
        scored = self._text.createBooleanQuery("text", _encodable(sentence)[:_MAX_CHARACTERS])
        return any_name.build(), self._term(self._make_term("id", _encodable(exclude))), scored

    def search(self, sentence: str, names: Sequence[str], low: int, high: int, exclude: str, limit: int) -> list[Hit]:
        parts = self._parts(sentence, tuple(names), exclude)
        if parts is None:
            return []
        any_name, excluded, scored = parts
        query = self._builder()
        query.add(any_name, self._filter)
        query.add(self._range("day", low, high), self._filter)
        query.add(excluded, self._not)
        if scored:
            query.add(scored, self._should)
        return self._best(query.build(), limit)

    def _best(self, query: Any, limit: int) -> list[Hit]:
        count = limit + _EXTRA_HITS
        while True:
            top = self._searcher.search(query, count)
            documents = self._all_hits(top, self._searcher)
            scores = list(documents.scores)
            if len(scores) < count or scores[limit - 1] != scores[-1]:
                break
            count *= 4
        hits = [Hit(name, float(score)) for name, score in zip(documents.docids, scores, strict=True)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]

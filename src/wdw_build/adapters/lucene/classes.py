"""Lucene's classes and analysers, for writing and searching an index."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from wdw_build.adapters.lucene.java import start
from wdw_build.core.config.settings import IndexConfig

_LUCENE = "org.apache.lucene"
_PATH = _LUCENE.replace(".", "/")
_BUILDER_SIGNATURE = f"(Ljava/lang/String;Ljava/util/Map;)L{_PATH}/analysis/custom/CustomAnalyzer$Builder;"
_ADD_READERS_SIGNATURE = f"([L{_PATH}/index/CodecReader;)J"
# A small buffer makes many segments, which Lucene must merge repeatedly.
_BUFFER_MB = 96.0


def encodable(text: str) -> str:
    """The text without lone surrogates, which cannot be passed to Java."""
    return text.encode("utf-8", "replace").decode("utf-8")


class LuceneClasses:
    """Lucene's classes by name, and the objects that the writer and the searcher share."""

    def __init__(self, config: IndexConfig, heap: str) -> None:
        self._config = config
        self._autoclass = start(heap)

    @functools.cache  # noqa: B019 (lives as long as the process)
    def __call__(self, name: str) -> Any:
        """The class with this name, which is below Lucene's package unless it begins with java or com."""
        return self._autoclass(name if name.startswith(("java.", "com.")) else f"{_LUCENE}.{name}")

    def similarity(self) -> Any:
        """BM25 with the configured parameters."""
        return self("search.similarities.BM25Similarity")(self._config.k1, self._config.b)

    def directory(self, folder: Path) -> Any:
        """Lucene's object for a folder."""
        return self("store.FSDirectory").open(self("java.nio.file.Paths").get(str(folder)))

    @contextmanager
    def reader(self, folder: Path) -> Iterator[Any]:
        """A reader of the index in a folder, closed at the end of the block."""
        with (
            closing(self.directory(folder)) as directory,
            closing(self("index.DirectoryReader").open(directory)) as reader,
        ):
            yield reader

    @contextmanager
    def writer(self, folder: Path) -> Iterator[Any]:
        """A writer of a new index, whose segments keep the order in which documents are added; committed and closed."""
        settings = self("index.IndexWriterConfig")(self._analyzers())
        settings.setOpenMode(self("index.IndexWriterConfig$OpenMode").CREATE)
        settings.setSimilarity(self.similarity())
        settings.setRAMBufferSizeMB(_BUFFER_MB)
        # The default policy merges segments in the order of their sizes, and the default scheduler limits the speed.
        settings.setMergePolicy(self("index.LogDocMergePolicy")())
        settings.setMergeScheduler(self("index.SerialMergeScheduler")())
        with (
            closing(self.directory(folder)) as directory,
            closing(self._writer_class(directory, settings)) as writer,
        ):
            yield writer
            writer.commit()

    @functools.cached_property
    def _writer_class(self) -> Any:
        from jnius import JavaMethod

        writer = self("index.IndexWriter")
        # jnius cannot tell addIndexes(CodecReader...) from addIndexes(Directory...), so the second is taken away.
        writer.addIndexes = JavaMethod(_ADD_READERS_SIGNATURE, varargs=True)
        return writer

    @functools.cached_property
    def unscored(self) -> Any:
        """The type of a field whose terms are only searched for: no frequencies, positions or lengths are stored."""
        kind = self("document.FieldType")()
        kind.setIndexOptions(self("index.IndexOptions").DOCS)
        kind.setTokenized(True)
        kind.setOmitNorms(True)
        kind.freeze()
        return kind

    @functools.cached_property
    def names_analyzer(self) -> Any:
        """The analyser of the field ``names``."""
        empty = self("java.util.HashMap")
        builder = self("analysis.custom.CustomAnalyzer").builder()
        builder = builder.withTokenizer("standard", empty(), signature=_BUILDER_SIGNATURE)
        for name in ("englishPossessive", "lowercase", "asciiFolding"):
            builder = builder.addTokenFilter(name, empty(), signature=_BUILDER_SIGNATURE)
        return builder.build()

    @functools.cached_property
    def english_analyzer(self) -> Any:
        """The analyser of the field ``text``."""
        return self("analysis.en.EnglishAnalyzer")()

    @functools.cached_property
    def keywords_analyzer(self) -> Any:
        """The analyser of the field ``keywords``, whose text is keywords with spaces between."""
        return self("analysis.core.WhitespaceAnalyzer")()

    def _analyzers(self) -> Any:
        fields = self("java.util.HashMap")()
        fields.put("names", self.names_analyzer)
        fields.put("keywords", self.keywords_analyzer)
        return self("analysis.miscellaneous.PerFieldAnalyzerWrapper")(self.english_analyzer, fields)

"""BM25 search with Lucene's own classes, through pyserini's jar and pyjnius.

An article has the fields day, text, names and keywords. The English analyser (stop words, Porter stemmer) reads ``text``;
it would turn "Will Smith" into "smith", so ``names`` has its own analyser (lower case, no accents and possessives). A query
filters by a phrase in ``names`` and a range of days, and scores by the terms of the sentence.

Shards of a corpus are written as indexes of their own and then joined into one index of one segment. Its documents are in
the order in which they were added, as with one writer.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from wdw_build.adapters.lucene.classes import LuceneClasses, encodable
from wdw_build.adapters.lucene.documents import write_documents
from wdw_build.adapters.lucene.java import jar, java_home
from wdw_build.adapters.lucene.searcher import Searcher
from wdw_build.core.config.settings import IndexConfig
from wdw_build.ports import AddArticle, Hit

VERSION = 2
_FIELD_SIGNATURE = "(Ljava/lang/String;Ljava/lang/CharSequence;Lorg/apache/lucene/index/IndexableFieldType;)V"
# Lucene's tokenizer would cut other strings.
_WORD = re.compile(r"\S{1,100}")


class LuceneIndex:
    """``SearchIndex`` on Lucene."""

    def __init__(self, config: IndexConfig, heap: str, locate: Callable[[Path], Path] = lambda folder: folder) -> None:
        """``locate`` returns where to search an index, such as a copy on a local disk."""
        self._config, self._heap, self._locate = config, heap, locate
        self._open: dict[Path, Searcher] = {}

    @property
    def identity(self) -> str:
        """The jar, pyserini's version and BM25's parameters. Raises ``MissingResourceError`` if Java is missing or too old."""
        java_home()
        version = importlib.metadata.version("pyserini")
        return f"lucene {VERSION}, pyserini {version}, {jar().name}, k1 {self._config.k1}, b {self._config.b}"

    @contextmanager
    def writer(self, folder: Path) -> Iterator[AddArticle]:
        """See ``SearchIndex.writer``."""
        java = LuceneClasses(self._config, self._heap)
        no, unscored = java("document.Field$Store").NO, java.unscored
        document, number, text_field, field = (
            java(f"document.{name}") for name in ("Document", "LongField", "TextField", "Field")
        )
        with write_documents(folder) as documents, java.writer(folder) as writer:

            def add(article: str, day: int, text: str, keywords: Collection[str] = ()) -> None:
                fields, safe = document(), encodable(text)
                fields.add(number("day", day, no))
                fields.add(text_field("text", safe, no))
                fields.add(text_field("names", safe, no))
                fields.add(field("keywords", _keyword_text(keywords), unscored, signature=_FIELD_SIGNATURE))
                writer.addDocument(fields)
                documents.add(article, day)

            yield add
            writer.forceMerge(1)

    def join(self, folders: Sequence[Path], folder: Path) -> None:
        """See ``SearchIndex.join``. One merge of all segments."""
        java = LuceneClasses(self._config, self._heap)
        as_codec_reader = java("index.SlowCodecReaderWrapper").wrap
        with ExitStack() as stack, write_documents(folder) as documents, java.writer(folder) as writer:
            leaves = []
            for part in folders:
                documents.append(part)
                segments = stack.enter_context(java.reader(part)).leaves()
                leaves += [as_codec_reader(segments.get(number).reader()) for number in range(segments.size())]
            # Not addIndexes(Directory...): the merge policy would choose the order of its segments.
            writer.addIndexes(*leaves)

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
            self._open[folder] = Searcher(LuceneClasses(self._config, self._heap), self._locate(folder))
        found = self._open[folder].search(sentence, names, day, max(windows), _keyword_text(keywords), require_keyword)
        for window in windows:
            yield found.best(window, exclude, limit, require_keyword)


def _keyword_text(keywords: Collection[str]) -> str:
    """Keywords with spaces between; a keyword that has spaces or is very long is replaced by its hash."""
    return " ".join(
        encodable(word) if _WORD.fullmatch(word) else hashlib.sha256(word.encode("utf-8", "replace")).hexdigest()
        for word in keywords
    )

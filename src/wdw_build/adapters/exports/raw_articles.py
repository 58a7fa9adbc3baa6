"""Keeps the articles of a dataset in a temporary file, because they may not fit in memory."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from types import TracebackType

import msgspec

from wdw_build.adapters.exports.key_lines import own_id
from wdw_build.records import RawArticle, Unreadable


class RawArticles:
    """Articles by id, as the reader gives them. An id that occurs several times in the corpus has several articles."""

    def __init__(self) -> None:
        self._stream = tempfile.TemporaryFile(prefix="wdw-articles-")  # noqa: SIM115 (closed by __exit__)
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._decoder = msgspec.json.Decoder(RawArticle)

    def collect(self, corpus: Iterable[RawArticle | Unreadable], wanted: Set[str]) -> None:
        """Read the corpus and keep the articles with a wanted id."""
        end = 0
        for article in corpus:
            if isinstance(article, RawArticle) and own_id(article) in wanted:
                encoded = msgspec.json.encode(article)
                self._stream.write(encoded)
                self._places[own_id(article)].append((end, len(encoded)))
                end += len(encoded)

    def find(self, name: str) -> Iterator[RawArticle]:
        """Yield the articles with this id, in the order of the corpus."""
        for start, length in self._places.get(name, ()):
            self._stream.seek(start)
            yield self._decoder.decode(self._stream.read(length))

    def __enter__(self) -> RawArticles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

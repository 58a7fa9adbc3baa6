"""``SgmlCorpus``, the base class of readers of SGML: files of blocks, each block an article."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from wdw_build.adapters.corpora.reading.base import LineFiles, OptionsT
from wdw_build.adapters.corpora.reading.markup import blocks
from wdw_build.ports import Span
from wdw_build.records import RawArticle, Unreadable


class SgmlCorpus(LineFiles[OptionsT]):
    """A reader of files that hold one ``<tag ...>...</tag>`` after another.

    A span holds the blocks whose start tag is in one of its lines, with everything up to the next start tag.
    """

    tag: ClassVar[str]
    options_type: type[OptionsT]

    @abstractmethod
    def article(self, block: str, place: str) -> RawArticle | Unreadable:
        """The article in one block."""

    def read_span(self, file: Path, place: str, span: Span) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every block. A place holds the number of the block's first line."""
        lines = self.lines(file, span)
        found = blocks(lines, self.tag, self.longest, from_tag=span.start > 0, is_beyond=lambda: lines.is_beyond)
        for block in found:
            where = f"{place}:{block.line}"
            if block.error:
                yield Unreadable(place=where, error=block.error)
            else:
                yield self.article(self.text(block.raw), where)

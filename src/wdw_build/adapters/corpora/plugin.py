"""Makes a ``CorpusReader`` of a reader of another package, which may read only the whole corpus and have no notes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from wdw_build.ports import Block, PluginReader
from wdw_build.records import RawArticle, Unreadable


@runtime_checkable
class _HasBlocks(Protocol):
    """The optional part of a plug-in's reader. Its methods are those of ``CorpusReader``."""

    def blocks(self) -> list[Block]: ...

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]: ...


class Plugin:
    """The reader of another package as a ``CorpusReader``.

    It is read in blocks if it has the method ``blocks`` and its ``read`` takes a block; otherwise as one block.
    """

    def __init__(self, reader: PluginReader) -> None:
        self._reader = reader
        self._in_blocks = reader if isinstance(reader, _HasBlocks) and _are_methods(reader) else None

    @property
    def identity(self) -> str:
        """See ``CorpusReader.identity``."""
        return self._reader.identity

    def blocks(self) -> list[Block]:
        """See ``CorpusReader.blocks``."""
        return self._in_blocks.blocks() if self._in_blocks else [Block(size=self._reader.size())]

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]:
        """See ``CorpusReader.read``."""
        return self._reader.read() if block is None or self._in_blocks is None else self._in_blocks.read(block)

    def size(self) -> int:
        """See ``CorpusReader.size``."""
        return self._reader.size()

    def file_notes(self) -> list[str]:
        """See ``CorpusReader.file_notes``; none."""
        return []


def _are_methods(reader: _HasBlocks) -> bool:
    """Whether ``blocks`` is no other thing of the same name: a method, beside a method ``read`` that takes a block."""
    if not callable(reader.blocks):
        return False
    try:
        inspect.signature(reader.read).bind(Block())
    except TypeError:
        return False
    return True

"""Entries in memory as the corpus: records of a sample, or of a caller of the Python API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from wdw_build.core.stage import Port, PortSource
from wdw_build.ports import READER, Block
from wdw_build.records import RawArticle, Unreadable

T = TypeVar("T")


class _InMemoryReader:
    """A ``CorpusReader`` of entries in memory."""

    identity = "records in memory"

    def __init__(self, entries: Sequence[RawArticle | Unreadable]) -> None:
        self._entries = entries

    def blocks(self) -> list[Block]:
        """See ``CorpusReader.blocks``; one block."""
        return [Block()]

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]:
        """See ``CorpusReader.read``."""
        return iter(self._entries)

    def size(self) -> int:
        """See ``CorpusReader.size``; unknown."""
        return 0

    def file_notes(self) -> list[str]:
        """See ``CorpusReader.file_notes``; none."""
        return []


@dataclass(frozen=True)
class WithEntries:
    """``PortSource`` that reads entries in memory instead of the configured corpus."""

    base: PortSource
    entries: Sequence[RawArticle | Unreadable]

    def get(self, port: Port[T]) -> T:
        """The backend of the port."""
        return cast(T, _InMemoryReader(self.entries)) if port == READER else self.base.get(port)

    def identity(self, port: str) -> str:
        """The backend's identity."""
        return _InMemoryReader.identity if port == READER else self.base.identity(port)

    def check(self, port: str) -> None:
        """See ``PortSource.check``."""
        if port != READER:
            self.base.check(port)

    def preload(self, ports: Sequence[str]) -> None:
        """See ``PortSource.preload``."""
        self.base.preload([port for port in ports if port != READER])

    def take_devices(self, ports: Sequence[Port[Any]]) -> tuple[str, ...]:
        """See ``PortSource.take_devices``."""
        return self.base.take_devices([port for port in ports if port != READER])

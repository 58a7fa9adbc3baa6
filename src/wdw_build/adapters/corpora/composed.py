"""Corpora that are not files of one format: entries in memory, a reader of another package, and several corpora as one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

import msgspec

from wdw_build.adapters.corpora.reading.base import FileCorpus, NonEmpty, ReaderOptions, decode_options
from wdw_build.core.stage import Port, PortSource
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.ports import READER, Block, CorpusReader, PluginReader, WithCode
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


# ---- a reader of another package -------------------------------------------------------------------------------------


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


# ---- several corpora -------------------------------------------------------------------------------------------------

_SEVERAL = "several"
MakeReader = Callable[[str, Path, Mapping[str, object]], CorpusReader]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the corpora."""

    reader: NonEmpty
    """The name of its reader."""
    path: NonEmpty
    """Its file, folder or glob; relative to ``corpus.path``."""
    source: str = ""
    """The source of its articles that state none."""
    options: dict[str, Any] = {}
    """The options of its reader."""


class SeveralOptions(ReaderOptions, frozen=True):
    """The parts, in the order in which they are read. The other options of readers belong to the parts."""

    parts: tuple[Part, ...] = ()
    """The corpora."""


class Several:
    """The parts as one corpus. Raises the errors of their readers.

    Places, and ids by place, are relative to the corpus. They begin with the part's number if several parts have the same path or
    if the path is absolute. The first file of a block is the number of its part.
    """

    def __init__(self, path: Path, options: Mapping[str, object], make_reader: MakeReader) -> None:
        self._parts = decode_options(_SEVERAL, options, SeveralOptions).parts
        if not self._parts:
            raise ConfigError(
                "corpus.options.parts is empty",
                hint="name the corpora: [{reader: csv, path: a.csv}, {reader: jsonl, …}]",
            )
        self._readers = list[CorpusReader]()
        for number, part in enumerate(self._parts):
            try:
                self._readers.append(make_reader(part.reader, path / part.path, part.options))
            except MissingResourceError as error:
                key = f"corpus.options.parts[{number}].path, relative to corpus.path,"
                raise MissingResourceError(error.message, hint=error.hint.replace("corpus.path", key)) from error
        self._prefixes = [self._prefix(number, path) for number in range(len(self._parts))]

    @property
    def corpora(self) -> list[tuple[str, Mapping[str, Any], CorpusReader]]:
        """For each part, the key of its options, the options and the reader."""
        parts = enumerate(zip(self._parts, self._readers, strict=True))
        return [(f"corpus.options.parts[{number}].options", part.options, reader) for number, (part, reader) in parts]

    def _prefix(self, number: int, corpus: Path) -> str:
        """What the places of a part begin with."""
        reader, paths = self._readers[number], [part.path for part in self._parts]
        root = reader.root if isinstance(reader, FileCorpus) else None
        if root is None or paths.count(paths[number]) > 1 or not root.is_relative_to(corpus):
            return f"{number + 1}/"
        return "".join(f"{folder}/" for folder in root.relative_to(corpus).parts)

    @property
    def code(self) -> dict[str, str]:
        """See ``WithCode``; that of all parts."""
        return {
            name: sha256
            for reader in self._readers
            if isinstance(reader, WithCode)
            for name, sha256 in reader.code.items()
        }

    @property
    def identity(self) -> str:
        """The identities of the readers, in order, with the beginnings of places and the sources that the parts state."""
        parts = zip(self._prefixes, self._parts, self._readers, strict=True)
        identities = (f"[{prefix} {part.source}: {reader.identity}]" for prefix, part, reader in parts)
        return f"{_SEVERAL} 2; {' '.join(identities)}"

    def size(self) -> int:
        """Bytes of all parts."""
        return sum(reader.size() for reader in self._readers)

    def file_notes(self) -> list[str]:
        """The notes of all parts, each with the path of its part."""
        parts = zip(self._parts, self._readers, strict=True)
        return [f"{part.path}: {note}" for part, reader in parts for note in reader.file_notes()]

    def blocks(self) -> list[Block]:
        """The blocks of the parts, in order."""
        return [
            replace(block, files=(str(number), *block.files))
            for number, reader in enumerate(self._readers, 1)
            for block in reader.blocks()
        ]

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]:
        """The entries of all parts, or of one block of a part."""
        if block is None:
            for number, reader in enumerate(self._readers, 1):
                yield from (self._labelled(entry, number) for entry in reader.read())
            return
        number, of_part = int(block.files[0]), replace(block, files=block.files[1:])
        yield from (self._labelled(entry, number) for entry in self._readers[number - 1].read(of_part))

    def _labelled(self, entry: RawArticle | Unreadable, number: int) -> RawArticle | Unreadable:
        place = f"{self._prefixes[number - 1]}{entry.place}"
        if isinstance(entry, Unreadable):
            return msgspec.structs.replace(entry, place=place)
        return msgspec.structs.replace(
            entry,
            place=place,
            id=place if entry.id == entry.place else entry.id,
            source=entry.source or self._parts[number - 1].source,
        )

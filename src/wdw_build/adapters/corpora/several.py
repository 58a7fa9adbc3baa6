"""Reads several corpora, each with a reader and options of its own, one after another, as one corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.adapters.corpora.reading.base import FileCorpus, NonEmpty, ReaderOptions, decode_options
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.ports import Block, CorpusReader, WithCode
from wdw_build.records import RawArticle, Unreadable

_NAME = "several"
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
        self._parts = decode_options(_NAME, options, SeveralOptions).parts
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
        each = enumerate(zip(self._parts, self._readers, strict=True))
        return [(f"corpus.options.parts[{number}].options", part.options, reader) for number, (part, reader) in each]

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
        each = zip(self._prefixes, self._parts, self._readers, strict=True)
        return f"{_NAME} 2; {' '.join(f'[{prefix} {part.source}: {reader.identity}]' for prefix, part, reader in each)}"

    def size(self) -> int:
        """Bytes of all parts."""
        return sum(reader.size() for reader in self._readers)

    def file_notes(self) -> list[str]:
        """The notes of all parts, each with the path of its part."""
        each = zip(self._parts, self._readers, strict=True)
        return [f"{part.path}: {note}" for part, reader in each for note in reader.file_notes()]

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

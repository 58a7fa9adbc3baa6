"""Reads several corpora, each with a reader and options of its own, one after another, as one corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.adapters.corpora.reading.base import NonEmpty, ReaderOptions, decode_options
from wdw_build.errors import ConfigError
from wdw_build.ports import Block, CorpusReader
from wdw_build.records import RawArticle, Unreadable

_NAME = "several"
MakeReader = Callable[[str, Path, Mapping[str, object]], Any]


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


@dataclass(frozen=True)
class _Opened:
    """A part and its reader. ``label`` begins its places, because two parts may have files of the same name."""

    label: str
    part: Part
    reader: CorpusReader


class Several:
    """The parts as one corpus. Raises the errors of their readers, and ``ConfigError`` if two parts read the same file."""

    def __init__(self, path: Path, options: Mapping[str, object], make_reader: MakeReader) -> None:
        parts = decode_options(_NAME, options, SeveralOptions).parts
        if not parts:
            raise ConfigError(
                "corpus.options.parts is empty",
                hint="name the corpora: [{reader: csv, path: a.csv}, {reader: jsonl, …}]",
            )
        self._parts = [
            _Opened(str(number), part, make_reader(part.reader, path / part.path, part.options))
            for number, part in enumerate(parts, 1)
        ]
        self._of_file = _files(self._parts)

    @property
    def identity(self) -> str:
        """The identities of the readers, in order, with the sources that the parts state."""
        parts = (f"[{opened.part.source}: {opened.reader.identity}]" for opened in self._parts)
        return f"{_NAME} 1; {' '.join(parts)}"

    def size(self) -> int:
        """Bytes of all parts."""
        return sum(opened.reader.size() for opened in self._parts)

    def blocks(self) -> list[Block]:
        """The blocks of the parts, in order."""
        return [block for opened in self._parts for block in opened.reader.blocks()]

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]:
        """The entries of all parts, or of one block of a part; places and ids by place begin with the part's number."""
        chosen = self._parts if block is None else [self._of_file[block.files[0]]]
        for opened in chosen:
            for entry in opened.reader.read(block):
                yield _labelled(entry, opened)


def _files(parts: Sequence[_Opened]) -> dict[str, _Opened]:
    """The part of each file; a reader without files names its blocks instead."""
    of_file: dict[str, _Opened] = {}
    for opened in parts:
        found = getattr(opened.reader, "files", None)
        names = (
            map(str, found) if found is not None else (name for block in opened.reader.blocks() for name in block.files)
        )
        for name in names:
            other = of_file.setdefault(name, opened)
            if other is not opened:
                raise ConfigError(
                    f"corpus.options.parts: parts {other.label} and {opened.label} both read {name}",
                    hint="give each part a different path",
                )
    return of_file


def _labelled(entry: RawArticle | Unreadable, opened: _Opened) -> RawArticle | Unreadable:
    place = f"{opened.label}/{entry.place}"
    if isinstance(entry, Unreadable):
        return msgspec.structs.replace(entry, place=place)
    return msgspec.structs.replace(
        entry,
        place=place,
        id=place if entry.id == entry.place else entry.id,
        source=entry.source or opened.part.source,
    )

"""Data sets of the library ``datasets``: a folder that ``save_to_disk`` wrote, or a set of the hub by name and commit.

Of a set with several splits, all are read or those that are named. A set of the hub is kept in ``corpus.path``, and is
named by its commit, so that the same corpus is read next year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wdw_build.adapters.corpora.parquet import ROWS
from wdw_build.adapters.corpora.reading.base import FileCorpus, decode_options, stated
from wdw_build.adapters.corpora.reading.files import entries
from wdw_build.adapters.corpora.reading.libraries import versions
from wdw_build.adapters.corpora.reading.mapping import MappedOptions, article, columns
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.records import RawArticle, Unreadable

_COMMIT = re.compile(r"[0-9a-f]{40}")


class HfOptions(MappedOptions, frozen=True):
    """Options of the reader ``hf``. ``name``, ``configuration`` and ``revision`` are for a set of the hub."""

    name: str = ""
    configuration: str = ""
    revision: str = ""
    splits: tuple[str, ...] = ()


def hf_reader(path: Path, options: Mapping[str, object]) -> SavedSet | HubSet:
    """The reader of a set on disk, or of one of the hub if the options name it."""
    return HubSet(path, options) if "name" in options else SavedSet(path, options)


def _rows(data: Any, place: str, options: HfOptions) -> Iterator[RawArticle | Unreadable]:
    """The articles of one split; places count rows."""
    import pyarrow as pa

    number = 0
    try:
        tables = data.select_columns(columns(options.fields, data.column_names)).with_format("arrow")
        for table in tables.iter(batch_size=ROWS):
            for row in table.to_pylist():
                number += 1
                yield article(row, f"{place}:{number}", options)
    except (pa.ArrowException, ValueError) as error:
        yield Unreadable(place=place, error=f"damaged from row {number + 1} on: {error}")


class SavedSet(FileCorpus[HfOptions]):
    """Reads what ``Dataset.save_to_disk`` or ``DatasetDict.save_to_disk`` wrote: every folder that holds .arrow files."""

    name = "hf"
    version = 1
    suffixes = (".arrow", ".json")
    packed = ("",)
    needs = ("hf", "datasets", "pyarrow")
    from_stdin = False
    options_type = HfOptions

    def choose(self, files: list[Path]) -> list[Path]:
        """The files of the splits that are wanted."""
        splits = {file.parent.name: None for file in files if file.suffix == ".arrow"}
        if not splits:
            raise MissingResourceError(
                f"{self._path} holds no .arrow file", hint="Give a folder that save_to_disk wrote."
            )
        wanted = chosen(self.options.splits, list(splits))
        return [file for file in files if file.parent.name in wanted]

    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of the folder that the file is the first of; the library reads folders, not files."""
        from datasets import load_from_disk

        names = [entry.name for entry in entries(file.parent) if entry.name.endswith(".arrow")]
        if file.name != min(names, default=file.name):
            return
        split = str(Path(place).parent) if "/" in place else "data"
        try:
            data = load_from_disk(file.parent)
        except (OSError, ValueError, KeyError, TypeError) as error:
            yield Unreadable(place=split, error=f"damaged data set: {error}")
        else:
            yield from _rows(data, split, self.options)


def chosen(wanted: tuple[str, ...], known: list[str]) -> list[str]:
    """The splits to read: those that are wanted, or all. Raises ``ConfigError`` for one that there is not."""
    if unknown := [name for name in wanted if name not in known]:
        raise ConfigError(f"corpus.options.splits: no split {unknown[0]!r}", hint=f"Splits: {', '.join(known)}.")
    return list(wanted or known)


class HubSet:
    """Reads a set of the hub, fetched once into ``corpus.path``."""

    def __init__(self, path: Path, options: Mapping[str, object]) -> None:
        self.options = decode_options("hf", options, HfOptions)
        self._folder = path
        if not _COMMIT.fullmatch(self.options.revision):
            raise ConfigError(
                f"corpus.options.revision: {self.options.revision!r} is no commit",
                hint="Give the 40 digits of a commit of the data set: a name or a branch may hold something else tomorrow.",
            )

    @property
    def identity(self) -> str:
        """Name, commit and options: the commit stands for the content."""
        libraries = versions("hf", "datasets", "pyarrow")
        return f"hf {SavedSet.version}; {libraries}; options {stated(self.options)}"

    def size(self) -> int:
        """Not known before it is fetched."""
        return 0

    def read(self) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of each split in turn. Raises ``MissingResourceError`` if the set cannot be fetched."""
        sets = self._fetch()
        for split in chosen(self.options.splits, list(sets)):
            yield from _rows(sets[split], f"{self.options.name}/{split}", self.options)

    def _fetch(self) -> Mapping[str, Any]:
        from datasets import load_dataset

        options = self.options
        try:
            found: Mapping[str, Any] = load_dataset(
                options.name, options.configuration or None, revision=options.revision, cache_dir=str(self._folder)
            )
        # Every fault of the network, the hub, the name and the set's files comes as another class of error.
        except Exception as error:
            raise MissingResourceError(
                f"Cannot fetch the data set {options.name} at {options.revision}: {type(error).__name__}: {error}",
                hint="Check name, revision and network, or save the set with save_to_disk where there is one.",
            ) from error
        return found

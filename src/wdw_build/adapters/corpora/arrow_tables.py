"""Reads tables in Arrow's forms: Parquet files, and datasets of the library ``datasets``. One article per row.

Only the columns that the configuration names are loaded, a few rows at a time. The format is read from its end, so a
Parquet file cannot be compressed as a whole or come from standard input. It stores texts as UTF-8, whatever the option
``encoding`` says.

A dataset is a folder written by ``save_to_disk``, or is on the Hugging Face hub. The reader takes all splits, or those that
the options name. It downloads a dataset on the hub to ``corpus.path``, by its commit, so that the corpus stays the same.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wdw_build.adapters.corpora.reading.base import BLOCK_BYTES, FileCorpus, changed_options, decode_options
from wdw_build.adapters.corpora.reading.files import entries
from wdw_build.adapters.corpora.reading.mapping import MappedOptions, Row, RowFiles, RowOptions, article, columns
from wdw_build.adapters.corpora.reading.streams import HARMLESS
from wdw_build.core.installed import versions_together
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.ports import END, WHOLE, Block, FileRange
from wdw_build.records import RawArticle, Unreadable

# Rows read at once. Few, because a text may be long; more are hardly faster.
ROWS = 64


class ParquetReader(RowFiles[RowOptions]):
    """Reads .parquet."""

    name = "parquet"
    version = 2
    suffixes = (".parquet",)
    packed = ("",)
    needs = ("pyarrow",)
    from_stdin = False
    options_type = RowOptions
    _all_columns = False

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of consecutive row groups."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(file) as table:
                self._check_size(table.metadata)
                return _row_groups(table.metadata, self.block_bytes)
        except (pa.ArrowException, ValueError) as error:
            raise EOFError(str(error)) from error

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield the needed columns of every row of a span. A place holds the number of the row.

        The rest of a damaged row group is lost.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        # The library raises these, besides OSError, for damaged files.
        damage = (pa.ArrowException, ValueError, OverflowError)
        before = span.before
        try:
            with pq.ParquetFile(file, memory_map=True, pre_buffer=False) as table:
                self._check_size(table.metadata)
                for group in range(span.start, min(span.end, table.num_row_groups)):
                    number = before
                    before += table.metadata.row_group(group).num_rows
                    try:
                        for row in self._rows(table, group):
                            number += 1
                            yield Row(f"{place}:{number}", row)
                        if number < before:
                            raise EOFError("the columns have fewer rows than the row group")
                    except (OSError, EOFError, *damage) as error:
                        lost = f"rows {number + 1} to {before} are lost: {error}"
                        yield Unreadable(place=f"{place}:{number + 1}", error=f"damaged row group, {lost}")
        except damage as error:
            raise EOFError(str(error)) from error

    def first_rows(self, count: int) -> list[Mapping[str, Any]]:
        """See ``RowFiles.first_rows``; with all columns."""
        self._all_columns = True
        try:
            return super().first_rows(count)
        finally:
            self._all_columns = False

    def _rows(self, table: Any, group: int) -> Iterator[dict[str, Any]]:
        names = table.schema_arrow.names
        wanted = names if self._all_columns or self.row_function else columns(self.options.fields, names)
        for batch in table.iter_batches(batch_size=ROWS, row_groups=[group], columns=wanted, use_threads=False):
            yield from batch.to_pylist()

    def _check_size(self, metadata: Any) -> None:
        """Raise ``OSError`` if the declared size of a column exceeds ``max_unpack_ratio`` times its stored size."""
        for group in range(metadata.num_row_groups):
            for position in range(metadata.num_columns):
                column = metadata.row_group(group).column(position)
                size = column.total_uncompressed_size
                if size > HARMLESS and size > self.options.max_unpack_ratio * column.total_compressed_size:
                    raise OSError(
                        f"column {column.path_in_schema} unpacks to more than {self.options.max_unpack_ratio:g} times "
                        "its size; corpus.options.max_unpack_ratio sets the limit"
                    )


def _row_groups(metadata: Any, target: int) -> list[FileRange]:
    """Spans of consecutive row groups with at least ``target`` bytes, uncompressed."""
    spans = []
    start = size = rows = before = 0
    for group in range(metadata.num_row_groups):
        size += metadata.row_group(group).total_byte_size
        rows += metadata.row_group(group).num_rows
        if size >= target:
            spans.append(FileRange(start, group + 1, before))
            start, size, before = group + 1, 0, rows
    if size or not spans:
        spans.append(FileRange(start, END, before))
    return spans


# ---- datasets ---------------------------------------------------------------------------------------------------------


# The errors that the library raises for damaged files.
_DAMAGED = (OSError, ValueError, KeyError, TypeError, AttributeError)
_COMMIT = re.compile(r"[0-9a-f]{40}")


class HfOptions(MappedOptions, frozen=True):
    """Options of the reader ``hf``."""

    name: str = ""
    """The name of a dataset on the hub; empty: ``corpus.path`` is a folder that ``save_to_disk`` wrote."""
    configuration: str = ""
    """The configuration of a dataset on the hub, if it has several."""
    revision: str = ""
    """The commit of a dataset on the hub, as 40 hexadecimal digits; required."""
    splits: tuple[str, ...] = ()
    """The splits to read; empty: all."""


def hf_reader(path: Path, options: Mapping[str, object]) -> SavedDataset | HubDataset:
    """The reader of a dataset on the hub if the options name one, else of a dataset on disk."""
    return HubDataset(path, options) if "name" in options else SavedDataset(path, options)


def _rows(data: Any, place: str, options: HfOptions, span: FileRange = WHOLE) -> Iterator[RawArticle | Unreadable]:
    """The articles of a span of one split. A place holds the number of the row. Damaged rows are lost, ``ROWS`` at a time."""
    import pyarrow as pa

    wanted = data.select_columns(columns(options.fields, data.column_names)).with_format("arrow")
    for start in range(span.start, min(span.end, len(data)), ROWS):
        try:
            table = wanted[start : start + ROWS]
            # Damaged offsets would end the process.
            table.validate(full=True)
            rows = table.to_pylist()
        except (pa.ArrowException, ValueError, OverflowError, SystemError) as error:
            lost = f"rows {start + 1} to {min(start + ROWS, len(data))}"
            yield Unreadable(place=f"{place}:{start + 1}", error=f"damaged, {lost} are lost: {error}")
            continue
        for number, row in enumerate(rows, start + 1):
            yield article(row, f"{place}:{number}", options)


def _blocks(name: str, rows: int, size: int, target: int) -> list[Block]:
    """Blocks of rows of about ``target`` bytes; each but the last holds a multiple of ``ROWS``."""
    in_block = max(1, rows * target // max(1, size) // ROWS) * ROWS
    starts = range(0, max(1, rows), in_block)
    return [Block((name,), FileRange(start, start + in_block), size // len(starts)) for start in starts]


class SavedDataset(FileCorpus[HfOptions]):
    """Reads every folder with .arrow files, as ``Dataset.save_to_disk`` and ``DatasetDict.save_to_disk`` write them."""

    name = "hf"
    version = 2
    suffixes = (".arrow", ".json")
    packed = ("",)
    needs = ("datasets", "pyarrow")
    from_stdin = False
    options_type = HfOptions

    def choose(self, files: list[Path]) -> list[Path]:
        """The files of the selected splits."""
        splits = {file.parent.name: None for file in files if file.suffix == ".arrow"}
        if not splits:
            raise MissingResourceError(
                f"{self._path} holds no .arrow file", hint="set corpus.path to a folder that save_to_disk wrote"
            )
        selected = selected_splits(self.options.splits, list(splits))
        return [file for file in files if file.parent.name in selected]

    def blocks(self) -> list[Block]:
        """The rows of each folder in blocks. A block names the first file of its folder: the library reads folders."""
        from datasets import load_from_disk

        blocks = []
        for folder, files in itertools.groupby(self.files, key=lambda file: file.parent):
            first, *others = files
            size = sum(map(self._size, (first, *others)))
            try:
                rows = len(load_from_disk(folder))
            except _DAMAGED:
                rows = 0
            blocks += _blocks(str(first), rows, size, self.block_bytes)
        return blocks

    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles in a span of the folder's rows, for its first file only."""
        from datasets import load_from_disk

        names = [entry.name for entry in entries(file.parent) if entry.name.endswith(".arrow")]
        if file.name != min(names, default=file.name):
            return
        split = str(Path(place).parent) if "/" in place else "data"
        try:
            data = load_from_disk(file.parent)
        except _DAMAGED as error:
            yield Unreadable(place=split, error=f"damaged dataset: {error}")
        else:
            yield from _rows(data, split, self.options, span)


def selected_splits(wanted: tuple[str, ...], existing: list[str]) -> list[str]:
    """The splits to read: the wanted ones, or all if none are named. Raises ``ConfigError`` for an unknown split."""
    if unknown := [name for name in wanted if name not in existing]:
        raise ConfigError(f"corpus.options.splits: no split {unknown[0]!r}", hint=f"Splits: {', '.join(existing)}.")
    return list(wanted or existing)


class HubDataset:
    """Reads a dataset on the hub, downloaded once to ``corpus.path``."""

    def __init__(self, path: Path, options: Mapping[str, object]) -> None:
        self.options = decode_options("hf", options, HfOptions)
        self._folder = path
        if not _COMMIT.fullmatch(self.options.revision):
            raise ConfigError(
                f"corpus.options.revision: {self.options.revision!r} is not a commit",
                hint="Give the 40 hexadecimal digits of a commit; what a branch or a tag names may change.",
            )

    @property
    def identity(self) -> str:
        """Name, libraries and options; the commit among the options identifies the content."""
        libraries = versions_together("datasets", "pyarrow")
        return f"hf {SavedDataset.version}; {libraries}; options {changed_options(self.options)}"

    def size(self) -> int:
        """0: the size is unknown before the download."""
        return 0

    def blocks(self) -> list[Block]:
        """The rows of each split in blocks. Raises ``MissingResourceError`` if the download fails."""
        splits = self._splits().items()
        return [block for name, data in splits for block in _blocks(name, len(data), data.data.nbytes, BLOCK_BYTES)]

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of each split in turn, or of one block. Raises ``MissingResourceError`` like ``blocks``."""
        splits = self._splits()
        for split in block.files if block else splits:
            span = block.span if block else WHOLE
            yield from _rows(splits[split], f"{self.options.name}/{split}", self.options, span)

    def _splits(self) -> dict[str, Any]:
        """The selected splits by name, downloaded if they are not there."""
        from datasets import load_dataset

        options = self.options
        try:
            splits = load_dataset(
                options.name, options.configuration or None, revision=options.revision, cache_dir=str(self._folder)
            )
        # Faults of the network, the hub, the name and the files raise errors of many classes.
        except Exception as error:
            raise MissingResourceError(
                f"Cannot download the dataset {options.name} at {options.revision}: {type(error).__name__}: {error}",
                hint="Check the name, the revision and the network; or save the dataset with save_to_disk and name its folder.",
            ) from error
        return {name: splits[name] for name in selected_splits(options.splits, list(splits))}

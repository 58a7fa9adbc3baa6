"""Reads tables in Arrow's forms: Parquet files, and datasets that the library ``datasets`` saved. One article per row.

Only the columns that the configuration names are loaded, a few rows at a time. The formats are read from their ends or
mapped into memory, so a file cannot be compressed as a whole. They store texts as UTF-8, whatever the option ``encoding`` says.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.adapters.corpora.reading.mapping import Row, RowFiles, RowOptions, RowT, columns
from wdw_build.adapters.corpora.reading.streams import HARMLESS
from wdw_build.errors import ConfigError
from wdw_build.ports import END, FileRange
from wdw_build.records import Unreadable

# Rows read at once. Few, because a text may be long; more are hardly faster.
ROWS = 64


class _Part(NamedTuple):
    """Consecutive rows of a file: their bytes, their number, and a function that reads the named columns in batches."""

    size: int
    rows: int
    schema: Any
    read: Callable[[list[str]], Iterator[Any]]


class _Tables(RowFiles[RowT]):
    """A reader of files that hold columns; a subclass implements ``parts``."""

    packed = ("",)
    needs = ("pyarrow",)
    _all_columns = False

    @abstractmethod
    def parts(self, file: Path) -> Iterator[_Part]:
        """Yield the parts of a file, in order."""

    def origin(self, file: Path, place: str) -> tuple[str, int]:
        """The beginning of the places of rows in a file, and the rows of earlier files that they count."""
        return place, 0

    def first_rows(self, count: int) -> list[Row | Unreadable]:
        """See ``RowFiles.first_rows``; with all columns."""
        self._all_columns = True
        try:
            return super().first_rows(count)
        finally:
            self._all_columns = False

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of consecutive parts with at least ``block_bytes``."""
        spans = []
        start = end = size = rows = before = 0
        for part in self._parts(file):
            end, size, rows = end + 1, size + part.size, rows + part.rows
            if size >= self.block_bytes:
                spans.append(FileRange(start, end, before))
                start, size, before = end, 0, rows
        if size or not spans:
            spans.append(FileRange(start, END, before))
        return spans

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield the needed columns of every row of a span. A place holds the number of the row.

        The rest of a damaged part is lost.
        """
        place, earlier = self.origin(file, place)
        number = earlier + span.before
        for position, part in enumerate(self._parts(file)):
            if not span.start <= position < span.end:
                continue
            end = number + part.rows
            try:
                for row in self._rows(part):
                    number += 1
                    yield Row(f"{place}:{number}", row)
                if number < end:
                    raise EOFError("the columns have fewer rows than the row group")
            except _damage() as error:
                lost = f"rows {number + 1} to {end} are lost: {error}"
                yield Unreadable(place=f"{place}:{number + 1}", error=f"damaged row group, {lost}")
                number = end

    def _parts(self, file: Path) -> Iterator[_Part]:
        """The parts of a file. Raises ``EOFError`` for a damaged file."""
        try:
            yield from self.parts(file)
        except OSError:
            raise
        except _damage() as error:
            raise EOFError(str(error)) from error

    def _rows(self, part: _Part) -> Iterator[dict[str, Any]]:
        names: list[str] = part.schema.names
        needs_all = self._all_columns or self.row_function or self.options.items
        labels = _label_names(part.schema)
        for batch in part.read(names if needs_all else columns(self.options.fields, names)):
            yield from _with_labels(batch.to_pylist(), labels)


def _damage() -> tuple[type[Exception], ...]:
    """The errors that the library raises for damaged files."""
    import pyarrow as pa

    return OSError, EOFError, pa.ArrowException, ValueError, OverflowError, SystemError


class ParquetReader(_Tables[RowOptions]):
    """Reads .parquet."""

    name = "parquet"
    version = 3
    suffixes = (".parquet",)
    options_type = RowOptions

    def parts(self, file: Path) -> Iterator[_Part]:
        """Yield the row groups. Raises ``OSError`` if a column unpacks to far more than its size."""
        import pyarrow.parquet as pq

        with pq.ParquetFile(file, memory_map=True, pre_buffer=False) as table:
            self._check_size(table.metadata)
            for group in range(table.num_row_groups):
                metadata = table.metadata.row_group(group)
                yield _Part(metadata.total_byte_size, metadata.num_rows, table.schema_arrow, _reads(table, group))

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


def _reads(table: Any, group: int) -> Callable[[list[str]], Iterator[Any]]:
    return lambda names: table.iter_batches(batch_size=ROWS, row_groups=[group], columns=names, use_threads=False)


class HfOptions(RowOptions, frozen=True):
    """Options of the reader ``hf``."""

    splits: tuple[str, ...] = ()
    """The splits to read; empty: all."""


class HfReader(_Tables[HfOptions]):
    """Reads every folder with .arrow files, as ``Dataset.save_to_disk`` and ``DatasetDict.save_to_disk`` write them."""

    name = "hf"
    version = 3
    suffixes = (".arrow",)
    options_type = HfOptions

    def choose(self, files: list[Path]) -> list[Path]:
        """The files of the selected splits. Raises ``ConfigError`` for an unknown split."""
        existing = list(dict.fromkeys(file.parent.name for file in files))
        wanted = self.options.splits or existing
        if unknown := [name for name in wanted if name not in existing]:
            raise ConfigError(f"corpus.options.splits: no split {unknown[0]!r}", hint=f"Splits: {', '.join(existing)}.")
        return [file for file in files if file.parent.name in wanted]

    def origin(self, file: Path, place: str) -> tuple[str, int]:
        """The split, whose rows are counted over all of its files."""
        earlier = (other for other in self.files if other.parent == file.parent and other < file)
        rows = sum(part.rows for other in earlier for part in self._parts(other))
        return (str(Path(place).parent) if "/" in place else "data"), rows

    def parts(self, file: Path) -> Iterator[_Part]:
        """Yield the batches of rows, which are mapped into memory and not loaded."""
        import pyarrow as pa

        with pa.memory_map(str(file)) as source, pa.ipc.open_stream(source) as stream:
            for batch in stream:
                yield _Part(batch.nbytes, batch.num_rows, batch.schema, _slices(batch))


def _slices(batch: Any) -> Callable[[list[str]], Iterator[Any]]:
    def read(names: list[str]) -> Iterator[Any]:
        # Damaged offsets would end the process.
        batch.validate(full=True)
        return (batch.select(names).slice(start, ROWS) for start in range(0, batch.num_rows, ROWS))

    return read


def _label_names(schema: Any) -> dict[str, list[str]]:
    """The names of the numbers in columns of class labels, which ``datasets`` stores beside the schema."""
    info = json.loads((schema.metadata or {}).get(b"huggingface", b"{}")).get("info") or {}
    features = info.get("features", {}).items()
    labels = {name: feature.get("names") for name, feature in features if isinstance(feature, dict)}
    return {name: texts for name, texts in labels.items() if texts}


def _with_labels(rows: list[dict[str, Any]], names: dict[str, list[str]]) -> list[dict[str, Any]]:
    for column in names:
        for row in rows:
            if isinstance(number := row.get(column), int):
                row[column] = names[column][number] if 0 <= number < len(names[column]) else None
    return rows

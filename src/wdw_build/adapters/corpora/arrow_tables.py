"""Reads tables in Arrow's forms: Parquet files, and datasets that the library ``datasets`` saved. One article per row.

Only the columns that the configuration names are loaded, a few rows at a time. The formats are read from their ends or
mapped into memory, so a file cannot be compressed as a whole or come from standard input. They store texts as UTF-8,
whatever the option ``encoding`` says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from wdw_build.adapters.corpora.reading.mapping import Row, RowFiles, RowOptions, RowT, columns
from wdw_build.adapters.corpora.reading.streams import HARMLESS
from wdw_build.errors import ConfigError
from wdw_build.ports import END, FileRange
from wdw_build.records import Unreadable

# Rows read at once. Few, because a text may be long; more are hardly faster.
ROWS = 64


class _Tables(RowFiles[RowT]):
    """A reader of files that hold columns."""

    packed = ("",)
    needs = ("pyarrow",)
    from_stdin = False
    _all_columns = False

    def first_rows(self, count: int) -> list[Row | Unreadable]:
        """See ``RowFiles.first_rows``; with all columns."""
        self._all_columns = True
        try:
            return super().first_rows(count)
        finally:
            self._all_columns = False

    def _wanted(self, schema: Any) -> list[str]:
        names: list[str] = schema.names
        needs_all = self._all_columns or self.row_function or self.options.items
        return names if needs_all else columns(self.options.fields, names)


class ParquetReader(_Tables[RowOptions]):
    """Reads .parquet."""

    name = "parquet"
    version = 3
    suffixes = (".parquet",)
    options_type = RowOptions

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of consecutive row groups with at least ``block_bytes``, uncompressed."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(file) as table:
                self._check_size(table.metadata)
                groups = map(table.metadata.row_group, range(table.num_row_groups))
                return _grouped(((group.total_byte_size, group.num_rows) for group in groups), self.block_bytes)
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

    def _rows(self, table: Any, group: int) -> Iterator[dict[str, Any]]:
        wanted, labels = self._wanted(table.schema_arrow), _label_names(table.schema_arrow)
        for batch in table.iter_batches(batch_size=ROWS, row_groups=[group], columns=wanted, use_threads=False):
            yield from _with_labels(batch.to_pylist(), labels)

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

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of consecutive batches of rows."""
        sizes = ((batch.nbytes, batch.num_rows) for batch in _batches(file))
        return _grouped(sizes, self.block_bytes)

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield the needed columns of every row of a span. A place holds the split and the number of the row in it."""
        import pyarrow as pa

        split = str(Path(place).parent) if "/" in place else "data"
        earlier = (other for other in self.files if other.parent == file.parent and other < file)
        number = sum(batch.num_rows for other in earlier for batch in _batches(other)) + span.before
        for position, batch in enumerate(_batches(file)):
            if not span.start <= position < span.end:
                continue
            end = number + batch.num_rows
            try:
                # Damaged offsets would end the process.
                batch.validate(full=True)
                wanted, labels = batch.select(self._wanted(batch.schema)), _label_names(batch.schema)
                for start in range(0, batch.num_rows, ROWS):
                    for row in _with_labels(wanted.slice(start, ROWS).to_pylist(), labels):
                        number += 1
                        yield Row(f"{split}:{number}", row)
            except (pa.ArrowException, ValueError, OverflowError, SystemError) as error:
                lost = f"rows {number + 1} to {end} are lost: {error}"
                yield Unreadable(place=f"{split}:{number + 1}", error=f"damaged, {lost}")
                number = end


def _batches(file: Path) -> Iterator[Any]:
    """The batches of rows of a file, which are mapped and not loaded. Raises ``EOFError`` for a damaged file."""
    import pyarrow as pa

    try:
        with pa.memory_map(str(file)) as source, pa.ipc.open_stream(source) as stream:
            yield from stream
    except (pa.ArrowException, ValueError) as error:
        raise EOFError(str(error)) from error


def _grouped(parts: Iterable[tuple[int, int]], target: int) -> list[FileRange]:
    """Spans of consecutive parts, each given with its bytes and rows, of at least ``target`` bytes."""
    spans = []
    start = end = size = rows = before = 0
    for part_size, part_rows in parts:
        end, size, rows = end + 1, size + part_size, rows + part_rows
        if size >= target:
            spans.append(FileRange(start, end, before))
            start, size, before = end, 0, rows
    if size or not spans:
        spans.append(FileRange(start, END, before))
    return spans


def _label_names(schema: Any) -> dict[str, list[str]]:
    """The names of the numbers in columns of class labels, which ``datasets`` stores beside the schema."""
    info = json.loads((schema.metadata or {}).get(b"huggingface", b"{}")).get("info") or {}
    features = info.get("features", {}).items()
    return {name: feature["names"] for name, feature in features if isinstance(feature, dict) and "names" in feature}


def _with_labels(rows: list[dict[str, Any]], names: dict[str, list[str]]) -> list[dict[str, Any]]:
    for column in names:
        for row in rows:
            if isinstance(number := row.get(column), int):
                row[column] = names[column][number] if 0 <= number < len(names[column]) else None
    return rows

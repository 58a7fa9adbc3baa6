"""Reads Parquet files: one article a row, in columns that the configuration names.

The reader loads only the columns it needs, a few rows at a time. The format is read from its end, so a file cannot be
compressed as a whole or come from standard input. It stores texts as UTF-8, whatever the option ``encoding`` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wdw_build.adapters.corpora.reading.mapping import Row, RowFiles, RowOptions, columns
from wdw_build.adapters.corpora.reading.streams import HARMLESS
from wdw_build.ports import END, FileRange
from wdw_build.records import Unreadable

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

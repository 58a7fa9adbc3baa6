"""Reads Parquet files: one article a row, in columns that the configuration names.

The reader loads only the columns it needs, a few rows at a time. The format is read from its end, so a file cannot be
compressed as a whole or come from standard input.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wdw_build.adapters.corpora.reading.base import FileCorpus
from wdw_build.adapters.corpora.reading.mapping import MappedOptions, article, columns
from wdw_build.adapters.corpora.reading.streams import HARMLESS
from wdw_build.records import RawArticle, Unreadable

# Rows read at once. Few, because a text may be long; more are hardly faster.
ROWS = 64


class ParquetOptions(MappedOptions, frozen=True):
    """Options of the reader ``parquet``. The format stores texts as UTF-8, whatever ``encoding`` says."""


class ParquetReader(FileCorpus[ParquetOptions]):
    """Reads .parquet."""

    name = "parquet"
    version = 1
    suffixes = (".parquet",)
    packed = ("",)
    needs = ("parquet", "pyarrow")
    from_stdin = False
    options_type = ParquetOptions

    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every row. A place holds the number of the row."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        number = 0
        try:
            with pq.ParquetFile(file, memory_map=True, pre_buffer=False) as table:
                self._check_size(table.metadata)
                wanted = columns(self.options.fields, table.schema_arrow.names)
                for batch in table.iter_batches(batch_size=ROWS, columns=wanted, use_threads=False):
                    for row in batch.to_pylist():
                        number += 1
                        yield article(row, f"{place}:{number}", self.options)
        except (pa.ArrowException, ValueError) as error:
            # The library raises these, besides OSError, for damaged files.
            raise EOFError(f"row {number + 1}: {error}") from error

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

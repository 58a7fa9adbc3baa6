"""Parquet files, one article a row, with the columns' names given by the configuration.

Only the columns that are asked for are read, a few rows at a time. A file is read from its end, so it can neither be
compressed as a whole nor come from standard input.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wdw_build.adapters.corpora.reading.base import FileCorpus
from wdw_build.adapters.corpora.reading.mapping import MappedOptions, article, columns
from wdw_build.adapters.corpora.reading.streams import HARMLESS
from wdw_build.records import RawArticle, Unreadable

# Few, because a single text may be long; more are hardly faster.
ROWS = 64


class ParquetOptions(MappedOptions, frozen=True):
    """Options of the reader ``parquet``; texts are UTF-8 by the format."""


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
        """Yield an article, or why there is none, for every row; places count rows."""
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
            # An OSError is damage as for all readers; these are how the library speaks of it otherwise.
            raise EOFError(f"row {number + 1}: {error}") from error

    def _check_size(self, metadata: Any) -> None:
        """Raise ``OSError`` if a column says that it unpacks to far more than it is."""
        for group in range(metadata.num_row_groups):
            for position in range(metadata.num_columns):
                column = metadata.row_group(group).column(position)
                size = column.total_uncompressed_size
                if size > HARMLESS and size > self.options.max_unpack_ratio * column.total_compressed_size:
                    raise OSError(
                        f"column {column.path_in_schema} unpacks to more than {self.options.max_unpack_ratio:g} times "
                        "its size; corpus.options.max_unpack_ratio is the bound"
                    )

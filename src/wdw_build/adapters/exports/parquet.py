"""Tables: Parquet with a dataset card.

The columns are the fields of the JSON lines. The configurations ``strict`` and ``relaxed`` share validation and test. All
libraries are imported when asked for.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from wdw_build.adapters.exports.dataset_card import Column, FileSize, dataset_card
from wdw_build.adapters.exports.jsonl import COLUMNS, ProblemLine, problem_line
from wdw_build.adapters.exports.split_files import SplitFiles, WithRelease
from wdw_build.core.installed import installed_version
from wdw_build.records import Problem, SplitAssignment

if TYPE_CHECKING:
    import pyarrow as pa

_ROW_GROUP = 500
_FILES = SplitFiles(
    train="strict/train.parquet",
    relaxed="relaxed/train.parquet",
    validation="strict/validation.parquet",
    test="strict/test.parquet",
    alternatives="alternatives/train.parquet",
)


def _pyarrow_version() -> str:
    """The version of pyarrow, on which the bytes depend. Raises ``MissingResourceError`` if it is not installed."""
    return installed_version("pyarrow", "a Parquet export")


def _arrow_schema(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow schema of some columns."""
    import pyarrow as pa

    def field(column: Column) -> pa.Field:
        if column.type == "struct":
            return pa.field(column.name, pa.struct(map(field, column.below)))
        if column.type == "texts":
            return pa.field(column.name, pa.list_(pa.string()))
        return pa.field(column.name, pa.type_for_alias(column.type))

    return pa.schema(map(field, columns))


@contextmanager
def _table(path: Path) -> Iterator[Callable[[ProblemLine], None]]:
    """A new Parquet file, as a function that adds the row of a problem."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = _arrow_schema(COLUMNS)
    rows: list[Any] = []
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:

        def flush() -> None:
            if rows:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
                rows.clear()

        def add(line: ProblemLine) -> None:
            rows.append(msgspec.to_builtins(line, builtin_types=(dt.date,)))
            if len(rows) == _ROW_GROUP:
                flush()

        yield add
        flush()


class ParquetExporter(WithRelease):
    """Writes parquet/strict/{train,validation,test}.parquet, parquet/relaxed/train.parquet and parquet/README.md."""

    writes_alternatives = True

    @property
    def identity(self) -> str:
        """Format and version, and the version of pyarrow. Raises ``MissingResourceError`` if it is not installed."""
        return f"parquet 2 (pyarrow {_pyarrow_version()})"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files one problem at a time, and the dataset card; return the ids in each file. A file may have no rows.

        Raises ``ValueError`` for a level and split without a file, such as a relaxed problem in the test set.
        """
        _pyarrow_version()
        below = folder / "parquet"
        lines = ((placed, problem_line(problem, placed)) for problem, placed in problems)
        written = _FILES.fill(below, lines, _table)
        sizes = {name: _size(below / name) for name in written}
        (below / "README.md").write_text(dataset_card(_FILES, sizes, COLUMNS, self.release), encoding="utf-8")
        return {f"parquet/{name}": ids for name, ids in {**written, "README.md": []}.items()}


def _size(path: Path) -> FileSize:
    from pyarrow import parquet

    metadata = parquet.read_metadata(path)
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    return FileSize(metadata.num_rows, sum(group.total_byte_size for group in groups))

"""Writes Parquet with a dataset card, with which ``datasets.load_dataset`` reads the folder.

The columns are the fields of the JSON lines. The configurations ``strict`` and ``relaxed`` share validation and test.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from wdw_build.adapters.exports.columns import Column
from wdw_build.adapters.exports.dataset_card import FileSize, dataset_card
from wdw_build.adapters.exports.jsonl import COLUMNS, problem_line
from wdw_build.adapters.exports.split_files import SplitFiles
from wdw_build.core.installed import installed_version
from wdw_build.records import Problem, SplitAssignment

if TYPE_CHECKING:
    import pyarrow as pa

_ROW_GROUP = 500


def parquet_files(folder: str = "") -> SplitFiles:
    """The four files, in a folder such as ``parquet/``."""
    return SplitFiles(
        train=f"{folder}strict/train.parquet",
        relaxed=f"{folder}relaxed/train.parquet",
        validation=f"{folder}strict/validation.parquet",
        test=f"{folder}strict/test.parquet",
    )


def pyarrow_version() -> str:
    """The version of pyarrow, on which the bytes depend. Raises ``MissingResourceError`` if it is not installed."""
    return installed_version("pyarrow", "a Parquet export", "pip install 'wdw-build[parquet]'")


def _type(column: Column) -> pa.DataType:
    import pyarrow as pa

    match column.kind:
        case "struct":
            return pa.struct([pa.field(below.name, _type(below)) for below in column.below])
        case "texts":
            return pa.list_(pa.string())
        case "date":
            return pa.date32()
        case "integer":
            return pa.int64()
        case "number":
            return pa.float64()
        case "text":
            return pa.string()


def arrow_schema(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow schema of some columns."""
    import pyarrow as pa

    return pa.schema([pa.field(column.name, _type(column)) for column in columns])


class _Rows:
    """A Parquet file that is written row by row; at most ``_ROW_GROUP`` rows are in memory."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        from pyarrow import parquet

        path.parent.mkdir(parents=True, exist_ok=True)
        self._schema, self._rows = schema, list[Any]()
        self._writer = parquet.ParquetWriter(path, schema, compression="zstd")

    def add(self, row: Any) -> None:
        self._rows.append(row)
        if len(self._rows) == _ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()

    def __enter__(self) -> _Rows:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._rows:
                self._flush()
        finally:
            self._writer.close()


def write_parquet(
    folder: Path, files: SplitFiles, problems: Iterable[tuple[Problem, SplitAssignment]]
) -> dict[str, list[str]]:
    """Write the four files one problem at a time; return the ids in each file. A file may have no rows.

    Raises ``ValueError`` for a level and split without a file, such as a relaxed problem in the test set.
    """
    pyarrow_version()
    schema = arrow_schema(COLUMNS)
    written: dict[str, list[str]] = {name: [] for name in files.names}
    with ExitStack() as stack:
        tables = {name: stack.enter_context(_Rows(folder / name, schema)) for name in files.names}
        for problem, placed in problems:
            row = msgspec.to_builtins(problem_line(problem, placed), builtin_types=(dt.date,))
            for name in files.of(placed):
                tables[name].add(row)
                written[name].append(problem.id)
    return written


def _size(path: Path) -> FileSize:
    from pyarrow import parquet

    metadata = parquet.read_metadata(path)
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    return FileSize(metadata.num_rows, sum(group.total_byte_size for group in groups))


class ParquetExporter:
    """Writes parquet/strict/{train,validation,test}.parquet, parquet/relaxed/train.parquet and parquet/README.md."""

    @property
    def identity(self) -> str:
        """Format and version, and the version of pyarrow. Raises ``MissingResourceError`` if it is not installed."""
        return f"parquet 2 (pyarrow {pyarrow_version()})"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files, as ``write_parquet``, and the card."""
        written = write_parquet(folder, parquet_files("parquet/"), problems)
        sizes = {name.removeprefix("parquet/"): _size(folder / name) for name in written}
        (folder / "parquet/README.md").write_text(dataset_card(parquet_files(), sizes, COLUMNS), encoding="utf-8")
        return {**written, "parquet/README.md": []}

"""Rows as a pandas ``DataFrame`` or a Hugging Face ``Dataset``. Both libraries are optional and imported when asked for."""

from __future__ import annotations

import datetime as dt
import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from wdw_build.adapters.exports.dataset_card import columns_of
from wdw_build.adapters.exports.parquet import arrow_schema
from wdw_build.errors import MissingResourceError

if TYPE_CHECKING:
    from datasets import Dataset as Dataset
    from pandas import DataFrame as DataFrame


def to_pandas(rows: Iterable[msgspec.Struct], kind: type[msgspec.Struct]) -> DataFrame:
    """A frame with a column for each field of ``kind``; dates are ``datetime64``.

    Raises ``MissingResourceError`` if pandas is not installed.
    """
    pandas = _library("pandas")
    columns = columns_of(kind)
    frame: DataFrame = pandas.DataFrame.from_records(
        map(msgspec.structs.astuple, rows), columns=[column.name for column in columns]
    )
    for column in columns:
        if column.type == "date32":
            frame[column.name] = pandas.to_datetime(frame[column.name])
    return frame


def to_datasets(rows: Iterable[msgspec.Struct], kind: type[msgspec.Struct]) -> Dataset:
    """A dataset with a feature for each field of ``kind``. Raises ``MissingResourceError`` if ``datasets`` is not installed."""
    library = _library("datasets")
    import pyarrow as pa

    plain = [msgspec.to_builtins(row, builtin_types=(dt.date,)) for row in rows]
    table: Dataset = library.Dataset(pa.Table.from_pylist(plain, schema=arrow_schema(columns_of(kind))))
    return table


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingResourceError(
            f"the package {name} is not installed", hint="pip install 'wdw-build[hf]'"
        ) from error

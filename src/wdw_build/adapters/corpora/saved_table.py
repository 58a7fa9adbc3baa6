"""Reads a table that people saved with a spreadsheet program, as the corpus reader ``csv`` reads one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from wdw_build.adapters.corpora.reading.streams import DAMAGE, DamagedElsewhere
from wdw_build.adapters.corpora.text_rows import CsvReader
from wdw_build.errors import MissingResourceError, UsageError

_SAVE = "save the table as CSV (UTF-8)"


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table by column, without empty rows. Delimiter and encoding are found as for a corpus.

    Blanks around fields are removed. A row may lack its last fields, which then are empty. Raises ``UsageError`` if the table
    cannot be read, or if a row has more fields than there are columns.
    """
    header: list[str] = []
    try:
        for line, fields in CsvReader(path, {}).numbered_rows(path):
            if isinstance(fields, str):
                raise UsageError(f"{path}:{line}: {fields}", hint=_SAVE)
            values = [field.strip() for field in fields]
            if not header:
                header = values
            elif any(values[len(header) :]):
                raise UsageError(f"{path}:{line}: {len(values)} fields, but {len(header)} columns", hint=_SAVE)
            elif any(values):
                yield dict(itertools.zip_longest(header, values[: len(header)], fillvalue=""))
    except MissingResourceError as error:
        raise UsageError(str(error), hint="name the file with the table") from error
    except (DamagedElsewhere, *DAMAGE) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise UsageError(f"cannot read {path}: {reason}", hint=_SAVE) from error

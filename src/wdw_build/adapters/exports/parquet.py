"""Tables: Parquet with a dataset card or with Croissant 1.0 metadata (mlcommons.org/croissant).

The columns are the fields of the JSON lines. The configurations ``strict`` and ``relaxed`` share validation and test. In
the metadata, each file is a record set. A field of a struct is a subfield, which a JSON path takes from the struct's
column. The publisher must add the licence of the corpus and the date of publication.

All libraries are imported when asked for.
"""

from __future__ import annotations

import datetime as dt
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from wdw_build import __version__
from wdw_build.adapters.exports.dataset_card import TEMPLATES, Column, FileSize, dataset_card
from wdw_build.adapters.exports.jsonl import COLUMNS, problem_line
from wdw_build.adapters.exports.split_files import ABOUT_ALTERNATIVES, SplitFiles, WithRelease, release_text
from wdw_build.core.hashing import file_sha256
from wdw_build.core.installed import installed_version
from wdw_build.ports import ReleaseConfig
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
_RECORD_SETS = {
    "strict-train": _FILES.train,
    "relaxed-train": _FILES.relaxed,
    "validation": _FILES.validation,
    "test": _FILES.test,
    "alternatives-train": _FILES.alternatives,
}
_CROISSANT_TYPES = {
    "string": "sc:Text",
    "texts": "sc:Text",
    "date32": "sc:Date",
    "int64": "sc:Integer",
    "float64": "sc:Float",
}


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


def _write(folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
    """Write the files one problem at a time; return the ids in each file. A file may have no rows.

    Raises ``ValueError`` for a level and split without a file, such as a relaxed problem in the test set.
    """
    _pyarrow_version()
    import pyarrow as pa
    from pyarrow import parquet

    schema = _arrow_schema(COLUMNS)
    written: dict[str, list[str]] = {}
    rows: dict[str, list[Any]] = {}
    with ExitStack() as stack:
        writers = {}

        def begin(name: str) -> None:
            written[name], rows[name] = [], []
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            writers[name] = stack.enter_context(parquet.ParquetWriter(folder / name, schema, compression="zstd"))

        def flush(name: str) -> None:
            if rows[name]:
                writers[name].write_table(pa.Table.from_pylist(rows[name], schema=schema))
                rows[name].clear()

        for name in _FILES.names:
            begin(name)
        for problem, placed in problems:
            row = msgspec.to_builtins(problem_line(problem, placed), builtin_types=(dt.date,))
            for name in _FILES.of(placed):
                if name not in rows:
                    begin(name)
                rows[name].append(row)
                written[name].append(problem.id)
                if len(rows[name]) == _ROW_GROUP:
                    flush(name)
        for name in rows:
            flush(name)
    return written


class _TableExporter(WithRelease, ABC):
    """Base of the formats with Parquet files: a subclass describes the files in a card."""

    name: ClassVar[str]
    version: ClassVar[int]
    card: ClassVar[str]
    writes_alternatives = True

    @property
    def identity(self) -> str:
        """Format and version, and the version of pyarrow. Raises ``MissingResourceError`` if it is not installed."""
        return f"{self.name} {self.version} (pyarrow {_pyarrow_version()})"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files and the card; return the ids in each file."""
        written = {**_write(folder / self.name, problems), self.card: []}
        (folder / self.name / self.card).write_text(self.text_of_card(folder / self.name), encoding="utf-8")
        return {f"{self.name}/{file}": ids for file, ids in written.items()}

    @abstractmethod
    def text_of_card(self, folder: Path) -> str:
        """The card of the files in a folder."""


class ParquetExporter(_TableExporter):
    """Writes parquet/strict/{train,validation,test}.parquet, parquet/relaxed/train.parquet and parquet/README.md."""

    name, version, card = "parquet", 2, "README.md"

    def text_of_card(self, folder: Path) -> str:
        """See ``dataset_card``."""
        sizes = {name: _size(folder / name) for name in _written(folder)}
        return dataset_card(_FILES, sizes, COLUMNS, self.release)


def _written(folder: Path) -> list[str]:
    """The files of problems in a folder."""
    return [name for name in _RECORD_SETS.values() if (folder / name).exists()]


def _size(path: Path) -> FileSize:
    from pyarrow import parquet

    metadata = parquet.read_metadata(path)
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    return FileSize(metadata.num_rows, sum(group.total_byte_size for group in groups))


class CroissantExporter(_TableExporter):
    """Writes the Parquet files under croissant/, and croissant/croissant.json: their hashes and the fields' types."""

    name, version, card = "croissant", 3, "croissant.json"

    def text_of_card(self, folder: Path) -> str:
        """The metadata as JSON."""
        return json.dumps(_croissant(folder, self.release), indent=1, ensure_ascii=False) + "\n"


def _croissant(folder: Path, release: ReleaseConfig) -> dict[str, Any]:
    paths = {name: file for name, file in _RECORD_SETS.items() if (folder / file).exists()}
    return {
        # The context that the specification prescribes.
        "@context": json.loads((TEMPLATES / "croissant_context.json").read_text(encoding="utf-8")),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": release.title or "who-did-what",
        "description": _description(release, has_alternatives=_FILES.alternatives in paths.values()),
        "citeAs": release.citation
        or "Onishi, Wang, Bansal, Gimpel, McAllester: Who did What. EMNLP 2016. https://arxiv.org/abs/1608.05457",
        **({"license": release.licence} if release.licence else {}),
        **({"creator": [{"@type": "sc:Person", "name": name} for name in release.authors]} if release.authors else {}),
        "url": "https://arxiv.org/abs/1608.05457",
        "version": __version__,
        "distribution": [_croissant_file(folder, name, path) for name, path in paths.items()],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": name,
                "name": name,
                "key": {"@id": f"{name}/id"},
                "field": [_croissant_field(column, name, ()) for column in COLUMNS],
            }
            for name in paths
        ],
    }


def _description(release: ReleaseConfig, *, has_alternatives: bool) -> str:
    """What the dataset is, with the statements for which Croissant has no property."""
    text = (
        "Person-centred cloze problems, made by wdw-build from a newswire corpus in the way of Who did What "
        "(Onishi et al. 2016). The texts belong to the owners of the corpus."
    )
    others = release_text(
        ReleaseConfig(version=release.version, source_licence=release.source_licence, contact=release.contact)
    )
    about = ABOUT_ALTERNATIVES.format(file=_FILES.alternatives) if has_alternatives else ""
    return "\n\n".join(filter(None, (text, others.strip(), about)))


def _croissant_file(folder: Path, name: str, path: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{name}.parquet",
        "name": f"{name}.parquet",
        "contentUrl": path,
        "contentSize": f"{(folder / path).stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file_sha256(folder / path),
    }


def _croissant_field(column: Column, record_set: str, above: tuple[str, ...]) -> dict[str, Any]:
    """The metadata of a field. A field within a struct has a JSON path that starts in the struct's column."""
    path = (*above, column.name)
    name = "/".join((record_set, *path))
    field: dict[str, Any] = {"@type": "cr:Field", "@id": name, "name": name}
    if column.type == "struct":
        return field | {"subField": [_croissant_field(below, record_set, path) for below in column.below]}
    source: dict[str, Any] = {"fileObject": {"@id": f"{record_set}.parquet"}, "extract": {"column": path[0]}}
    if above:
        source["transform"] = {"jsonPath": ".".join(path[1:])}
    repeated = {"repeated": True} if column.type == "texts" else {}
    return field | {"dataType": _CROISSANT_TYPES[column.type], **repeated, "source": source}

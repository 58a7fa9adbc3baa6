"""Writes Parquet with Croissant 1.0 metadata (mlcommons.org/croissant): the files' hashes and the fields' types.

Each file is a record set. A field of a struct is a subfield, which a JSON path takes from the struct's column. The
publisher must add the licence of the corpus and the date of publication.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wdw_build import __version__
from wdw_build.adapters.exports.columns import Column
from wdw_build.adapters.exports.jsonl import COLUMNS
from wdw_build.adapters.exports.parquet import parquet_files, pyarrow_version, write_parquet
from wdw_build.core.hashing import file_sha256
from wdw_build.records import Problem, SplitAssignment

_FOLDER = "croissant"
_TYPES = {"text": "sc:Text", "texts": "sc:Text", "date": "sc:Date", "integer": "sc:Integer", "number": "sc:Float"}
# The context that the specification prescribes.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


class CroissantExporter:
    """Writes the Parquet files under croissant/, and croissant/croissant.json."""

    @property
    def identity(self) -> str:
        """Format and version, and the version of pyarrow. Raises ``MissingResourceError`` if it is not installed."""
        return f"croissant 2 (pyarrow {pyarrow_version()})"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files, as ``write_parquet``, and the metadata."""
        written = write_parquet(folder, parquet_files(f"{_FOLDER}/"), problems)
        metadata = json.dumps(_metadata(folder / _FOLDER), indent=1, ensure_ascii=False)
        (folder / _FOLDER / "croissant.json").write_text(f"{metadata}\n", encoding="utf-8")
        return {**written, f"{_FOLDER}/croissant.json": []}


def _metadata(folder: Path) -> dict[str, Any]:
    files = parquet_files()
    names = ("strict-train", "relaxed-train", "validation", "test")
    paths = dict(zip(names, files.names, strict=True))
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "who-did-what",
        "description": (
            "Person-centred cloze problems, made by wdw-build from a newswire corpus in the way of Who did What "
            "(Onishi et al. 2016). The texts belong to the owners of the corpus."
        ),
        "citeAs": "Onishi, Wang, Bansal, Gimpel, McAllester: Who did What. EMNLP 2016. https://arxiv.org/abs/1608.05457",
        "url": "https://arxiv.org/abs/1608.05457",
        "version": __version__,
        "distribution": [_file(folder, name, path) for name, path in paths.items()],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": name,
                "name": name,
                "key": {"@id": f"{name}/id"},
                "field": [_field(column, name, ()) for column in COLUMNS],
            }
            for name in paths
        ],
    }


def _file(folder: Path, name: str, path: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{name}.parquet",
        "name": f"{name}.parquet",
        "contentUrl": path,
        "contentSize": f"{(folder / path).stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file_sha256(folder / path),
    }


def _field(column: Column, record_set: str, above: tuple[str, ...]) -> dict[str, Any]:
    """The metadata of a field. A field within a struct has a JSON path that starts in the struct's column."""
    path = (*above, column.name)
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": "/".join((record_set, *path)),
        "name": "/".join((record_set, *path)),
    }
    if column.kind == "struct":
        return field | {"subField": [_field(below, record_set, path) for below in column.below]}
    source: dict[str, Any] = {"fileObject": {"@id": f"{record_set}.parquet"}, "extract": {"column": path[0]}}
    if above:
        source["transform"] = {"jsonPath": ".".join(path[1:])}
    repeated = {"repeated": True} if column.kind == "texts" else {}
    return field | {"dataType": _TYPES[column.kind], **repeated, "source": source}

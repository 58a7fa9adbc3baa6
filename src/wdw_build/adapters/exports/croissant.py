"""Croissant 1.0 metadata (mlcommons.org/croissant) of the JSON lines: hashes of the files, and the type of each field.

Each file is a record set. A field of an object is a subfield, which a JSON path takes from the object's column. The publisher must
add the date of publication.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wdw_build import __version__
from wdw_build.adapters.exports.dataset_card import TEMPLATES, Column
from wdw_build.adapters.exports.split_files import ABOUT_ALTERNATIVES, SplitFiles, release_text
from wdw_build.core.hashing import file_sha256
from wdw_build.ports import ReleaseConfig

CROISSANT = "croissant.json"
_TYPES = {
    "string": "sc:Text",
    "texts": "sc:Text",
    "date32": "sc:Date",
    "int64": "sc:Integer",
    "float64": "sc:Float",
}


def write_croissant(folder: Path, files: SplitFiles, columns: Sequence[Column], release: ReleaseConfig) -> None:
    """Write croissant.json beside the files of a dataset, whose lines have these columns."""
    names = {
        "strict-train": files.train,
        "relaxed-train": files.relaxed,
        "validation": files.validation,
        "test": files.test,
        "alternatives-train": files.alternatives,
    }
    present = {name: file for name, file in names.items() if (folder / file).exists()}
    metadata = {
        # The context that the specification prescribes.
        "@context": json.loads((TEMPLATES / "croissant_context.json").read_text(encoding="utf-8")),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": release.title or "who-did-what",
        "description": _description(release, present.get("alternatives-train", "")),
        "citeAs": release.citation
        or "Onishi, Wang, Bansal, Gimpel, McAllester: Who did What. EMNLP 2016. https://arxiv.org/abs/1608.05457",
        **({"license": release.licence} if release.licence else {}),
        **({"creator": [{"@type": "sc:Person", "name": name} for name in release.authors]} if release.authors else {}),
        "url": "https://arxiv.org/abs/1608.05457",
        "version": __version__,
        "distribution": [_file(folder / file) for file in present.values()],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": name,
                "name": name,
                "key": {"@id": f"{name}/id"},
                "field": [_field(column, name, file, ()) for column in columns],
            }
            for name, file in present.items()
        ],
    }
    text = json.dumps(metadata, indent=1, ensure_ascii=False) + "\n"
    (folder / CROISSANT).write_text(text, encoding="utf-8")


def _description(release: ReleaseConfig, alternatives: str) -> str:
    """What the dataset is, with the statements for which Croissant has no property. ``alternatives``: their file; may be empty."""
    text = (
        "Person-centred cloze problems, made by wdw-build from a newswire corpus in the way of Who did What "
        "(Onishi et al. 2016). The texts belong to the owners of the corpus."
    )
    others = release_text(
        ReleaseConfig(version=release.version, source_licence=release.source_licence, contact=release.contact)
    )
    about = ABOUT_ALTERNATIVES.format(file=alternatives) if alternatives else ""
    return "\n\n".join(filter(None, (text, others.strip(), about)))


def _file(path: Path) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": path.name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": "application/jsonlines",
        "sha256": file_sha256(path),
    }


def _field(column: Column, record_set: str, file: str, above: tuple[str, ...]) -> dict[str, Any]:
    """The metadata of a field. A field within an object has a JSON path that starts in the object's column."""
    path = (*above, column.name)
    name = "/".join((record_set, *path))
    field: dict[str, Any] = {"@type": "cr:Field", "@id": name, "name": name}
    if column.type == "struct":
        return field | {"subField": [_field(below, record_set, file, path) for below in column.below]}
    source: dict[str, Any] = {"fileObject": {"@id": file}, "extract": {"column": path[0]}}
    if above:
        source["transform"] = {"jsonPath": ".".join(path[1:])}
    repeated = {"repeated": True} if column.type == "texts" else {}
    return field | {"dataType": _TYPES[column.type], **repeated, "source": source}

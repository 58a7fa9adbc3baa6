"""Describes the files of a dataset: the card for the Hugging Face libraries, and Croissant 1.0 metadata of the JSON lines.

The card is a README.md whose YAML tells the libraries which file belongs to which split. Without it, ``datasets.load_dataset``
reads the relaxed and the strict training file as one split. The card lists the columns of the tabular formats, which are derived
from the declaration of the JSON lines.

Croissant (mlcommons.org/croissant) has hashes of the files, and the type of each field. Each file is a record set. A field of an
object is a subfield, which a JSON path takes from the object's column. The publisher must add the date of publication.
"""

from __future__ import annotations

import datetime as dt
import json
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import msgspec
import yaml

from wdw_build.adapters.exports.split_files import ABOUT_ALTERNATIVES, SplitFiles, release_text
from wdw_build.core.hashing import file_sha256
from wdw_build.core.installed import VERSION
from wdw_build.ports import ReleaseConfig

TEMPLATES = Path(__file__).with_name("templates")
_ARROW_TYPES: dict[Any, str] = {
    str: "string",
    dt.date: "date32",
    int: "int64",
    float: "float64",
    float | None: "float64",
    tuple[str, ...]: "texts",
}
_SIZE_CATEGORIES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


class Column(NamedTuple):
    """A column. All the formats allow nulls in it.

    ``type`` is a type of Arrow, or ``texts`` for a list of strings, or ``struct``; ``below`` holds the fields of a struct.
    """

    name: str
    type: str
    below: tuple[Column, ...] = ()


class FileSize(NamedTuple):
    """The number of problems in a file, and their uncompressed size."""

    problems: int
    bytes: int


def columns_of(kind: type[msgspec.Struct]) -> tuple[Column, ...]:
    """The columns for a declaration's fields, in their order."""
    hints = typing.get_type_hints(kind)
    return tuple(
        Column(name, "struct", columns_of(hints[name]))
        if isinstance(hints[name], type) and issubclass(hints[name], msgspec.Struct)
        else Column(name, _ARROW_TYPES[hints[name]])
        for name in kind.__struct_fields__
    )


def dataset_card(
    files: SplitFiles, sizes: Mapping[str, FileSize], columns: Sequence[Column], release: ReleaseConfig
) -> str:
    """The text of the card, for files relative to it, with the size of each written file and the columns that all files have."""
    shared = {"validation": files.validation, "test": files.test}
    # Without empty files: the libraries cannot load a split without rows.
    configurations = {
        name: {split: file for split, file in splits.items() if sizes[file].problems}
        for name, splits in (
            ("strict", {"train": files.train, **shared}),
            ("relaxed", {"train": files.relaxed, **shared}),
            *([("alternatives", {"train": files.alternatives, **shared})] if files.alternatives in sizes else []),
        )
    }
    problems = sum(sizes[name].problems for name in {*sizes} - {files.train})
    head = {
        "language": ["en"],
        "license": "other",
        **({"license_name": release.licence} if release.licence else {}),
        "pretty_name": release.title or "Who did What",
        "task_categories": ["question-answering", "multiple-choice"],
        "size_categories": [next((name for limit, name in _SIZE_CATEGORIES if problems < limit), "1M<n<10M")],
        "configs": [
            {
                "config_name": name,
                "data_files": [{"split": split, "path": file} for split, file in splits.items()],
                **({"default": True} if name == "strict" else {}),
            }
            for name, splits in configurations.items()
        ],
        "dataset_info": [
            {
                "config_name": name,
                # New lists for each configuration: YAML writes a list that occurs twice as an anchor and an alias.
                "features": [_feature(column) for column in columns],
                "splits": [
                    {"name": split, "num_bytes": sizes[file].bytes, "num_examples": sizes[file].problems}
                    for split, file in splits.items()
                ],
            }
            for name, splits in configurations.items()
        ],
    }
    rows = [
        f"| {name} | {split} | {sizes[file].problems} |"
        for name, splits in configurations.items()
        for split, file in splits.items()
    ]
    body = Template((TEMPLATES / "dataset_card.md").read_text(encoding="utf-8")).substitute(
        title=" ".join(release.title.split()) or "Who did What",
        release=f"{text}\n" if (text := release_text(release)) else "",
        rows="\n".join(rows),
        alternatives=f"\n{ABOUT_ALTERNATIVES.format(file=files.alternatives)}\n" if files.alternatives in sizes else "",
    )
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n{body}"


def _feature(column: Column) -> dict[str, Any]:
    if column.type == "struct":
        return {"name": column.name, "struct": [_feature(below) for below in column.below]}
    if column.type == "texts":
        return {"name": column.name, "sequence": "string"}
    return {"name": column.name, "dtype": column.type}


# ---- Croissant -------------------------------------------------------------------------------------------------------

CROISSANT = "croissant.json"
_CROISSANT_TYPES = {
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
        "version": VERSION,
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
    return field | {"dataType": _CROISSANT_TYPES[column.type], **repeated, "source": source}

"""Makes a dataset card: a README.md whose YAML tells the Hugging Face libraries which file belongs to which split.

Without a card, ``datasets.load_dataset`` reads the relaxed and the strict training file as one split. The card lists the
columns of the tabular formats, which are derived from the declaration of the JSON lines.
"""

from __future__ import annotations

import datetime as dt
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import msgspec
import yaml

from wdw_build.adapters.exports.split_files import ABOUT_ALTERNATIVES, SplitFiles, release_text
from wdw_build.ports import ReleaseConfig

TEMPLATES = Path(__file__).with_name("templates")
_TYPES: dict[Any, str] = {
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
        else Column(name, _TYPES[hints[name]])
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

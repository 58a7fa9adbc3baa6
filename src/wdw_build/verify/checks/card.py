"""The card of the JSONL export: it leads the libraries to each split of ``strict`` and ``relaxed``, with the right counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from wdw_build.records import SplitAssignment
from wdw_build.verify.checks.exports import expected_files
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Book

_SPLITS = {
    "strict": {"train": "train.jsonl", "validation": "validation.jsonl", "test": "test.jsonl"},
    "relaxed": {"train": "train.relaxed.jsonl", "validation": "validation.jsonl", "test": "test.jsonl"},
}
_FILE = "jsonl/README.md"


def expected(placed: dict[str, SplitAssignment]) -> dict[str, dict[str, tuple[str, int]]]:
    """Configuration -> split -> file and number of its problems; splits without problems are left out."""
    counts = Counter(Path(name).name for place in placed.values() for name in expected_files(place, ("jsonl",)))
    return {
        configuration: {split: (name, counts[name]) for split, name in splits.items() if counts[name]}
        for configuration, splits in _SPLITS.items()
    }


def stated(path: Path) -> tuple[dict[str, dict[str, tuple[str, int]]], list[str]]:
    """What a card states, in the form of ``expected``, and its default configurations.

    Raises ``ValueError``, ``KeyError``, ``TypeError`` or ``yaml.YAMLError`` if its head is not of that form.
    """
    _, head, _ = path.read_text(encoding="utf-8").split("---\n", 2)
    card: dict[str, Any] = yaml.safe_load(head)
    counts = {
        about["config_name"]: {split["name"]: split["num_examples"] for split in about["splits"]}
        for about in card["dataset_info"]
    }
    found = {
        one["config_name"]: {
            each["split"]: (each["path"], counts[one["config_name"]].pop(each["split"])) for each in one["data_files"]
        }
        for one in card["configs"]
    }
    if any(counts.values()):
        raise ValueError("a split has a number of problems and no file")
    return found, [one["config_name"] for one in card["configs"] if one.get("default")]


def check(files: RunFiles, placed: dict[str, SplitAssignment], book: Book) -> None:
    """Compare the card with what was placed in the files beside it."""
    ledger, path = book["export-card"], files.file(f"export/{_FILE}")
    wanted = expected(placed)
    ledger.tried(sum(map(len, wanted.values())))
    try:
        found, default = stated(path)
    except (ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        ledger.fail(_FILE, f"has no head that tells the splits: {type(error).__name__}: {error}")
        return
    for configuration, splits in wanted.items():
        if found.get(configuration) != splits:
            ledger.fail(_FILE, f"says of {configuration} {found.get(configuration)}, not {splits}")
    if set(found) != set(wanted) or default != ["strict"]:
        ledger.fail(_FILE, f"has the configurations {sorted(found)}, by default {default}")

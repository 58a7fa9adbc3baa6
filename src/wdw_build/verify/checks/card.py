"""The card of the JSONL export: it names the file and the size of each split of ``strict`` and ``relaxed``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from wdw_build.records import SplitAssignment
from wdw_build.verify.checks.exports import expected_files
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Recorders

_SPLITS = {
    "strict": {"train": "train.jsonl", "validation": "validation.jsonl", "test": "test.jsonl"},
    "relaxed": {"train": "train.relaxed.jsonl", "validation": "validation.jsonl", "test": "test.jsonl"},
}
_FILE = "jsonl/README.md"


def expected(placed: dict[str, SplitAssignment]) -> dict[str, dict[str, tuple[str, int]]]:
    """For each configuration and split with problems: the file and the number of its problems."""
    counts = Counter(Path(name).name for place in placed.values() for name in expected_files(place, ("jsonl",)))
    return {
        configuration: {split: (name, counts[name]) for split, name in splits.items() if counts[name]}
        for configuration, splits in _SPLITS.items()
    }


def stated(path: Path) -> tuple[dict[str, dict[str, tuple[str, int]]], list[str]]:
    """The splits that a card states, in the form of ``expected``, and the names of its default configurations.

    Raises ``ValueError``, ``KeyError``, ``TypeError`` or ``yaml.YAMLError`` if the YAML header has another form.
    """
    _, head, _ = path.read_text(encoding="utf-8").split("---\n", 2)
    card: dict[str, Any] = yaml.safe_load(head)
    counts = {
        about["config_name"]: {split["name"]: split["num_examples"] for split in about["splits"]}
        for about in card["dataset_info"]
    }
    files_by_split = {
        configuration["config_name"]: {
            file["split"]: (file["path"], counts[configuration["config_name"]].pop(file["split"]))
            for file in configuration["data_files"]
        }
        for configuration in card["configs"]
    }
    if any(counts.values()):
        raise ValueError("a split has a number of problems but no file")
    defaults = [configuration["config_name"] for configuration in card["configs"] if configuration.get("default")]
    return files_by_split, defaults


def check(files: RunFiles, placed: dict[str, SplitAssignment], recorders: Recorders) -> None:
    """Compare the card with the placements of the split stage."""
    recorder, path = recorders["export-card"], files.exported(_FILE)
    wanted = expected(placed)
    recorder.count(sum(map(len, wanted.values())))
    try:
        card_splits, defaults = stated(path)
    except (ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        recorder.fail(_FILE, f"has no readable YAML header with the splits: {type(error).__name__}: {error}")
        return
    for configuration, splits in wanted.items():
        if card_splits.get(configuration) != splits:
            recorder.fail(_FILE, f"states {card_splits.get(configuration)} for {configuration}, not {splits}")
    if set(card_splits) != set(wanted) or defaults != ["strict"]:
        recorder.fail(_FILE, f"has the configurations {sorted(card_splits)} and the default {defaults}")

"""Loads the JSON lines beside this file. Every lm-eval export of wdw-build holds a copy as ``loader.py``."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent


def load(data_files: dict[str, str], **_metadata: Any) -> Any:
    """The splits, as a ``datasets.DatasetDict``; file names are relative to this file, not to the working directory."""
    from datasets import DatasetDict

    return DatasetDict({split: _read(name) for split, name in data_files.items()})


@functools.cache
def _read(name: str) -> Any:
    """The lines of a file, which all tasks share.

    ``datasets.load_dataset("json")`` would turn dates into time stamps, and take ``[`` and ``*`` in a folder's name for a
    pattern.
    """
    from datasets import Dataset, Features, Value

    text = Value("string")
    features = Features(
        {
            **dict.fromkeys(("canary", "id", "date", "passage", "question"), text),
            **{name: [text] for name in ("choices", "filled")},
            "answer": Value("int64"),
        }
    )
    with (FOLDER / name).open(encoding="utf-8") as lines:
        return Dataset.from_list([json.loads(line) for line in lines], features=features)

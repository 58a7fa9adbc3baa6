"""Loads the JSON lines beside this file. Every lm-eval export of wdw-build holds a copy as ``loader.py``."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent


def load(data_files: dict[str, str], **_metadata: Any) -> Any:
    """The splits, as a ``datasets.DatasetDict``; file names are relative to this file, not to the working directory.

    The columns are declared, because ``datasets`` would turn a column of dates into time stamps.
    """
    from datasets import Features, Value, load_dataset

    text = Value("string")
    features = {
        **dict.fromkeys(("canary", "id", "date", "passage", "question"), text),
        **{name: [text] for name in ("choices", "filled")},
        "answer": Value("int64"),
    }
    paths = {split: glob.escape(str(FOLDER / name)) for split, name in data_files.items()}
    return load_dataset("json", data_files=paths, features=Features(features))

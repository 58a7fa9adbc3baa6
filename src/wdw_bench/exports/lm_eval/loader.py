"""Loads the JSON lines beside this file, and scores generated answers. Every lm-eval export of wdw-build holds a copy."""

from __future__ import annotations

import functools
import importlib.util
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
            "shown": [Value("int64")],
            "answer": Value("int64"),
        }
    )
    with (FOLDER / name).open(encoding="utf-8") as lines:
        return Dataset.from_list([json.loads(line) for line in lines], features=features)


def score_name(document: dict[str, Any], results: list[str]) -> dict[str, float]:
    """`acc`: whether a generated answer names the right choice alone; `exact_match`: whether it is the name and no more."""
    names, answer = document["choices"], document["answer"]
    answers = _answers()
    return {
        "acc": float(answers.named_choice(results[0], names) == answer),
        "exact_match": float(_letters(results[0]) == _letters(names[answer])),
    }


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum() or character.isspace()).strip()


@functools.cache
def _answers() -> Any:
    """The module ``answers.py`` beside this file; the harness does not search this folder for modules."""
    spec = importlib.util.spec_from_file_location("wdw_answers", FOLDER / "answers.py")
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 (for a path, there is always one)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

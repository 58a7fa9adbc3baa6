"""The word lists and the tables of patterns of the rules. ``lexicon.toml`` has them, and says what each is for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

_LISTS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def word_list(name: str) -> frozenset[str]:
    """The words of a list, or of all parts of a list that has parts."""
    text = _LISTS[name]
    return frozenset(" ".join(text.values() if isinstance(text, dict) else [text]).split())


def phrases(name: str) -> tuple[str, ...]:
    """The phrases of a list with commas between, in order."""
    return tuple(" ".join(phrase.split()) for phrase in _LISTS[name].split(","))


def forms(name: str) -> tuple[tuple[int, re.Pattern[str]], ...]:
    """The rows of a table of forms: the most words of a text of this form, and its pattern."""
    return tuple((form["words"], re.compile(form["pattern"], re.DOTALL)) for form in _LISTS[name])

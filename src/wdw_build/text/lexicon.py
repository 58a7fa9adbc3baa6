"""The word lists and the tables of patterns of the rules. ``lexicon.toml`` has them, and says what each is for.

Function words, and the names of months and weekdays with patterns for them, are at the end, because many modules use them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

_LISTS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
# Stands before the name of a list whose words are part of another list.
_OF_LIST = "@"
_LIST_IN_PATTERN = re.compile(rf"{_OF_LIST}(\w+)")


def word_list(name: str) -> frozenset[str]:
    """The words of a list, or of all parts of a list that has parts."""
    return frozenset(words_in_order(name))


def words_in_order(name: str) -> tuple[str, ...]:
    """The words of a list in order, those of lists that it names included."""
    text = _LISTS[name]
    words = " ".join(text.values() if isinstance(text, dict) else [text]).split()
    return tuple(whole for word in words for whole in _expanded(word, words_in_order))


def phrases(name: str) -> tuple[str, ...]:
    """The phrases of a list with commas between, in order, those of lists that it names included."""
    listed = (" ".join(phrase.split()) for phrase in _LISTS[name].split(","))
    return tuple(whole for phrase in listed for whole in _expanded(phrase, phrases))


def _expanded(entry: str, read: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    return read(entry[1:]) if entry.startswith(_OF_LIST) and entry[1:] in _LISTS else (entry,)


def alternatives(entries: Iterable[str]) -> str:
    """A pattern for one of some words or phrases, of which the longest matches."""
    return rf"(?:{'|'.join(map(re.escape, sorted(entries, key=lambda entry: (-len(entry), entry))))})"


def forms(name: str) -> tuple[tuple[int, re.Pattern[str]], ...]:
    """The rows of a table of forms: the most words of a text of this form, and its pattern."""
    return tuple((form["words"], re.compile(_with_lists(form["pattern"]), re.DOTALL)) for form in _LISTS[name])


def _with_lists(pattern: str) -> str:
    """A pattern with alternatives for the lists of phrases that it names."""
    return _LIST_IN_PATTERN.sub(
        lambda named: alternatives(phrases(named[1])) if named[1] in _LISTS else named[0], pattern
    )


STOP_WORDS = word_list("function_words")
"""Closed-class words, casefolded, with straight apostrophes."""

_LETTERS = 3


def _short(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name[:_LETTERS] for name in names)


# The names of months and weekdays are folded, and in order.
MONTHS = words_in_order("months")
WEEKDAYS = words_in_order("weekdays")
SHORT_MONTHS = frozenset(_short(MONTHS)) | {"sept"}
SHORT_WEEKDAYS = frozenset(_short(WEEKDAYS))

# The whole names, with a capital.
MONTH_NAME = alternatives(map(str.capitalize, MONTHS))
WEEKDAY_NAME = alternatives(map(str.capitalize, WEEKDAYS))
# The letters with which any form of a name begins, in lower case.
MONTH_START = alternatives(_short(MONTHS))
WEEKDAY_START = alternatives(_short(WEEKDAYS))
# The names and short forms in print, with a capital: "Sept.", "Thurs.".
MONTH = rf"{alternatives(map(str.capitalize, {*MONTHS, *SHORT_MONTHS}))}\.?"
WEEKDAY = rf"{alternatives(map(str.capitalize, {*WEEKDAYS, *SHORT_WEEKDAYS, 'tues', 'thur', 'thurs'}))}\.?"

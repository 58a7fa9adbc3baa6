"""The names of months and weekdays, their short forms, and patterns for both. Words are folded; the names are in order."""

from __future__ import annotations

from collections.abc import Iterable

from wdw_build.text.lexicon import alternatives, words_in_order

_LETTERS = 3


def _short(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name[:_LETTERS] for name in names)


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

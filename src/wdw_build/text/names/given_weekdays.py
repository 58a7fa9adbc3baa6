"""Weekdays that are given names: "Sunday Igboho". The tagger takes the weekday for a date and leaves it out of the name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.records import TokenSpan
from wdw_build.text.names.beside import ROLES
from wdw_build.text.names.name import fold, is_title

# The other weekdays are not given names.
_GIVEN_NAMES = frozenset("Monday Friday Saturday Sunday".split())
# "on Sunday Ames left", "last Sunday": a date.
_DATE = re.compile(r"\b(?:on|last|next|this|every|late|early|until|since|by|of|from)\s+\Z", re.IGNORECASE)


def with_weekday(words: Sequence[str], span: TokenSpan, text: str) -> TokenSpan:
    """A mention's token span with the weekday before it, if a title or role precedes both or the article has them twice.

    ``text`` is the article's; an occurrence after a word such as "on" is a date.
    """
    start, end = span
    if not start or words[start - 1] not in _GIVEN_NAMES:
        return span
    before = fold(words[start - 2]) if start > 1 else ""
    if is_title(before) or before in ROLES:
        return start - 1, end
    name = re.escape(f"{words[start - 1]} {words[end - 1]}")
    places = [text[max(0, place.start() - 12) : place.start()] for place in re.finditer(rf"\b{name}\b", text)]
    return (start - 1, end) if len(places) > 1 and not any(map(_DATE.search, places)) else span

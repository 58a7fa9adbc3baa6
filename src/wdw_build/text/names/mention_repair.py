"""Boundaries of persons' mentions: with initials, without web handles, one name in each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.records import TokenSpan
from wdw_build.text.names.name import SUFFIXES, fold

_INITIALS = re.compile(r"^(?:[A-Z]\.)+$|^[A-Z]\.?-[A-Z]\.$")
_PLACES = frozenset({"U.S.", "U.N.", "U.K.", "E.U.", "D.C.", "U.S.S.R.", "A.M.", "P.M."})
_HYPHENS = frozenset("-‐‑")
# Parts of handles, tags and addresses; and marks between two names.
_WEB = re.compile(r"[@#<>\\|_=]|https?:|www\.|\.com\b", re.IGNORECASE)
_BREAKS = frozenset("/()[]{}:;•*…") | {"--", "—", "–", "..."}


def over_initials(words: Sequence[str], start: int) -> int:
    """The first token of a mention that starts at token ``start``, with the initials directly before it.

    "U.S." and "U.N." are not initials of persons.
    """
    while start and _INITIALS.match(words[start - 1]) and words[start - 1] not in _PLACES:
        start -= 1
    return start


def repair_mentions(words: Sequence[str], spans: Sequence[TokenSpan], mentions: Sequence[TokenSpan]) -> list[TokenSpan]:
    """The mentions of persons in a sentence as token spans, in order: with initials, without handles, each of one name.

    ``words`` are the tokens, ``spans`` their spans in characters, ``mentions`` the token spans that the tagger labelled, in
    order. A mention without a remaining letter is dropped. A mention whose initials are a mention is joined with it.
    """
    repaired: list[TokenSpan] = []
    for start, end in mentions:
        end = _end_of_name(words, start, end)
        is_handle = start and words[start - 1] in {"#", "@"} and spans[start - 1][1] == spans[start][0]
        if is_handle or not any(character.isalpha() for word in words[start:end] for character in word):
            continue
        # The tokenizer may split a name: "Lee Hae-", "won".
        if words[end - 1][-1] in _HYPHENS and end < len(words) and spans[end - 1][1] == spans[end][0]:
            end += 1
        first = over_initials(words, start)
        while repaired and first < repaired[-1][1]:
            first = min(first, repaired.pop()[0])
        repaired.append((first, end))
    return repaired


def _end_of_name(words: Sequence[str], start: int, end: int) -> int:
    """The end of the name in a mention: before a handle or an address, a mark between names, or a comma without a suffix."""
    for index in range(start, end):
        is_mark = words[index] in _BREAKS or (words[index] == "," and not _is_suffix(words[index + 1 : end]))
        if _WEB.search(words[index]) or (is_mark and index > start):
            return index
    return end


def _is_suffix(words: Sequence[str]) -> bool:
    return bool(words) and fold(words[0]) in SUFFIXES

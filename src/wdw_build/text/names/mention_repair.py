"""Boundaries of persons' mentions: with initials, without web handles, one name in each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.records import TokenSpan
from wdw_build.text.names.name import PARTICLES, SUFFIXES, fold

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
    order. A mention without a remaining letter is dropped. Mentions with only a hyphen between them are joined, and initials
    that are a mention with the next one.
    """
    repaired: list[TokenSpan] = []
    for start, end in mentions:
        if start and words[start - 1] in {"#", "@"} and spans[start - 1][1] == spans[start][0]:
            continue
        # The tokenizer may split a name: "Lee Hae-", "won".
        if words[end - 1][-1] in _HYPHENS and end < len(words) and spans[end - 1][1] == spans[end][0]:
            end += 1
        first, last = _name_within(words, start, end)
        if not any(character.isalpha() for word in words[first:last] for character in word):
            continue
        first = over_initials(words, first)
        while repaired and (first < repaired[-1][1] or _are_joined(words, spans, repaired[-1][1], first)):
            first = min(first, repaired.pop()[0])
        repaired.append((first, last))
    return repaired


def _are_joined(words: Sequence[str], spans: Sequence[TokenSpan], end: int, start: int) -> bool:
    """Whether only a hyphen is between mentions that end and start at these tokens: "Jean", "Claude Juncker"."""
    return words[start - 1][-1] in _HYPHENS and start - end == spans[start][0] - spans[end - 1][1]


def _name_within(words: Sequence[str], start: int, end: int) -> TokenSpan:
    """The name in a mention: before a handle, a mark between names, or a comma without a suffix; without what cannot end it."""
    # The bracket of "President (Vladimir) Putin" opens before the mention.
    if ")" in words[start : end - 1] and "(" not in words[start:end]:
        start = words.index(")", start) + 1
    for index in range(start, end):
        is_mark = words[index] in _BREAKS or (words[index] == "," and not _is_suffix(words[index + 1 : end]))
        if _WEB.search(words[index]) or (is_mark and index > start):
            end = index
            break
    while end - start > 1 and not _ends_name(words[end - 1]):
        end -= 1
    return start, end


def _is_suffix(words: Sequence[str]) -> bool:
    return bool(words) and fold(words[0]) in SUFFIXES


def _ends_name(word: str) -> bool:
    """Whether a word may end a name: it is neither a mark nor a particle in lower case ("Bashar al")."""
    return any(map(str.isalnum, word)) and not (word.islower() and fold(word) in PARTICLES)

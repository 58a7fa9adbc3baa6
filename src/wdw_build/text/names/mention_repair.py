"""Boundaries of persons' mentions: whole written words, with initials and given names, without web handles and offices.

A tagger labels tokens, and a tokenizer may split a written word: "Chen Shui-bian" becomes "Chen", "Shui-", "bian", and the
tagger may label only two of these. In this module, tokens without a space between them form one written word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.records import TokenSpan
from wdw_build.text.lexicon import word_list
from wdw_build.text.names.name import BEFORE_A_NAME, PARTICLES, SUFFIXES, fold

_INITIALS = re.compile(r"^(?:[A-Z]\.)+$|^[A-Z]\.?-[A-Z]\.$")
_PLACES = frozenset({"U.S.", "U.N.", "U.K.", "E.U.", "D.C.", "U.S.S.R.", "A.M.", "P.M."})
# Parts of handles, tags and addresses; and marks between two names.
_WEB = re.compile(r"[@#<>\\|_=]|https?:|www\.|\.com\b", re.IGNORECASE)
_BREAKS = frozenset("/()[]{}:;•*…") | {"--", "—", "–", "..."}
_LONGEST_ABBREVIATED_TITLE = len("Capt")
_QUOTES = frozenset("\"'”’") | {"''"}
_OFFICES = word_list("offices")


def over_initials(words: Sequence[str], start: int) -> int:
    """The first token of a mention that starts at token ``start``, with the initials directly before it.

    "U.S." and "U.N." are not initials of persons.
    """
    while start and _INITIALS.match(words[start - 1]) and words[start - 1] not in _PLACES:
        start -= 1
    return start


def repair_mentions(words: Sequence[str], spans: Sequence[TokenSpan], mentions: Sequence[TokenSpan]) -> list[TokenSpan]:
    """The mentions of persons in a sentence as token spans that start and end with whole written words, in order.

    ``words`` are the tokens, ``spans`` their spans in characters, ``mentions`` the token spans that the tagger labelled, in
    order. A mention without a remaining letter is dropped. Two mentions in one written name ("Jean"-"Claude Juncker") are
    joined.
    """
    repaired: list[TokenSpan] = []
    for start, end in mentions:
        inner = _name_within(words, spans, start, end)
        if inner is None:
            continue
        first = over_initials(words, inner[0])
        last = _without_particle(words, spans, first, inner[1])
        while repaired and first < repaired[-1][1]:
            before = repaired.pop()
            first, last = min(first, before[0]), max(last, before[1])
        repaired.append((first, last))
    return repaired


def _without_particle(words: Sequence[str], spans: Sequence[TokenSpan], start: int, end: int) -> int:
    """The end of the mention without final particles ("Bashar al"), unless a hyphen joins them ("Hau Lung-bin")."""
    while (
        end - start > 1
        and words[end - 1].islower()
        and fold(words[end - 1]) in PARTICLES
        and not _touch(spans, end - 1)
    ):
        end -= 1
    return end


def _name_within(words: Sequence[str], spans: Sequence[TokenSpan], start: int, end: int) -> TokenSpan | None:
    """The part of a mention without handles, without text after a break, and after the last office; None if nothing remains."""
    if start and words[start - 1] in {"#", "@"} and _touch(spans, start):
        return None
    end = next((index for index in range(start, end) if _WEB.search(words[index])), end)
    start = _after_open_bracket(words, start, end)
    # "à la Trump" is no name.
    if words[start] == "la" and start and fold(words[start - 1]) == "a":
        start += 1
    end = next((index for index in range(start + 1, end) if _ends_name(words, start, index, end)), end)
    inner = range(start + 1, end - 1)
    offices = [index for index in inner if fold(words[index]) in _OFFICES and words[index][0].isupper()]
    start = offices[-1] + 1 if offices else start
    while start < end and not _has_letter(words[start]):
        start += 1
    while start < end and not _has_letter(words[end - 1]) and words[end - 1] not in _QUOTES:
        end -= 1
    return (start, end) if start < end else None


def _after_open_bracket(words: Sequence[str], start: int, end: int) -> int:
    """The start of the mention after a bracket that closes in the mention and opens before it ("Lord (John[)] Browne")."""
    closing = next((index for index in range(start, end) if words[index] == "(" or words[index].endswith(")")), start)
    return closing + 1 if words[closing].endswith(")") and closing + 1 < end else start


def _ends_name(words: Sequence[str], start: int, index: int, end: int) -> bool:
    """Whether a name ends before token ``index``; a nickname in brackets continues it ("William (Bill) Clinton")."""
    word, before = words[index], words[index - 1]
    if word == "(":
        return ")" not in words[index + 1 : end - 1]
    if word == ",":
        return index + 1 >= end or fold(words[index + 1]) not in SUFFIXES
    if _ends_a_sentence(before, is_first=index - 1 == start) or (
        word == "." and len(before) > _LONGEST_ABBREVIATED_TITLE
    ):
        return True
    return word in _BREAKS and not (word == ")" and index < end - 1)


def _ends_a_sentence(word: str, is_first: bool) -> bool:
    """Whether a token is a word with the full stop of its sentence ("Trump."), not initials or a title ("Capt.").

    The first word of a mention may be an abbreviated given name or a title that is not in the lists.
    """
    if word in {"...", "…"}:
        return True
    shortest = _LONGEST_ABBREVIATED_TITLE + 1 if is_first else 3
    is_abbreviation = fold(word) in BEFORE_A_NAME or fold(word) in SUFFIXES or fold(word) in PARTICLES
    return word.endswith(".") and word[:-1].isalpha() and len(word) > shortest and not is_abbreviation


def _has_letter(word: str) -> bool:
    return word.isalnum() or any(character.isalnum() for character in word)


def _touch(spans: Sequence[TokenSpan], index: int) -> bool:
    """Whether token ``index`` follows the previous token without a space."""
    return spans[index - 1][1] == spans[index][0]





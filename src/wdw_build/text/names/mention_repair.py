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
_HYPHENS = frozenset("-‐‑")
# Parts of handles, tags and addresses; and marks between two names.
_WEB = re.compile(r"[@#<>\\|_=]|https?:|www\.|\.com\b", re.IGNORECASE)
_BREAKS = frozenset("/()[]{}:;•*…") | {"--", "—", "–", "..."}
_LONGEST_ABBREVIATED_TITLE = len("Capt")
_QUOTES = frozenset("\"'”’") | {"''"}
# "Trump-backed", "Reagan-era", "Lincoln-like": words after a hyphen that are not part of the name.
_NO_NAME_AFTER_HYPHEN = re.compile(
    r"(?:.*(?:ed|like|backers?|haters?|supporters?|lovers?|critics?|bashers?|voters?|style|esque|ish|friendly|related|wide)|.{3,}ing|era|led|run|free|proof|made|born|owned|type|brand|"
    r"owner|to|the|and|in|at|for|of|as|held|built|bound|sent|linked|inspired)$"
)
# Lower-case particles and names before a hyphen that belong to the name: "al-Rantisi".
_BEFORE_HYPHEN = PARTICLES | frozenset("abd abdel abdul ash ar an at az ed es ez ul il ad d o".split())
_NO_NAME_BEFORE_HYPHEN = word_list("no_name_before_hyphen")
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
        first = over_initials(words, _extended_left(words, spans, *inner))
        last = _without_particle(words, spans, first, _extended_right(words, spans, *inner))
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


def _extended_right(words: Sequence[str], spans: Sequence[TokenSpan], start: int, end: int) -> int:
    """The end of the mention with the parts that a hyphen joins to its last word."""
    while end < len(words) and _touch(spans, end):
        if words[end - 1][-1] in _HYPHENS:
            part = end
        elif words[end] in _HYPHENS and end + 1 < len(words) and _touch(spans, end + 1):
            part = end + 1
        else:
            break
        another = (
            end - start > 1 and part + 1 < len(words) and _is_name(words[part + 1]) and not _touch(spans, part + 1)
        )
        # "Moon Jae-in", but not "commander-in-chief".
        is_given_name = (
            words[part] == "in" and end - start > 1 and not (part + 1 < len(words) and _touch(spans, part + 1))
        )
        if not (is_given_name or _continues_name(words[part])) or (another and words[part][0].isupper()):
            break
        end = part + 1
    return end


def _continues_name(part: str) -> bool:
    """Whether the part after a hyphen belongs to the name before it."""
    return part[0].isupper() or (part[0].isalpha() and not modifies(part))


def modifies(part: str) -> bool:
    """Whether a word after a name and a hyphen makes the name a modifier: "Trump-backed", "Reagan-era"."""
    return bool(_NO_NAME_AFTER_HYPHEN.match(part))


def _is_name(word: str) -> bool:
    """Whether a word may be part of a name: it has a capital and is not a title."""
    return word[:1].isupper() and fold(word) not in BEFORE_A_NAME


def _extended_left(words: Sequence[str], spans: Sequence[TokenSpan], start: int, end: int) -> int:
    """The start of the mention with the parts that a hyphen joins to its first word."""
    while start and _touch(spans, start):
        if words[start - 1][-1] in _HYPHENS and len(words[start - 1]) > 1:
            part, first = words[start - 1][:-1], start - 1
        elif words[start - 1] in _HYPHENS and start > 1 and _touch(spans, start - 1):
            part, first = words[start - 2], start - 2
        else:
            break
        another = end - start > 1 and first > 0 and _is_name(words[first - 1]) and not _touch(spans, first)
        if another or not _starts_name(part):
            break
        start = first
    return start


def _starts_name(part: str) -> bool:
    """Whether the part before a hyphen belongs to the name after it."""
    folded = fold(part)
    return folded not in _NO_NAME_BEFORE_HYPHEN and (part[:1].isupper() or folded in _BEFORE_HYPHEN)


"""Tells whether a capitalised word outside of the tagged names is the name of a person, or an ordinary word or a place."""

from __future__ import annotations

import re
from collections.abc import Set

from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.matching import BEFORE_A_NAME, fold
from wdw_build.text.pseudonyms.find import Found

# Names that are words of most texts. Where a sentence starts or in a headline, their capital does not tell which they are.
COMMON_WORDS = frozenset(
    "an art best bill can case chance day do early east faith fields free good grant hand hope house in just justice king "
    "long low major mark may more new no north page park price rich so south speaker street van way west will wise words "
    "world worth young".split()
)
# Colours and other words that open the names of well-known things ("White House", "Black Sea", "Green Party").
_THINGS_BEGIN = COMMON_WORDS | frozenset(
    "black blue brown fox gray green grey rose rock silver stone swift white wood golden little".split()
)
_STARTS_SENTENCE = re.compile(r"(?:^|[.!?:…]['\"”’)]*\s+|\n\s*|[\"“]|[-•*–—]\s+)$")
_WORD_AFTER = re.compile(r"[ -]([^\W\d_a-z][^\W\d_]+)")
_WORD_BEFORE = re.compile(r"([^\W\d_a-z][\w.]*) $")
_LOOK = 30


def other_meaning(
    text: str, found: Found, evidence: NameEvidence, lower_case: Set[str], sole_names: Set[str], is_headline: bool
) -> str:
    """Why a name outside of the tagged names may not name the person, or an empty string.

    ``lower_case`` are the words that the problem's texts also write in lower case, ``sole_names`` the words that are a
    person's whole name; ``is_headline``: most words of the text have a capital, so that a capital tells nothing. A name of
    several words, a word of a handle, and a person's whole name are the person's.
    """
    piece = found.pieces[0]
    if len(found.pieces) > 1 or piece.is_web:
        return ""
    surface = text[piece.start : piece.end] + piece.suffix
    if piece.word not in sole_names and (thing := _known_thing(text, found, evidence)):
        return f"{thing} names something else in the corpus"
    is_word = piece.word in COMMON_WORDS or (piece.word in lower_case and not evidence.is_known_alone(piece.word))
    starts = bool(_STARTS_SENTENCE.search(text[max(0, piece.start - _LOOK) : piece.start]))
    if is_word and not piece.suffix and (is_headline or starts):
        return f"{surface} may be an ordinary word"
    return ""


def _known_thing(text: str, found: Found, evidence: NameEvidence) -> str:
    """The name of a place or organisation that contains the word by the counts of the corpus, or an empty string.

    A lone word must be tagged as something else more often than as a person; "Trump Tower" and other names that begin
    with a surname are named after a person, unless the surname is an ordinary word ("White House").
    """
    piece = found.pieces[0]
    surface = text[piece.start : piece.end]
    if evidence.other.get(piece.word, 0) > max(1, evidence.person.get(piece.word, 0)):
        return surface
    after = _WORD_AFTER.match(text, piece.end)
    before = _WORD_BEFORE.search(text, max(0, piece.start - _LOOK), piece.start)
    is_titled = before is not None and fold(before[1]) in BEFORE_A_NAME
    around = ([f"{surface} {after[1]}"] if after and piece.word in _THINGS_BEGIN else []) + (
        [f"{before[1]} {surface}"] if before and not is_titled else []
    )
    return next((name for name in around if evidence.is_something_else(name)), "")

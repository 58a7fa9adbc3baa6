"""Tells whether a capitalised word outside of the tagged names is the name of a person, or an ordinary word or a place."""

from __future__ import annotations

import re
from collections.abc import Set

from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.pseudonyms.find import Found

# Names that are also words. Where a sentence starts or in a headline, their capital does not tell which they are.
WORDS = frozenset(
    "angel art ash autumn baker banks barber bell best bill bird bishop black blue bond bow brook brown bush butler carpenter "
    "case cash chance chase cherry church clay close cook cooper court cross crow dale day dean dick drew early east faith "
    "farmer field fields fish fisher flowers ford forest fox frank free freedom friend frost gay gold good grace grant gray "
    "green grey grove guy hall hand harder hardy harmony heath hill hope house hunt hunter joy judge june just justice keen king "
    "knight lake lane law long love low major mark marks marsh mason may mercy miller mills moon moore more new noble north "
    "page park parks patience peace penny pierce pitt pope porter post potter power powers price pride prince queen rich ring "
    "rivers robin rob rock rose rush sage shepherd short silver skip small smart smith snow south speaker spring star steel "
    "stone storm street strong sue summer swift tailor taylor tower trump turner wall walker ward waters way weaver wells west "
    "white wild will wise wolf wood woods word words worth young".split()
)
_STARTS_SENTENCE = re.compile(r"(?:^|[.!?:…]['\"”’)]*\s+|\n\s*|[\"“]|[-•*–—]\s+)$")
_WORD_AFTER = re.compile(r"[ -]([^\W\d_a-z][^\W\d_]+)")
_WORD_BEFORE = re.compile(r"([^\W\d_a-z][\w.]*) $")
_LOOK = 30


def other_meaning(text: str, found: Found, evidence: NameEvidence, lower_case: Set[str], is_headline: bool) -> str:
    """Why a name outside of the tagged names may not name the person, or an empty string.

    ``lower_case`` are the words that the problem's texts also write in lower case; ``is_headline``: most words of the text
    have a capital, so that a capital tells nothing. A name of several words, and a word of a handle, are the person's.
    """
    piece = found.pieces[0]
    if len(found.pieces) > 1 or piece.is_web:
        return ""
    surface = text[piece.start : piece.end] + piece.suffix
    is_word = piece.word in WORDS or piece.word in lower_case
    if thing := _known_thing(text, found, evidence):
        return f"{thing} names something else in the corpus"
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
    if evidence.other.get(piece.word, 0) > max(1, evidence.person.get(piece.word, 0)):
        return text[piece.start : piece.end]
    after = _WORD_AFTER.match(text, piece.end)
    before = _WORD_BEFORE.search(text, max(0, piece.start - _LOOK), piece.start)
    around = ([f"{piece.word} {after[1]}"] if after and piece.word in WORDS else []) + (
        [f"{before[1]} {piece.word}"] if before else []
    )
    return next((name for name in around if evidence.is_something_else(name)), "")

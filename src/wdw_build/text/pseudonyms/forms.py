"""Writes a surrogate or a code in the form of the name that it replaces: capitals, initials, possessive, suffix."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from wdw_build.text.names.matching import PARTICLES, fold
from wdw_build.text.pseudonyms.find import Found, is_initial
from wdw_build.text.pseudonyms.pieces import Piece

_SMALLEST_ALL_CAPITALS = 2
_LETTER = re.compile(r"[^\W\d_]")
# A possessive apostrophe after a name that ends with s; a closing quotation mark does not stand before a lower-case word
# unless the quotation was opened with one.
_BARE_POSSESSIVE = re.compile(r"['’](?= [^\W\d_])")
_ENDS_LIKE_A_PLURAL = ("s", "z", "x")


def in_shape_of(surface: str, surrogate: str) -> str:
    """A surrogate word with the capitals of the word that it replaces: "OBAMA" gives "KELLMER", "mccain" "kellmer"."""
    letters = [character for character in surface if character.isalpha()]
    upper = sum(character.isupper() for character in letters)
    if len(letters) >= _SMALLEST_ALL_CAPITALS and upper > len(letters) / 2 and surface[-1:].isupper():
        return surrogate.upper()
    return surrogate.lower() if not upper else surrogate


def surrogate_text(text: str, found: Found, surrogates: Mapping[str, str], initial: Callable[[str], str]) -> str:
    """The text of a name with surrogates for its words. ``initial`` gives the initial for a letter of the real name."""
    parts = [_between(text[found.start : found.pieces[0].start], initial)]
    for piece, following in zip(found.pieces, (*found.pieces[1:], None), strict=True):
        parts.append(_with_suffix(text, piece, surrogates[piece.word]))
        if following is not None:
            parts.append(_between(text[piece.end : following.start], initial))
    return "".join(parts)


def code_text(found: Found, code: str) -> str:
    """The code in place of the whole name, with the suffix of a derived word."""
    return code + found.pieces[-1].suffix


def _with_suffix(text: str, piece: Piece, surrogate: str) -> str:
    word = in_shape_of(text[piece.start : piece.end], surrogate)
    suffix = piece.suffix
    if suffix.lower() == "ies":
        suffix = "S" if suffix.isupper() else "s"
    return word + suffix


def _between(gap: str, initial: Callable[[str], str]) -> str:
    """The text between two words of a name: initials become those of the surrogate, particles are dropped."""
    if not any(_LETTER.search(word) for word in gap.split()):
        return gap
    kept = [_initials(word, initial) for word in re.split(r"(\s+)", gap) if not _is_particle(word)]
    joined = re.sub(r"\s+", " ", "".join(kept))
    return joined if gap[0].isspace() else joined.lstrip()


def _initials(word: str, initial: Callable[[str], str]) -> str:
    return _LETTER.sub(lambda match: initial(match[0]), word) if is_initial(word.rstrip("- ")) else word


def _is_particle(word: str) -> bool:
    return bool(word.strip()) and fold(word.rstrip("-")) in PARTICLES


def bare_possessive(text: str, end: int) -> bool:
    """Whether a name that ends at ``end`` with s is followed by a possessive apostrophe alone ("Jones' car")."""
    if not text[:end].lower().endswith(_ENDS_LIKE_A_PLURAL) or not _BARE_POSSESSIVE.match(text, end):
        return False
    paragraph = text[text.rfind("\n", 0, end) + 1 : end]
    return not re.search(r"(?:^|[\s(—-])['‘]", paragraph)

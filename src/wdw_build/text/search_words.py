"""The words by which articles are searched for names: the same words for each way of writing a name.

The search index and its queries both use ``search_words``. A word has no case, accents, apostrophes, possessive and characters
without width. Hyphens and full stops separate words, as spaces do: "Zoë O’Neil-Ames's" and "ZOE ONEIL AMES" have the words
zoe, oneil and ames.
"""

from __future__ import annotations

import re
import unicodedata

from wdw_build.text.tokens import ByChunk

# The characters that texts have in place of an apostrophe: accents, quotation marks, primes, and letters that look like one.
_APOSTROPHES = frozenset("'`´‘’‛′‵ʹʻʼʽʾʿˈˊˋꞋꞌ՚׳")
_APOSTROPHE = re.compile(r"'(?:s\b)?", re.IGNORECASE)
# The letter in the Unicode name of a Latin letter with a stroke or hook, or of a ligature (ø, ł, ı, æ), which NFKD leaves.
_NAMED_LETTERS = {"ETH": "D", "THORN": "TH", "ENG": "N", "SCHWA": "A", "SHARP S": "SS"}
_LATIN = re.compile(rf"LATIN (?:\S+ )*?(?P<letter>{'|'.join(_NAMED_LETTERS)}|[A-Z]{{1,2}})(?: WITH .*)?")
# Initials without full stops ("JD Vance"); other words in capitals only add phrases that no text has.
_JOINED_INITIALS = re.compile(r"\b[A-Z]{2,4}\b")
_BETWEEN_INITIALS = re.compile(r"(?<=\b\w) (?=\w\b)")


def plain_words(text: str) -> str:
    """The words of a text in their case, with spaces between: "Zoë O’Neil-Ames's" -> "Zoe ONeil Ames"."""
    return " ".join(filter(None, map(_PLAIN.__getitem__, text.split())))


def search_words(text: str) -> str:
    """The words of a text for a search, with spaces between: "Zoë O’Neil-Ames's" -> "zoe oneil ames"."""
    return plain_words(text).casefold()


def search_phrases(name: str) -> list[str]:
    """The phrases, of search words, of which a text with this name has one; empty for a name without a word.

    A name with initials has several, because texts write initials apart and joined: "j d vance" and "jd vance".
    """
    plain = plain_words(name)
    apart = _JOINED_INITIALS.sub(lambda initials: " ".join(initials[0]), plain)
    forms = (plain, apart, _BETWEEN_INITIALS.sub("", apart))
    return list(dict.fromkeys(form.casefold() for form in forms if form))


class _Characters(dict[int, str | None]):
    """What words have of each character, by its code: letters and digits, an apostrophe, a space, or None for nothing."""

    def __missing__(self, code: int) -> str | None:
        character = unicodedata.normalize("NFC", chr(code))
        # NFKD would make a space of an acute accent that stands alone.
        parts = character if character in _APOSTROPHES else unicodedata.normalize("NFKD", character)
        self[code] = "".join(map(_plain_character, parts)) or None
        return self[code]


def _plain_character(character: str) -> str:
    if character in _APOSTROPHES:
        return "'"
    category = unicodedata.category(character)
    # Accents and characters without width, such as soft hyphens and joiners.
    if category == "Cf" or category.startswith("M"):
        return ""
    if not category.startswith(("L", "N")):
        return " "
    latin = None if character.isascii() else _LATIN.fullmatch(unicodedata.name(character.lower(), ""))
    if latin is None:
        return character
    letters = _NAMED_LETTERS.get(latin["letter"], latin["letter"])
    return letters if character.isupper() else letters.lower()


_CHARACTERS = _Characters()


def _plain_chunk(chunk: str) -> str:
    # No word contains white space, so that the words of each chunk between white space do not depend on the others.
    return " ".join(_APOSTROPHE.sub("", chunk.translate(_CHARACTERS)).split())


_PLAIN = ByChunk(_plain_chunk)

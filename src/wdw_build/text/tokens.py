"""Words and tokens of raw text. The annotators make the tokens of the neural models.

Words are casefolded runs of letters and digits; the overlap tests use them. Language-model tokens are Penn-like: case is
kept, punctuation and clitics are tokens of their own. Corpus and questions use the same function, so the n-gram model
scores what it was estimated on.

Search words are the same for each way of writing a name; the search index and its queries both use them. A search word has no
case, accents, apostrophes, possessive and characters without width. Hyphens and full stops separate words, as spaces do: "Zoë
O’Neil-Ames's" and "ZOE ONEIL AMES" have the words zoe, oneil and ames.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import TypeVar

# What the Penn Treebank writes for brackets (Marcus et al. 1993), as its tokens must not be taken for those of a tree.
TREEBANK_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}

T = TypeVar("T")
Element = str | tuple[str, int]

_WORD = re.compile(r"[^\W_]+")
_LM_PATTERN = (
    r"(?:[^\W\d_]\.){2,}"  # U.S.
    r"|\d+(?:[.,:/]\d+)*"  # 1,234.5
    r"|@entity\d+"  # the code of a person
    r"|[^\W\d_]+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    r"|[^\W_]+(?:(?:-|['’](?!(?:s|re|ve|ll|d|m|t)\b))[^\W_]+)*"  # Ki-moon, O'Brien
    r"|[^\w\s\x1c-\x1f]|_"
)
_LM_TOKENS = re.compile(_LM_PATTERN, re.IGNORECASE)
# Nearly all texts are pure ASCII, in which these patterns find the same tokens in half the time.
_ASCII_WORD = re.compile("[a-z0-9]+")
_ASCII_LM_TOKENS = re.compile(_LM_PATTERN, re.IGNORECASE | re.ASCII)
_CACHED = 1 << 16

# The characters that texts have in place of an apostrophe: accents, quotation marks, primes, and letters that look like one.
_APOSTROPHES = frozenset("'`´‘’‛′‵ʹʻʼʽʾʿˈˊˋꞋꞌ՚׳")
_APOSTROPHE = re.compile(r"'(?:s\b)?", re.IGNORECASE)
# The letter in the Unicode name of a Latin letter with a stroke or hook, or of a ligature (ø, ł, ı, æ), which NFKD leaves.
_NAMED_LETTERS = {"ETH": "D", "THORN": "TH", "ENG": "N", "SCHWA": "A", "SHARP S": "SS"}
_LATIN = re.compile(rf"LATIN (?:\S+ )*?(?P<letter>{'|'.join(_NAMED_LETTERS)}|[A-Z]{{1,2}})(?: WITH .*)?")
# Initials without full stops ("JD Vance"); other words in capitals only add phrases that no text has.
_JOINED_INITIALS = re.compile(r"\b[A-Z]{2,4}\b")
_BETWEEN_INITIALS = re.compile(r"(?<=\b\w) (?=\w\b)")


def words(text: str) -> list[str]:
    """The casefolded words of a text, in order."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return list(map(str.casefold, _WORD.findall(text)))


def elements(words: Iterable[str]) -> list[Element]:
    """The distinct elements of one bag: the word for its first occurrence, (word, count) for later occurrences."""
    counts: dict[str, int] = {}
    distinct: list[Element] = []
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        distinct.append(word if counts[word] == 1 else (word, counts[word]))
    return distinct


def lm_tokens(text: str) -> list[str]:
    """Tokens for the n-gram model, case kept."""
    return (_ASCII_LM_TOKENS if text.isascii() else _LM_TOKENS).findall(text)


def lm_token_spans(text: str) -> list[tuple[int, int]]:
    """The spans [start, end) of ``lm_tokens``, in characters."""
    return [match.span() for match in (_ASCII_LM_TOKENS if text.isascii() else _LM_TOKENS).finditer(text)]


def encodable(text: str) -> str:
    """The text with question marks for lone surrogates, which UTF-8 cannot hold; its length stays."""
    return text.encode("utf-8", "replace").decode("utf-8")


class ByChunk(dict[str, T]):
    """Caches a function of the chunks of a text between white space.

    No word and no token contains white space or depends on what is beyond it, so the tokens of a text are those of
    ``text.split()``, chunk by chunk. Chunks recur, and a look-up takes a fraction of the time of a regular expression.
    """

    def __init__(self, function: Callable[[str], T]) -> None:
        self._function = function

    def __missing__(self, chunk: str) -> T:
        if len(self) >= _CACHED:
            self.clear()
        value = self[chunk] = self._function(chunk)
        return value


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

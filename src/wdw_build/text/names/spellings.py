"""Whether two folded words are forms or spellings of one given name or family name.

They may differ by the spelling of a sound, and long ones in their vowels or by one wrong letter: "Barton" and "Burton" are too
short for that.
"""

from __future__ import annotations

import functools
import re

from wdw_build.text.names.name import FORMS_OF_GIVEN_NAMES, GIVEN_NAMES

# A woman's name may begin with a man's: "Roberta", "Nicole", "Josephine".
_FEMININE = re.compile(r"[lnt]?[aei]|i[ae]|in[ae]|elle|ett[ae]")
_SHORTEST_PREFIX = 3
_CACHED = 1 << 15
# Spellings of one sound in names from other scripts.
_SOUNDS = (
    *(("ph", "f"), ("th", "t"), ("ck", "k"), ("c", "k"), ("q", "k"), ("w", "v"), ("z", "s"), ("h", ""), ("y", "i")),
    *(("ks", "x"), ("bdel", "bdul")),
    *(("ou", "u"), ("oo", "u"), ("ee", "i"), ("ei", "i"), ("ie", "i"), ("ai", "i")),
)
_VOWELS = re.compile(r"[aeiou]+")
_TWICE = re.compile(r"([^\W\d_])\1+")
# The fewest letters of words that are spellings of one sound, differ by one letter, or only in their vowels.
_SHORTEST_POSSESSIVE, _SHORTEST_SOUND, _SHORTEST_MISSPELT, _SHORTEST_VOWELS = 4, 5, 6, 8
SOUND, VOWELS = "spellings of one sound", "vowels of a long word"


def are_one_given_name(name: str, other: str) -> bool:
    """Whether two given names are surely forms or spellings of one name: "Bill" and "William", "Tracy" and "Tracey"."""
    short, long = sorted((name, other), key=len)
    begins = long.isalpha() and len(short) >= _SHORTEST_PREFIX and long.startswith(short)
    is_short_form = begins and not _FEMININE.fullmatch(long[len(short) :])
    return is_short_form or name in forms_of(other) or bool(likeness(name, other, is_given=True))


def may_be_one_given_name(name: str, other: str) -> bool:
    """Whether two given names, or an initial and a given name, may be one person's: "w" and "bill"."""
    short, long = sorted((name, other), key=len)
    return any(form.startswith(short) for form in (long, *forms_of(long))) or are_one_given_name(name, other)


@functools.lru_cache(_CACHED)
def forms_of(given: str) -> frozenset[str]:
    """The forms of the names of which a given name is a form."""
    return frozenset[str]().union(*(forms for forms in FORMS_OF_GIVEN_NAMES if given in forms))


@functools.lru_cache(_CACHED)
def likeness(word: str, other: str, is_given: bool) -> str:
    """The evidence that two words are spellings of one given name or family name; empty if there is none."""
    if word == other:
        return "equal"
    if any(character.isdigit() for character in word + other):
        return ""
    short, long = sorted((word, other), key=len)
    if sound(word) == sound(other) and len(long) >= _SHORTEST_SOUND - is_given:
        return SOUND
    if _is_ending(short, long, is_given):
        return "the last letter is missing"
    if (sound(word)[0], word[-1]) == (sound(other)[0], other[-1]) and is_one_letter_apart(word, other):
        is_changed = len(word) == len(other) and sorted(word) != sorted(other)
        return "one letter" if len(short) >= _SHORTEST_MISSPELT + is_changed else ""
    return VOWELS if len(short) >= _SHORTEST_VOWELS and consonants(word) == consonants(other) else ""


def _is_ending(short: str, long: str, is_given: bool) -> bool:
    """Whether a long name is a short one with a last letter; of given names, only unknown ones of six letters.

    "Bert Coles" has lost the apostrophe of "Bert Cole's".
    """
    if long == f"{short}s" and not is_given:
        return len(short) >= _SHORTEST_POSSESSIVE
    is_other = is_given and (short in GIVEN_NAMES or len(short) < _SHORTEST_MISSPELT)
    return is_cut(short, long) and not is_other


@functools.lru_cache(_CACHED)
def sound(word: str) -> str:
    """A word with one letter for the spellings of one sound, and no doubled letters: "yusef" for "Youssef"."""
    first, rest = word[:1].replace("w", "v"), word[1:]
    if first == "c" and rest[:1] not in "eiyh":
        first = "k"
    for spelling, letter in _SOUNDS:
        rest = rest.replace(spelling, letter)
    return _TWICE.sub(r"\1", first + rest)


def consonants(word: str) -> str:
    """The first letter and the consonants of a word, in one spelling for each sound."""
    spelled = sound(word)
    return spelled[:1] + _VOWELS.sub("", spelled[1:])


def is_cut(word: str, other: str) -> bool:
    """Whether one of two words of five letters or more is the other without its last letter: "jaishanka", "jaishankar"."""
    short, long = sorted((word, other), key=len)
    return len(short) >= _SHORTEST_SOUND and len(long) == len(short) + 1 and long.startswith(short)


def is_one_letter_apart(word: str, other: str) -> bool:
    """Whether two words differ by one letter that is added, removed or changed, or by two adjacent letters swapped."""
    short, long = sorted((word, other), key=len)
    pairs = zip(short, long, strict=False)
    start = next((index for index, (mine, theirs) in enumerate(pairs) if mine != theirs), len(short))
    if len(long) - len(short) == 1:
        return short[start:] == long[start + 1 :]
    swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return len(long) == len(short) and (short[start + 1 :] == long[start + 1 :] or swapped)

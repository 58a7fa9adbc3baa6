"""Name matching: whether two names belong to one person. All stages use these rules.

The words of a name are folded: case, accents, possessive and punctuation are removed. Titles before the name are removed
too. Particles, initials and generational suffixes do not identify a person: names may share them by chance.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

from wdw_build.text.lexicon import word_list
from wdw_build.text.names.word_lists import are_one_given_name, has_one_letter_more, may_be_one_given_name

Words = tuple[str, ...]

PARTICLES = word_list("particles")
SUFFIXES = frozenset("jr sr ii iii iv esq md phd thero thera".split())
TITLES = word_list("titles")
_OCCUPATIONS = word_list("occupations")
BEFORE_A_NAME = TITLES | _OCCUPATIONS | word_list("titles_also_names")
# The same names recur in an article and in the articles of the same days.
_CACHED = 1 << 14
_POSSESSIVE = re.compile(r"['’]s?$")
# Characters at the ends of a mention that are no part of the name. A mention may end in several ("Smith's,").
_ENDS = re.compile(r"^[^\w(\"“'‘]+|(?:['’]s?|[\s,;:\-–—]|(?<=[^\W\d_]{4})\.)+$")
_OUTER = re.compile(r"^[^\w]+|[^\w.]+$")
_SPACE = re.compile(r"\s+")
_LETTERS = re.compile(r"[^\W\d_]+")
# Initials written together ("J.P.") are reduced to the first; the article of "al-Assad" is removed.
_INITIALS = re.compile(r"^\W*([^\W\d_]\.)(?:[^\W\d_]\.)+(?:['’]s|\W)*$")
_JOINED_PARTICLE = re.compile(r"^(?:abu|al|as|ben|bin|el|ibn|saint|st)-(?=\w)")
# Letters with strokes, and ligatures: Unicode decomposition does not change them.
_FOLDED = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", ".": "", "’": "'"}


def _inner(word: str) -> str:
    """A word without outer punctuation and possessive: "“Magic”'s" -> "Magic"."""
    return _OUTER.sub("", _POSSESSIVE.sub("", _OUTER.sub("", word)))


def usual_case(name: str) -> str:
    """A name without words in capitals: "GARETH SOUTHGATE", "Gareth SOUTHGATE" -> "Gareth Southgate"."""
    least = 2 if name.isupper() and any(len(word) > 3 for word in _LETTERS.findall(name)) else 4

    def lowered(word: re.Match[str]) -> str:
        found = word[0]
        is_shouted = found.isupper() and len(found) >= least and found.lower() not in SUFFIXES
        return found.capitalize() if is_shouted else found

    return _LETTERS.sub(lowered, name)


def fold(word: str) -> str:
    """A word without case, accents, possessive and outer punctuation: "Zoë's" -> "zoe"."""
    # Most words are ASCII letters and digits, which have nothing to remove.
    return word.lower() if word.isascii() and word.isalnum() else _fold(word)


@functools.lru_cache(_CACHED)
def _fold(word: str) -> str:
    return fold_text(_inner(word))


def fold_text(text: str) -> str:
    """A text without case, accents and full stops. It contains every folded word of the text as a substring."""
    if text.isascii():
        return text.lower().replace(".", "")
    plain = unicodedata.normalize("NFKD", text.casefold())
    for letter in set(plain):
        if letter in _FOLDED or unicodedata.combining(letter):
            plain = plain.replace(letter, _FOLDED.get(letter, ""))
    return plain


def _part(word: str) -> str:
    """A word of a name, folded; initials are reduced to the first, and a hyphenated particle is removed."""
    # Most words have neither a full stop nor a hyphen.
    folded = fold(_INITIALS.sub(r"\1", word) if "." in word else word)
    return _JOINED_PARTICLE.sub("", folded) if "-" in folded else folded


@functools.lru_cache(_CACHED)
def name_words(name: str) -> tuple[str, ...]:
    """The folded words of a name without titles and occupations before it; the last word always remains."""
    parts = tuple(folded for word in _SPACE.split(name.strip()) if (folded := _part(word)))
    start = 0
    while start < len(parts) - 1 and is_title(parts[start]):
        start += 1
    return parts[start:]


@functools.lru_cache(_CACHED)
def without_titles(name: str) -> str:
    """A name as written, without leading titles and occupations and without a possessive."""
    written = _SPACE.split(normalise_name(name))
    # A title's full stop may be a word of its own ("Rev . Ann Ames"). Initials are no title ("A.S.P. Ames").
    while len(written) > 1 and (is_title(_part(written[0])) or not _part(written[0])):
        written = written[1:]
    return " ".join(written)


def is_title(word: str) -> bool:
    """Whether a folded word is a title or an occupation, or two joined by a hyphen ("attorney-general")."""
    if word in BEFORE_A_NAME:
        return True
    first, hyphen, second = word.partition("-")
    return bool(hyphen) and first in BEFORE_A_NAME and (second in BEFORE_A_NAME or second in {"elect", "designate"})


def is_identifying(word: str) -> bool:
    """Whether a folded word can identify a person: it is not a particle, a suffix or a single letter."""
    return len(word) > 1 and word not in PARTICLES and word not in SUFFIXES


@functools.lru_cache(_CACHED)
def identifying_sequence(name: str) -> tuple[str, ...]:
    """The identifying words of a name, in order, with repetitions."""
    return tuple(word for word in name_words(name) if is_identifying(word))


@functools.lru_cache(_CACHED)
def identifying_tokens(name: str) -> frozenset[str]:
    """The set of the identifying words of a name."""
    return frozenset(identifying_sequence(name))


def shares_word(one: str, other: str) -> bool:
    """True if the names share an identifying word (the test of ``is_valid``)."""
    return bool(identifying_tokens(one) & identifying_tokens(other))


def is_subsequence(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether ``short`` is a sub-sequence of ``long``."""
    rest = iter(long)
    return all(word in rest for word in short)


def is_form_of(short: str, long: str) -> bool:
    """Whether the identifying words of ``short`` are a sub-sequence of those of ``long``; False if ``short`` has no such words."""
    words = identifying_sequence(short)
    return bool(words) and is_subsequence(words, identifying_sequence(long))


def same_person(one: str, other: str) -> bool:
    """True if one name is a form of the other (the test for choices)."""
    return is_form_of(one, other) or is_form_of(other, one)


# Shorter words that differ by one letter are mostly different names.
_SHORTEST_MISSPELT = 6


def is_misspelling(one: str, other: str) -> bool:
    """Whether two full names differ by one letter of one long word: "Alan Greespan" and "Alan Greenspan".

    A hyphen separates words ("Ann Ames-Baxster" and "Ann Ames Baxter"). The last letter must be the same: "Roberta" and
    "Robert" are two people.
    """
    first, second = _parts_of_words(one), _parts_of_words(other)
    if len(first) != len(second) or len(first) < 2:
        return False
    pairs = [(mine, theirs) for mine, theirs in zip(first, second, strict=True) if mine != theirs]
    return len(pairs) == 1 and is_misspelt_word(*pairs[0])


def is_misspelt_word(one: str, other: str) -> bool:
    """Whether two long folded words differ by one letter that is not the last: "oleschuk" and "oleshchuk"."""
    is_long = min(len(one), len(other)) >= _SHORTEST_MISSPELT
    return is_long and one != other and one[-1] == other[-1] and is_one_letter_apart(one, other)


def _parts_of_words(name: str) -> Words:
    """The identifying words of a name, split at hyphens."""
    return tuple(part for word in identifying_sequence(name) for part in word.split("-") if part)


def misspelling_keys(name: str) -> list[tuple[Words, str]]:
    """Keys of a name. Two names of which one is a misspelling of the other have a key in common.

    A key is the name without one word, and the first two or the last three letters of that word: words of six or more
    letters that are one letter apart have either in common.
    """
    words = _parts_of_words(name)
    return [
        ((*words[:number], "", *words[number + 1 :]), letters)
        for number, word in enumerate(words)
        if len(words) > 1 and len(word) >= _SHORTEST_MISSPELT
        for letters in (f"{word[:2]}-", f"-{word[-3:]}")
    ]


def is_one_letter_apart(one: str, other: str) -> bool:
    """Whether two words differ by one letter that is added, removed or changed, or by two adjacent letters swapped."""
    short, long = sorted((one, other), key=len)
    pairs = zip(short, long, strict=False)
    start = next((index for index, (mine, theirs) in enumerate(pairs) if mine != theirs), len(short))
    if len(long) - len(short) == 1:
        return short[start:] == long[start + 1 :]
    swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return len(long) == len(short) and (short[start + 1 :] == long[start + 1 :] or swapped)


# Spellings of one sound in names from other scripts.
_SOUNDS = (("w", "v"), ("ph", "f"), ("ck", "k"), ("c", "k"), ("z", "s"), ("h", ""))
_VOWELS = re.compile(r"[aeiouy]+")
_TWICE = re.compile(r"([^\W\d_])\1+")
_SHORTEST_SOUND, _SHORTEST_ALONE = 3, 5


@functools.lru_cache(_CACHED)
def _sound(word: str) -> str:
    """A folded word with one letter for the spellings of one sound and for all vowels: "vakramasang" for "Wickremesinghe"."""
    spelled = _spelled(word)
    return _TWICE.sub(r"\1", spelled[0] + _VOWELS.sub("a", spelled[1:]))


def _spelled(word: str) -> str:
    """A folded word with one letter for the spellings of one sound, i for y, and no doubled letters."""
    rest = word[1:]
    for spelling, sound in _SOUNDS:
        rest = rest.replace(spelling, sound)
    return _TWICE.sub(r"\1", word[0].replace("w", "v") + rest.replace("y", "i"))


def _is_family_name(words: Words, full: str) -> bool:
    """Whether a lone word is a spelling of a family name: "chaudhary" of "Anil Chaudhari", "misra" of "Ajay Mishra Teni"."""
    is_lone = len(words) == 1 and len(words[0]) >= _SHORTEST_ALONE
    return is_lone and _spelled(words[0]) in map(_spelled, name_words(full)[1:])


def _sound_alike(one: str, other: str, is_given: bool) -> bool:
    """Whether two folded words are spellings of one name, as "dissanayaka" and "dissanayake" or "dmitri" and "dmitry".

    In given names, the number and the last of the vowels count: "carl" and "carol", "maria" and "mario" are two.
    """
    if one == other:
        return True
    if is_given and (_sound(one) != _sound(other) or (one[-1] != other[-1] and {one[-1], other[-1]} != {"i", "y"})):
        return False
    return len(first := _consonants(one)) >= _SHORTEST_SOUND and first == _consonants(other)


def key_of_sounds(words: Words) -> tuple[str, str, str]:
    """The sounds of the first word, its last letter and the consonants of the last word, which names that sound alike share."""
    first, last = words[0], words[-1]
    return _sound(first), first[-1].replace("y", "i"), _consonants(last)


def _consonants(word: str) -> str:
    """The first letter and the consonants of a folded word, in one spelling for each sound."""
    sound = _sound(word)
    return sound[0] + sound[1:].replace("a", "")


def is_cut(one: str, other: str) -> bool:
    """Whether one of two folded words of five letters or more is the other without its last letter: "jaishanka", "jaishankar"."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_MISSPELT - 1 and len(long) == len(short) + 1 and long.startswith(short)


def is_plural_of(one: str, other: str) -> bool:
    """Whether ``one`` is the plural of the family name of ``other``: "Reagans" and "Ronald Reagan"."""
    plural, words = identifying_sequence(one), identifying_sequence(other)
    return len(plural) == 1 and bool(words) and len(words[-1]) > 2 and plural[0] in {words[-1] + "s", words[-1] + "es"}


def last_name(name: str) -> str:
    """The last identifying word of a name as it is written, without possessive: "Ki-moon" of "Ban Ki-moon Jr."."""
    written = [word for word in _SPACE.split(name.strip()) if is_identifying(_part(word))]
    if not written:
        return name.strip()
    return _inner(written[-1])


@functools.lru_cache(_CACHED)
def normalise_name(name: str) -> str:
    """A name with single spaces, without possessive and outer punctuation; titles are kept.

    A final full stop is removed after four or more letters, where it does not belong to an abbreviation.
    """
    text = _SPACE.sub(" ", name.strip())
    return _ENDS.sub("", text)


def in_text(name: str, *, any_case: bool = True) -> re.Pattern[str]:
    """The pattern of a name as texts have it: with any white space between the words, and in any case unless told otherwise."""
    return re.compile(r"\s+".join(map(re.escape, name.split())), re.IGNORECASE if any_case else 0)


def are_namesakes(one: str, other: str) -> bool:
    """Whether two full names that share a word belong to two people: relatives, or persons with one name in common.

    "Marisol Jofré" and "Rodrigo Jofré", "James Baker" and "James Miller". "Bill Clinton" and "William Clinton" may be
    one person.
    """
    first, second = identifying_sequence(one), identifying_sequence(other)
    if len(first) < 2 or len(second) < 2:
        return False
    if first[-1] == second[-1]:
        alike = any(may_be_one_given_name(mine, theirs) for mine in first[:-1] for theirs in second[:-1])
        return not alike or are_relatives(one, other)
    # If one name contains the surname of the other (two surnames, another order), both may belong to one person.
    return first[-1] not in second and second[-1] not in first


# "Sr." is written to tell the father from the son: the father's name is mostly written without it.
_GENERATIONS = frozenset("jr ii iii iv".split())


def generation(name: str) -> str:
    """The folded suffix that tells a son from his father ("jr", "ii"); empty for a name without it and for "Sr."."""
    last = name_words(name)[-1:]
    return last[0] if last and last[0] in _GENERATIONS else ""


def are_relatives(one: str, other: str) -> bool:
    """Whether suffix or initials show that two names of which one may be a form of the other are two people's.

    "Owen Ames Jr." and "Owen Ames", "Ida K. Moss" and "Ida L. Moss", "O.J. Moss" and "Ida Moss". "Ames" alone may be either,
    "Ames Jr." only the son.
    """
    mine, theirs = generation(one), generation(other)
    if mine != theirs:
        return bool(mine and theirs) or len(identifying_sequence(other if mine else one)) > 1
    first, second = name_words(one), name_words(other)
    if has_initials_alone(one) or has_initials_alone(other):
        letters, others = _given_letters(one), _given_letters(other)
        return bool(letters and others) and letters.isdisjoint(others)
    return first[:1] == second[:1] and (_other_initial(first, second) or _other_initial(second, first))


@functools.lru_cache(_CACHED)
def has_initials_alone(name: str) -> bool:
    """Whether a name is a family name with initials in the place of the given name: "O.J. Ames"."""
    words = name_words(name)
    return len(words) > 1 and len(words[0]) == 1 and len(identifying_sequence(name)) == 1


@functools.lru_cache(_CACHED)
def _given_letters(name: str) -> frozenset[str]:
    """The initials of a name, and the first letters of the words before the family name: "ojk" for "O.J. Karl Ames"."""
    family = last_name(name)
    words = without_titles(name).rpartition(family)[0].split()
    return frozenset(
        letter
        for word in words
        for letter in (fold(word) if _INITIALS.match(word) else fold(word)[:1])
        if letter.isalpha()
    )


def _other_initial(words: Words, others: Words) -> bool:
    """Whether an initial follows the given name, and the other name has another initial there, or other middle names."""
    middle, theirs = _middle_words(words), _middle_words(others)
    if not middle or not theirs or len(middle[0]) > 1:
        return False
    letters = {word[0] for word in theirs} if len(theirs[0]) > 1 else {theirs[0]}
    return middle[0] not in letters


def _middle_words(words: Words) -> Words:
    """The words and initials between given name and family name; empty if the name begins with an initial."""
    inner = tuple(word for word in words if word not in SUFFIXES)
    return inner[1:-1] if inner and len(inner[0]) > 1 else ()


def _may_be_one_middle(one: Words, other: Words) -> bool:
    """Whether two names' words between given name and family name may be one person's: one has none, or the letters match."""
    return not one or not other or [word[0] for word in one] == [word[0] for word in other]


def is_other_spelling(one: str, other: str) -> bool:
    """Whether two names are forms of one person's name with another form or spelling of the given name.

    "Bill Ames" and "William Ames"; also two names with the same letters ("Ida DelMoro", "Ida Del Moro"), with one letter more
    in a middle name, without the last letter, with other spellings of the same sounds, or with the family name in the plural.
    One may be another spelling of the family name alone.
    """
    first, second = identifying_sequence(one), identifying_sequence(other)
    if are_relatives(one, other):
        return False
    if len(first) < 2 or len(second) < 2:
        return _is_family_name(first, other) or _is_family_name(second, one)
    if "".join(name_words(one)) == "".join(name_words(other)):
        return True
    if first[:-1] == second[:-1] and (first[-1] + "s" == second[-1] or second[-1] + "s" == first[-1]):
        return True
    # "Ajay Misra" and "Ajay Mishra Teni".
    short, long = sorted((list(map(_spelled, first)), list(map(_spelled, second))), key=len)
    if first[0] == second[0] and len(short) < len(long) and is_subsequence(short, long):
        return True
    is_family = _sound_alike(first[-1], second[-1], is_given=False) or is_cut(first[-1], second[-1])
    is_given = _sound_alike(first[0], second[0], is_given=True) and _may_be_one_middle(first[1:-1], second[1:-1])
    if is_family and is_given:
        return True
    if first[-1] != second[-1]:
        return False
    if len(first) == len(second) > 2 and first[0] == second[0]:
        pairs = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
        return len(pairs) == 1 and has_one_letter_more(*pairs[0])
    alike = first[0] != second[0] and are_one_given_name(first[0], second[0])
    return alike and (is_subsequence(first[1:], second[1:]) or is_subsequence(second[1:], first[1:]))

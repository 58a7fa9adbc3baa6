"""Name matching: whether two names belong to one person. All stages use these rules.

The words of a name are folded: case, accents, possessive and punctuation are removed. Titles before the name are removed
too. Particles, initials and generational suffixes do not identify a person: names may share them by chance.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

Words = tuple[str, ...]

PARTICLES = frozenset(
    "de da do dos das del della di du la le los las el al ad as bin ibn ben bint abu van von der den ter ten zu zur "
    "af av san santa y e i o mac mc st saint the and of".split()
)
SUFFIXES = frozenset("jr sr ii iii iv esq md phd".split())
TITLES = frozenset(
    "mr mrs ms miss mx dr doctor prof professor sir dame lord lady sen senator rep representative gov governor gen general "
    "lt lieutenant col colonel maj major capt captain cmdr commander adm admiral sgt sergeant cpl corporal brig brigadier "
    "pvt private rev reverend father sister brother bishop archbishop cardinal pope rabbi imam sheikh shaikh mullah "
    "ayatollah president premier chancellor minister secretary ambassador judge justice magistrate mayor prince princess "
    "king queen emperor empress duke duchess count countess baron baroness sultan emir chief chairman chairwoman chairperson "
    "coach attorney detective officer inspector superintendent constable sheriff marshal speaker congressman congresswoman "
    "councillor councilman commissioner deputy former vice prime foreign finance defence defense interior first acting "
    "don dona señor señora senor senora herr frau monsieur madame comrade director spokesman spokeswoman prosecutor "
    "midfielder striker goalkeeper captain skipper actor actress singer author poet novelist physicist professor".split()
)
# Occupations look like given names where they start a sentence ("Deckhand Neville Ngata").
_OCCUPATIONS = frozenset(
    "architect astronaut banker chairwoman economist explorer deckhand defenseman diplomat drummer engineer farmer filmmaker "
    "fireman fisherman guitarist jockey journalist lawyer mechanic musician novelist nurse philosopher pianist pitcher "
    "playwright plumber quarterback rapper referee reporter schoolteacher scientist sculptor soprano striker surgeon "
    "teacher tenor violinist winger".split()
)
BEFORE_A_NAME = TITLES | _OCCUPATIONS
# The same names recur in an article and in the articles of the same days.
_CACHED = 1 << 14
_POSSESSIVE = re.compile(r"['’]s?$")
# Characters at the ends of a mention that are no part of the name. A mention may end in several ("Smith's,").
_ENDS = re.compile(r"^[^\w(\"“'‘]+|(?:['’]s?|[\s,;:\-–—]|(?<=[^\W\d_]{4})\.)+$")
_OUTER = re.compile(r"^[^\w]+|[^\w.]+$")
_SPACE = re.compile(r"\s+")
# Initials written together ("J.P.") are reduced to the first; the article of "al-Assad" is removed.
_INITIALS = re.compile(r"^\W*([^\W\d_]\.)(?:[^\W\d_]\.)+(?:['’]s|\W)*$")
_JOINED_PARTICLE = re.compile(r"^(?:abu|al|as|ben|bin|el|ibn|saint|st)-(?=\w)")
# Letters with strokes, and ligatures: Unicode decomposition does not change them.
_FOLDED = {
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    ".": "",
    "’": "'",
}


def _inner(word: str) -> str:
    """A word without outer punctuation and possessive: "“Magic”'s" -> "Magic"."""
    return _OUTER.sub("", _POSSESSIVE.sub("", _OUTER.sub("", word)))


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
    return _JOINED_PARTICLE.sub("", fold(_INITIALS.sub(r"\1", word)))


@functools.lru_cache(_CACHED)
def name_words(name: str) -> tuple[str, ...]:
    """The folded words of a name without titles and occupations before it; the last word always remains."""
    parts = tuple(folded for word in _SPACE.split(name.strip()) if (folded := _part(word)))
    start = 0
    while start < len(parts) - 1 and parts[start] in BEFORE_A_NAME:
        start += 1
    return parts[start:]


@functools.lru_cache(_CACHED)
def without_titles(name: str) -> str:
    """A name as written, without leading titles and occupations and without a possessive."""
    written = _SPACE.split(clean(name))
    while len(written) > 1 and fold(written[0]) in BEFORE_A_NAME:
        written = written[1:]
    return " ".join(written)


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

    The last letter must be the same: "Roberta" and "Robert" are two people.
    """
    first, second = identifying_sequence(one), identifying_sequence(other)
    if len(first) != len(second) or len(first) < 2:
        return False
    pairs = [(mine, theirs) for mine, theirs in zip(first, second, strict=True) if mine != theirs]
    if len(pairs) != 1:
        return False
    mine, theirs = pairs[0]
    return (
        min(len(mine), len(theirs)) >= _SHORTEST_MISSPELT and mine[-1] == theirs[-1] and _one_letter_apart(mine, theirs)
    )


def misspelling_keys(name: str) -> list[tuple[Words, str]]:
    """Keys of a name. Two names of which one is a misspelling of the other have a key in common.

    A key is the name without one word, and the first two or the last three letters of that word: words of six or more
    letters that are one letter apart have either in common.
    """
    words = identifying_sequence(name)
    return [
        ((*words[:number], "", *words[number + 1 :]), letters)
        for number, word in enumerate(words)
        if len(words) > 1 and len(word) >= _SHORTEST_MISSPELT
        for letters in (f"{word[:2]}-", f"-{word[-3:]}")
    ]


def _one_letter_apart(one: str, other: str) -> bool:
    """Whether two words differ by one letter that is added, removed or changed, or by two adjacent letters swapped."""
    short, long = sorted((one, other), key=len)
    pairs = zip(short, long, strict=False)
    start = next((index for index, (mine, theirs) in enumerate(pairs) if mine != theirs), len(short))
    if len(long) - len(short) == 1:
        return short[start:] == long[start + 1 :]
    swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return len(long) == len(short) and (short[start + 1 :] == long[start + 1 :] or swapped)


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
def clean(name: str) -> str:
    """A name with single spaces, without possessive and outer punctuation; titles are kept.

    A final full stop is removed after four or more letters, where it does not belong to an abbreviation.
    """
    text = _SPACE.sub(" ", name.strip())
    return _ENDS.sub("", text)


# Short forms of given names. Prefixes ("Rob" of "Robert") need no entry.
_NICKNAMES = (
    "bill william; bob robert; dick richard; rick richard; jim james; jimmy james; ted edward; ned edward; tom thomas; "
    "mike michael; joe joseph; tony anthony; larry lawrence; jack john; johnny john; hank henry; harry henry; chuck charles; "
    "peggy margaret; liz elizabeth; betty elizabeth; kate catherine; kate katherine; sandy alexander; gene eugene; "
    "steve stephen; jeff geoffrey; bobby robert; billy william; teddy edward; teddy theodore; dolly dorothy; nancy ann"
)
_SHORT_FOR = frozenset(frozenset(pair.split()) for pair in _NICKNAMES.split("; "))
# The most frequent English given names. They are used where the corpus has no evidence.
GIVEN_NAMES = frozenset(word for pair in _SHORT_FOR for word in pair) | frozenset(
    "abdul abdullah adam ahmed alan albert alexander alfred ali alice amy andrea andrew angela ann anna anne annette anthony "
    "antonio arthur barbara benjamin bernard boris brian bruce carl carlos carol caroline charlie chris christian christine "
    "christopher claude craig dan daniel david dennis diana diane donald donna doug douglas edwin elena emily emma eric "
    "ernest eva fernando fidel francis francisco francois frank franklin franz fred frederick gary george gerald gerhard "
    "giovanni giuseppe gordon greg guillermo hans harold harvey hassan heather helen helmut henri howard hugh hussein ian "
    "igor ivan jacob jacques jamal jane janet jason javier jay jean jennifer jerry jesse jessica jill joan johannes jon "
    "jonathan jorge jose josef juan judith julia julie karen karl katie keith kelly ken kenneth kevin khaled kim klaus laura "
    "leo leon leonard leonid linda lisa louis louise lucy luis luke manuel marco margaret maria mario mark martha martin mary "
    "matt matthew melissa michel michelle miguel mikhail mohamed mohammad mohammed monica muhammad natalie neil nicholas "
    "nicolas nicole nigel nikolai omar oscar otto pablo pamela patricia patrick paul paula pedro pete peter philip phillip "
    "pierre rachel ralph raul ray raymond rebecca robin roger roland ron ronald rosa roy rudolf russell ruth ryan samuel sam "
    "sandra sara sarah scott sean sergei sharon shirley simon sophie stanley stephanie stephen stuart susan sylvia tamara "
    "teresa terry theresa tim timothy todd tracy ursula vera victor victoria vincent viktor vladimir walter wayne wendy "
    "wolfgang yuri yusuf yvonne "
    # Given names that are also words or places.
    "art april austin brooke carolina charlotte chase chelsea chip crystal dallas dawn dean don drew faith florence gene "
    "georgia grace grant guy hope israel jackson jordan joy june lincoln madison may pat penny rich rod rose ruby rush rusty "
    "sandy savannah sydney virginia will".split()
)


def _same_given_name(one: str, other: str) -> bool:
    """Whether one given name is a prefix or a known short form of the other."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or frozenset((short, long)) in _SHORT_FOR


def are_namesakes(one: str, other: str) -> bool:
    """Whether two full names that share a word belong to two people, who share only a surname or only a given name.

    "Marisol Jofré" and "Rodrigo Jofré", "James Baker" and "James Miller". "Bill Clinton" and "William Clinton" may be
    one person.
    """
    first, second = identifying_sequence(one), identifying_sequence(other)
    if len(first) < 2 or len(second) < 2:
        return False
    if first[-1] == second[-1]:
        return not any(_same_given_name(mine, theirs) for mine in first[:-1] for theirs in second[:-1])
    # If one name contains the surname of the other (two surnames, another order), both may belong to one person.
    return first[-1] not in second and second[-1] not in first

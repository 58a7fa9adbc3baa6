"""Whether two names are of one person: the one comparison of all stages, which says why.

Names alone decide. "Ames" may be anyone's of the family: whoever asks completes a family name by its article first.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from wdw_build.text.names.name import Name, Words, apart, is_subsequence, parse
from wdw_build.text.names.spellings import (
    SOUND,
    are_one_given_name,
    consonants,
    forms_of,
    likeness,
    may_be_one_given_name,
    sound,
)

_CACHED = 1 << 16
# Names of so many words are one person's in any order: "Rha Woong-bae".
_IN_ANY_ORDER = 3
_BEGINNING = 3
_SHORTEST_ALONE = 8
_OF_KINGS = frozenset({"ii", "iii", "iv"})


class Relation(Enum):
    """What the first of two names is to the second."""

    SAME = "same"
    FORM = "a shorter form"
    FULLER = "a fuller form"
    MISSPELLING = "another spelling"
    RELATIVE = "a relative"
    NAMESAKE = "a namesake"
    DIFFERENT = "another name"


_OF_ONE_PERSON = frozenset({Relation.SAME, Relation.FORM, Relation.FULLER, Relation.MISSPELLING})
_TURNED = {Relation.FORM: Relation.FULLER, Relation.FULLER: Relation.FORM}


@dataclass(frozen=True)
class Comparison:
    """What the first of two names is to the second, and the evidence in words."""

    relation: Relation
    why: str

    @property
    def is_one_person(self) -> bool:
        """Whether both names may be one person's."""
        return self.relation in _OF_ONE_PERSON

    @property
    def is_form(self) -> bool:
        """Whether both names may be one person's, and no word is spelt otherwise."""
        return self.is_one_person and self.relation is not Relation.MISSPELLING

    @property
    def is_relative(self) -> bool:
        """Whether the names are alike but for a generation or initials: those of two persons."""
        return self.relation is Relation.RELATIVE

    @property
    def are_two(self) -> bool:
        """Whether the names share words, and are yet surely two persons'."""
        return self.relation in {Relation.RELATIVE, Relation.NAMESAKE}


@functools.lru_cache(_CACHED)
def compare(name: str, other: str) -> Comparison:
    """What a name is to another."""
    first, second = parse(name), parse(other)
    if not first.core or not second.core:
        return Comparison(Relation.DIFFERENT, "no word of a name")
    if first.key == second.key:
        return Comparison(Relation.SAME, "the same letters")
    if _size(first) > _size(second):
        turned = compare(other, name)
        return Comparison(_TURNED.get(turned.relation, turned.relation), turned.why)
    return _related(first, second) or _apart(first, second)


def _size(name: Name) -> tuple[int, int, str]:
    return len(name.parts), len(name.words), name.key


def _related(short: Name, long: Name) -> Comparison | None:
    """The comparison of names that may be one person's or a relative's; None for others."""
    comparison = next((Comparison(*alike) for alike in _likenesses(short, long)), None)
    conflict = _conflict(short, long) if comparison else ""
    return Comparison(Relation.RELATIVE, conflict) if conflict else comparison


def _likenesses(short: Name, long: Name) -> Iterator[tuple[Relation, str]]:
    """Yield how the words of the shorter name are those of the longer one, the firmest first."""
    if short.is_within(long):
        yield Relation.FORM, "words left out"
    if not short.is_full:
        yield from _likenesses_of_a_word(short, long)
        return
    given, *rest = short.parts
    for number, other in enumerate(long.parts[:-1], 1):
        is_form = are_one_given_name(given, other) and not likeness(given, other, is_given=True)
        if is_form and is_subsequence(rest, long.parts[number:]):
            yield Relation.FORM, f"{given} is a form of {other}"
    if why := _spelt(short, long):
        yield Relation.MISSPELLING, why
    if len(short.parts) >= _IN_ANY_ORDER and _in_any_order(short.parts, long.parts):
        yield Relation.MISSPELLING, "another order"


def _likenesses_of_a_word(short: Name, long: Name) -> Iterator[tuple[Relation, str]]:
    """Yield how a name of one word is a form or a spelling of another name."""
    word = short.core[0]
    if _is_plural(word, long.family) or (not long.is_full and _is_plural(long.family, word)):
        yield Relation.FORM, "a plural"
    alike = likeness(word, long.family, is_given=False)
    if alike == SOUND or (alike and min(len(word), len(long.family)) >= _SHORTEST_ALONE):
        yield Relation.MISSPELLING, alike


def _is_plural(word: str, family: str) -> bool:
    return word in {f"{family}s", f"{family}es"} and len(family) > 2


def _spelt(short: Name, long: Name) -> str:
    """The evidence that the words of a full name are spellings of words of another, in order; empty without."""
    evidence, rest = list[str](), iter(long.parts)
    for number, word in enumerate(short.parts, 1):
        is_given = number < len(short.parts)
        alike = next(filter(None, (likeness(word, other, is_given=is_given) for other in rest)), "")
        if not alike:
            return ""
        evidence.append(alike)
    if "one letter" in (ends := {evidence[0], evidence[-1]}) and ends.isdisjoint(("equal", SOUND)):
        return ""
    return "; ".join(dict.fromkeys(alike for alike in evidence if alike != "equal"))


def _in_any_order(short: Words, long: Words) -> bool:
    """Whether the words of a name are spellings of those of another in any order, one of them with the same sound."""
    rest, sounds = list(long), set(map(sound, long))
    for word in short:
        match = next((other for other in rest if likeness(word, other, is_given=False)), None)
        if match is None:
            return False
        rest.remove(match)
    return not sounds.isdisjoint(map(sound, short))


def _conflict(short: Name, long: Name) -> str:
    """Why two names that are alike are those of relatives, or an empty string: by generations or initials."""
    if short.generation != long.generation and not _may_be_one_generation(short, long):
        return f"generations: {short.generation or 'none'} and {long.generation or 'none'}"
    mine, theirs = short.given, long.given
    if short.has_initials_alone or long.has_initials_alone:
        return "" if _agree(mine, theirs) else "initials"
    begin_alike = mine and theirs and are_one_given_name(mine[0], theirs[0])
    return "middle initials" if begin_alike and not _agree(mine[1:], theirs[1:]) else ""


def _may_be_one_generation(name: Name, other: Name) -> bool:
    """Whether one name leaves the generation out: a family name alone may, and the father's name mostly does."""
    if name.generation and other.generation:
        return False
    shown, silent = (name, other) if name.generation else (other, name)
    if not silent.is_full:
        return shown.is_full or shown.generation in _OF_KINGS
    return shown.generation == "sr"


def _agree(words: Words, other: Words) -> bool:
    """Whether given names and initials may be one person's: the fewer ones stand for some of the others, in order.

    Of initials alone, none is left out before another: "H.W." is not "W.".
    """
    few, many = sorted((words, other), key=len)
    if all(len(word) == 1 for word in (*few, *many)):
        return many[: len(few)] == few
    rest = iter(many)
    return all(any(may_be_one_given_name(word, other) for other in rest) for word in few)


def _apart(name: Name, other: Name) -> Comparison:
    """The comparison of names that are not alike: of namesakes, or of others."""
    if not name.shares_word(other):
        return Comparison(Relation.DIFFERENT, "no word in common")
    if not name.is_full or not other.is_full:
        return Comparison(Relation.DIFFERENT, "a half of a name in common")
    # If one name has the family name of the other elsewhere (two family names, another order), both may be one person's.
    if name.family != other.family and (name.family in other.core or other.family in name.core):
        return Comparison(Relation.DIFFERENT, "another order")
    return Comparison(Relation.NAMESAKE, "other given names" if name.family == other.family else "another family name")


# ---- candidates ------------------------------------------------------------------------------------------------------


def spelling_keys(name: Name) -> list[Words]:
    """Keys of a full name, which few others have; with each other spelling of the name, at least one of them in common.

    A key is a word with the consonants of another word, or with this word without one letter.
    """
    words = name.parts
    if len(words) < 2:
        return []
    keys: dict[Words, None] = dict.fromkeys([("letters", "".join(apart(name.words))), ("order", *sorted(words))])
    for word, other in itertools.permutations(words, 2):
        keys |= dict.fromkeys((sound(word), "=", spelling) for spelling in _spellings(other))
    keys |= dict.fromkeys((words[-1], "given", form) for form in forms_of(words[0]))
    return list(keys)


def _spellings(word: str) -> list[str]:
    """The consonants of a word, and the word without one letter: two words one letter apart have one of these in common."""
    return [consonants(word), word, *(word[:at] + word[at + 1 :] for at in range(1, len(word)))]


def family_keys(name: Name) -> list[Words]:
    """Keys of a name, for the names of one article: shared by all names that may be one person's with a word in common."""
    return [("begins", sound(word)[:_BEGINNING]) for word in name.core]

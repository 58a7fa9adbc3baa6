"""Draws the surrogate words and the codes of a problem's persons, by hashes of seed, problem and word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from wdw_build.text.names.matching import fold_text
from wdw_build.text.pseudonyms.genders import FEMALE, MALE
from wdw_build.text.pseudonyms.people import Person, name_sequence
from wdw_build.text.pseudonyms.pool import FreeNames, Origin
from wdw_build.text.pseudonyms.words import NameWords

# A number in [0, 1) that depends on run, problem and the text alone.
Draw = Callable[[str], float]
_ALPHABET = "ABCDEFGHIJKLMNOPRSTVWZ"
_LEAST_WITHIN = 4


@dataclass(frozen=True)
class Surrogates:
    """The surrogate of each word of ``NameWords``, and the initials for letters of real initials."""

    words: Mapping[str, str]
    draw: Draw

    def initial(self, number: int, person: Person, letter: str) -> str:
        """The initial of the surrogate given name that stands for a given name with this letter, or else a drawn letter."""
        for word in person.words:
            if word.startswith(fold_text(letter)):
                return self.words[word][:1].upper()
        others = _ALPHABET.replace(letter.upper(), "")
        return others[int(self.draw(f"initial\x1f{number}\x1f{letter}") * len(others))]


def codes(count: int, draw: Draw) -> list[str]:
    """The codes ``@entity0`` to ``@entityN`` of the persons, permuted."""
    order = sorted(range(count), key=lambda number: (draw(f"code\x1f{number}"), number))
    ranks = {number: rank for rank, number in enumerate(order)}
    return [f"@entity{ranks[number]}" for number in range(count)]


def draw_surrogates(
    persons: Sequence[Person], genders: Sequence[str], words: NameWords, free: FreeNames, taken: Set[str], draw: Draw
) -> Surrogates | None:
    """A surrogate for every word of the persons' names; None if the pool has too few names.

    ``taken`` are the folded words of the problem's texts. No two words share a surrogate unless one stands for the other,
    and no surrogate contains a real word of four or more letters.
    """
    drawn: dict[str, str] = {}
    used = set(taken)
    long_words = [word for word in words.stands_for if len(word) >= _LEAST_WITHIN]
    for word in words.drawn:
        bearer = words.bearers[word][0]
        candidates = _candidates(word, persons[bearer], genders[bearer], words, free, draw)
        for name in candidates:
            folded = fold_text(name)
            if folded not in used and not any(real in folded for real in long_words):
                drawn[word] = name
                used.add(folded)
                break
        else:
            return None
    return Surrogates({word: drawn[whole] for word, whole in words.stands_for.items()}, draw)


def _candidates(word: str, person: Person, gender: str, words: NameWords, free: FreeNames, draw: Draw) -> Iterator[str]:
    """Yield names for a word: of a drawn origin first, then of the others, and blends at last.

    The given name has the origin of the person's surname, which is drawn independently of the real name.
    """
    surname = next((name[-1] for name in map(name_sequence, person.names) if len(name) > 1), word)
    first = int(draw(f"origin\x1f{words.stands_for.get(surname, surname)}") * len(free.origins))
    is_family = word in words.families
    if not gender:
        gender = FEMALE if draw(f"gender\x1f{person.name}") < 1 / 2 else MALE
    for origin in (*free.origins[first:], *free.origins[:first]):
        yield from _from(_names(origin, is_family, gender), draw(f"{origin.name}\x1f{word}"))
    yield from _from(free.blends, draw(f"blend\x1f{word}"))


def _names(origin: Origin, is_family: bool, gender: str) -> tuple[str, ...]:
    if is_family:
        return origin.family
    return origin.female if gender == FEMALE else origin.male


def _from(names: Sequence[str], place: float) -> Iterator[str]:
    """Yield the names from a place in [0, 1) on, around the end."""
    start = int(place * len(names))
    yield from names[start:]
    yield from names[:start]

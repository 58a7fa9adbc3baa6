"""The words of a problem's names: which words identify persons, who bears them, and which word stands for which.

Each identifying word has one surrogate word in a problem, so that a shared surname stays shared and a surname alone is
the surname of the full name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wdw_build.text.names.matching import PARTICLES, fold
from wdw_build.text.pseudonyms.people import Person, misspellings, name_sequence

_LEAST_OF_A_PART = 4
# Words that tell nothing about an origin, or join two names, stay where they are.
_KEPT_PARTICLES = frozenset({"and", "the", "of", "saint", "st", "as", "y", "e", "i", "o"})


@dataclass(frozen=True)
class NameWords:
    """The identifying words of the persons of a problem, folded.

    ``stands_for`` maps each word to the word whose surrogate it gets: itself, the correct word for a misspelling, or the
    whole for a part of a hyphenated name. ``bearers`` are the indices of the persons. ``families`` are the words that end
    a full name, or that are the only word of a person's name.
    """

    stands_for: dict[str, str]
    bearers: dict[str, tuple[int, ...]]
    families: frozenset[str]
    particles: frozenset[str]

    @property
    def drawn(self) -> tuple[str, ...]:
        """The words that need a surrogate of their own, in the order of the persons."""
        return tuple(dict.fromkeys(self.stands_for.values()))


def name_words_of(persons: Sequence[Person]) -> NameWords:
    """The identifying words of all persons."""
    corrected = dict(misspellings(persons))
    stands_for: dict[str, str] = {}
    bearers: dict[str, list[int]] = {}
    families: set[str] = set()
    for number, person in enumerate(persons):
        for word in person.words:
            stands_for.setdefault(word, corrected.get(word, word))
            bearers.setdefault(word, []).append(number)
        sequences = [name_sequence(name) for name in person.names]
        families.update(words[-1] for words in sequences if len(words) > 1)
        if max(map(len, sequences)) == 1:
            families.update(words[-1] for words in sequences)
    for word in list(stands_for):
        for part in _parts(word):
            if part not in stands_for:
                stands_for[part], bearers[part] = stands_for[word], bearers[word]
    return NameWords(
        stands_for=stands_for,
        bearers={word: tuple(numbers) for word, numbers in bearers.items()},
        families=frozenset(families),
        particles=_particles(persons),
    )


def _parts(word: str) -> list[str]:
    """The parts of a hyphenated word that may stand alone ("zeta-jones"): those of at least four letters."""
    parts = word.replace("–", "-").split("-")
    return [part for part in parts if len(part) >= _LEAST_OF_A_PART] if len(parts) > 1 else []


def _particles(persons: Sequence[Person]) -> frozenset[str]:
    """The particles within the names, which are dropped with the name."""
    words = {fold(word) for person in persons for name in person.names for word in name.replace("-", " ").split()}
    return frozenset(words & PARTICLES - _KEPT_PARTICLES)

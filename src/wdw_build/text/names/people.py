"""Which names of a dataset are of one person: "Reagan", "President Reagan" and "Ronald Reagan".

Names are compared by the words that count. Two names with the same last word are one person's if the words of one stand in
the other in order. A lone word is the commonest person whose last word it is, else the commonest who has it at all
("Chen" of "Chen Shui-bian").
Left out: short forms of given names. "Bob Dole" and "Robert Dole" are two people here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wdw_build.text.names.matching import fold_text, identifying_sequence, is_subsequence

_Words = tuple[str, ...]


def words_of(name: str) -> _Words:
    """The words that a name is compared by; the whole name if none of them counts."""
    return identifying_sequence(name) or (fold_text(name),)


class _People:
    """The persons known so far, from the commonest on; each is named by the words of its commonest name."""

    def __init__(self) -> None:
        self.person: dict[_Words, _Words] = {}
        self._by_two: dict[tuple[str, str], list[_Words]] = {}
        self._by_last: dict[str, _Words] = {}
        self._by_any: dict[str, _Words] = {}

    def add(self, words: _Words) -> None:
        """Add a name of two words or more, not commoner than those that were added before."""
        near = (known for word in words[:-1] for known in self._by_two.get((word, words[-1]), ()))
        person = next((known for known in near if is_subsequence(words, known) or is_subsequence(known, words)), None)
        if person is None:
            person = words
            for word in dict.fromkeys(words[:-1]):
                self._by_two.setdefault((word, words[-1]), []).append(words)
        self.person[words] = person
        self._by_last.setdefault(words[-1], person)
        for word in words:
            self._by_any.setdefault(word, person)

    def add_alone(self, words: _Words) -> None:
        """Add a name of one word, when all longer ones were added."""
        (word,) = words
        self.person[words] = self._by_last.get(word) or self._by_any.get(word) or words


def persons(names: Mapping[str, int]) -> dict[str, str]:
    """Each name with the words of its person's commonest name. ``names``: how often each stands in the dataset.

    Equally common names go by the alphabet, so that the order of the names changes nothing.
    """
    counts: dict[_Words, int] = {}
    for name, count in names.items():
        words = words_of(name)
        counts[words] = counts.get(words, 0) + count
    people = _People()
    for words in _from_the_commonest(counts):
        if len(words) > 1:
            people.add(words)
    for words in _from_the_commonest(counts):
        if len(words) == 1:
            people.add_alone(words)
    return {name: " ".join(people.person[words_of(name)]) for name in names}


def _from_the_commonest(counts: Mapping[_Words, int]) -> Iterable[_Words]:
    return sorted(counts, key=lambda words: (-counts[words], words))

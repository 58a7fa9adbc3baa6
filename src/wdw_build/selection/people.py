"""Groups the names of a dataset by person: "Reagan", "President Reagan" and "Ronald Reagan".

Names are compared by their identifying words. Two names with the same last word belong to one person if the words of one
name are a sub-sequence of the words of the other. A single word belongs to the most frequent person with this last word,
else to the most frequent person whose name contains the word ("Chen" of "Chen Shui-bian"). Short forms of given names are
not resolved: "Bob Dole" and "Robert Dole" are two people here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wdw_build.text.names.matching import fold_text, identifying_sequence, is_subsequence

_Words = tuple[str, ...]


def words_of(name: str) -> _Words:
    """The identifying words of a name, or the whole folded name if no word is identifying."""
    return identifying_sequence(name) or (fold_text(name),)


class _People:
    """The persons added so far, each under the words of the most frequent name. Names are added by falling frequency."""

    def __init__(self) -> None:
        self.person: dict[_Words, _Words] = {}
        self._by_two_words: dict[tuple[str, str], list[_Words]] = {}
        self._by_last_word: dict[str, _Words] = {}
        self._by_word: dict[str, _Words] = {}

    def add(self, words: _Words) -> None:
        """Add a name of two or more words."""
        similar = (name for word in words[:-1] for name in self._by_two_words.get((word, words[-1]), ()))
        person = next((name for name in similar if is_subsequence(words, name) or is_subsequence(name, words)), None)
        if person is None:
            person = words
            for word in dict.fromkeys(words[:-1]):
                self._by_two_words.setdefault((word, words[-1]), []).append(words)
        self.person[words] = person
        self._by_last_word.setdefault(words[-1], person)
        for word in words:
            self._by_word.setdefault(word, person)

    def add_single(self, words: _Words) -> None:
        """Add a name of one word, after all longer names."""
        (word,) = words
        self.person[words] = self._by_last_word.get(word) or self._by_word.get(word) or words


def persons(names: Mapping[str, int]) -> dict[str, str]:
    """Maps each name to the words of the most frequent name of the same person. ``names`` maps a name to its frequency.

    Equally frequent names are taken in alphabetical order, so the order of ``names`` has no effect.
    """
    counts: dict[_Words, int] = {}
    for name, count in names.items():
        words = words_of(name)
        counts[words] = counts.get(words, 0) + count
    people = _People()
    for words in _most_frequent_first(counts):
        if len(words) > 1:
            people.add(words)
    for words in _most_frequent_first(counts):
        if len(words) == 1:
            people.add_single(words)
    return {name: " ".join(people.person[words_of(name)]) for name in names}


def _most_frequent_first(counts: Mapping[_Words, int]) -> Iterable[_Words]:
    return sorted(counts, key=lambda words: (-counts[words], words))

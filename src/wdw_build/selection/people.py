"""Groups the names of a dataset by person: "Reagan", "President Reagan" and "Ronald Reagan".

Names are compared by their identifying words. Two names with the same last word belong to one person if the words of one
name are a sub-sequence of the words of the other. A single word belongs to the most frequent person with this last word,
else to the most frequent person whose name contains the word ("Chen" of "Chen Shui-bian"). Spellings of the same sounds are
one person ("Dmitry" and "Dmitri Kovtun"). Short forms of given names are not resolved: "Bob Dole" and "Robert Dole" are two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from wdw_build.text.names.matching import (
    fold_text,
    identifying_sequence,
    is_other_spelling,
    is_subsequence,
    key_of_sounds,
)

_Words = tuple[str, ...]


def _words_of(name: str) -> _Words:
    """The identifying words of a name, or the whole folded name if no word is identifying."""
    return identifying_sequence(name) or (fold_text(name),)


def persons(names: Mapping[str, int]) -> dict[str, str]:
    """Maps each name to the words of the most frequent name of the same person. ``names`` maps a name to its frequency.

    Equally frequent names are taken in alphabetical order, so the order of ``names`` has no effect.
    """
    counts = Counter[_Words]()
    for name, count in names.items():
        counts[_words_of(name)] += count
    person, by_last_word, by_word = dict[_Words, _Words](), dict[str, _Words](), dict[str, _Words]()
    by_two_words = defaultdict[tuple[str, ...], list[_Words]](list)
    # Single words come last.
    for words in sorted(counts, key=lambda words: (len(words) == 1, -counts[words], words)):
        *given, last = words
        if not given:
            person[words] = by_last_word.get(last) or by_word.get(last) or words
            continue
        similar = (name for word in given for name in by_two_words[word, last])
        sounds = key_of_sounds(words)
        same = next((name for name in similar if is_subsequence(words, name) or is_subsequence(name, words)), None)
        alike = (name for name in by_two_words[sounds] if is_other_spelling(" ".join(words), " ".join(name)))
        same = same or next(alike, None)
        if same is None:
            for key in dict.fromkeys([*((word, last) for word in given), sounds]):
                by_two_words[key].append(words)
        person[words] = same or words
        by_last_word.setdefault(last, person[words])
        for word in words:
            by_word.setdefault(word, person[words])
    return {name: " ".join(person[_words_of(name)]) for name in names}

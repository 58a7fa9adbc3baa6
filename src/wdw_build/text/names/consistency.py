"""Makes person labels consistent over one article, from the tagger's labels of every sentence.

A tagger reads one sentence at a time. It may label "Halloran" as a person here, as a place there, and not at all in a
headline. The first pass counts the labels of every name; the second pass decides on each mention by these counts. The
paper has no such step; here it replaces the document-level features of the paper's tagger.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from wdw_build.records import TaggedName, TokenSpan
from wdw_build.text.names.name import TITLES, Words, fold, is_identifying

PERSON = "PERSON"


class _LabelCounts:
    """How often each name of an article is labelled as a person and as something else; the names of persons by these counts.

    ``full_names`` are the persons' full names by their first word and their number of words.
    """

    def __init__(self, sentences: Sequence[Sequence[str]], tagged: Sequence[Sequence[TaggedName]]) -> None:
        self.votes = defaultdict[Words, Counter[bool]](Counter)
        self.full_names = defaultdict[str, dict[int, set[Words]]](dict)
        self.family_names = set[str]()
        for words, names in zip(sentences, tagged, strict=True):
            for name in names:
                if key := _key(words[name.start : name.end]):
                    self.votes[key][name.kind == PERSON] += 1
        for key, votes in self.votes.items():
            if len(key) > 1 and votes[True] > votes[False]:
                self.full_names[key[0]].setdefault(len(key), set()).add(key)
                if is_identifying(key[-1]):
                    self.family_names.add(key[-1])

    def is_person(self, key: Words) -> bool:
        """Whether a name labelled as a person keeps the label: as a person's family name, or by at least half of its labels."""
        if len(key) == 1 and key[0] in self.family_names:
            return True
        return self.votes[key][True] >= self.votes[key][False]


def document_level_persons(
    sentences: Sequence[Sequence[str]], tagged: Sequence[Sequence[TaggedName]]
) -> list[list[TokenSpan]]:
    """The persons of every sentence of one article, as token spans in order.

    ``sentences`` are tokens, ``tagged`` are the names found in each sentence. A name that is mostly labelled as something else
    is not a person. A full name that is mostly labelled as a person is a person at every occurrence, also in capitals. The
    family name of this person is a person wherever it is not part of another name.
    """
    counts = _LabelCounts(sentences, tagged)
    return [_persons(words, names, counts) for words, names in zip(sentences, tagged, strict=True)]


def _key(words: Iterable[str]) -> Words:
    """The folded words of a name, without leading titles and the possessive clitic."""
    folded = [part for word in words if (part := fold(word)) and part != "s"]
    while len(folded) > 1 and folded[0] in TITLES:
        folded = folded[1:]
    return tuple(folded)


def _persons(words: Sequence[str], names: Sequence[TaggedName], counts: _LabelCounts) -> list[TokenSpan]:
    """The persons of one sentence, in order."""
    persons = {
        (name.start, name.end)
        for name in names
        if name.kind == PERSON and counts.is_person(_key(words[name.start : name.end]))
    }
    # A name of another kind keeps its words if it has several: "Ford" in "Ford Motor" is not a person.
    others = [(name.start, name.end) for name in names if name.kind != PERSON and name.end - name.start > 1]
    # Both kinds of names start with a capital; most words have none.
    capitalised = {index: fold(word) for index, word in enumerate(words) if word[:1].isupper()}
    for span in _full_names(words, capitalised, counts):
        if not any(overlap(span, other) and not _within(other, span) for other in others):
            persons = {person for person in persons if not _within(person, span)}
            if not any(overlap(span, person) for person in persons):
                persons.add(span)
    for index, part in capitalised.items():
        if part in counts.family_names and _stands_alone(words, index, names):
            span = (index, index + 1)
            if not any(overlap(span, name) for name in (*persons, *others)):
                persons.add(span)
    return sorted(persons)


def _full_names(words: Sequence[str], capitalised: Mapping[int, str], counts: _LabelCounts) -> list[TokenSpan]:
    """The occurrences of the full names of persons, the longest names first, then in alphabetical order.

    ``capitalised`` are the folded words with a capital, by their index.
    """
    found = [
        (-size, key, start)
        for start, part in capitalised.items()
        if part in counts.full_names
        for size, names in counts.full_names[part].items()
        if (key := tuple(map(fold, words[start : start + size]))) in names
    ]
    return [(start, start - size) for size, _, start in sorted(found)]


def _stands_alone(words: Sequence[str], index: int, names: Sequence[TaggedName]) -> bool:
    """Whether a family name has no capitalised neighbour that could make it a part of another name.

    If the tagger gave the family name another label, a title must stand before it.
    """
    before = words[index - 1] if index else ""
    after = words[index + 1] if index + 1 < len(words) else ""
    titled = fold(before) in TITLES
    if any(name.start == index and name.end == index + 1 and name.kind != PERSON for name in names) and not titled:
        return False
    all_capitals = all(word.isupper() for word in words if word.isalpha())
    starts_name = index == 1 or titled or not before[:1].isupper()
    return not all_capitals and words[index][:1].isupper() and starts_name and not after[:1].isupper()


def overlap(one: TokenSpan, other: TokenSpan) -> bool:
    """Whether two spans share a token."""
    return one[0] < other[1] and other[0] < one[1]


def _within(inner: TokenSpan, outer: TokenSpan) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]

"""A name settled once per article: what a tagger said of each place, weighed over the whole article.

A tagger reads one sentence at a time, so it may call "Halloran" a person here, a place there, and nothing in a headline.
The first pass counts what every name was called; the second goes over the places again. The paper does not speak of
this: it stands for what its tagger's document-wide features did.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wdw_build.records import TaggedName
from wdw_build.text.names.matching import TITLES, fold, is_identifying

PERSON = "PERSON"
Span = tuple[int, int]
Key = tuple[str, ...]


@dataclass
class _Settled:
    """What the first pass found out about the names of an article."""

    votes: defaultdict[Key, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    full_names: set[Key] = field(default_factory=set)
    family_names: set[str] = field(default_factory=set)

    def is_person(self, key: Key) -> bool:
        """Whether a name that the tagger called a person somewhere may stay one; the more frequent verdict counts."""
        if len(key) == 1 and key[0] in self.family_names:
            return True
        return self.votes[key][True] >= self.votes[key][False]


def _key(words: Iterable[str]) -> Key:
    """The folded words of a name, without titles before it and a clitic after it."""
    folded = [part for word in words if (part := fold(word)) and part != "s"]
    while len(folded) > 1 and folded[0] in TITLES:
        folded = folded[1:]
    return tuple(folded)


def _first_pass(sentences: Sequence[Sequence[str]], tagged: Sequence[Sequence[TaggedName]]) -> _Settled:
    settled = _Settled()
    for words, names in zip(sentences, tagged, strict=True):
        for name in names:
            key = _key(words[name.start : name.end])
            if key:
                settled.votes[key][name.kind == PERSON] += 1
    for key, votes in settled.votes.items():
        if len(key) > 1 and votes[True] > votes[False]:
            settled.full_names.add(key)
            if is_identifying(key[-1]):
                settled.family_names.add(key[-1])
    return settled


def document_level_persons(
    sentences: Sequence[Sequence[str]], tagged: Sequence[Sequence[TaggedName]]
) -> list[list[Span]]:
    """The persons of every sentence of one article, as token spans in order.

    ``sentences`` are the tokens, ``tagged`` the names found in each. A name that is mostly something else is no person;
    a full name that is mostly a person is one wherever it stands, whatever its case; a family name of such a person is
    one where no other name holds it.
    """
    settled = _first_pass(sentences, tagged)
    return [list(_second_pass(words, names, settled)) for words, names in zip(sentences, tagged, strict=True)]


def _second_pass(words: Sequence[str], names: Sequence[TaggedName], settled: _Settled) -> Iterator[Span]:
    kept = [
        (name.start, name.end)
        for name in names
        if name.kind == PERSON and settled.is_person(_key(words[name.start : name.end]))
    ]
    # Only a longer name of another kind keeps its words: the "Ford" of "Ford Motor".
    others = [(name.start, name.end) for name in names if name.kind != PERSON and name.end - name.start > 1]
    folded = [fold(word) for word in words]
    found = {span: span for span in kept}
    for span in _full_names(words, folded, settled):
        if not any(_overlap(span, other) and not _within(other, span) for other in others):
            found = {own: kept_span for own, kept_span in found.items() if not _within(own, span)}
            if not any(_overlap(span, own) for own in found):
                found[span] = span
    for at in range(len(words)):
        span = (at, at + 1)
        free = not any(_overlap(span, taken) for taken in (*found, *others))
        if free and folded[at] in settled.family_names and _stands_alone(words, at, names):
            found[span] = span
    yield from sorted(found)


def _full_names(words: Sequence[str], folded: Sequence[str], settled: _Settled) -> Iterator[Span]:
    """Where a settled full name stands, the longest first."""
    for key in sorted(settled.full_names, key=lambda name: (-len(name), name)):
        size = len(key)
        for at in range(len(words) - size + 1):
            if folded[at] == key[0] and tuple(folded[at : at + size]) == key and words[at][:1].isupper():
                yield at, at + size


def _stands_alone(words: Sequence[str], at: int, names: Sequence[TaggedName]) -> bool:
    """Whether a family name stands without a capitalised neighbour that might make it another name.

    A place that the tagger called something else needs a title before it.
    """
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    titled = fold(before) in TITLES
    if any(name.start == at and name.end == at + 1 and name.kind != PERSON for name in names) and not titled:
        return False
    capitals = all(word.isupper() for word in words if word.isalpha())
    lone = at == 1 or titled or not before[:1].isupper()
    return not capitals and words[at][:1].isupper() and lone and not after[:1].isupper()


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]

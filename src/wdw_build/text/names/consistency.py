"""Makes person labels consistent over one article, from the tagger's labels of every sentence.

A tagger reads one sentence at a time. It may label "Halloran" as a person here, as a place there, and not at all in a
headline. The first pass counts the labels of every name; the second pass decides on each mention by these counts. The
paper has no such step; here it replaces the document-level features of the paper's tagger.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set

from wdw_build.records import TaggedName, TokenSpan
from wdw_build.text.names.name import TITLES, Words, fold, is_identifying

PERSON = "PERSON"


def document_level_persons(
    sentences: Sequence[Sequence[str]], tagged: Sequence[Sequence[TaggedName]]
) -> list[list[TokenSpan]]:
    """The persons of every sentence of one article, as token spans in order.

    ``sentences`` are tokens, ``tagged`` are the names found in each sentence. A name that is mostly labelled as something else
    is not a person. The last word of a full name that is mostly labelled as a person is a person wherever it stands alone.
    """
    votes = defaultdict[Words, Counter[bool]](Counter)
    for words, names in zip(sentences, tagged, strict=True):
        for name in names:
            votes[_key(words, name)][name.kind == PERSON] += 1
    families = {
        key[-1]
        for key, labels in votes.items()
        if len(key) > 1 and labels[True] > labels[False] and is_identifying(key[-1])
    }
    return [_persons(words, names, votes, families) for words, names in zip(sentences, tagged, strict=True)]


def _key(words: Sequence[str], name: TaggedName) -> Words:
    """The folded words of a name, without the possessive clitic."""
    return tuple(part for word in words[name.start : name.end] if (part := fold(word)) and part != "s")


def _persons(
    words: Sequence[str], names: Sequence[TaggedName], votes: Mapping[Words, Counter[bool]], families: Set[str]
) -> list[TokenSpan]:
    """The persons of one sentence, in order: those with at least as many labels as other names, and family names."""
    persons = [
        (name.start, name.end)
        for name in names
        if name.kind == PERSON and votes[key := _key(words, name)][True] >= votes[key][False]
    ]
    labelled = {index for name in names for index in range(name.start, name.end)}
    for index, word in enumerate(words):
        if word[:1].isupper() and index not in labelled and fold(word) in families and _stands_alone(words, index):
            persons.append((index, index + 1))
    return sorted(persons)


def _stands_alone(words: Sequence[str], index: int) -> bool:
    """Whether a word has no capitalised neighbour that could make it a part of another name; a title is none."""
    before = words[index - 1] if index > 1 else ""
    after = words[index + 1] if index + 1 < len(words) else ""
    return (fold(before) in TITLES or not before[:1].isupper()) and not after[:1].isupper()


def overlap(span: TokenSpan, other: TokenSpan) -> bool:
    """Whether two spans share a token."""
    return span[0] < other[1] and other[0] < span[1]

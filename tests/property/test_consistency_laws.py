"""Settling names keeps to the sentences it was given."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.records import TaggedName
from wdw_build.text.names.consistency import document_level_persons

WORDS = st.sampled_from("Ann Poole POOLE Ford Motor the of said Mrs 's . poole Jae-sung".split())


@st.composite
def tagged_sentences(draw: st.DrawFn) -> tuple[list[list[str]], list[list[TaggedName]]]:
    """Draw sentences with names in them that do not overlap."""
    sentences = draw(st.lists(st.lists(WORDS, min_size=1, max_size=9), max_size=5))
    tagged: list[list[TaggedName]] = []
    for words in sentences:
        names: list[TaggedName] = []
        at = 0
        while at < len(words):
            end = draw(st.integers(at + 1, len(words)))
            kind = draw(st.sampled_from(["PERSON", "ORG", "LOC", ""]))
            if kind:
                names.append(TaggedName(at, end, kind))
            at = end
        tagged.append(names)
    return sentences, tagged


@given(tagged_sentences())
def test_spans_are_in_order_apart_and_inside(parts: tuple[list[list[str]], list[list[TaggedName]]]) -> None:
    """The spans of a sentence lie in it, in order, and none overlaps another."""
    sentences, tagged = parts
    for words, spans in zip(sentences, document_level_persons(sentences, tagged), strict=True):
        assert all(0 <= low < high <= len(words) for low, high in spans)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))


@given(tagged_sentences())
def test_no_person_comes_from_an_article_without_one(parts: tuple[list[list[str]], list[list[TaggedName]]]) -> None:
    """Where the tagger found no person, nothing is made one."""
    sentences, tagged = parts
    without = [[name for name in names if name.kind != "PERSON"] for names in tagged]
    assert not any(document_level_persons(sentences, without))

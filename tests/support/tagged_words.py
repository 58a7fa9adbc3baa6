"""Random sentences with names in them."""

from hypothesis import strategies as st

from wdw_build.records import TaggedName


@st.composite
def tagged_words(draw, words):
    """The words of a sentence, and names in it that do not overlap."""
    sentence, names, at = draw(st.lists(words, min_size=1, max_size=9)), [], 0
    while at < len(sentence):
        end = draw(st.integers(at + 1, len(sentence)))
        if kind := draw(st.sampled_from(["PERSON", "ORG", "LOC", ""])):
            names.append(TaggedName(at, end, kind))
        at = end
    return sentence, names

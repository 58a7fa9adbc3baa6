"""The sentence splitter gives the sentences of NLTK's Punkt, whatever the text."""

import functools

from hypothesis import example, given, settings
from hypothesis import strategies as st

from wdw_build.adapters import punkt
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.text.sentences.boundaries import ABBREVIATIONS

PIECES = """a B Mr Mr. co. said. Corp. pre-co U.S. co e.g U.S J 3 5.2 . .. ... ? ! , ; : " ' ) ( ] [ } { ” “ ’ « » - --
é É * @ # -ed Jan ſ The said""".split()
SPACES = [" ", " ", "  ", "\n", "\n\n", "\t", "\r", "\v", "\f", "\x1c", "\x85", "\xa0", "\u2028"]
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES + SPACES * 2), max_size=16).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=16).map(" ".join),
    st.text(alphabet=st.characters(codec="utf-8"), max_size=20),
)


@functools.cache
def of_nltk():
    library = punkt._load_punkt()
    parameters = library.PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    return library.PunktSentenceTokenizer(parameters)


@settings(deadline=None, max_examples=400)
@given(TEXTS)
@example('He said "no." She left. (So did I.) Mr. Ode came.')
@example("A . . . B. c. . D.")
@example(" lead. Next\x1cone. Two")
def test_the_sentences_are_those_of_nltks_tokenizer(text):
    expected = [each for paragraph in text.split("\n\n") if paragraph.strip() for each in of_nltk().tokenize(paragraph)]
    assert PunktSplitter().sentences(text) == expected

"""The sentence splitter gives the sentences that NLTK's own ``tokenize`` gives, whatever the text."""

import functools

from hypothesis import example, given
from hypothesis import strategies as st

from wdw_build.adapters import punkt
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.text.sentences.boundaries import ABBREVIATIONS

PIECES = [
    *"He came Mr Sen no U.S v J é É naïve al-Abadi Wi-Fi x, ß İ ʰa 中国 5 2016 3.5 1,234 ٣ ² ½ a_b 's ’s".split(),
    *". ? ! .. ... ?! , : ; ( ) [ ] { } * < > - -- — # @ $ _ \" ' ` “ ” ‘ ’ « » …".split(),
]
BLANKS = [" ", "\n", "\t", "\r", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\u200b"]
STOPS = [". ", "? ", "! ", ".", '." ', ".) ", ".\n", ".\xa0"]
TEXTS = st.one_of(
    st.text(max_size=30),
    st.lists(st.sampled_from(PIECES + BLANKS + STOPS * 6), max_size=24).map("".join),
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(STOPS)), max_size=9).map(
        lambda parts: "".join(map("".join, parts))
    ),
)


@functools.cache
def nltk_tokenizer():
    module = punkt._load_punkt()
    parameters = module.PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    return module.PunktSentenceTokenizer(parameters)


@given(TEXTS)
@example(" ?? x")
@example("Why ?? He! ?")
@example('He came." ) "She left.')
@example("He came. \x1c")
@example(".\xa0.\n.")
@example("He came.\n\x1c x")
@example("He came. )\n-- She left.")
def test_the_sentences_are_those_of_nltk(text):
    paragraphs = filter(str.strip, text.split("\n\n"))
    expected = [sentence for paragraph in paragraphs for sentence in nltk_tokenizer().tokenize(paragraph)]
    assert PunktSplitter().sentences(text) == expected

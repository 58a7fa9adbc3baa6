"""Words, sentences and names: what is in doubt never makes a check fail."""

import pytest

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.text.names import matching as names
from wdw_build.text.sentences.boundaries import ABBREVIATIONS
from wdw_build.text.tokens import words as pipeline_words
from wdw_build.verify import plain_words as own

TRICKY = [
    'He met J. Smith and Mr. Smith of the U.S. Senate. They agreed. Then C. J. "Pete" Silas left.',
    'It rose 3.5 pct in 1987. "We know," he said. (They did.) "Why?" Nobody asked! Sales were 5 mln stg... The rest fell.',
    "The bank, Jones Bros. Ltd., made a loss. I saw it at No. 10. It was in Wash. and Conn. The end... of it.",
    'They washed. Then wash. The name was "B." A further one. was it? yes.\n\nNew paragraph without end\n\n \n\nLast one',
]


@pytest.mark.parametrize(("text", "count"), list(zip(TRICKY, (1, 2, 0, 3), strict=True)))
def test_every_sure_sentence_is_a_sentence_of_the_pipeline(text, count):
    sentences = [pipeline_words(sentence) for sentence in PunktSplitter().sentences(text)]
    sure = list(filter(None, map(own.words, own.sure_sentences(text))))
    assert len(sure) == count
    assert all(sentence in sentences for sentence in sure)


def test_the_lists_of_what_is_in_doubt_cover_the_pipelines():
    folded = {names.fold(word) for word in names.PARTICLES | names.SUFFIXES | names.TITLES}
    assert folded <= own.MAYBE_NOT_IDENTIFYING
    assert {word for word in ABBREVIATIONS if word.isalpha() and len(word) > 2} <= own._UNSURE_ENDS


@pytest.mark.parametrize(
    "name", ["Zoë O’Neill's", "Mr. J.R. de la Cruz Jr.", "Ban Ki-moon,", "President Li", "Dr. Ana-Íris Díaz"]
)
def test_doubt_about_names_goes_both_ways(name):
    assert own.surely_identifying(name) <= names.identifying_tokens(name) <= set(own.name_words(name))

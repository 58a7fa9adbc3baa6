"""Where a sentence ends, whatever the tokenizer says."""

import pytest

from wdw_build.text.sentences.boundaries import ends_sentence, is_word_with_stop

CASES = [
    ("a company's name is not cut", "Banner Industries", "Inc", " ", False),
    ("nor a country's", "the U.K.", "Government", " ", False),
    ("an abbreviation may end a sentence before a word that starts them", "in the U.S.", "He", " ", True),
    ("a full stop ends a sentence", "he said .", "Prices", " ", True),
    ("also within closing quotes", 'he said . "', "Prices", " ", True),
    ("a small letter goes on", "Acme Inc .", "said", " ", False),
    ("a title goes on", "said Mr .", "Smith", " ", False),
    ("a paragraph's end always ends", "no stop here", "The", "\n\n", True),
    ("a number may begin", "they won !", "2", " ", True),
    ("the text's end ends", "no stop here", "", "", True),
    ("within quotes and brackets", "he left . ” )", "It", " ", True),
    ("a lone closing quote ends nothing", "''", "The", " ", False),
    ("a word within quotes without a full stop", "left ”", "The", " ", False),
    ("a lone full stop ends a sentence", ".", "Corp", " ", True),
    ("a token of its own after an abbreviation", "Inc .", "Said", " ", False),
    ("the same before a starter", "Inc .", "It", " ", True),
    ("the same within brackets", "Inc . )", "Said", " ", False),
    ("an abbreviation with its full stop", "Inc.", "Said", " ", False),
    ("the same before a starter in capitals", "Inc.", "IT", " ", True),
    ("a starter in small letters", "the U.S.", "the", " ", False),
    ("a starter of one letter", "J.R.", "A", " ", True),
    ("initials before a name", "J.R.", "Smith", " ", False),
    ("a small letter before a capital", "he left.", "iPhone", " ", False),
    ("a mark that opens", "he left ?", "(", " ", True),
]


@pytest.mark.parametrize(("words", "following", "gap", "ends"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_a_sentence_ends_where_it_really_does(words, following, gap, ends):
    assert ends_sentence(tuple(words.split()), following, gap) is ends


def test_a_word_that_took_the_full_stop_of_the_sentence_is_no_abbreviation():
    words = ["Ames.", "left.", "Messrs.", "Calif.", "U.S.", "J.", "Jr.", "Co.", "Ames", "4.5."]
    assert [word for word in words if is_word_with_stop(word)] == ["Ames.", "left."]

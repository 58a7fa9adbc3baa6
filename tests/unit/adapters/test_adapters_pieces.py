"""The word pieces that the second tagger reads, and its opinions: ``adapters.sentence_models``."""

import pytest

from wdw_build.adapters.minilm import open_tokenizer
from wdw_build.adapters.sentence_models import MOST_PIECES, SHAPES, SecondTagger, cut, shape
from wdw_build.adapters.stanza.models import BUNDLED

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def tokenizer():
    return open_tokenizer(BUNDLED / "encoder" / "tokenizer.json")


def test_each_word_even_a_lone_surrogate_has_a_first_piece_in_order(tokenizer):
    words = ["Zbigniew", "O'Hara", "met", "\u200b", "😀", "\ud800", "Ann-Marie", "."]
    read = cut(words, tokenizer)
    assert len(read.firsts) == len(words)
    assert read.firsts == sorted(set(read.firsts))
    assert len(read.pieces) == len(read.shapes)


def test_all_pieces_of_a_word_have_its_shape(tokenizer):
    read = cut(["Zbigniewski"], tokenizer)
    assert len(read.pieces) > 3
    assert set(read.shapes[1:-1]) == {shape("Zbigniewski")}


def test_words_beyond_the_longest_input_are_left_out(tokenizer):
    read = cut(["word"] * 400, tokenizer)
    assert len(read.pieces) == MOST_PIECES
    assert len(read.firsts) == MOST_PIECES - 2


def test_a_very_long_word_takes_few_pieces(tokenizer):
    read = cut(["x" * 5000, "Ann"], tokenizer)
    assert len(read.firsts) == 2
    assert read.firsts[1] <= 10


def test_the_shapes_tell_capitals_digits_and_symbols():
    shapes = [shape(word) for word in ("NATO", "Ann", "2:30", "--", "eBay", "met")]
    assert len(set(shapes)) == 6
    assert max(shapes) < SHAPES


def test_an_opinion_is_the_rounded_exact_one_alone_and_in_a_batch_of_mixed_lengths():
    tagger = SecondTagger()
    met = "Ann Quillby met Tom Marrow of Estmark Rail in Lowmark on Friday .".split()
    trial = "Trial of Hollis begins Potential jurors in the case against Dana Hollis were asked".split() * 4
    sentences = [met, ["Marrow"], [], trial, ["word"] * 400]
    exact, alone = tagger._in_batches(sentences, exact=True), SecondTagger()
    together = tagger.opinions(sentences)
    assert [alone.opinions([words])[0] for words in sentences] == together
    for values, opinion in zip(exact, together, strict=True):
        assert opinion.begins[: len(values)] == values[:, 1].round(3).tolist()
        assert opinion.within[: len(values)] == values[:, -2].round(1).tolist()
        assert opinion.given[: len(values)] == values[:, -1].round(1).tolist()
    assert not any(share for word, share in zip(met, together[0].within, strict=True) if not word[0].isupper())
    assert together[0].tags[:5] == ["B-PERSON", "I-PERSON", "O", "B-PERSON", "I-PERSON"]

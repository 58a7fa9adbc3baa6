"""The word pieces that the second tagger reads, and its opinions: ``adapters.sentence_models``."""

import pytest

from wdw_build.adapters.minilm import open_tokenizer
from wdw_build.adapters.sentence_models import MOST_PIECES, SHAPES, TAGS, SecondTagger, cut, shape
from wdw_build.adapters.stanza.models import BUNDLED

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def tokenizer():
    return open_tokenizer(BUNDLED / "encoder" / "tokenizer.json")


def test_each_word_has_a_first_piece_in_order(tokenizer):
    words = ["Zbigniew", "O'Hara", "met", "\u200b", "😀", "Ann-Marie", "."]
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


def test_a_lone_surrogate_is_read(tokenizer):
    assert len(cut(["\ud800", "Ann"], tokenizer).firsts) == 2


def test_the_shapes_tell_capitals_digits_and_symbols():
    shapes = [shape(word) for word in ("NATO", "Ann", "2:30", "--", "eBay", "met")]
    assert len(set(shapes)) == 6
    assert max(shapes) < SHAPES


def test_an_opinion_is_the_rounded_exact_one_alone_and_in_a_batch_of_mixed_lengths():
    tagger = SecondTagger()
    sentences = [
        "Ann Quillby met Tom Marrow of Estmark Rail in Lowmark on Friday .".split(),
        ["Marrow"],
        [],
        ("Trial of Hollis begins Potential jurors in the case against Dana Hollis were asked " * 4).split(),
        ["word"] * 400,
    ]
    exact, alone = tagger._in_batches(sentences, exact=True), SecondTagger()
    together = tagger.opinions(sentences)
    assert [alone.opinions([words])[0] for words in sentences] == together
    assert [one.begins[: len(values)] for one, values in zip(together, exact, strict=True)] == [
        values[:, 1].round(3).tolist() for values in exact
    ]
    assert [one.within[: len(values)] for one, values in zip(together, exact, strict=True)] == [
        values[:, -1].round(1).tolist() for values in exact
    ]
    assert not any(share for word, share in zip(sentences[0], together[0].within, strict=True) if not word[0].isupper())
    starts = tagger.starts(sentences)
    assert [alone.starts([words])[0] for words in sentences] == starts
    assert [one[: len(values)] for one, values in zip(starts, exact, strict=True)] == [
        values[:, len(TAGS)].round(2).tolist() for values in exact
    ]
    assert together[0].tags[:5] == ["B-PERSON", "I-PERSON", "O", "B-PERSON", "I-PERSON"]

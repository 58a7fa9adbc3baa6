"""Word vectors: the forms of file, words without a vector, and damaged files."""

import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_bench.systems.vectors import Vectors
from wdw_build.errors import ConfigError, MissingResourceError

GLOVE = b"the 1 2\ncafe\xcc\x81 0.5 -3e-1\n. . . 7 8\nthe 9 9\n"


def write(folder, content, name="vectors.txt"):
    (folder / name).write_bytes(content)
    return Vectors(folder / name)


def test_words_come_in_the_order_asked_for_and_unknown_words_are_zero_and_a_word_may_contain_blanks(tmp_path):
    vectors, found = write(tmp_path, GLOVE).lookup(["cafe\u0301", "missing", "the", "The", ". . ."])
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[0.5, np.float32(-0.3)], [0, 0], [1, 2], [1, 2], [7, 8]]
    assert found.tolist() == [True, False, True, True, True]


def test_a_word_in_its_own_case_comes_before_the_lower_case_one(tmp_path):
    assert write(tmp_path, b"us 1 1\nUS 2 2\n").lookup(["US", "Us"])[0].tolist() == [[2, 2], [1, 1]]


def test_word2vec_text_has_a_header_and_blanks_at_line_ends(tmp_path):
    vectors = write(tmp_path, b"2 3\n</s> 0 0 1 \nin 4 5 6 \n")
    assert vectors.dimensions == 3
    assert vectors.lookup(["in", "2"])[0].tolist() == [[4, 5, 6], [0, 0, 0]]


def test_a_gzipped_file_gives_the_same_vectors(tmp_path):
    zipped = write(tmp_path, gzip.compress(GLOVE), "vectors.txt.gz")
    words = [". . .", "the", "cafe\u0301"]
    assert np.array_equal(zipped.lookup(words)[0], write(tmp_path, GLOVE).lookup(words)[0])


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.text("abcdéf", min_size=1, max_size=4), st.integers(-9, 9), min_size=1), st.data())
def test_every_word_of_a_file_has_its_own_number(tmp_path_factory, numbers, data):
    lines = "".join(f"{word} {number}\n" for word, number in numbers.items())
    asked = data.draw(st.lists(st.sampled_from(sorted(numbers))))
    vectors, found = write(tmp_path_factory.mktemp("vectors"), lines.encode()).lookup(asked)
    assert found.all()
    assert vectors[:, 0].tolist() == [numbers[word] for word in asked]


def test_the_shipped_vectors_know_common_words_but_not_their_special_rows():
    vectors, found = Vectors().lookup(["President", "<UNK>", "zzzzqx"])
    assert vectors.shape == (3, 100)
    assert found.tolist() == [True, False, False]


LINES = "".join(f"w{number} {number}\n" for number in range(5000)).encode()


DAMAGED = [
    ("vectors.txt", b"", "line 1: a word and its numbers"),
    ("vectors.txt", b"5 2\n", "line 2: a word and its numbers"),
    ("vectors.txt", b"a 1 2\nb 1\n", "line 2: 2 fields, expected a word and 2 numbers"),
    ("vectors.txt", b"3 2\na 1 2\nb 1 2\n", "announces 3 words, the file has 2"),
    ("vectors.txt", b"b 1 2\na 1 x\n", "line 2: a field is not a number"),
    ("vectors.txt", b"1 2\na 1 nan\n", "line 2: a number is not finite"),
    ("plain.gz", b"a 1\n", "damaged gzip file"),
    pytest.param("cut.gz", gzip.compress(b"a 1\n" + LINES)[:-200], "damaged gzip file", id="cut"),
    ("vectors.pt", b"no torch file", "not a Stanza pretrain"),
]


@pytest.mark.parametrize(("name", "content", "message"), DAMAGED)
def test_a_damaged_file_is_refused_with_the_line(tmp_path, name, content, message):
    with pytest.raises(ConfigError, match=message):
        write(tmp_path, content, name).lookup(["a"])


def test_a_missing_file_is_a_missing_resource(tmp_path):
    with pytest.raises(MissingResourceError, match=r"nowhere\.txt"):
        Vectors(tmp_path / "nowhere.txt")


def test_the_identity_is_that_of_the_content(tmp_path):
    same, other = write(tmp_path, GLOVE, "a.txt"), write(tmp_path, GLOVE, "b.txt")
    assert same.identity == other.identity != write(tmp_path, GLOVE + b"x 1 2\n", "c.txt").identity

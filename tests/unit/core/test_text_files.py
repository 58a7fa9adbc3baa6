"""Files that people save with other programs: byte order marks and UTF-16 wherever such a file is read."""

import pytest

from wdw_bench.systems.vectors import Vectors
from wdw_build.adapters.faulty_problems import FaultyProblemFiles
from wdw_build.core.text_files import read_lines, read_utf_8
from wdw_build.pipeline.config.file import load_config
from wdw_build.reading.adversaries import read_predictions

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le")


def saved(tmp_path, text, encoding, name="file"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_text_is_the_same_in_each_encoding(tmp_path, encoding):
    path = saved(tmp_path, 'first "é"\r\n\r\nsecond\u2028line\n', encoding)
    assert read_utf_8(path).decode() == 'first "é"\r\n\r\nsecond\u2028line\n'
    assert read_lines(path) == [(1, 'first "é"'.encode()), (3, "second\u2028line".encode())]


def test_an_empty_file_has_no_lines(tmp_path):
    assert read_lines(saved(tmp_path, "", "utf-8")) == []
    assert read_lines(saved(tmp_path, "", "utf-8-sig")) == []


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_files_that_users_give_are_read_in_each_encoding(tmp_path, encoding):
    predictions = saved(tmp_path, '{"id": "a", "choice": "Zoë Fox"}\r\n{"id": "b", "choice": 1}\r\n', encoding)
    read = read_predictions(predictions, {"a": ("Bo Lee", "Zoë Fox"), "b": ("Bo Lee", "Cy Day")}, "there", "hint")
    assert [prediction.scores for prediction in read.values()] == [(0.0, 1.0), (0.0, 1.0)]
    faulty = saved(tmp_path, '{"id": "a", "reason": "no-story"}\n', encoding)
    assert FaultyProblemFiles([faulty]).reasons() == {"a": "no-story"}
    text = "run: toy\noutput_dir: out\ncorpus: {reader: jsonl, path: é.jsonl}\n"
    assert load_config(saved(tmp_path, text, encoding, "c.yaml")).corpus.path == str(tmp_path / "é.jsonl")


@pytest.mark.parametrize("content", [b"the 1 2\nin 3 4\n", b"2 2\nthe 1 2\nin 3 4\n"])
def test_word_vectors_may_begin_with_a_byte_order_mark(tmp_path, content):
    (tmp_path / "vectors.txt").write_bytes(b"\xef\xbb\xbf" + content)
    vectors = Vectors(tmp_path / "vectors.txt")
    assert vectors.dimensions == 2
    assert vectors.lookup(["the", "in"])[0].tolist() == [[1, 2], [3, 4]]

"""Typed JSON lines: records are equal after writing and reading, and errors name file and line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages as toys
from wdw_build.core.store import jsonl
from wdw_build.errors import CorpusError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def write(path, notes):
    path.write_bytes(b"".join(jsonl.encode(note) for note in notes))
    return path


@settings(deadline=None)
@given(TEXTS, TEXTS, st.integers(-(2**63), 2**63 - 1))
def test_a_record_is_one_line_and_equal_after_writing_and_reading(name, text, value):
    note = toys.Note(id=name, value=value, text=text)
    line = jsonl.encode(note)
    assert line.count(b"\n") == 1
    assert jsonl.decode(line, toys.Note, "here") == note


def test_keys_are_in_the_order_of_the_declaration():
    assert jsonl.encode(toys.Note(id="a", value=1, text="t")) == b'{"id":"a","value":1,"text":"t"}\n'


BAD_LINES = [
    (b'{"id": "a"}', "value"),
    (b'{"id": "a", "value": "1"}', r"\$\.value"),
    (b'{"id": "a", "value": 1, "colour": 2}', "colour"),
    (b'{"id": "a", "val', "malformed"),
    (b'{"id": "\xff", "value": 1}', "utf-8"),
    (b"[]", "object"),
]


@pytest.mark.parametrize(("line", "fault"), BAD_LINES)
def test_a_line_that_is_not_a_record_raises_an_error_with_place_and_fault(tmp_path, line, fault):
    path = write(tmp_path / "f.jsonl", [toys.Note(id="a", value=1)])
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(CorpusError, match=fault) as caught:
        list(jsonl.read(path, toys.Note))
    assert f"{path}:2: not a Note" in caught.value.message
    assert "run the stage again" in caught.value.hint


def test_unicode_line_separators_do_not_end_a_line(tmp_path):
    note = toys.Note(id="a", value=1, text="one\u2028two\x85three\x0bfour\r\nfive")
    assert list(jsonl.read(write(tmp_path / "f.jsonl", [note]), toys.Note)) == [note]

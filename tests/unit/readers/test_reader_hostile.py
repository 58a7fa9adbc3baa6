"""Damaged and malicious corpora: every fault gives an ``Unreadable`` with its place, and the next file is read."""

import gzip
import json
import os
import tracemalloc

import pytest

from wdw_build.adapters.corpora.sgml_newswire import GigawordReader
from wdw_build.adapters.corpora.text_rows import JsonlReader
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.records import RawArticle, Unreadable


def line(name):
    return json.dumps({"id": name, "date": "2003-04-01", "text": "Body."}).encode() + b"\n"


def read(path, **options):
    return list(JsonlReader(path, options).read())


def ids(path, **options):
    return [one.id for one in read(path, **options) if isinstance(one, RawArticle)]


def errors(path, **options):
    return {one.place: one.error for one in read(path, **options) if isinstance(one, Unreadable)}


# ---- content ---------------------------------------------------------------------------------------------------------


def test_a_line_of_100_mb_is_passed_over_with_its_place_and_not_held(tmp_path):
    with gzip.open(tmp_path / "a.jsonl.gz", "wb", compresslevel=1) as stream:
        stream.write(line("a") + b'{"text": "')
        for _ in range(100):
            stream.write(b"x" * (1 << 20))
        stream.write(b'"}\n' + line("c"))
    tracemalloc.start()
    found = read(tmp_path, max_unpack_ratio=2000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [one.place for one in found] == ["a.jsonl.gz:1", "a.jsonl.gz:2", "a.jsonl.gz:3"]
    assert found[1].error == "line longer than 64 MB"
    assert peak < 80 << 20


def test_declared_entities_are_never_expanded_in_sgml(tmp_path):
    bomb = "".join(f'<!ENTITY x{at} "{f"&x{at - 1};" * 10}">\n' for at in range(1, 12))
    doc = '<DOC id="HP_ENG_20140301.0001" type="story">\n<TEXT>\n<P>\n&x11;\n</P>\n</TEXT>\n</DOC>\n'
    (tmp_path / "a.sgml").write_text(f'<!DOCTYPE x [\n<!ENTITY x0 "ha">\n{bomb}]>\n{doc}')
    found = list(GigawordReader(tmp_path, {}).read())
    assert [one.paragraphs for one in found if isinstance(one, RawArticle)] == [("&x11;",)]


# ---- paths -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def linked(tmp_path):
    """A corpus with a link to a file outside, one to itself, one to nowhere and one to a file inside."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (tmp_path / "secret.jsonl").write_bytes(line("secret"))
    (corpus / "a.jsonl").write_bytes(line("a"))
    (corpus / "inside.jsonl").symlink_to("a.jsonl")
    (corpus / "loop.jsonl").symlink_to("loop.jsonl")
    (corpus / "nowhere.jsonl").symlink_to("gone.jsonl")
    (corpus / "outside.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (corpus / "up").symlink_to(tmp_path)
    return corpus


@pytest.mark.parametrize("pattern", ["", "*.jsonl"])
def test_links_out_of_the_corpus_and_to_nowhere_are_in_quarantine(linked, pattern):
    found = errors(linked / pattern)
    assert set(found) == {"loop.jsonl", "nowhere.jsonl", "outside.jsonl"}
    assert "nowhere" in found["loop.jsonl"]
    assert "follow_links" in found["outside.jsonl"]
    assert ids(linked / pattern) == ["a", "a"]
    assert JsonlReader(linked / pattern, {}).size() == 2 * len(line("a"))


def test_a_glob_does_not_lead_through_a_linked_folder(linked):
    with pytest.raises(MissingResourceError, match="no file matches"):
        ids(linked / "*" / "*.jsonl")


def test_links_are_followed_if_asked_and_one_to_nowhere_is_then_a_missing_file(linked):
    (linked / "loop.jsonl").unlink()
    (linked / "nowhere.jsonl").unlink()
    assert ids(linked, follow_links=True) == ["a", "a", "secret"]
    assert JsonlReader(linked, {"follow_links": True}).identity != JsonlReader(linked, {}).identity


def test_a_link_that_is_named_is_followed_and_so_is_a_linked_corpus(linked, tmp_path):
    assert ids(linked / "outside.jsonl") == ["secret"]
    (tmp_path / "link").symlink_to(linked)
    assert ids(tmp_path / "link") == ["a", "a"]


def test_a_glob_cannot_go_up_behind_a_wildcard(linked):
    with pytest.raises(ConfigError, match="wildcard"):
        JsonlReader(linked / "*" / ".." / "*.jsonl", {})


def test_a_pipe_in_the_folder_is_not_waited_for(linked):
    os.mkfifo(linked / "pipe.jsonl")
    assert ids(linked) == ["a", "a"]

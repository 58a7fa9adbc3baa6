"""What the command line says of corpora that come through a pipe, are made to harm, or need what is not there."""

import gzip
import importlib.metadata

import msgspec
import pytest
from cli_corpora import sample_lines, write_config, write_corpus


@pytest.fixture
def config(tmp_path):
    """A configuration whose reader, path and sections can be changed."""
    folder = tmp_path / "config"
    folder.mkdir()
    (tmp_path / "a.jsonl").touch()

    def made(reader="jsonl", path=tmp_path / "a.jsonl", options=None, **sections):
        corpus = {"reader": reader, "path": str(path), "options": options or {}}
        return write_config(folder, path, corpus=corpus, **sections)

    return made


TITLE = {"fields": {"title": "headline"}}


def test_a_corpus_that_is_a_bomb_stops_ingest_and_says_where(call, config, tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b" " * 20 * (1 << 20)))
    answer = call("run", "ingest", "-c", config(path=tmp_path / "a.jsonl.gz"))
    assert answer.code == 1
    assert "a.jsonl.gz: damaged file" in answer.message
    assert "more than 200 times its size" in answer.message


def test_what_is_in_quarantine_is_counted_and_shown_with_its_place(call, config, tmp_path):
    (tmp_path / "corpus").mkdir()
    write_corpus(tmp_path / "corpus", sample_lines())
    (tmp_path / "corpus" / "out.jsonl").symlink_to(tmp_path / "config" / "config.yaml")
    file = config(path=tmp_path / "corpus", options=TITLE, ingest={"max_bad_input": 0.1})
    answer = call("run", "ingest", "-c", file)
    assert answer.code == 0
    assert "unreadable" in answer.err
    shown = call("inspect", "ingest", "--rejected", "unreadable", "--json", "-c", file)
    found = [msgspec.json.decode(line) for line in shown.out.splitlines()]
    assert "out.jsonl" in {one["id"] for one in found}


@pytest.mark.parametrize(("reader", "name"), [("parquet", "a.parquet"), ("warc", "a.warc"), ("jsonl", "a.jsonl.zst")])
def test_a_library_that_is_not_there_is_asked_for_before_anything_runs(
    call, config, tmp_path, monkeypatch, reader, name
):
    (tmp_path / name).write_bytes(b"")

    def missing(package):
        raise importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    answer = call("run", "ingest", "-c", config(reader, tmp_path / name))
    assert answer.code == 3
    assert "try: pip install" in answer.message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"options": {"encoding": "utf-16"}}, "line by line"),
        ({"options": {"max_unpack_ratio": 0}}, "max_unpack_ratio"),
        ({"reader": "csv", "options": {"colour": "red"}}, "delimiter"),
    ],
)
def test_what_cannot_be_meant_is_refused_when_the_configuration_is_checked(call, config, changes, words):
    answer = call("config", "check", "-c", config(**changes))
    assert answer.code == 2
    assert words in answer.message

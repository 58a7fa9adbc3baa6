"""What the command line says of corpora that come through a pipe, are made to harm, or need what is not there."""

import importlib.metadata
from unittest.mock import Mock

import pytest
from cli_corpora import sample_lines, write_config, write_corpus


def test_what_is_in_quarantine_is_counted_and_shown_with_its_place(call, tmp_path):
    (tmp_path / "corpus").mkdir()
    corpus = write_corpus(tmp_path / "corpus", sample_lines()).parent
    config = write_config(tmp_path, corpus, ingest={"max_bad_input": 0.1})
    (corpus / "out.jsonl").symlink_to(config)
    assert "unreadable" in call("run", "ingest", "-c", config).ok().err
    found = call("inspect", "ingest", "--rejected", "unreadable", "--json", "-c", config).rows
    assert "out.jsonl" in {one["id"] for one in found}


@pytest.mark.parametrize(("reader", "name"), [("parquet", "a.parquet"), ("warc", "a.warc"), ("jsonl", "a.jsonl.zst")])
def test_a_library_that_is_not_there_is_asked_for_before_anything_runs(call, tiny, tmp_path, monkeypatch, reader, name):
    config = tiny([], corpus={"reader": reader, "path": name})
    (tmp_path / name).touch()
    missing = Mock(side_effect=importlib.metadata.PackageNotFoundError("a package"))
    monkeypatch.setattr(importlib.metadata, "version", missing)
    call("run", "ingest", "-c", config).fails(3, "try: pip install")


def test_a_bound_that_cannot_be_meant_is_refused_when_the_configuration_is_checked(call, tiny):
    corpus = {"reader": "jsonl", "path": "articles.jsonl", "options": {"max_unpack_ratio": 0}}
    call("config", "check", "-c", tiny([], corpus=corpus)).fails(2, "max_unpack_ratio")

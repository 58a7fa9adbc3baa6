"""``collect export`` and ``collect score`` on the command line, with the exit codes of wrong usage."""

import json
import socket
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from support.collected import PASSAGES, collection_folder, write
from wdw_build import registry
from wdw_build.cli import main
from wdw_build.core.hashing import digest
from wdw_build.core.store import jsonl


@pytest.fixture
def config(tmp_path):
    """The configuration of a run that has the invented collection with one question."""
    path = tmp_path / "news.yaml"
    path.write_text(f"run: toy\noutput_dir: {tmp_path}\ncorpus: {{ reader: jsonl, path: {tmp_path}/news.jsonl }}\n")
    (tmp_path / "news.jsonl").touch()
    opened = collection_folder(tmp_path / "runs" / "toy" / "collect" / "questions")
    (opened.folder / "passages.jsonl").write_bytes(b"".join(map(jsonl.encode, PASSAGES)))
    stored = {"name": "questions", "hash": digest(PASSAGES), "run": "toy", "articles": "0", "seed": 0, "passages": 2}
    (opened.folder / "collection.json").write_text(json.dumps({**stored, "max_words": 400, "limits": {}}))
    write(opened, "Ada", PASSAGES[0], "Which two are brothers?", "Jonas", "Tomas Reik")
    return str(path)


def test_the_score_and_the_export_of_a_collection(config, tmp_path, capsys):
    assert main(["collect", "score", "-c", config]) == 0
    printed = capsys.readouterr().out
    assert "questions with several spans 100.0%" in " ".join(printed.split())
    assert "Second persons: none" in printed
    assert main(["collect", "export", "-c", config, "--out", str(tmp_path / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["table1"]["multi_span"] == 1.0
    assert main(["collect", "export", "-c", config]) == 0
    assert "1 question about 1 passage\n" in capsys.readouterr().out
    assert main(["collect", "export", "-c", config]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["collect", "export", "-c", config, "--out", str(tmp_path / "out")]) == 2
    assert main(["collect", "export", "-c", config, "--out", str(tmp_path / "out"), "--force"]) == 0


@pytest.mark.parametrize(
    "options",
    [
        ["score", "--collection", "other"],
        ["export", "--confirmed"],
        ["--model", "somewhere"],
    ],
)
def test_wrong_usage_exits_with_2(config, options, capsys):
    assert main(["collect", *options, "-c", config]) == 2
    assert "error:" in capsys.readouterr().err


def test_passages_are_drawn_from_current_articles_alone_and_the_hint_names_ingest(config, capsys):
    assert main(["collect", "-c", config, "--collection", "new", "--adversary", "none"]) == 2
    said = capsys.readouterr().err
    assert "has no output of ingest" in said
    assert f"wdw-build run ingest -c {config}" in said


def test_a_busy_port_stops_before_the_draw(config, capsys):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        assert main(["collect", "-c", config, "--collection", "new", "--adversary", "none", "--port", port]) == 2
    assert "cannot listen" in capsys.readouterr().err


def test_the_adversary_of_a_collection_stays_once_questions_were_written(config, capsys):
    assert main(["collect", "-c", config, "--adversary", "none"]) == 2
    assert "has adversary shallow, not none" in capsys.readouterr().err


def test_qa_model_without_a_model_names_the_option(config, capsys):
    assert main(["collect", "-c", config, "--collection", "new", "--adversary", "qa-model"]) == 3
    assert "--model DIR" in capsys.readouterr().err


def test_an_interrupt_while_the_adversary_loads_stops_quietly(config, capsys, monkeypatch):
    def interrupted(config, name):
        return SimpleNamespace(identity=name, answer=Mock(side_effect=KeyboardInterrupt))

    monkeypatch.setattr(registry, "span_adversary", interrupted)
    assert main(["collect", "-c", config]) == 130
    said = capsys.readouterr().err
    assert "collect: stopped" in said
    assert "shards" not in said


@pytest.mark.parametrize("share", ["2", "-0.1", "x", "nan"])
def test_the_threshold_is_a_share(config, share):
    assert main(["collect", "-c", config, "--max-f1", share]) == 2

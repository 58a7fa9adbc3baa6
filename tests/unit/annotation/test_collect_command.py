"""``collect export`` and ``collect score`` on the command line, with the exit codes of wrong usage."""

import json

import pytest

from support.collected import PASSAGES, collection_folder, write
from wdw_build.annotation.questions.collection import _hash
from wdw_build.cli import main
from wdw_build.core.store import jsonl


@pytest.fixture
def config(tmp_path):
    """The configuration of a run that has the invented collection with one question."""
    path = tmp_path / "news.yaml"
    path.write_text(f"run: toy\noutput_dir: {tmp_path}\ncorpus: {{ reader: jsonl, path: {tmp_path}/none.jsonl }}\n")
    opened = collection_folder(tmp_path / "runs" / "toy" / "collect" / "questions")
    (opened.folder / "passages.jsonl").write_bytes(b"".join(map(jsonl.encode, PASSAGES)))
    stored = {"name": "questions", "hash": _hash(PASSAGES), "run": "toy", "articles": "0", "seed": 0, "passages": 2}
    (opened.folder / "collection.json").write_text(json.dumps({**stored, "max_words": 400, "limits": {}}))
    write(opened, "Ada", PASSAGES[0], "Which two are brothers?", "Jonas", "Tomas Reik")
    return str(path)


def test_the_score_and_the_export_of_a_collection(config, tmp_path, capsys):
    assert main(["collect", "score", "-c", config]) == 0
    printed = capsys.readouterr().out
    assert "questions with several spans 100.0 %" in " ".join(printed.split())
    assert "Second persons: none" in printed
    assert main(["collect", "export", "-c", config, "--out", str(tmp_path / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["table1"]["multi_span"] == 1.0
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


@pytest.mark.parametrize("share", ["2", "-0.1", "x", "nan"])
def test_the_threshold_is_a_share(config, share):
    with pytest.raises(SystemExit):
        main(["collect", "-c", config, "--max-f1", share])

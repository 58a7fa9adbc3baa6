"""``annotate``, ``collect`` and ``quality`` on the command line, with the exit codes of wrong usage."""

import json
import socket
import sys

import pytest

from support import stage_runs
from support.chat_server import chat_server
from support.collected import PASSAGES, collection_folder, write
from support.sheets import sheet_folder
from wdw_build.cli import main
from wdw_build.records import SplitAssignment


@pytest.fixture
def config(tmp_path):
    """The configuration of a run that has an answered sheet, and the invented collection with one question."""
    path = tmp_path / "news.yaml"
    path.write_text(f"run: toy\noutput_dir: {tmp_path}\ncorpus: {{ reader: jsonl, path: {tmp_path}/news.jsonl }}\n")
    (tmp_path / "news.jsonl").touch()
    run = tmp_path / "runs" / "toy"
    stage_runs.stored(run / "split", SplitAssignment, [])
    folder = sheet_folder(run)
    folder.log.append("Eve", "signed-in", value=False)
    folder.log.append("Eve", "answered", "q1", 0)
    write(collection_folder(run), "Ada", PASSAGES[0], "Which two are brothers?", "Jonas", "Tomas Reik")
    return str(path)


def printed(capsys, *arguments, code=0):
    assert main(list(arguments)) == code
    said = capsys.readouterr()
    return said.out if code == 0 else said.err


def test_a_sheet_is_scored_exported_imported_and_its_faults_applied(config, tmp_path, capsys):
    assert "1 of 1" in printed(capsys, "annotate", "score", "-c", config)
    assert json.loads(printed(capsys, "annotate", "score", "-c", config, "--json"))["answers"]["problems"] == 1
    table = json.loads(printed(capsys, "annotate", "export", "-c", config, "--json"))["files"][0]
    assert "--force" in printed(capsys, "annotate", "export", "-c", config, code=2)
    assert "no changes" in printed(capsys, "annotate", "import", "-c", config, table)
    assert "0 faulty problems" in printed(capsys, "annotate", "apply", "-c", config)


def test_a_model_is_asked_in_place_of_people_after_an_estimate(config, capsys):
    with chat_server(lambda request: '{"answer": "A", "faults": ["wrong-span"]}') as server:
        asked = ("annotate", "-c", config, "--sheet", "toy", "--judge", server.url)
        assert "no model is named" in printed(capsys, *asked, code=3)
        asked = (*asked, "--model", "tiny")
        prices = ("--input-price", "1", "--output-price", "2")
        assert json.loads(printed(capsys, *asked, *prices, "--dry-run", "--json"))["estimate"]["calls"] == 4
        assert not server.requests
        assert json.loads(printed(capsys, *asked, "--json"))["sheets"]["toy"]["answered"] == 4
    assert "4 faulty problems" in printed(capsys, "annotate", "apply", "-c", config, "--model", "tiny")
    assert "(model) tiny" in printed(capsys, "annotate", "score", "-c", config)


def test_a_person_is_forgotten_only_with_the_option(config, capsys):
    assert "add --delete" in printed(capsys, "annotate", "forget", "-c", config, "eve")
    assert "deleted: 2 events of Eve" in printed(capsys, "annotate", "forget", "-c", config, "Eve", "--delete")
    assert "nobody is called" in printed(capsys, "annotate", "forget", "-c", config, "Eve", code=2)
    assert "1 event of Ada" in printed(capsys, "collect", "forget", "-c", config, "Ada")


def test_the_score_and_the_export_of_a_collection(config, tmp_path, capsys):
    said = printed(capsys, "collect", "score", "-c", config)
    assert "questions with several spans 1.000" in " ".join(said.split())
    assert "1 question about 1 passage\n" in printed(capsys, "collect", "export", "-c", config)
    assert "--force" in printed(capsys, "collect", "export", "-c", config, code=2)
    out = ("--out", str(tmp_path / "out"))
    assert json.loads(printed(capsys, "collect", "export", "-c", config, *out, "--json"))["questions"] == 1
    printed(capsys, "collect", "export", "-c", config, *out, "--force")


WRONG_USAGE = [
    (["collect", "score", "--collection", "other"], "no collection 'other'"),
    (["collect", "export", "--confirmed"], "no confirmed question"),
    (["collect", "--collection", "new", "--adversary", "none"], "no output of ingest"),
    (["annotate", "score", "--sheet", "other"], "no sheet 'other'"),
    (["annotate", "score", "--exclude", "Eve"], "Put aside"),
    (["annotate", "--condition", "passage,without"], "people read problems in one condition"),
    (["annotate", "apply", "--model", "tiny"], "models: none"),
    (["annotate", "--judge", "host:8000", "--model", "tiny"], "not the base URL"),
    *((["collect", "--max-f1", share], "--max-f1") for share in ("2", "-0.1", "x")),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_USAGE)
def test_wrong_usage_exits_with_2(config, arguments, message, capsys):
    assert message in printed(capsys, *arguments, "-c", config, code=2)


def test_a_busy_port_stops_before_the_draw(config, capsys):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        said = printed(capsys, "collect", "-c", config, "--collection", "new", "--port", port, code=2)
    assert "cannot listen" in said


def test_an_unknown_adversary_lists_those_of_all_packages(tmp_path, config, capsys):
    collection_folder(tmp_path / "runs" / "toy", name="new", adversary="oracle")
    said = printed(capsys, "collect", "-c", config, "--collection", "new", code=2)
    assert "no adversary 'oracle'" in said
    assert "qa-model, shallow, none" in said


def test_without_the_extra_a_command_says_what_to_install(config, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    said = printed(capsys, "annotate", "score", "-c", config, code=3)
    assert "krippendorff" in said
    assert "wdw-build[study]" in said

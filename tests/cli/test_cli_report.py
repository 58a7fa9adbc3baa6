"""report and diff, over a real run: written, named, compared; messages for runs that are not there."""

import json
import shutil

import pytest


@pytest.fixture
def copied(built, tmp_path):
    """The real run in a folder of its own, so that it may be added to: (configuration, folder of the run)."""
    folder = tmp_path / "copied"
    shutil.copytree(built.config.parent, folder, symlinks=True)
    return folder / built.config.name, folder / "out" / "runs" / "tiny"


def test_a_report_is_written_into_the_folder_of_the_run_or_where_one_asks(call, copied, tmp_path):
    config, folder = copied
    answer = call("report", "-q", "-c", config)
    assert (answer.code, answer.out, answer.err) == (0, f"report: {folder / 'report.html'}\n", "")
    there = tmp_path / "page.html"
    said = json.loads(call("report", "-q", "-c", folder, "-o", there, "--json").out)
    assert said["report"] == str(there)
    assert there.read_bytes() == (folder / "report.html").read_bytes(), "a run is the same by its folder"
    assert said["bytes"] == there.stat().st_size


def test_two_runs_are_compared_as_text_as_json_and_on_a_page(call, copied):
    config, folder = copied
    assert call("all", "-q", "-c", config, "--set", "run=later", "--set", "suppress.relaxed=1.0").code == 0
    later = folder.parent / "later"
    answer = call("diff", "-q", config, later)
    assert answer.code == 0
    assert "suppress: config suppress.relaxed 0.5 -> 1.0" in answer.out
    assert "baselines: " not in answer.out, "what is the same is only in the table"
    lines = [json.loads(line) for line in call("diff", "-q", "--json", config, later).out.splitlines()]
    assert next(line["stage"] for line in lines if line["type"] == "stage") == "ingest"
    differences = [line for line in lines if line["type"] == "difference"]
    assert {line["stage"] for line in differences} <= {"suppress", "split", "export"}
    assert all(line["why"] == ["config suppress.relaxed 0.5 -> 1.0"] for line in differences)
    assert call("report", "-q", "-c", later, "--against", config).code == 0
    page = (later / "report-against-tiny.html").read_text(encoding="utf-8")
    assert "What changed since tiny" in page
    assert "suppress.relaxed" in page


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["diff", "nowhere.yaml", "nowhere.yaml"], 2, "no configuration file nowhere.yaml"),
        (["diff", ".", "."], 2, "no stage output in"),
        (["report", "-c", "nowhere.yaml"], 2, "no configuration file nowhere.yaml"),
    ],
)
def test_runs_that_are_not_there(call, tmp_path, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    answer = call(*arguments)
    assert (answer.code, answer.out) == (code, "")
    assert message in answer.message

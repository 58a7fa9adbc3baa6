"""report and diff, over a real run: written, named, compared; messages for runs that are not there; systems in report and card."""

import json
from pathlib import Path

from support import systems
from wdw_build.pipeline import registry


def test_a_report_is_written_into_the_folder_of_the_run_or_where_one_asks(call, copied, tmp_path):
    config, folder = copied.config, copied.folder
    answer = call("report", "-q", "-c", config)
    assert (answer.code, answer.out, answer.err) == (0, f"report: {folder / 'report.html'}\n", "")
    there = tmp_path / "page.html"
    said = call("report", "-q", "-c", folder, "-o", there, "--json").json
    assert there.read_bytes() == (folder / "report.html").read_bytes(), "a run is the same by its folder"
    assert (said["report"], said["bytes"]) == (str(there), there.stat().st_size)


def test_two_runs_are_compared_as_text_and_as_json(call, copied):
    config, folder = copied.config, copied.folder
    call("all", "-q", "-c", config, "--set", "run=later", "--set", "suppress.relaxed=1.0").ok()
    later = folder.parent / "later"
    out = call("diff", "-q", config, later).ok().out
    _, counts, _, *changes = out.split("\n\n")
    assert [line.split()[0] for line in counts.split("\n")] == ["problems", "strict", "relaxed", "test", "strict:"]
    assert changes[0].startswith("suppress: config suppress.relaxed 0.5 -> 1.0\n")
    assert "baselines: " not in out, "what is the same is not listed"
    lines = call("diff", "-q", "--json", config, later).rows
    assert next(line["stage"] for line in lines if line["type"] == "stage") == "ingest"
    differences = [line for line in lines if line["type"] == "difference"]
    assert {line["stage"] for line in differences} <= {"suppress", "split", "export"}


def test_report_and_datasheet_show_the_table_of_systems_that_the_run_has(call, copied, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "SYSTEMS", registry.SYSTEMS | systems.SYSTEMS)
    config, folder = copied.config, copied.folder
    answers = [json.loads(line) for line in (folder / "export" / "jsonl" / "test.jsonl").read_text().splitlines()]
    given = tmp_path / "<script>.jsonl"
    given.write_text("".join(json.dumps({"id": line["id"], "choice": line["answer"]}) + "\n" for line in answers))
    call("bench", "-q", "-c", config, "--systems", "first", "--predictions", given).ok()
    call("verify", "-q", "-c", config).ok()
    page = Path(call("report", "-q", "-c", folder).out.removeprefix("report: ").strip()).read_text(encoding="utf-8")
    sheet = call("datasheet", "-q", "-c", config, "--out", "-").out
    assert "&lt;script&gt;" in page
    assert "| &lt;script&gt; | passage |" in sheet
    assert "<script" not in page + sheet


def test_runs_that_are_not_there(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call("diff", "nowhere.yaml", "nowhere.yaml").fails(2, "no configuration file nowhere.yaml")
    call("diff", ".", ".").fails(2, "no stage output in")
    call("report", "-c", "nowhere.yaml").fails(2, "no configuration file nowhere.yaml")

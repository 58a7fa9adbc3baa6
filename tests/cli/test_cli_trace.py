"""``trace``, ``inspect`` and ``explore`` on a real run: the evidence of every stage, every output format, look-ups by key."""

import html
import json
import re
import sqlite3
from contextlib import closing

import msgspec
import pytest

from support.interpreter import modules_after
from wdw_build.core.section import field_docs
from wdw_build.core.store import jsonl
from wdw_build.core.store.output import Output
from wdw_build.pipeline.stage_order import BY_NAME, ON_DEMAND
from wdw_build.records import ProblemAlternatives, Rejection
from wdw_build.views.dataset import open_run
from wdw_build.views.record_page import record_page


@pytest.fixture
def run(built):
    return open_run(built.folder)


@pytest.fixture
def name(built):
    """The id of a problem."""
    return built.problems[0]


def test_the_trace_of_an_exported_problem_has_the_record_of_every_stage_and_ends_in_the_dataset(run, name):
    found = record_page(run, name)
    assert [outcome.stage for outcome in found.stages] == list(BY_NAME)
    assert {outcome.outcome for outcome in found.stages if outcome.stage not in ON_DEMAND} == {"written"}
    assert found.ended == "it is in the dataset"
    for outcome in found.stages:
        assert outcome.record == run.tables[outcome.stage].find(found.id)


def test_a_trace_reads_single_records_and_no_whole_stage(run, name, monkeypatch):
    def whole(*_):
        raise AssertionError("a whole stage was read")

    monkeypatch.setattr(Output, "records", whole)
    monkeypatch.setattr(Output, "rejections", whole)
    monkeypatch.setattr(jsonl, "read", whole)
    assert record_page(run, name).stages[-1].record


def test_a_trace_loads_no_model_and_not_all_of_nltk(built, name):
    arguments = ["trace", name, "--json", "-c", str(built.config)]
    code = f"from wdw_build.cli import main\nmain({arguments!r})\n"
    loaded = {name.partition(".")[0] for name in modules_after(code)[1]}
    assert "wdw_build" in loaded
    assert not loaded & {"torch", "stanza", "jnius", "kenlm", "highspy", "nltk", "scipy", "numpy", "jinja2"}


def test_the_text_has_a_section_for_every_stage_that_stored_something_new(on, run, name):
    shown = on("trace", name).ok().out
    assert f"[{run.questions[name].blank.text}]" in " ".join(shown.split())
    titles = ["Problem", "Article", "First sentence", "Question", "Candidate passages", "Alternatives", "Predictions"]
    titles += ["Selection", "Split", "Files", "Stages"]
    assert [line for line in shown.splitlines() if line in (*titles, "Duplicates")] == titles
    assert "\x1b" not in shown


def test_the_json_has_the_stored_records(on, run, name):
    stored = {outcome["stage"]: outcome["record"] for outcome in on("trace", name, "--json").json["stages"]}
    assert stored["retrieve"] == json.loads(msgspec.json.encode(run.retrievals[name]))


def test_the_page_loads_nothing_and_links_to_its_own_sections_only(on, run, name):
    page = on("trace", name, "--html").ok().out
    assert page.startswith("<!DOCTYPE html>")
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!#part)', page)
    assert html.escape(run.questions[name].blank.text) in page


def test_an_unknown_id_and_contradicting_options_are_refused(on):
    on("trace", "nobody").fails(2, "no stage of run 'tiny' knows 'nobody'")
    message = "error: give --json or --html, not both   try: leave out one of them"
    on("trace", "nobody", "--json", "--html").fails(2, message)


# ---- inspect ---------------------------------------------------------------------------------------------------------


def without_descriptions_of_fields(schema):
    for struct in schema["$defs"].values():
        for field in struct["properties"].values():
            field.pop("description", None)
    return schema


def test_inspect_prints_the_schema_of_the_record_and_of_the_rejection(on):
    for arguments, kind in ([], ProblemAlternatives), (["--rejected"], Rejection):
        plain = json.loads(msgspec.json.encode(msgspec.json.schema(kind)))
        printed = on("inspect", "dedup", *arguments, "--schema").json
        fields = printed["$defs"][kind.__name__]["properties"]
        assert {name: fields[name]["description"] for name in field_docs(kind)} == field_docs(kind)
        assert without_descriptions_of_fields(printed) == without_descriptions_of_fields(plain)


def test_inspect_refuses_a_sample_of_one_record(on):
    message = "error: --id names one record and cannot be combined with --sample   try: leave out one of them"
    on("inspect", "problems", "--id", "a", "--sample", "3").fails(2, message)


# ---- incomplete runs -----------------------------------------------------------------------------------------


def test_an_output_made_from_an_older_input_has_a_note(copied, name):
    path = copied.folder / "dedup" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"content_hash": "another"}))
    found = record_page(open_run(copied.folder), name)
    notes = {outcome.stage: outcome.note for outcome in found.stages if outcome.note}
    assert set(notes) == {"baselines", "adversary", "suppress", "problems"}
    assert "made from an older output of dedup" in notes["baselines"]


# ---- explore ---------------------------------------------------------------------------------------------------------


def test_explore_writes_one_file(on, run, tmp_path):
    path = tmp_path / "run.sqlite"
    assert on("explore", "--no-serve", "--sqlite", path, "--json").json == {"sqlite": str(path)}
    refused = [one for record in run.all_alternatives for one in record.refused]
    refused += [one for rejection in run.all_alternatives.rejections() for one in rejection.candidates]
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT count(*) FROM candidates WHERE stage = 'choices'"
        assert connection.execute(query).fetchall() == [(len(refused),)]


def test_explore_without_its_extra_says_what_to_install(on, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    on("explore").fails(3, "pip install 'wdw-build[explore]'")


def test_explore_names_a_file_that_cannot_be_written(on, tmp_path):
    there = tmp_path / "nowhere" / "run.sqlite"
    on("explore", "--no-serve", "--sqlite", there).fails(2, "--sqlite FILE names another place")

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
from wdw_build.dataset import open_run
from wdw_build.records import ProblemAlternatives, Rejection
from wdw_build.stage_order import BY_NAME, ON_DEMAND, STAGES
from wdw_build.views.record_page import record_page


@pytest.fixture
def run(built):
    return open_run(built.folder, STAGES)


@pytest.fixture
def on(call, built):
    """A command over the real run; returns its standard output."""

    def called(*arguments):
        answer = call(*arguments, "-c", built.config)
        assert answer.code == 0, answer.err
        return answer.out

    return called


def first(run, stage, kind=None):
    """The first record of a stage, or its first rejection."""
    output = run.outputs[stage]
    return next(iter(output.rejections() if kind is Rejection else output.records()))


def test_the_trace_of_an_exported_problem_has_the_record_of_every_stage_and_ends_in_the_dataset(run):
    found = record_page(run, first(run, "export").id)
    assert [outcome.stage for outcome in found.stages] == list(BY_NAME)
    assert {outcome.outcome for outcome in found.stages if outcome.stage not in ON_DEMAND} == {"written"}
    assert found.ended == "it is in the dataset"
    for outcome in found.stages:
        assert outcome.record == run.tables[outcome.stage].find(found.id)


def test_a_trace_reads_single_records_and_no_whole_stage(run, monkeypatch):
    name = first(run, "export").id

    def whole(*_):
        raise AssertionError("a whole stage was read")

    monkeypatch.setattr(Output, "records", whole)
    monkeypatch.setattr(Output, "rejections", whole)
    monkeypatch.setattr(jsonl, "read", whole)
    assert record_page(run, name).stages[-1].record


def test_a_trace_loads_no_model_and_not_all_of_nltk(built, run):
    code = (
        "from wdw_build.cli import main\n"
        f"main(['trace', {first(run, 'export').id!r}, '--json', '-c', {str(built.config)!r}])\n"
    )
    loaded = {name.partition(".")[0] for name in modules_after(code)[1]}
    assert "wdw_build" in loaded
    assert not loaded & {"torch", "stanza", "jnius", "kenlm", "highspy", "nltk", "scipy", "numpy", "jinja2"}


def test_the_text_has_a_section_for_every_stage_that_stored_something_new(on, run):
    problem = first(run, "export")
    shown = on("trace", problem.id)
    assert f"[{run.questions[problem.id].blank.text}]" in " ".join(shown.split())
    titles = ["Problem", "Article", "First sentence", "Question", "Candidate passages", "Alternatives", "Predictions"]
    titles += ["Selection", "Split", "Files", "Stages"]
    assert [line for line in shown.splitlines() if line in (*titles, "Duplicates")] == titles
    assert "\x1b" not in shown


def test_the_json_has_the_stored_records(on, run):
    name = first(run, "export").id
    plain = json.loads(on("trace", name, "--json"))
    stored = {outcome["stage"]: outcome["record"] for outcome in plain["stages"]}
    assert stored["retrieve"] == json.loads(msgspec.json.encode(run.retrievals[name]))


def test_the_page_loads_nothing_and_links_to_its_own_sections_only(on, run):
    name = first(run, "export").id
    page = on("trace", name, "--html")
    assert page.startswith("<!DOCTYPE html>")
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!#part)', page)
    assert html.escape(run.questions[name].blank.text) in page


def test_an_unknown_id_and_contradicting_options_are_refused(call, built):
    answer = call("trace", "nobody", "-c", built.config)
    assert (answer.code, answer.out) == (2, "")
    assert "no stage of run 'tiny' knows 'nobody'" in answer.message
    assert call("trace", "nobody", "--json", "--html", "-c", built.config).code == 2


# ---- inspect ---------------------------------------------------------------------------------------------------------


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def without_descriptions_of_fields(schema):
    for struct in schema["$defs"].values():
        for field in struct["properties"].values():
            field.pop("description", None)
    return schema


def test_inspect_prints_the_schema_of_the_record_and_of_the_rejection(on):
    for arguments, kind in ([], ProblemAlternatives), (["--rejected"], Rejection):
        plain = json.loads(msgspec.json.encode(msgspec.json.schema(kind)))
        printed = json.loads(on("inspect", "dedup", *arguments, "--schema"))
        fields = printed["$defs"][kind.__name__]["properties"]
        assert {name: fields[name]["description"] for name in field_docs(kind)} == field_docs(kind)
        assert without_descriptions_of_fields(printed) == without_descriptions_of_fields(plain)


def test_inspect_refuses_a_sample_of_one_record(call, built):
    answer = call("inspect", "problems", "--id", "a", "--sample", "3", "-c", built.config)
    assert (answer.code, answer.out) == (2, "")
    assert "--id names one record" in answer.message


# ---- incomplete runs -----------------------------------------------------------------------------------------


@pytest.fixture
def copied(built, tmp_path):
    """A copy of the run folder whose links lead to the same outputs."""
    for stage in BY_NAME:
        (tmp_path / stage).symlink_to((built.folder / stage).resolve())
    return tmp_path


def test_an_output_made_from_an_older_input_has_a_note(copied, run):
    folder = copied / "dedup"
    target = folder.resolve()
    folder.unlink()
    folder.mkdir()
    for path in target.iterdir():
        (folder / path.name).symlink_to(path)
    manifest = json.loads((target / "manifest.json").read_text())
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").write_text(json.dumps({**manifest, "content_hash": "another"}))
    found = record_page(open_run(copied, STAGES), first(run, "export").id)
    notes = {outcome.stage: outcome.note for outcome in found.stages if outcome.note}
    assert set(notes) == {"baselines", "adversary", "suppress", "problems"}
    assert "made from an older output of dedup" in notes["baselines"]


# ---- explore ---------------------------------------------------------------------------------------------------------


def test_explore_writes_one_file(on, run, tmp_path):
    path = tmp_path / "run.sqlite"
    assert json.loads(on("explore", "--no-serve", "--sqlite", path, "--json")) == {"sqlite": str(path)}
    refused = [one for record in run.all_alternatives for one in record.refused]
    refused += [one for rejection in run.all_alternatives.rejections() for one in rejection.candidates]
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT count(*) FROM candidates WHERE stage = 'choices'"
        assert connection.execute(query).fetchall() == [(len(refused),)]


def test_explore_without_its_extra_says_what_to_install(call, built, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    answer = call("explore", "-c", built.config)
    assert (answer.code, answer.out) == (3, "")
    assert "pip install 'wdw-build[explore]'" in answer.err


def test_explore_names_a_file_that_cannot_be_written(call, built, tmp_path):
    answer = call("explore", "--no-serve", "--sqlite", tmp_path / "nowhere" / "run.sqlite", "-c", built.config)
    assert answer.code == 2
    assert "--sqlite FILE names another place" in answer.err

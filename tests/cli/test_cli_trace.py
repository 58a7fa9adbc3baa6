"""``trace`` and ``inspect`` on a real run: the evidence of every stage, every output format, look-ups by key."""

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from wdw_build.core.field_docs import field_docs
from wdw_build.core.store import jsonl
from wdw_build.core.store.output import Output
from wdw_build.dataset import open_run
from wdw_build.pipeline import BY_NAME, ON_DEMAND, STAGES
from wdw_build.records import ProblemAlternatives, Rejection
from wdw_build.views.trace import Trace, trace

ROOT = Path(__file__).parents[2]


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


def test_the_trace_of_an_exported_problem_names_every_stage_and_ends_in_the_dataset(run):
    found = trace(run, first(run, "export").id)
    assert [station.stage for station in found.stations] == list(BY_NAME)
    assert {station.outcome for station in found.stations if station.stage not in ON_DEMAND} == {"written"}
    assert found.ended == "it is in the dataset"
    assert found.place.files
    assert len(found.guesses) == 4
    assert found.cell.level in {"strict", "relaxed"}


def test_a_rejected_id_is_traced_to_its_stage_with_the_reason_in_words(run):
    seen = set()
    for stage in (stage for stage in STAGES if stage.name in run.outputs):
        for rejection in run.outputs[stage.name].rejections():
            found = trace(run, rejection.id)
            station = next(outcome for outcome in found.stations if outcome.stage == stage.name)
            if station.outcome == "written":
                assert rejection.reason in station.note
                continue
            assert (station.outcome, station.reason) == ("rejected", rejection.reason)
            assert station.meaning == stage.reasons[rejection.reason].meaning
            if stage.name == "pseudonyms":
                continue  # the problem goes on to the later stages
            assert f"{stage.name} rejected it: {rejection.reason}" in found.ended
            after = found.stations[found.stations.index(station) + 1 :]
            # Articles without a selected alternative are written as problems, too, and get pseudonyms.
            states = {outcome.outcome for outcome in after if outcome.stage not in ("problems", "pseudonyms")}
            assert states <= {"not-reached"}
            seen.add(stage.name)
    assert {"questions", "retrieve", "choices"} <= seen


def test_what_is_derived_again_agrees_with_the_records(run):
    """The climb deletes the stored tokens, and the tests refuse by the stored rule."""
    for problem in run.outputs["problems"].records():
        found = trace(run, problem.id)
        assert found.lead.climb.agrees
        assert [candidate.note for candidate in found.candidates] == [""] * len(found.candidates)
        (passage,) = (candidate for candidate in found.candidates if candidate.passage)
        assert passage.article == problem.passage.article
        assert len(found.alternatives) == len(run.alternatives[problem.id].alternatives)
        assert found.alternatives[problem.alternative].choices == tuple(choice.name for choice in problem.choices)
        cast = found.casts[-1]
        assert cast.article == problem.passage.article
        chosen = [person for person in cast.persons if person.number]
        assert [person.name for person in chosen] == [choice.name for choice in problem.choices]
        assert [person.answer for person in chosen].index(True) == problem.answer
        assert sum(form.count for person in chosen for form in person.written) == len(found.passage.mentions)


def test_a_trace_reads_single_records_and_no_whole_stage(run, monkeypatch):
    name = first(run, "export").id

    def whole(*_):
        raise AssertionError("a whole stage was read")

    monkeypatch.setattr(Output, "records", whole)
    monkeypatch.setattr(Output, "rejections", whole)
    monkeypatch.setattr(jsonl, "read", whole)
    assert trace(run, name).place


def test_a_trace_loads_no_model_and_not_all_of_nltk(built, run):
    code = (
        "import sys\nfrom wdw_build.cli import main\n"
        f"main(['trace', {first(run, 'export').id!r}, '--json', '-c', {str(built.config)!r}])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "wdw_build" in loaded
    assert not loaded & {"torch", "stanza", "jnius", "kenlm", "pulp", "nltk", "scipy", "numpy", "jinja2"}


def test_the_text_marks_the_blank_and_the_climbed_node(on, run):
    problem = first(run, "export")
    shown = on("trace", problem.id)
    record = run.questions[problem.id]
    assert f"[{record.blank.text}]" in " ".join(shown.split())
    assert re.search(r"^  > ", shown, re.MULTILINE)
    for title in (
        "Stages",
        "First sentence",
        "Query",
        "Candidates",
        "Alternatives",
        "Passage",
        "Baselines and adversaries",
        "Suppression",
        "Dataset",
    ):
        assert f"\n{title}\n" in shown
    assert "\x1b" not in shown


def test_the_json_decodes_to_the_trace(on, run):
    name = first(run, "export").id
    plain = on("trace", name, "--json")
    assert msgspec.json.decode(plain, type=Trace) == trace(run, name)


def test_the_page_loads_nothing_and_has_no_links(on, run):
    name = first(run, "export").id
    page = on("trace", name, "--html")
    assert page.startswith("<!DOCTYPE html>")
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="', page)
    assert html.escape(run.questions[name].blank.text) in page


def test_as_passage_lists_the_questions_that_tried_the_article(on, run):
    problem = first(run, "problems")
    found = json.loads(on("trace", problem.passage.article, "--as-passage", "--json"))
    assert problem.id in {trial["question"] for trial in found["as_passage"] if trial["chosen"]}
    assert "As a passage" in on("trace", problem.passage.article, "--as-passage")
    assert json.loads(on("trace", problem.passage.article, "--json"))["as_passage"] is None


def test_an_unknown_id_and_contradicting_options_are_refused(call, built):
    answer = call("trace", "nobody", "-c", built.config)
    assert (answer.code, answer.out) == (2, "")
    assert "no stage of run 'tiny' knows 'nobody'" in answer.message
    assert call("trace", "nobody", "--json", "--html", "-c", built.config).code == 2


# ---- inspect ---------------------------------------------------------------------------------------------------------


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_inspect_shows_and_counts_the_records_that_meet_a_condition(on, run):
    every = list(run.outputs["problems"].records())
    wanted = [record.id for record in every if len(record.choices) >= 3 and record.window == 1]
    condition = "choices >= 3 and window = 1"
    assert [
        record["id"] for record in lines(on("inspect", "problems", "--where", condition, "-n", "0", "--json"))
    ] == wanted
    assert on("inspect", "problems", "--where", condition, "--count") == f"{len(wanted)}\n"
    assert json.loads(on("inspect", "problems", "--where", condition, "--count", "--json")) == {"count": len(wanted)}
    drawn = lines(on("inspect", "problems", "--where", condition, "--sample", "2", "--json"))
    assert {record["id"] for record in drawn} <= set(wanted)
    assert 0 < len(wanted) < len(every)


def test_inspect_shows_the_alternatives_of_an_article_and_the_selected_one(on, run):
    decision = first(run, "suppress")
    record = run.alternatives[decision.id]
    for stage in ("choices", "dedup"):
        shown = on("inspect", stage, "--id", decision.id)
        for one in record.alternatives:
            assert record.passages[one.passage].article in shown
        assert shown.count("solved by") == len(record.alternatives)
        assert shown.count("not selected") == len(record.alternatives) - 1
        level = "strict" if decision.strict else "relaxed"
        assert f"selected: {level}, cell {decision.cell}" in " ".join(shown.split())
    condition = "alternatives >= 2 and passages.window = 1"
    found = [
        one.id
        for one in run.alternatives
        if len(one.alternatives) >= 2 and any(passage.window == 1 for passage in one.passages)
    ]
    assert on("inspect", "dedup", "--where", condition, "--count") == f"{len(found)}\n"


def test_inspect_counts_without_reading_records(on, run, monkeypatch):
    monkeypatch.setattr(Output, "records", None)
    monkeypatch.setattr(Output, "rejections", None)
    made = run.outputs["questions"].manifest
    assert on("inspect", "questions", "--count") == f"{made.written}\n"
    assert on("inspect", "questions", "--rejected", "--count") == f"{made.rejected}\n"
    reason, count = next(iter(made.reasons.items()))
    assert on("inspect", "questions", "--rejected", reason, "--count") == f"{count}\n"


def test_inspect_skips_to_the_next_page(on):
    every = lines(on("inspect", "questions", "-n", "0", "--json"))
    assert lines(on("inspect", "questions", "--skip", "3", "-n", "4", "--json")) == every[3:7]


def test_inspect_finds_rejections_by_where(on):
    found = lines(on("inspect", "questions", "--rejected", "--where", "refused >= 1", "-n", "0", "--json"))
    assert found
    assert all(rejection["refused"] for rejection in found)


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--where", "choises = 4"], "did you mean choices?"),
        (["--where", "choices ="], "a value expected"),
        (["--id", "a", "--count"], "--id names one record"),
        (["--sample", "3", "--count"], "give --count or --sample"),
    ],
)
def test_inspect_refuses_invalid_conditions_and_combinations_of_options(call, built, arguments, message):
    answer = call("inspect", "problems", *arguments, "-c", built.config)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.message


def test_inspect_ends_silently_when_its_pipe_closes(built):
    command = f"{sys.executable} -m wdw_build.cli inspect ingest -n 0 --json -c '{built.config}' | head -c 1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=environment)
    assert (done.stdout, done.stderr) == ("{", "")


# ---- incomplete runs -----------------------------------------------------------------------------------------


@pytest.fixture
def copied(built, tmp_path):
    """A copy of the run folder whose links lead to the same outputs."""
    for stage in BY_NAME:
        (tmp_path / stage).symlink_to((built.folder / stage).resolve())
    return tmp_path


def test_a_stage_without_output_is_shown_as_not_run(copied, run):
    for stage in ("suppress", "problems", "pseudonyms", "split", "export"):
        (copied / stage).unlink()
    found = trace(open_run(copied, STAGES), first(run, "export").id)
    assert [outcome.outcome for outcome in found.stations][-5:] == ["not-run"] * 5
    assert {one.outcome for one in found.alternatives} == {""}
    assert found.ended.startswith("adversary is the last stage that wrote it")
    assert found.cell is None


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
    found = trace(open_run(copied, STAGES), first(run, "export").id)
    notes = {outcome.stage: outcome.note for outcome in found.stations if outcome.note}
    assert set(notes) == {"baselines", "adversary", "suppress", "problems"}
    assert "made from an older output of dedup" in notes["baselines"]


def test_a_trace_without_stored_annotations_shows_everything_but_the_persons(copied, run, monkeypatch):
    from wdw_build.views.trace import candidates

    monkeypatch.setattr(candidates, "stored_annotation", lambda *_: None)
    found = trace(open_run(copied, STAGES), first(run, "export").id)
    assert found.casts == ()
    assert found.passage

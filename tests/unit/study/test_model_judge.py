"""A model as judge: what it is asked, how its replies are read, that it is no person, and what is left out because of it."""

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.chat_server import chat_server, completion
from support.sheets import NAMES, answered, sheet, sheet_folder, sheet_problem
from wdw_build.adapters.endpoint import EndpointConfig
from wdw_build.core.progress import Progress
from wdw_build.errors import UsageError
from wdw_study import people
from wdw_study.actions import apply_faults, judge_sheets
from wdw_study.judging.exchange import confirmed, export_judgements, import_judgements
from wdw_study.judging.judgements import ADJUDICATED, ANSWERED, FAULTS_MARKED, LABELLED, NOTED, Adjudication
from wdw_study.judging.model_judge import ModelJudge, Prices, read_reply
from wdw_study.judging.score import cases, score
from wdw_study.judging.sheets import judged_of

MODEL = "(model) tiny"
FREE = Prices(None, None)


def judge(url, store, **options):
    return ModelJudge(EndpointConfig(url=url, model="tiny", options=options, retries=0), store, Progress("lines"))


def reply(request, name=NAMES[0], **fields):
    """A reply that chooses a name by its letter in the prompt."""
    lines = request["messages"][0]["content"].splitlines()
    letter = next(line.partition(".")[0] for line in lines if line.endswith(f". {name}"))
    return json.dumps({"answer": letter, "faults": [], **fields})


def judged_by(folder, answer=reply):
    """The sheet after a model answered it."""
    with chat_server(answer) as server:
        judge(server.url, folder.path.parent / "store").judge(folder)
    return folder


# ---- replies ---------------------------------------------------------------------------------------------------------

PROBLEM = sheet_problem(2)


def read(text, **drawn):
    return read_reply(text, sheet([PROBLEM], **drawn), PROBLEM, MODEL)


REPLIES = [
    ('{"note": "says so", "answer": "Bob Beck", "faults": ["wrong-span"]}', ("wrong-span",), "says so"),
    ('```json\n{"answer": "beck", "faults": "broken-text, Wrong_Span"}\n```', ("wrong-span", "broken-text"), ""),
    ('<think>{"answer": "Ann Ames"}</think>{"answer": "Bob Beck", "faults": ["none"]}', (), ""),
    ('Form: {"answer": ""}. Mine:\n{"answer": "Bob Beck",\n "note": "a\nb", "faults": [7, null]}', (), "a\nb"),
    ('{"answer": "Bob Beck", "faults": {"two-answers": true}}', (), ""),
    ("The answer is Bob Beck. wrong-span", (), ""),
]


@pytest.mark.parametrize(("text", "faults", "note"), REPLIES)
def test_a_reply_is_an_object_or_a_text_with_one_choice(text, faults, note):
    assert read(text) == {ANSWERED: 1, FAULTS_MARKED: faults, NOTED: note}


@pytest.mark.parametrize("said", ["cannot tell", "Cannot tell.", "I can't tell"])
def test_cannot_tell_is_an_answer(said):
    assert read(json.dumps({"answer": said}))[ANSWERED] is None


def test_a_reply_without_an_answer_marks_no_fault():
    no_choice = '{"answer": "the letter", "faults": ["wrong-span"]}'
    for text in ("", "{}", "no idea", '{"answer": ["A", "B"]}', '{"answer": null}', no_choice):
        assert read(text) == {}


def test_faults_of_passages_are_unknown_without_a_passage_and_phenomena_are_labels():
    assert read('{"answer": "Bob Beck", "faults": ["other-event"]}', condition="without")[FAULTS_MARKED] == ()
    assert read('{"phenomena": ["Named", "x"]}', task="phenomena")[LABELLED] == ("named",)
    assert read('{"phenomena": [], "faults": ["wrong-span"]}', task="phenomena") == {}


@given(st.text() | st.text(alphabet='{}[]":, \\ABnull'))
def test_no_reply_fails_and_faults_come_only_with_an_answer(text):
    values = read(text)
    assert not values or {ANSWERED, FAULTS_MARKED, NOTED} == values.keys()


# ---- asking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["passage", "without", "codes"])
def test_a_prompt_has_the_rules_question_choices_and_faults_of_the_page(tmp_path, condition):
    with chat_server(reply) as server:
        folder = sheet_folder(tmp_path, 1, condition=condition, problems=[sheet_problem(1, passage="Ann & Bob")])
        judge(server.url, tmp_path / "store").judge(folder)
    (request,) = server.requests
    prompt = request["messages"][0]["content"]
    said = [folder.items[0].question, "Ann & Bob", "cannot tell", *folder.head.rules, *folder.head.faults.values()]
    assert [text for text in said if text not in prompt] == []
    assert ("@entity3" in prompt) == (condition == "codes")
    assert request["max_tokens"] == 400


def test_a_second_call_asks_only_what_is_missing_and_changes_nothing_else(tmp_path, capsys):
    folder, answers = sheet_folder(tmp_path), {"bridge 1 ": "?", "bridge 2 ": completion("Ann", "content_filter")}

    def said(request):
        found = next((text for key, text in answers.items() if key in str(request)), None)
        return (200, {}, found) if found and "{" in found else found or reply(request)

    with chat_server(said) as server:
        asked = judge(server.url, tmp_path / "store")
        asked.judge(folder)
        no_answer = "the reply does not answer the question: ?"
        assert f"1 of 4 problems are unanswered: {no_answer}" in capsys.readouterr().err
        notes = {each.problem: each.note for each in judged_of(folder).models if not each.answered}
        assert notes == {"q1": no_answer, "q2": "a content filter withheld the answer: Ann"}
        events = len(folder.log.events())
        answers.clear()
        asked.judge(folder)
        # Only the filtered prompt has no stored answer.
        assert len(server.requests) == 5
    assert len(folder.log.events()) == events + 2
    (model,) = score(judged_of(folder)).models
    assert (model.person, model.answered, model.unanswered, model.complete) == (MODEL, 3, 1, False)


def test_the_estimate_counts_open_prompts_and_their_price(tmp_path):
    folder = sheet_folder(tmp_path)
    with chat_server(reply) as server:
        asked = judge(server.url, tmp_path / "store")
        done = judge_sheets([folder], asked, Prices(1_000_000, 2_000_000), Progress("quiet"), dry_run=True)
        assert not server.requests
        estimate = done.value["estimate"]
        assert (estimate.calls, estimate.output_tokens) == (4, 1600)
        assert estimate.cost == estimate.input_tokens + 3200
        assert f"at most {estimate.cost:,.2f}" in done.text
        judge_sheets([folder], asked, FREE, Progress("quiet"), dry_run=False)
        again = asked.estimate([folder], FREE)
        assert (again.calls, again.input_tokens, again.cost) == (0, 0, None)
        assert "output without a limit" in judge(server.url, tmp_path, max_tokens=None).estimate([folder], FREE).text


# ---- no person -------------------------------------------------------------------------------------------------------


def test_a_model_is_scored_beside_people_and_changes_none_of_their_figures(tmp_path):
    folder = answered(sheet_folder(tmp_path))
    before = score(judged_of(folder))
    judged_by(folder, lambda request: reply(request, "Bob Beck", faults=["two-answers"]))
    after = score(judged_of(folder))
    for figures in ("persons", "answers", "faults", "notes"):
        assert getattr(after, figures) == getattr(before, figures)
    (model,) = after.models
    assert (model.accuracy.part, model.agreement["Ada"].same) == (0, 0)
    assert model.faults == {"any fault": 4, "two-answers": 4}
    assert before.to_adjudicate == {}
    assert set(after.to_adjudicate.values()) == {("a model chose another answer", "marked as faulty by a model")}
    people.put_aside(folder.log, MODEL, aside=True)
    assert score(judged_of(folder)).models == ()


def test_no_person_can_have_the_name_of_a_model(tmp_path):
    with pytest.raises(UsageError, match="begins with a letter"):
        people.sign_in(sheet_folder(tmp_path).log, MODEL)
    assert people.model_participant("a\tb\x1b") == people.model_participant(people.model_participant("a b\x1b"))


def test_exports_mark_a_model_and_an_imported_one_stays_a_model(tmp_path):
    folder = judged_by(sheet_folder(tmp_path))
    _, (table, tasks, _) = export_judgements(judged_of(folder), tmp_path / "export", replace=False)
    with table.open(newline="") as lines:
        assert {row["person"] for row in csv.DictReader(lines)} == {MODEL}
    (task, *_) = json.loads(tasks.read_bytes())
    assert (task["annotations"], task["predictions"][0]["model_version"]) == ([], MODEL)
    empty = sheet_folder(tmp_path / "other")
    assert import_judgements(empty, table) == 4
    assert (judged_of(empty).judgements, len(judged_of(empty).models)) == ([], 4)


# ---- what is left out ------------------------------------------------------------------------------------------------


def test_faults_of_a_model_are_applied_only_if_it_is_named_and_nobody_decided_otherwise(tmp_path):
    folder = judged_by(sheet_folder(tmp_path), lambda request: reply(request, faults=["no-story"]))
    folder.log.append("Ada", ADJUDICATED, "q1", Adjudication(answer=0))
    for person in ("Ada", "Ben"):
        folder.log.append(person, FAULTS_MARKED, "q2", ["wrong-span"])
    assert [each.id for each in confirmed(judged_of(folder))[0]] == ["q2"]
    by_model = f"no-story, marked by {MODEL} (4 problems judged)"
    faulty = apply_faults(folder, model="tiny").value["faulty"]
    assert {each.id: each.reason for each in faulty} == {"q2": "wrong-span", "q3": by_model, "q4": by_model}
    with pytest.raises(UsageError, match="other answered no problem"):
        apply_faults(folder, model="other")
    assert [case.decided is not None for case in cases(judged_of(folder))] == [True, False, False, False]


def test_what_models_judged_is_a_section_of_the_datasheet_that_stays_after_the_next_build(tmp_path):
    folder = sheet_folder(tmp_path)
    with chat_server(reply) as server:
        judge_sheets([folder], judge(server.url, tmp_path / "store"), FREE, Progress("quiet"), dry_run=False)
    section = json.loads((tmp_path / "sections" / "annotate.json").read_bytes())
    assert section["fingerprint"] == ""
    assert section["rows"] == [["toy", MODEL, "4", "0", "0", "1.000 (0.510 to 1.000; 4 of 4)", "0"]]

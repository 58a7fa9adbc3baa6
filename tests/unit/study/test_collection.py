"""What leaves a collection: QUOREF's JSON, Table 1, and exact match and F1 computed by hand."""

import json

import pytest

from support.collected import CHOIR, HARBOUR, PASSAGES, collection_folder, span, write
from wdw_build.errors import UsageError
from wdw_study.collecting.collection import export_questions
from wdw_study.collecting.questions import REFUSED, VALIDATED, Refused, State, Validation
from wdw_study.collecting.scores import score
from wdw_study.people import put_aside

FIRST, SECOND = PASSAGES


@pytest.fixture
def opened(tmp_path):
    """Two questions about the first passage, and one about the second, written first."""
    opened = collection_folder(tmp_path)
    write(opened, "Ada", SECOND, "Whose voice did she like?", "Bela Fenn", adversary=None)
    write(opened, "Bo", FIRST, "Which two are brothers?", "Jonas", "Tomas Reik", adversary=("Jonas",))
    write(opened, "Ada", FIRST, "Who closed it?", "Ines Dahl", adversary=("Ines Dahl",))
    return opened


def validate(opened, person, index, spans, verdict="answerable"):
    opened.log.append(person, VALIDATED, opened.state().questions[index].id, Validation(verdict, tuple(spans)))


def test_the_export_has_the_form_of_quoref_in_the_order_of_the_passages(opened, tmp_path):
    export_questions(opened, tmp_path / "out", opened.state())
    written = json.loads((tmp_path / "out" / "questions.json").read_text())
    assert written.keys() == {"version", "data"}
    assert [entry["title"] for entry in written["data"]] == ["About harbour", "About choir"]
    (paragraph,) = written["data"][0]["paragraphs"]
    assert (paragraph["context"], paragraph["context_id"]) == (HARBOUR, "harbour")
    assert [asked["question"] for asked in paragraph["qas"]] == ["Which two are brothers?", "Who closed it?"]
    assert [answer["text"] for answer in paragraph["qas"][0]["answers"]] == ["Tomas Reik", "Jonas"]
    for (each,) in (entry["paragraphs"] for entry in written["data"]):
        for answer in (answer for asked in each["qas"] for answer in asked["answers"]):
            assert each["context"][answer["answer_start"] :].startswith(answer["text"])


def test_only_confirmed_questions_are_exported_when_asked_for(opened, tmp_path):
    with pytest.raises(UsageError, match="no confirmed question"):
        export_questions(opened, tmp_path / "out", opened.state(), confirmed=True)
    validate(opened, "Cy", 0, [span(CHOIR, "Bela Fenn")])
    validate(opened, "Cy", 2, [], "no-coreference")
    written = export_questions(opened, tmp_path / "out", opened.state(), confirmed=True)
    assert (written.questions, written.passages) == (1, 1)


def test_the_statistics_of_table_1_by_hand(opened):
    table = score("invented", State(opened.state().questions[1:], (), ()), PASSAGES)
    assert (table.questions, table.passages, table.multi_span) == (2, 1, 0.5)
    # "Which two are brothers ?" and "Who closed it ?": 5 and 4 tokens, 8 distinct ones.
    assert (table.question_tokens, table.question_vocabulary) == (4.5, 8)
    assert table.passage_tokens == len(HARBOUR.split()) + 5


def test_people_and_the_adversary_are_scored_against_the_writers(opened):
    validate(opened, "Cy", 1, [span(HARBOUR, "Jonas"), span(HARBOUR, "Tomas Reik")])
    validate(opened, "Cy", 2, [], "ambiguous")
    validate(opened, "Di", 1, [span(HARBOUR, "Tomas Reik")])
    scored = score("invented", opened.state(), PASSAGES)
    assert (scored.people["Cy"].exact_match, scored.people["Cy"].f1) == (0.5, 0.5)
    assert (scored.people["Di"].exact_match, scored.people["Di"].f1) == (0.0, 0.5)
    assert (scored.people["(all)"].answers, scored.people["(all)"].f1) == (3, 0.5)
    assert scored.verdicts == {"ambiguous": 1, "answerable": 2}
    # The adversary found one of two brothers, and Ines Dahl; the third question was not checked.
    assert scored.adversary["fake 1"].f1 == 0.75
    assert (scored.unchecked, scored.questions, scored.confirmed) == (1, 3, 0)


def test_refused_attempts_are_counted_by_rule(opened):
    for rules in (("adversary",), ("no-answer", "not-a-question"), ("adversary",)):
        opened.log.append("Ada", REFUSED, FIRST.id, Refused("Who?", (), None, rules))
    scored = score("invented", opened.state(), PASSAGES)
    assert scored.refused == {"not-a-question": 1, "no-answer": 1, "adversary": 2}
    assert scored.attempts == 6


def test_people_who_are_put_aside_do_not_count(opened, tmp_path):
    validate(opened, "Cy", 1, [span(HARBOUR, "Jonas"), span(HARBOUR, "Tomas Reik")])
    validate(opened, "Zed", 1, [], "broken")
    put_aside(opened.log, "Zed", aside=True)
    put_aside(opened.log, "Ada", aside=True)
    scored = score("invented", opened.counted(), PASSAGES)
    assert (scored.questions, scored.confirmed, set(scored.people)) == (1, 1, {"Cy", "(all)"})
    assert export_questions(opened, tmp_path / "out", opened.counted()).questions == 1
    assert len(opened.state().questions) == 3


def test_an_export_is_not_written_over_another_one(opened, tmp_path):
    export_questions(opened, tmp_path / "out", opened.state())
    before = (tmp_path / "out" / "questions.json").read_bytes()
    write(opened, "Ada", FIRST, "Who built it?", "Jonas")
    with pytest.raises(UsageError, match="already exists"):
        export_questions(opened, tmp_path / "out", opened.state())
    assert (tmp_path / "out" / "questions.json").read_bytes() == before
    assert export_questions(opened, tmp_path / "out", opened.state(), replace=True).questions == 4

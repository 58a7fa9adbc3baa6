"""Predictions of somebody else's system: every form of a line, and every fault, with its place."""

import json
from pathlib import Path

import pytest

from wdw_bench.populations import AFTER, ALL, CONTROL, EvaluatedProblem, EvaluatedProblems, GivenFile, read_predictions
from wdw_build.errors import UsageError
from wdw_build.views.dataset import TEST, VALIDATION


def problem(answer, *populations):
    choices = ("Ann Fox", "Bo Lee", "Cy Day")
    return EvaluatedProblem(frozenset(populations), choices, answer, ("Ann Fox", "Fox"), {})


PROBLEMS = {"v1": problem(0, VALIDATION), "t1": problem(1, TEST), "t2": problem(2, TEST)}
HELD_OUT = EvaluatedProblems((VALIDATION, TEST), PROBLEMS, {VALIDATION: 1, TEST: 2})
POPULATIONS = EvaluatedProblems(
    (ALL, AFTER, CONTROL), {"a": problem(0, ALL, AFTER), "b": problem(1, ALL, CONTROL), "c": problem(2, ALL)}
)


@pytest.fixture
def written(tmp_path):
    def write(*lines, evaluated=HELD_OUT):
        path = tmp_path / "my-model.jsonl"
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        return read_predictions(GivenFile(path), evaluated)

    return write


def test_a_choice_is_an_index_a_name_scores_or_spans(written):
    given = written(
        {"id": "v1", "scores": [0.1, 0.9, 0.9]}, "", {"id": "t1", "choice": "Cy Day"}, {"id": "t2", "spans": ["mr Lee"]}
    )
    assert {name: answer.first_choice for name, answer in given.items()} == {"v1": 1, "t1": 2, "t2": 1}
    assert given["t2"].spans == ("mr Lee",)
    assert written({"id": "v1", "choice": 2})["v1"].first_choice == 2


FAULTS = [
    (["{"], "my-model.jsonl:1: "),
    ([{"id": "v1"}], ":1: 0 of choice, scores and spans"),
    ([{"id": "v1", "choice": 0, "scores": [1, 2, 3]}], ":1: 2 of choice, scores and spans"),
    ([{"id": "v1", "choice": 3}], ":1: there is no choice 3"),
    ([{"id": "v1", "choice": "Di Eve"}], ":1: there is no choice 'Di Eve'"),
    ([{"id": "v1", "scores": [1, 2]}], ":1: 2 scores for 3 choices"),
    ([{"id": "v1", "choice": 0}, {"id": "v1", "choice": 0}], ":2: problem 'v1' occurs twice"),
    ([{"id": "x", "choice": 0}], ":1: problem 'x' is not in validation or test"),
    ([{"id": "v1", "guess": 0}], ":1: .*unknown field `guess`"),
    ([{"id": "t1", "choice": 0}], "1 of 2 problems of test have no prediction, such as 't2'"),
    ([], "no predictions"),
]


@pytest.mark.parametrize(("lines", "message"), FAULTS)
def test_a_fault_is_named_with_its_line(written, lines, message):
    with pytest.raises(UsageError, match=message):
        written(*lines)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"cannot read .*none\.jsonl"):
        read_predictions(GivenFile(tmp_path / "none.jsonl"), HELD_OUT)


def test_of_cross_fitted_problems_one_population_must_be_answered_wholly(written):
    answers = [{"id": "a", "choice": 0}, {"id": "c", "choice": 0}]
    assert set(written(*answers, evaluated=POPULATIONS)) == {"a", "c"}
    with pytest.raises(UsageError, match="2 of 3 problems have no prediction, such as 'a'"):
        written(answers[1], evaluated=POPULATIONS)
    with pytest.raises(UsageError, match="'v1' is not one of the problems of all articles"):
        written({"id": "v1", "choice": 0}, evaluated=POPULATIONS)


def test_a_file_is_named_after_its_system_without_the_condition():
    assert GivenFile(Path("llm.jsonl"), "passage").name == "llm"
    assert GivenFile(Path("llm-codes-without.jsonl"), "codes-without").name == "llm"
    assert GivenFile(Path("llm.without.jsonl"), "without").name == "llm"
    assert GivenFile(Path("without.jsonl"), "without").name == "without"
    assert GivenFile(Path("llm-codes.jsonl"), "without").name == "llm-codes"


def test_an_empty_list_of_scores_is_no_answer_and_counts_as_wrong(written):
    answer = written({"id": "v1", "scores": []})["v1"]
    assert answer.scores == ()
    assert answer.credit(0, draw=0.0) == (0.0, False, False)

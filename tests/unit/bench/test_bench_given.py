"""Predictions of somebody else's system: every form of a line, and every fault, with its place."""

import json

import pytest

from wdw_build.bench.given import read_predictions
from wdw_build.bench.held_out import HeldOut, HeldOutProblem
from wdw_build.dataset import TEST, TRAIN, VALIDATION
from wdw_build.errors import UsageError


def problem(split, answer):
    return HeldOutProblem(split, ("Ann Fox", "Bo Lee", "Cy Day"), answer, ("Ann Fox", "Fox"), {})


HELD_OUT = HeldOut(
    {"v1": problem(VALIDATION, 0), "t1": problem(TEST, 1), "t2": problem(TEST, 2)}, {TRAIN: 5, VALIDATION: 1, TEST: 2}
)


@pytest.fixture
def written(tmp_path):
    def write(*lines):
        path = tmp_path / "my-model.jsonl"
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        return read_predictions(path, HELD_OUT)

    return write


def test_a_choice_is_an_index_a_name_scores_or_spans(written):
    given = written(
        {"id": "v1", "scores": [0.1, 0.9, 0.9]}, "", {"id": "t1", "choice": "Cy Day"}, {"id": "t2", "spans": ["mr Lee"]}
    )
    assert given.name == "my-model"
    assert {name: answer.choice for name, answer in given.answers.items()} == {"v1": 1, "t1": 2, "t2": 1}
    assert given.answers["t2"].spans == ("mr Lee",)
    assert written({"id": "v1", "choice": 2}).answers["v1"].choice == 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], "my-model.jsonl:1: "),
        ([{"id": "v1"}], ":1: give one of choice, scores and spans"),
        ([{"id": "v1", "choice": 0, "scores": [1, 2, 3]}], ":1: give one of"),
        ([{"id": "v1", "choice": 3}], ":1: there is no choice 3"),
        ([{"id": "v1", "choice": "Di Eve"}], ":1: there is no choice 'Di Eve'"),
        ([{"id": "v1", "scores": [1, 2]}], ":1: 2 scores for 3 choices"),
        ([{"id": "v1", "choice": 0}, {"id": "v1", "choice": 0}], ":2: problem 'v1' occurs twice"),
        ([{"id": "x", "choice": 0}], ":1: problem 'x' is not in validation or test"),
        ([{"id": "v1", "guess": 0}], ":1: .*unknown field `guess`"),
        ([{"id": "t1", "choice": 0}], "1 of 2 problems of test have no prediction, such as 't2'"),
        ([], "no predictions"),
    ],
)
def test_a_fault_is_named_with_its_line(written, lines, message):
    with pytest.raises(UsageError, match=message):
        written(*lines)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"cannot read .*none\.jsonl"):
        read_predictions(tmp_path / "none.jsonl", HELD_OUT)

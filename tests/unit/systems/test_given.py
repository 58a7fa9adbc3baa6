"""Scores of an outside system for every problem, from a file; ``test_bench_given`` tests the forms of a line."""

import json

import pytest

from wdw_build.errors import UsageError
from wdw_build.reading import LabelledProblem, ReadingChoice, ReadingProblem
from wdw_build.systems.given import read_scores


def labelled(name):
    choices = tuple(ReadingChoice(name=text, tokens=(text,), mentions=()) for text in ("Ann Fox", "Bo Lee"))
    problem = ReadingProblem(
        id=name,
        question="XXX ran.",
        question_tokens=("XXX", "ran", "."),
        blank=0,
        question_persons=(),
        passage="Bo Lee ran.",
        token_layout=(),
        sentence_starts=(0,),
        choices=choices,
    )
    return LabelledProblem(id=name, problem=problem, answer=0, split="train", level="strict", guesses={})


@pytest.fixture
def written(tmp_path):
    def write(*lines):
        path = tmp_path / "answers.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return read_scores(path, [labelled("a"), labelled("b")])

    return write


def test_every_problem_has_a_score_for_each_choice(written):
    given = written({"id": "b", "scores": [0.2, 0.7]}, {"id": "a", "choice": "Bo Lee"})
    assert given == {"a": (0.0, 1.0), "b": (0.2, 0.7)}


def test_a_problem_without_a_line_is_named(written):
    with pytest.raises(UsageError, match="1 of 2 problems have no prediction, such as 'b'"):
        written({"id": "a", "choice": 0})


def test_an_unknown_problem_is_named(written):
    with pytest.raises(UsageError, match="answers.jsonl:1: problem 'c' is not one of the problems to answer"):
        written({"id": "c", "choice": 0})

"""The synthetic reading tasks: their answers follow from their texts, and a small reader learns one of them."""

from collections import Counter

import pytest

from support.synthetic_tasks import TASKS, SyntheticProblems, accuracy
from wdw_build.core.progress import Progress


def solve_copy(question, passage, blank):
    before, after = question[blank - 1], question[blank + 1]
    return next(
        passage[index + 1] for index, word in enumerate(passage) if (word, passage[index + 2]) == (before, after)
    )


def solve_two_hop(question, passage, blank):
    pairs = list(zip(passage[::2], passage[1::2], strict=True))
    alias = next(first for first, second in pairs if second == question[blank + 1])
    return next(word for pair in pairs for word in pair if alias in pair and word.istitle())


def solve_counting(question, passage, blank):
    done = Counter(passage[index - 1] for index, word in enumerate(passage) if word == question[blank + 1])
    most = [name for name, count in done.items() if count == max(done.values())]
    assert len(most) == 1
    return most[0]


SOLVERS = {"copy": solve_copy, "two-hop": solve_two_hop, "counting": solve_counting}


@pytest.mark.parametrize("task", TASKS)
def test_the_rule_of_a_task_gives_its_answers(task):
    for labelled in SyntheticProblems(task, "train", 50):
        problem = labelled.problem
        answer = SOLVERS[task](problem.question_tokens, problem.passage_tokens, problem.blank)
        assert problem.choices[labelled.answer].name == answer
        for choice in problem.choices:
            assert {problem.passage_tokens[first:last] for first, last in choice.mentions} == {choice.tokens}


@pytest.mark.parametrize("task", TASKS)
def test_the_problems_of_a_task_are_the_same_in_every_pass_and_differ_between_splits(task):
    training = SyntheticProblems(task, "train", 20)
    assert list(training) == list(training)
    texts = {labelled.problem.passage for labelled in training}
    assert texts.isdisjoint(labelled.problem.passage for labelled in SyntheticProblems(task, "test", 20))


def test_choices_of_counting_are_mentioned_equally_often():
    for labelled in SyntheticProblems("counting", "train", 20):
        assert {len(choice.mentions) for choice in labelled.problem.choices} == {5}


def test_a_small_reader_learns_to_copy_by_context(tmp_path):
    training = SyntheticProblems("copy", "train", 480)
    assert accuracy("as-reader", training, 3, tmp_path, Progress("quiet"), held_out=100) > 0.6

"""The populations of the cross-fitted evaluation: their problems, their control, and their folds."""

from collections import Counter

import msgspec
import pytest

from support.labelled import NAMES, labelled
from wdw_bench.populations import AFTER, ALL, CONTROL, EvaluatedProblem, EvaluatedProblems, members, population_folds
from wdw_build.errors import UsageError
from wdw_build.reading.problems import ProblemSubset, content_hash


def problems():
    """Sixty problems of two to five choices, of which every third one is kept and every sixth one is relaxed only."""
    levels = ("strict", "suppressed", "suppressed", "relaxed", "suppressed", "strict")
    for at in range(60):
        choices = NAMES[: 2 + at % 4]
        yield msgspec.structs.replace(labelled(f"q{at:02d}", choices), level=levels[at % 6])


def sizes(ids):
    return Counter(len(problem.problem.choices) for problem in problems() if problem.id in ids)


def test_before_is_everything_and_after_the_strict_problems():
    found = members(list(problems()), seed=0)
    assert found[ALL] == {problem.id for problem in problems()}
    assert found[AFTER] == {problem.id for problem in problems() if problem.level == "strict"}


def test_the_control_is_a_random_part_with_the_numbers_of_choices_of_the_kept_problems():
    found = members(list(problems()), seed=0)
    assert found[CONTROL] < found[ALL]
    assert found[CONTROL] - found[AFTER]
    assert sizes(found[CONTROL]) == sizes(found[AFTER])
    reordered = members(list(problems())[::-1], seed=0)
    assert reordered == found
    assert members(list(problems()), seed=1)[CONTROL] != found[CONTROL]


def test_the_hash_of_a_population_depends_on_what_is_read_and_not_on_suppression():
    problem = labelled()
    ids = frozenset({problem.id})

    def content(other):
        return content_hash(ProblemSubset([other], ids))

    decided = msgspec.structs.replace(problem, split="", level="suppressed", guesses={})
    assert content(decided) == content(problem)
    assert content(msgspec.structs.replace(problem, answer=2)) != content(problem)
    passage = msgspec.structs.replace(problem.problem, passage="another text.")
    assert content(msgspec.structs.replace(problem, problem=passage)) != content(problem)


def test_events_are_in_one_fold_and_too_few_of_them_are_an_error(run):
    populations = frozenset({ALL, AFTER})
    problems = {one.id: EvaluatedProblem(populations, (), 0, (), {}) for one in run.distinct_problems}
    evaluated = EvaluatedProblems((ALL, AFTER), problems)
    folds = population_folds([run], evaluated, 3, seed=1)
    assert folds[ALL] == folds[AFTER]
    assert folds[ALL].keys() == problems.keys()
    assert set(folds[ALL].values()) == {0, 1, 2}
    with pytest.raises(UsageError, match=r"of all articles are about [0-9]+ events, too few for 99 folds"):
        population_folds([run], evaluated, 99, seed=1)

"""The populations of the cross-fitted evaluation: their problems, their control, and their folds."""

from collections import Counter

import msgspec
import pytest

from support.labelled import NAMES, labelled
from wdw_bench.populations import AFTER, ALL, CONTROL, EvaluatedProblem, EvaluatedProblems, members, population_folds
from wdw_build.errors import UsageError
from wdw_build.reading.problems import ProblemSubset, content_hash

LEVELS = ("strict", "suppressed", "suppressed", "relaxed", "suppressed", "strict")
# Of two to five choices; every third one is kept, and every sixth one is relaxed only.
PROBLEMS = [
    msgspec.structs.replace(labelled(f"q{at:02d}", NAMES[: 2 + at % 4]), level=LEVELS[at % 6]) for at in range(60)
]


def sizes(ids):
    return Counter(len(problem.problem.choices) for problem in PROBLEMS if problem.id in ids)


def test_before_is_everything_after_the_strict_problems_and_the_control_a_random_part_with_as_many_choices():
    found = members(PROBLEMS, seed=0)
    assert found[ALL] == {problem.id for problem in PROBLEMS}
    assert found[AFTER] == {problem.id for problem in PROBLEMS if problem.level == "strict"}
    assert found[CONTROL] < found[ALL]
    assert found[CONTROL] - found[AFTER]
    assert sizes(found[CONTROL]) == sizes(found[AFTER])
    assert members(PROBLEMS[::-1], seed=0) == found
    assert members(PROBLEMS, seed=1)[CONTROL] != found[CONTROL]


def test_the_hash_of_a_population_depends_on_what_is_read_and_not_on_suppression():
    def content(**changes):
        problem = msgspec.structs.replace(labelled(), **changes)
        return content_hash(ProblemSubset([problem], frozenset({problem.id})))

    assert content(split="", level="suppressed", guesses={}) == content()
    assert content(answer=2) != content()
    assert content(problem=msgspec.structs.replace(labelled().problem, passage="another text.")) != content()


def test_events_are_in_one_fold_and_too_few_of_them_are_an_error(run):
    populations = frozenset({ALL, AFTER})
    problems = {one.id: EvaluatedProblem(populations, (), 0, (), {}) for one in run.distinct_problems}
    evaluated = EvaluatedProblems((ALL, AFTER), problems)
    folds = population_folds([run], evaluated, 3, seed=1)
    assert folds[ALL] == folds[AFTER]
    assert (folds[ALL].keys(), set(folds[ALL].values())) == (problems.keys(), {0, 1, 2})
    with pytest.raises(UsageError, match=r"of all articles are about [0-9]+ events, too few for 99 folds"):
        population_folds([run], evaluated, 99, seed=1)

"""Paired tests of systems with several seeds: the seed with the median accuracy stands for the system, in every test."""

import pytest

from support.labelled import labelled
from wdw_bench.populations import ALL, HELD_OUT, EvaluatedProblems
from wdw_bench.predictions import PredictionFile, PredictionHead
from wdw_bench.table import comparisons, condition_table, system_row
from wdw_build.reading import Prediction

RIGHT, WRONG = Prediction((1.0, 0.0)), Prediction((0.0, 1.0))


def row(condition, populations, solved, name="a"):
    """A system's row. ``solved``: for each seed the number of problems of each population that it solves, the first ones."""
    evaluated = EvaluatedProblems(populations, condition=condition)
    for population in populations:
        for at in range(4):
            evaluated.add(labelled(f"{population}-{at}", ("Ann Fox", "Bo Lee"), 0), frozenset({population}))
    head = PredictionHead(name=name, title="", source="", group="today", system=name, condition="passage", problems="")
    files = []
    for counts in solved:
        answers = {}
        for population, count in zip(populations, counts, strict=True):
            answers[population] = {f"{population}-{at}": RIGHT if at < count else WRONG for at in range(4)}
        files.append(PredictionFile(head, answers))
    return system_row(files, evaluated), evaluated


# On validation, the third seed is the median one.
SEEDS, OTHER = [(4, 0), (0, 1), (2, 3)], [(0, 4), (4, 2), (1, 1)]


def test_two_systems_are_compared_with_their_seeds_of_median_validation_accuracy():
    (test,) = comparisons([row("passage", HELD_OUT, SEEDS)[0], row("passage", HELD_OUT, OTHER, "b")[0]])
    assert (test.first_only, test.second_only) == (2, 0)


@pytest.mark.parametrize("populations", [HELD_OUT, (ALL, "after")])
def test_two_conditions_are_compared_with_the_seeds_of_median_accuracy_too(populations):
    (first, evaluated), (second, _) = row("passage", populations, SEEDS), row("without", populations, OTHER)
    found = condition_table([first, second], evaluated, None, "d", 0).differences
    tests = {test.population: (test.first_only, test.second_only, test.gain) for test in found}
    assert tests == {populations[0]: (1, 0, 0.25), populations[1]: (2, 0, 0.5)}

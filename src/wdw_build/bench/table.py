"""Rows of the tables from stored predictions: one for each suppressed baseline, system and file of given predictions."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from wdw_build.bench.evaluated import EvaluatedProblem, EvaluatedProblems
from wdw_build.bench.given import GivenPredictions
from wdw_build.bench.results import ADVERSARY, BASELINE, GIVEN, Accuracy, Comparison, SystemResult
from wdw_build.bench.statistics import mcnemar, over_seeds, wilson
from wdw_build.bench.training import COST, Cost, SystemPrediction
from wdw_build.core.store.output import Output
from wdw_build.dataset import TEST, VALIDATION, adversary_of
from wdw_build.reading import Prediction, SystemEntry

# The predictions of one training, by problem id.
Predictions = Mapping[str, Prediction]


class Answered(NamedTuple):
    """What one training of a system answered in one population: solved or not, by id; means of exact match and F1."""

    solved: Mapping[str, bool]
    em: float | None = None
    f1: float | None = None

    @property
    def accuracy(self) -> float:
        """Share of solved problems; 0 without problems."""
        return sum(self.solved.values()) / max(1, len(self.solved))


# What one training answered, by population.
ByPopulation = Mapping[str, Answered]


class Row(NamedTuple):
    """A row of a table: its accuracy by population (None without predictions), and what each seed answered."""

    result: SystemResult
    accuracies: Mapping[str, Accuracy | None]
    seeds: Sequence[ByPopulation]


def baseline_rows(evaluated: EvaluatedProblems, adversaries: Collection[str] = ()) -> Iterator[Row]:
    """A row for each baseline and adversary of suppression, from the predictions that the run stores."""
    names = dict.fromkeys(name for problem in evaluated.problems.values() for name in problem.guesses)
    for name in names:
        seed = {population: _guessed(name, list(evaluated.of(population))) for population in evaluated.populations}
        took_part = bool(adversary_of(name, adversaries))
        shown = f"{name} ({ADVERSARY})" if took_part else name
        source, group = ("", ADVERSARY) if took_part else ("Onishi et al. (2016)", BASELINE)
        yield _row(evaluated, [seed], name=shown, title=shown, source=source, group=group)


def _guessed(name: str, problems: Sequence[tuple[str, EvaluatedProblem]]) -> Answered:
    """The stored guesses of a baseline; none if a problem has no guess, because the adversary did not judge it."""
    is_whole = all(name in problem.guesses for _, problem in problems)
    return Answered({key: problem.guesses[name] == problem.answer for key, problem in problems} if is_whole else {})


def system_row(
    name: str, entry: SystemEntry, outputs: Sequence[Output], evaluated: EvaluatedProblems, train: str
) -> Row:
    """The row of a system on validation and test, from the stored predictions of its seeds."""
    costs = [msgspec.json.decode((output.folder / COST).read_bytes(), type=Cost) for output in outputs]
    strict, relaxed = entry.paper
    made = (_predictions(output) for output in outputs)
    return cross_fitted_row(
        name,
        entry,
        [_by_population(predictions, evaluated) for predictions in made],
        evaluated,
        parameters=costs[0].parameters,
        fit_seconds=statistics.fmean(cost.fit_seconds for cost in costs),
        choose_seconds=statistics.fmean(cost.choose_seconds for cost in costs),
        paper=relaxed if train == "relaxed" and relaxed is not None else strict,
    )


def cross_fitted_row(
    name: str, entry: SystemEntry, seeds: Sequence[ByPopulation], evaluated: EvaluatedProblems, **described: object
) -> Row:
    """The row of a system from what each seed answered."""
    return _row(evaluated, seeds, name=name, title=entry.title, source=entry.source, group=entry.group, **described)


def given_row(given: GivenPredictions, evaluated: EvaluatedProblems) -> Row:
    """The row of a file of predictions."""
    seed = _by_population(given.answers, evaluated)
    return _row(evaluated, [seed], name=given.name, title=given.name, source="", group=GIVEN)


def _predictions(output: Output) -> Predictions:
    records = (record for record in output.records() if isinstance(record, SystemPrediction))
    return {record.id: Prediction(record.scores, record.spans) for record in records}


def _by_population(predictions: Predictions, evaluated: EvaluatedProblems) -> ByPopulation:
    return {population: answered(predictions, evaluated.of(population)) for population in evaluated.populations}


def answered(predictions: Predictions, problems: Iterable[tuple[str, EvaluatedProblem]]) -> Answered:
    """What was answered in one population; nothing if a problem has no prediction."""
    known = list(problems)
    if any(key not in predictions for key, _ in known):
        return Answered({})
    found = [(key, problem, predictions[key]) for key, problem in known]
    spans = [(made.spans, problem.golds) for _, problem, made in found if made.spans is not None]
    return Answered({key: made.choice == problem.answer for key, problem, made in found}, *_overlap(spans))


def _overlap(pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> tuple[float | None, float | None]:
    """Mean exact match and mean F1 of (extracted spans, forms of the answer); None without spans."""
    if not pairs:
        return None, None
    from wdw_build.systems.scoring import score

    scores = [score(spans, [(gold,) for gold in golds]) for spans, golds in pairs]
    return statistics.fmean(em for em, _ in scores), statistics.fmean(f1 for _, f1 in scores)


def _row(evaluated: EvaluatedProblems, seeds: Sequence[ByPopulation], **described: object) -> Row:
    chance = evaluated.chance
    accuracies = {
        population: _accuracy([seed[population] for seed in seeds], chance.get(population, 0.0))
        for population in evaluated.populations
    }
    fields = {**described, VALIDATION: accuracies.get(VALIDATION), TEST: accuracies.get(TEST)}
    return Row(msgspec.convert(fields, SystemResult, from_attributes=True), accuracies, seeds)


def _accuracy(seeds: Sequence[Answered], chance: float) -> Accuracy | None:
    """The accuracy over the seeds of one system; None without predictions."""
    problems = len(seeds[0].solved)
    if not problems:
        return None
    accuracies = tuple(seed.accuracy for seed in seeds)
    mean = statistics.fmean(accuracies)
    matches = [seed.em for seed in seeds if seed.em is not None]
    overlaps = [seed.f1 for seed in seeds if seed.f1 is not None]
    return Accuracy(
        problems=problems,
        accuracy=mean,
        interval=wilson(round(mean * problems), problems),
        seeds=accuracies,
        seed_interval=over_seeds(accuracies),
        chance=chance,
        em=statistics.fmean(matches) if matches else None,
        f1=statistics.fmean(overlaps) if overlaps else None,
    )


def median_seed(seeds: Sequence[ByPopulation]) -> ByPopulation:
    """The answers of the seed with the median validation accuracy: of two middle ones the lower, of equal ones the first."""
    order = sorted(range(len(seeds)), key=lambda seed: (seeds[seed][VALIDATION].accuracy, seed))
    return seeds[order[(len(order) - 1) // 2]]


def comparisons(rows: Iterable[Row]) -> tuple[Comparison, ...]:
    """McNemar's test for every pair of rows, on the test problems that both answered."""
    solved = [(row.result.name, median_seed(row.seeds)[TEST].solved) for row in rows]
    pairs = [(first, second) for at, first in enumerate(solved) for second in solved[at + 1 :]]
    return tuple(_compare(first, second) for first, second in pairs if first[1].keys() & second[1].keys())


def _compare(first: tuple[str, Mapping[str, bool]], second: tuple[str, Mapping[str, bool]]) -> Comparison:
    first_only, second_only = solved_by_one(first[1], second[1])
    p = mcnemar(first_only, second_only)
    return Comparison(first=first[0], second=second[0], first_only=first_only, second_only=second_only, p=p)


def solved_by_one(first: Mapping[str, bool], second: Mapping[str, bool]) -> tuple[int, int]:
    """The number of problems that only the first, and that only the second solves, of those that both answered."""
    common = first.keys() & second.keys()
    return (
        sum(first[problem] and not second[problem] for problem in common),
        sum(second[problem] and not first[problem] for problem in common),
    )

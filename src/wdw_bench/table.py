"""The table of ``bench``: rows of systems, paired tests and the table of reading conditions, from problems and predictions.

Intervals over seeds are Student's, those of an accuracy Wilson's, paired tests McNemar's. SciPy is imported in the
functions, because the import takes a second.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from wdw_bench.conditions import CONDITIONS, PAIRS, PASSAGE, WITH_NAMES
from wdw_bench.populations import EvaluatedProblem, EvaluatedProblems
from wdw_bench.predictions import PredictionFile, Predictions
from wdw_bench.results import (
    ADVERSARY,
    BASELINE,
    GIVEN,
    Accuracy,
    Comparison,
    ConditionTable,
    Difference,
    Measurement,
    PopulationSize,
    SystemResult,
)
from wdw_bench.systems import ordered_systems
from wdw_build.api import TEST, VALIDATION, Interval, adversary_round, wilson
from wdw_build.reading import Credit, Prediction
from wdw_build.reading.scoring import score
from wdw_build.reading.settings import Condition
from wdw_build.records import Names

_LEVEL = 0.95

_GROUPS = (BASELINE, ADVERSARY, "probe", "table 4", "today", GIVEN)


class Answered(NamedTuple):
    """What one training of a system answered in one population.

    Credits by id; means of exact match and F1; and the number of problems without an answer that names one choice.
    """

    credits: dict[str, Credit]
    em: float | None = None
    f1: float | None = None
    unanswered: int = 0

    @property
    def accuracy(self) -> float:
        """Mean credit, in which k tied choices count 1/k each; 0 without problems."""
        return math.fsum(credit.share for credit in self.credits.values()) / max(1, len(self.credits))

    @property
    def tied(self) -> float:
        """Share of the problems on which choices tie; 0 without problems."""
        return sum(credit.is_tied for credit in self.credits.values()) / max(1, len(self.credits))

    @property
    def solved(self) -> dict[str, bool]:
        """Whether each problem is solved, by id; ties are drawn."""
        return {name: credit.is_right for name, credit in self.credits.items()}


# What one training answered, by population.
ByPopulation = Mapping[str, Answered]


class Row(NamedTuple):
    """A row of a table under one condition, its accuracy by population, and what each seed answered."""

    result: SystemResult
    condition: Condition
    accuracies: dict[str, Accuracy | None]
    seeds: Sequence[ByPopulation]


class Adversaries(NamedTuple):
    """The systems that took part in suppression, and the names that they read."""

    systems: Collection[str]
    names: Names


def table(
    problems: Mapping[Condition, EvaluatedProblems], predictions: Iterable[PredictionFile], adversaries: Adversaries
) -> list[Row]:
    """The rows of baselines and systems under each condition, in the order of the tables.

    Files of the same row are its seeds. Baselines read the passage as it is, adversaries what suppression gave them.
    """
    files: dict[tuple[Condition, str], list[PredictionFile]] = {}
    for file in sorted(predictions, key=lambda file: file.head.seed):
        files.setdefault((file.head.condition, file.head.name), []).append(file)
    of_adversaries = WITH_NAMES[adversaries.names]
    rows = []
    for condition, evaluated in problems.items():
        baselines = baseline_rows(evaluated, adversaries.systems)
        rows += [
            row for row in baselines if condition == (of_adversaries if row.result.group == ADVERSARY else PASSAGE)
        ]
        rows += [system_row(seeds, evaluated) for (of, _), seeds in files.items() if of == condition]
    return sorted(rows, key=_order)


def _order(row: Row) -> tuple[int, int, str]:
    """By group, then the order of all systems, then name."""
    result, names = row.result, ordered_systems()
    place = names.index(result.system) if result.system in names else len(names)
    return (_GROUPS.index(result.group) if result.group in _GROUPS else len(_GROUPS)), place, result.name


def baseline_rows(evaluated: EvaluatedProblems, adversaries: Collection[str]) -> Iterator[Row]:
    """A row for each baseline and adversary of suppression, from the predictions that the run stores."""
    names = dict.fromkeys(name for problem in evaluated.problems.values() for name in problem.guesses)
    for name in names:
        guessed = _guessed(name, evaluated)
        seed = {population: answered(guessed, evaluated.of(population)) for population in evaluated.populations}
        took_part = adversary_round(name, adversaries) > 0
        label = f"{name} ({ADVERSARY})" if took_part else name
        source, group = ("", ADVERSARY) if took_part else ("Onishi et al. (2016)", BASELINE)
        yield measured_row(evaluated, [seed], name=label, title=label, source=source, group=group, system=label)


def _guessed(name: str, evaluated: EvaluatedProblems) -> Predictions:
    """The stored guesses of a baseline: 1 for the choice, 0 for the others. An adversary has not judged every problem.

    Suppression counts the first of equal choices, and so do these rows.
    """
    return {
        key: Prediction(tuple(float(index == problem.guesses[name]) for index in range(len(problem.choices))))
        for key, problem in evaluated.problems.items()
        if name in problem.guesses
    }


def system_row(files: Sequence[PredictionFile], evaluated: EvaluatedProblems) -> Row:
    """The row of a system from the predictions of its seeds."""
    heads, first = [file.head for file in files], files[0].head
    tested = files[0].answers.get(TEST, {})
    unread = (not tested[key].scores[problem.answer] for key, problem in evaluated.of(TEST))
    return measured_row(
        evaluated,
        [
            {name: answered(file.answers.get(name, {}), evaluated.of(name)) for name in evaluated.populations}
            for file in files
        ],
        **{name: getattr(first, name) for name in ("name", "title", "source", "group", "system", "setting", "paper")},
        training=first.training,
        unread_answers=sum(unread) if first.has_cut_off and tested else None,
        parameters=first.parameters,
        fit_seconds=_mean(head.fit_seconds for head in heads),
        choose_seconds=_mean(head.choose_seconds for head in heads),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None


def answered(predictions: Predictions, problems: Iterable[tuple[str, EvaluatedProblem]]) -> Answered:
    """What was answered in one population; nothing if a problem has no prediction."""
    known = list(problems)
    if any(key not in predictions for key, _ in known):
        return Answered({})
    answers = [(key, problem, predictions[key]) for key, problem in known]
    spans = [(answer.spans, problem.golds) for _, problem, answer in answers if answer.spans is not None]
    credits = {key: answer.credit(problem.answer, problem.draw) for key, problem, answer in answers}
    return Answered(credits, *_overlap(spans), sum(not answer.scores for _, _, answer in answers))


def _overlap(pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> tuple[float | None, float | None]:
    """Mean exact match and mean F1 of (extracted spans, forms of the answer); None without spans."""
    if not pairs:
        return None, None
    scores = [score(spans, [(gold,) for gold in golds]) for spans, golds in pairs]
    return statistics.fmean(em for em, _ in scores), statistics.fmean(f1 for _, f1 in scores)


def measured_row(evaluated: EvaluatedProblems, seeds: Sequence[ByPopulation], **described: object) -> Row:
    """The row of what each seed answered; ``described``: the other fields of ``SystemResult``."""
    chance = evaluated.chance
    accuracies = {
        population: _accuracy([seed[population] for seed in seeds], chance.get(population, 0.0))
        for population in evaluated.populations
    }
    tests = [seed[TEST] for seed in seeds] if TEST in evaluated.populations else []
    fields = {
        **described,
        VALIDATION: accuracies.get(VALIDATION),
        TEST: accuracies.get(TEST),
        "unanswered": tests[0].unanswered if tests else 0,
    }
    result = msgspec.convert(fields, SystemResult, from_attributes=True)
    return Row(result, evaluated.condition, accuracies, seeds)


def _accuracy(seeds: Sequence[Answered], chance: float) -> Accuracy | None:
    """The accuracy over the seeds of one system; None without predictions."""
    problems = len(seeds[0].credits)
    if not problems:
        return None
    accuracies = tuple(seed.accuracy for seed in seeds)
    mean = statistics.fmean(accuracies)
    return Accuracy(
        problems=problems,
        accuracy=mean,
        interval=wilson(mean * problems, problems),
        seeds=accuracies,
        seed_interval=over_seeds(accuracies),
        chance=chance,
        tied=statistics.fmean(seed.tied for seed in seeds),
        em=_mean(seed.em for seed in seeds),
        f1=_mean(seed.f1 for seed in seeds),
    )


def median_seed(row: Row) -> ByPopulation:
    """The answers of the seed that stands for a row in paired tests: the one with the median accuracy.

    It is the accuracy on the first population: validation, or all problems of the cross-fitted evaluation. Of two middle ones
    the lower, of equal ones the first.
    """
    population = next(iter(row.accuracies))
    ordered = sorted(row.seeds, key=lambda seed: seed[population].accuracy)
    return ordered[(len(ordered) - 1) // 2]


def comparisons(rows: Iterable[Row]) -> tuple[Comparison, ...]:
    """McNemar's test for every pair of rows, on the test problems that both answered."""
    solved = [(row.result.name, median_seed(row)[TEST].solved) for row in rows]
    tests = []
    for (first, by_first), (second, by_second) in itertools.combinations(solved, 2):
        if by_first.keys() & by_second.keys():
            first_only, second_only = solved_by_one(by_first, by_second)
            p = mcnemar(first_only, second_only)
            tests.append(Comparison(first=first, second=second, first_only=first_only, second_only=second_only, p=p))
    return tuple(tests)


def solved_by_one(first: Mapping[str, bool], second: Mapping[str, bool]) -> tuple[int, int]:
    """The number of problems that only the first, and that only the second solves, of those that both answered."""
    common = first.keys() & second.keys()
    return (
        sum(first[problem] and not second[problem] for problem in common),
        sum(second[problem] and not first[problem] for problem in common),
    )


def over_seeds(accuracies: Sequence[float]) -> Interval | None:
    """Student's 95% interval of the mean accuracy over seeds, cut to [0, 1]; None for fewer than two seeds."""
    if len(accuracies) < 2:
        return None
    from scipy.stats import t

    mean = statistics.fmean(accuracies)
    half = (
        float(t.ppf((1 + _LEVEL) / 2, len(accuracies) - 1)) * statistics.stdev(accuracies) / math.sqrt(len(accuracies))
    )
    return Interval(max(0.0, mean - half), min(1.0, mean + half))


def mcnemar(first_only: int, second_only: int) -> float:
    """The exact two-sided p value of McNemar's test (McNemar 1947).

    ``first_only`` and ``second_only`` count the problems that just one of two systems solves. 1 if there are none.
    """
    if not first_only + second_only:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(first_only, first_only + second_only).pvalue)


def condition_table(
    rows: Sequence[Row], evaluated: EvaluatedProblems, folds: int | None, data: str, left_out: int
) -> ConditionTable:
    """The table of reading conditions. ``evaluated``: the problems under any of them: number and chance are the same in all."""
    chance = evaluated.chance
    sizes = {name: sum(1 for _ in evaluated.of(name)) for name in evaluated.populations}
    return ConditionTable(
        evaluation="held-out" if folds is None else "cross-fitted",
        folds=folds,
        left_out=left_out,
        data=data,
        conditions=tuple(name for name in CONDITIONS if any(row.condition == name for row in rows)),
        populations={name: PopulationSize(problems=size, chance=chance.get(name, 0.0)) for name, size in sizes.items()},
        measurements=tuple(_measurements(rows)),
        differences=tuple(_differences(rows)),
    )


def _measurements(rows: Sequence[Row]) -> Iterator[Measurement]:
    for condition in CONDITIONS:
        for row in _under(condition, rows):
            for population, accuracy in row.accuracies.items():
                if accuracy is not None:
                    yield Measurement(
                        system=row.result.name,
                        group=row.result.group,
                        condition=condition,
                        population=population,
                        accuracy=accuracy,
                    )


def _under(condition: Condition, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.condition == condition]


def _differences(rows: Sequence[Row]) -> Iterator[Difference]:
    """The tests of every system that was measured under both conditions of a pair."""
    for first, second in PAIRS:
        others = {row.result.name: row for row in _under(second, rows)}
        for row in _under(first, rows):
            if row.result.name in others:
                yield from _paired(row, others[row.result.name])


def _paired(first: Row, second: Row) -> Iterator[Difference]:
    others = median_seed(second)
    for population, answered in median_seed(first).items():
        other = others[population]
        if answered.credits and other.credits:
            first_only, second_only = solved_by_one(answered.solved, other.solved)
            yield Difference(
                system=first.result.name,
                population=population,
                first=first.condition,
                second=second.condition,
                first_only=first_only,
                second_only=second_only,
                problems=len(answered.credits),
                gain=answered.accuracy - other.accuracy,
                p=mcnemar(first_only, second_only),
            )

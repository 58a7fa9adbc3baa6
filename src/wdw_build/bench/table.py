"""Makes the table from stored predictions: one row for each suppressed baseline, system and file of given predictions."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from wdw_build.bench.given import GivenPredictions
from wdw_build.bench.held_out import HeldOut
from wdw_build.bench.results import BASELINE, GIVEN, Accuracy, Comparison, SystemResult
from wdw_build.bench.statistics import mcnemar, over_seeds, wilson
from wdw_build.bench.training import COST, HELD_OUT, Cost, SystemPrediction
from wdw_build.core.store.output import Output
from wdw_build.dataset import TEST, VALIDATION
from wdw_build.reading import SystemEntry


class Answered(NamedTuple):
    """What one training of a system answered in one split: solved or not, by id; means of exact match and F1."""

    solved: Mapping[str, bool]
    em: float | None = None
    f1: float | None = None

    @property
    def accuracy(self) -> float:
        """Share of solved problems; 0 without problems."""
        return sum(self.solved.values()) / max(1, len(self.solved))


# What one training answered, by split.
BySplit = Mapping[str, Answered]


class Row(NamedTuple):
    """A row of the table, with what each seed answered."""

    result: SystemResult
    seeds: Sequence[BySplit]


def baseline_rows(held_out: HeldOut) -> Iterator[Row]:
    """A row for each baseline of suppression, from the predictions that the run stores."""
    names = dict.fromkeys(name for problem in held_out.problems.values() for name in problem.guesses)
    for name in names:
        answered = {
            split: Answered({key: problem.guesses.get(name) == problem.answer for key, problem in held_out.of(split)})
            for split in HELD_OUT
        }
        yield _row(held_out, [answered], name=name, title=name, source="Onishi et al. (2016)", group=BASELINE)


def system_row(name: str, entry: SystemEntry, outputs: Sequence[Output], held_out: HeldOut, train: str) -> Row:
    """The row of a system from the stored predictions of its seeds."""
    costs = [msgspec.json.decode((output.folder / COST).read_bytes(), type=Cost) for output in outputs]
    strict, relaxed = entry.paper
    return _row(
        held_out,
        [_answered(output, held_out) for output in outputs],
        name=name,
        title=entry.title,
        source=entry.source,
        group=entry.group,
        parameters=costs[0].parameters,
        fit_seconds=statistics.fmean(cost.fit_seconds for cost in costs),
        choose_seconds=statistics.fmean(cost.choose_seconds for cost in costs),
        paper=relaxed if train == "relaxed" and relaxed is not None else strict,
    )


def given_row(given: GivenPredictions, held_out: HeldOut) -> Row:
    """The row of a file of predictions."""
    answered = {}
    for split in HELD_OUT:
        found = [(key, problem, given.answers[key]) for key, problem in held_out.of(split) if key in given.answers]
        solved = {key: answer.choice == problem.answer for key, problem, answer in found}
        spans = [(answer.spans, problem.golds) for _, problem, answer in found if answer.spans is not None]
        answered[split] = Answered(solved, *_overlap(spans))
    return _row(held_out, [answered], name=given.name, title=given.name, source="", group=GIVEN)


def _answered(output: Output, held_out: HeldOut) -> BySplit:
    solved: dict[str, dict[str, bool]] = {split: {} for split in HELD_OUT}
    spans: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {split: [] for split in HELD_OUT}
    for record in output.records():
        assert isinstance(record, SystemPrediction)  # noqa: S101 (narrows the type that the output declares)
        solved[record.split][record.id] = record.choice == record.answer
        if record.spans is not None:
            spans[record.split].append((record.spans, held_out.problems[record.id].golds))
    return {split: Answered(solved[split], *_overlap(spans[split])) for split in HELD_OUT}


def _overlap(pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> tuple[float | None, float | None]:
    """Mean exact match and mean F1 of (extracted spans, forms of the answer); None without spans."""
    if not pairs:
        return None, None
    from wdw_build.systems.scoring import score

    scores = [score(spans, [(gold,) for gold in golds]) for spans, golds in pairs]
    return statistics.fmean(em for em, _ in scores), statistics.fmean(f1 for _, f1 in scores)


def _row(held_out: HeldOut, seeds: Sequence[BySplit], **described: object) -> Row:
    chance = held_out.chance
    accuracies = {split: _accuracy([seed[split] for seed in seeds], chance.get(split, 0.0)) for split in HELD_OUT}
    fields = {**described, VALIDATION: accuracies[VALIDATION], TEST: accuracies[TEST]}
    return Row(msgspec.convert(fields, SystemResult, from_attributes=True), seeds)


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


def median_seed(seeds: Sequence[BySplit]) -> BySplit:
    """The answers of the seed with the median validation accuracy: of two middle ones the lower, of equal ones the first."""
    order = sorted(range(len(seeds)), key=lambda seed: (seeds[seed][VALIDATION].accuracy, seed))
    return seeds[order[(len(order) - 1) // 2]]


def comparisons(rows: Iterable[Row]) -> tuple[Comparison, ...]:
    """McNemar's test for every pair of rows, on the test problems that both answered."""
    solved = [(row.result.name, median_seed(row.seeds)[TEST].solved) for row in rows]
    pairs = [(first, second) for at, first in enumerate(solved) for second in solved[at + 1 :]]
    return tuple(_compare(first, second) for first, second in pairs if first[1].keys() & second[1].keys())


def _compare(first: tuple[str, Mapping[str, bool]], second: tuple[str, Mapping[str, bool]]) -> Comparison:
    common = first[1].keys() & second[1].keys()
    first_only = sum(first[1][problem] and not second[1][problem] for problem in common)
    second_only = sum(second[1][problem] and not first[1][problem] for problem in common)
    p = mcnemar(first_only, second_only)
    return Comparison(first=first[0], second=second[0], first_only=first_only, second_only=second_only, p=p)

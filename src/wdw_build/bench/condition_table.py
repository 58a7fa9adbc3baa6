"""Makes the table of reading conditions from the rows of each condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wdw_build.bench.conditions import PAIRS, replace_names
from wdw_build.bench.evaluated import EvaluatedProblems
from wdw_build.bench.results import ConditionTable, Difference, Measurement, PopulationSize, pseudonyms_of
from wdw_build.bench.statistics import mcnemar
from wdw_build.bench.table import Row, solved_by_one
from wdw_build.core.config.bench_settings import BenchConfig, Condition
from wdw_build.dataset import Run

Rows = Mapping[Condition, Sequence[Row]]


def condition_table(
    config: BenchConfig, runs: Sequence[Run], rows: Rows, evaluated: EvaluatedProblems, left_out: int
) -> ConditionTable:
    """The table. ``evaluated``: the problems under any condition, because their number and chance are the same in all."""
    chance = evaluated.chance
    sizes = {name: sum(1 for _ in evaluated.of(name)) for name in evaluated.populations}
    return ConditionTable(
        evaluation=config.evaluation,
        folds=config.folds if config.evaluation == "cross-fitted" else None,
        left_out=left_out,
        pseudonyms={run.name: pseudonyms_of(run) for run in runs} if replace_names(rows) else {},
        conditions=tuple(rows),
        populations={name: PopulationSize(problems=size, chance=chance.get(name, 0.0)) for name, size in sizes.items()},
        measurements=tuple(_measurements(rows)),
        differences=tuple(_differences(rows)),
    )


def _measurements(rows: Rows) -> Iterator[Measurement]:
    for condition, of_condition in rows.items():
        for row in of_condition:
            for population, accuracy in row.accuracies.items():
                if accuracy is not None:
                    yield Measurement(
                        system=row.result.name,
                        group=row.result.group,
                        condition=condition,
                        population=population,
                        accuracy=accuracy,
                    )


def _differences(rows: Rows) -> Iterator[Difference]:
    """The tests of every system that was measured under both conditions of a pair; the first seed stands for the system."""
    for first, second in PAIRS:
        others = {row.result.name: row for row in rows.get(second, ())}
        for row in rows.get(first, ()):
            if row.result.name in others:
                yield from _paired(row, others[row.result.name], first, second)


def _paired(first_row: Row, second_row: Row, first: str, second: str) -> Iterator[Difference]:
    for population, answered in first_row.seeds[0].items():
        other = second_row.seeds[0][population]
        if not answered.solved or not other.solved:
            continue
        first_only, second_only = solved_by_one(answered.solved, other.solved)
        yield Difference(
            system=first_row.result.name,
            population=population,
            first=first,
            second=second,
            first_only=first_only,
            second_only=second_only,
            problems=len(answered.solved),
            p=mcnemar(first_only, second_only),
        )

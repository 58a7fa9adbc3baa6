"""Tables of systems with figures of one's choice, as ``wdw-build bench`` stores them."""

import msgspec

from wdw_bench.problems import content_of
from wdw_bench.rendering import rendered
from wdw_bench.results import (
    BASELINE,
    RESULTS,
    Accuracy,
    BenchResults,
    Comparison,
    ConditionTable,
    Measurement,
    PopulationSize,
    SystemResult,
)
from wdw_build.core.intervals import Interval

CHANCE = {"validation": 0.251, "test": 0.262}


def text(results, against=None):
    """The table of systems, as the terminal shows it."""
    return rendered(msgspec.structs.replace(results, conditions=None), against)


def conditions_text(results):
    """The tables of reading conditions, as the terminal shows them."""
    return rendered(msgspec.structs.replace(table(), conditions=results))


def accuracy(value, low, high, *, split="test", **more):
    """An accuracy with its interval; forty problems."""
    given = {"seeds": (value,), "seed_interval": None} | more
    return Accuracy(problems=40, accuracy=value, interval=Interval(low, high), chance=CHANCE[split], **given)


def system(name, group, test=(0.5, 0.3, 0.7), **more):
    """A row with (accuracy, low, high) on test."""
    given = {"title": name.title(), "source": f"source of {name}"} | more
    validation = accuracy(0.412, 0.25, 0.6, split="validation")
    return SystemResult(name=name, group=group, validation=validation, test=accuracy(*test), **given)


def table(*systems, runs=("toy",), comparisons=()):
    """The table of these rows."""
    return BenchResults(
        runs={run: f"hash of {run}" for run in runs},
        data="0123456789ab",
        problems={"train": 1234, "validation": 30, "test": 40},
        chance=CHANCE,
        systems=systems,
        comparisons=comparisons,
    )


def typical(name="oracle"):
    """A baseline, a probe above chance, a reader with all figures, and given predictions of this name without validation."""
    spans = accuracy(0.613, 0.431, 0.772, seeds=(0.6, 0.626), seed_interval=Interval(0.553, 0.673), em=0.321, f1=0.444)
    reader = system("as-reader", "table 4", parameters=1234567, fit_seconds=61.25, choose_seconds=2.5, paper=0.57)
    given = system(name, "given predictions", (0.9, 0.769, 0.961), source="")
    return table(
        system("ngram", BASELINE, (0.2, 0.105, 0.348)),
        system("question-only", "probe", (0.475, 0.329, 0.625)),
        msgspec.structs.replace(reader, test=spans),
        msgspec.structs.replace(given, validation=None),
        comparisons=(
            Comparison(first="ngram", second="question-only", first_only=3, second_only=14, p=0.0127),
            Comparison(first="ngram", second="as-reader", first_only=1, second_only=20, p=0.00002),
            Comparison(first="question-only", second="as-reader", first_only=9, second_only=14, p=0.405),
            Comparison(first="as-reader", second=name, first_only=0, second_only=11, p=0.001),
        ),
    )


def measurement(system, condition, population, value, group="probe"):
    """A measurement with (accuracy, low, high)."""
    mean, low, high = value
    measured = Accuracy(
        problems=40, accuracy=mean, interval=Interval(low, high), seeds=(mean,), seed_interval=None, chance=0.25
    )
    return Measurement(system=system, group=group, condition=condition, population=population, accuracy=measured)


def conditions(*measurements, differences=(), left_out=0):
    """The table of reading conditions of these measurements, cross-fitted in five folds."""
    return ConditionTable(
        evaluation="cross-fitted",
        folds=5,
        data="0123456789ab",
        left_out=left_out,
        conditions=("passage", "codes-without"),
        populations={name: PopulationSize(problems=40, chance=0.25) for name in ("all", "after", "control")},
        measurements=measurements,
        differences=differences,
    )


def read_results(run):
    """The results in a run's folder; None if they were made from other problems than the run's."""
    results = msgspec.json.decode((run.folder / RESULTS).read_bytes(), type=BenchResults)
    return results if results.runs.get(run.name) == content_of(run) else None

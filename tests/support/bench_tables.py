"""Tables of systems with figures of one's choice, as ``wdw-build bench`` stores them."""

import msgspec

from wdw_bench.problems import content_of
from wdw_bench.rendering import rendered
from wdw_bench.results import RESULTS, Accuracy, BenchResults, ConditionTable, Measurement, PopulationSize
from wdw_build.core.dataset_size import Interval


def text(results, against=None):
    """The table of systems, as the terminal shows it."""
    return rendered(msgspec.structs.replace(results, conditions=None), against)


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

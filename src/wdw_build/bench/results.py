"""The results of ``bench``: accuracy of every system with intervals, chance, the suppressed baselines, and paired tests.

``bench`` keeps them in ``runs/<run>/bench.json``; report and card read them there.
"""

from __future__ import annotations

import msgspec

from wdw_build.bench.statistics import Interval
from wdw_build.core.hashing import digest
from wdw_build.dataset import Run
from wdw_build.stages import adversary, dedup, split

RESULTS = "bench.json"
BASELINE, GIVEN = "suppressed baseline", "given predictions"


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """A system's accuracy on one split, from 0 to 1; the mean over seeds."""

    problems: int
    """Number of problems."""
    accuracy: float
    """Share of solved problems."""
    interval: Interval
    """95 % interval of the accuracy (Wilson), from the number of problems."""
    seeds: tuple[float, ...]
    """The accuracy of each seed."""
    seed_interval: Interval | None
    """95 % interval of the mean over seeds (Student); null for fewer than two."""
    chance: float
    """Mean of 1 / number of choices."""
    em: float | None = None
    """Exact match of the extracted span; null if the system extracts none."""
    f1: float | None = None
    """Bag F1 of the extracted span; null if the system extracts none."""

    @property
    def above_chance(self) -> bool:
        """Whether the whole interval lies above chance."""
        return self.problems > 0 and self.interval.low > self.chance


class SystemResult(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table."""

    name: str
    """The system's name, as the command line takes it."""
    title: str
    """Name in the table."""
    source: str
    """Where the system is described."""
    group: str
    """`suppressed baseline`, `probe`, `table 4`, `today` or `given predictions`."""
    validation: Accuracy | None
    """Accuracy on validation; null if there are no predictions."""
    test: Accuracy | None
    """Accuracy on test; null if there are no predictions."""
    parameters: int | None = None
    """Number of trained parameters."""
    fit_seconds: float | None = None
    """Seconds to train; the mean over seeds."""
    choose_seconds: float | None = None
    """Seconds to answer validation and test; the mean over seeds."""
    paper: float | None = None
    """Accuracy in the paper's Table 4, on its own dataset, with the same kind of training."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """McNemar's test of two systems on the test split, each with the seed of the median validation accuracy."""

    first: str
    """Name of one system."""
    second: str
    """Name of the other."""
    first_only: int
    """Problems that only the first system solves."""
    second_only: int
    """Problems that only the second system solves."""
    p: float
    """Exact two-sided p value."""


class BenchResults(msgspec.Struct, frozen=True, kw_only=True):
    """The table."""

    runs: dict[str, str]
    """The runs whose problems are pooled, each with the hash of its problems; if a run's hash is another one now, the
    results are stale."""
    train: str
    """`strict` or `relaxed`."""
    problems: dict[str, int]
    """Split -> number of problems."""
    chance: dict[str, float]
    """Split -> mean of 1 / number of choices."""
    systems: tuple[SystemResult, ...]
    """The rows."""
    comparisons: tuple[Comparison, ...]
    """A test for each pair of systems."""

    @property
    def exposed(self) -> tuple[SystemResult, ...]:
        """The probes and baselines that exceed chance on the test split by more than their interval."""
        weak = (row for row in self.systems if row.group in ("probe", BASELINE))
        return tuple(row for row in weak if row.test is not None and row.test.above_chance)


class StoredResults(msgspec.Struct, frozen=True, kw_only=True):
    """The table that a run's folder holds."""

    table: BenchResults | None
    """The table; null if there is none, or if it is stale."""
    stale: bool
    """Whether the folder holds a table that cannot be read or was made from other problems than the run has now."""
    exposed: tuple[str, ...]
    """Names of the probes and suppressed baselines whose interval on test lies above chance."""


# The outputs that decide what systems read.
MADE_FROM = (dedup.STAGE.name, split.STAGE.name, adversary.STAGE.name)


def content_of(run: Run) -> str:
    """Hash of a run's problems, splits and baseline predictions."""
    return digest([run.outputs[name].manifest.content for name in MADE_FROM])


def read_results(run: Run) -> BenchResults | None:
    """The results in a run's folder; None if there are none, or if they were made from other problems than the run's."""
    try:
        results = msgspec.json.decode((run.folder / RESULTS).read_bytes(), type=BenchResults)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return results if results.runs.get(run.name) == content_of(run) else None


def stored_results(run: Run) -> StoredResults:
    """The results in a run's folder, with the reason if there are none."""
    table = read_results(run)
    return StoredResults(
        table=table,
        stale=table is None and (run.folder / RESULTS).exists(),
        exposed=tuple(row.name for row in table.exposed) if table else (),
    )

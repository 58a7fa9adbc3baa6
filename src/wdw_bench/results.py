"""The results of ``bench``: accuracy of every system with intervals, chance, the suppressed baselines, and paired tests.

``bench`` keeps them in ``runs/<run>/bench.json``, and leaves a section for report and datasheet (``section``).
"""

from __future__ import annotations

import msgspec

from wdw_bench.conditions import PASSAGE
from wdw_build.api import TEST, VALIDATION, Interval, ReportSection, Run
from wdw_build.reading.settings import has_passage

RESULTS = "bench.json"
BASELINE, ADVERSARY, GIVEN = "suppressed baseline", "adversary", "given predictions"


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """A system's accuracy on one split, from 0 to 1; the mean over seeds."""

    problems: int
    """Number of problems."""
    accuracy: float
    """Share of solved problems. Of k choices with the same highest score, the answer counts 1/k."""
    interval: Interval
    """95% interval of the accuracy (Wilson), from the number of problems."""
    seeds: tuple[float, ...]
    """The accuracy of each seed."""
    seed_interval: Interval | None
    """95% interval of the mean over seeds (Student); null for fewer than two."""
    chance: float
    """Mean of 1 / number of choices."""
    tied: float = 0.0
    """Share of the problems on which several choices have the highest score; the mean over seeds. 0 for suppressed baselines
    and adversaries, which choose the first of them."""
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
    """Name of the row: the system, with its setting in brackets if that is not the default."""
    title: str
    """Name in the table."""
    source: str
    """Where the system is described."""
    group: str
    """`suppressed baseline`, `adversary`, `probe`, `table 4`, `today` or `given predictions`."""
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
    system: str = ""
    """The system, as the command line takes it."""
    setting: str = ""
    """What differs from the default settings, as in `hidden=64, train=relaxed`; empty if nothing does."""
    training: int | None = None
    """Number of training problems; null if the system learns nothing."""
    unread_answers: int | None = None
    """Test problems whose answer is past the text that the system reads, so that it cannot choose it; the first seed; null
    for systems without such a limit."""
    unanswered: int = 0
    """Test problems to which the system gave no answer that names one choice, which counts as wrong; the first seed."""


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
    """Exact two-sided p value. If choices tie, one is drawn by a hash of seed and id."""


class Measurement(msgspec.Struct, frozen=True, kw_only=True):
    """The accuracy of one system on one population under one reading condition."""

    system: str
    """The system's name."""
    group: str
    """As in the table: `suppressed baseline`, `adversary` (took part in suppression), `probe` and so on."""
    condition: str
    """What the system read: `passage`, `without`, `codes` or `codes-without`."""
    population: str
    """`all`, `after` or `control`; with the held-out evaluation `validation` or `test`."""
    accuracy: Accuracy
    """The accuracy."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """McNemar's test of one system under two conditions, on the same problems.

    Each condition has the seed of the median accuracy on validation or, if cross-fitted, on all problems.
    """

    system: str
    """The system's name."""
    population: str
    """The problems."""
    first: str
    """One condition."""
    second: str
    """The other condition."""
    first_only: int
    """Problems that the system solves only under the first condition."""
    second_only: int
    """Problems that the system solves only under the second condition."""
    problems: int
    """Number of problems."""
    gain: float
    """Accuracy under the first condition minus accuracy under the second."""
    p: float
    """Exact two-sided p value. If choices tie, one is drawn by a hash of seed and id."""


class PopulationSize(msgspec.Struct, frozen=True, kw_only=True):
    """The size of a population."""

    problems: int
    """Number of problems."""
    chance: float
    """Mean of 1 / number of choices."""


class ConditionTable(msgspec.Struct, frozen=True, kw_only=True):
    """Accuracies of systems by reading condition and population."""

    evaluation: str
    """`held-out` or `cross-fitted`."""
    folds: int | None
    """Folds of the cross-fitted evaluation; null for the held-out one."""
    data: str
    """Fingerprint of the problems, and name of the folder of predictions."""
    left_out: int
    """Problems that are left out under all conditions, because their names cannot be replaced."""
    conditions: tuple[str, ...]
    """The reading conditions."""
    populations: dict[str, PopulationSize]
    """The populations. `all`: a problem of every article after deduplication, the selected one or else the first; `after`:
    the strict problems of the dataset; `control`: random ones of `all`, of each number of choices as many as in `after`."""
    measurements: tuple[Measurement, ...]
    """The accuracies."""
    differences: tuple[Difference, ...]
    """Paired tests between conditions."""

    @property
    def dataset(self) -> str:
        """The population that stands for the dataset: `after`, or `test`."""
        return "after" if "after" in self.populations else "test"

    @property
    def exposed(self) -> tuple[Measurement, ...]:
        """The measurements on the dataset that should be at chance, and whose whole interval lies above it.

        Every system without a passage should be at chance, and probes, baselines and adversaries always.
        """
        return tuple(
            measured
            for measured in self.measurements
            if measured.population == self.dataset
            and (not has_passage(measured.condition) or measured.group in ("probe", BASELINE, ADVERSARY))
            and measured.accuracy.above_chance
        )


class BenchResults(msgspec.Struct, frozen=True, kw_only=True):
    """The table."""

    runs: dict[str, str]
    """The runs whose problems are pooled, each with the hash of its problems; if a run's hash is another one now, the
    results describe other problems."""
    data: str
    """Fingerprint of the problems, and name of the folder of predictions."""
    problems: dict[str, int]
    """Split -> number of problems; `train.relaxed` has those of `train` too. `train.alternatives` is only there if systems
    were trained on training alternatives."""
    chance: dict[str, float]
    """Split -> mean of 1 / number of choices."""
    systems: tuple[SystemResult, ...]
    """The rows."""
    comparisons: tuple[Comparison, ...]
    """A test for each pair of systems."""
    left_out_alternatives: dict[str, int] = {}
    """Reason -> number of alternatives that are not for training: `time` (not before the held-out period), `omitted`,
    `article`, `event` or `told` (in common with a held-out problem)."""
    conditions: ConditionTable | None = None
    """The table of reading conditions; null unless `bench` was asked for conditions or for the cross-fitted evaluation."""

    @property
    def exposed(self) -> tuple[SystemResult, ...]:
        """The probes and baselines that exceed chance on the test split by more than their interval."""
        weak = (row for row in self.systems if row.group in ("probe", BASELINE))
        return tuple(row for row in weak if row.test is not None and row.test.above_chance)


def section(results: BenchResults, run: Run) -> ReportSection:
    """The accuracies as a section of the report and the datasheet of the run: a row for each system and reading condition."""
    measured: dict[tuple[str, str], dict[str, Accuracy]] = {}
    for row in results.systems:
        by_split = {VALIDATION: row.validation, TEST: row.test}
        measured[row.name, PASSAGE] = {split: accuracy for split, accuracy in by_split.items() if accuracy is not None}
    for measurement in results.conditions.measurements if results.conditions is not None else ():
        measured.setdefault((measurement.system, measurement.condition), {})[measurement.population] = (
            measurement.accuracy
        )
    populations = {name: accuracy for by in measured.values() for name, accuracy in by.items()}
    sizes = ", ".join(f"{name} {accuracy.problems:,}" for name, accuracy in populations.items())
    chance = ("chance", "", *(f"{accuracy.chance:.3f}" for accuracy in populations.values()))
    return ReportSection(
        title="Systems",
        fingerprint=run.fingerprint,
        notes=(f"Accuracies with their 95% intervals (Wilson), as wdw-build bench measured them. Problems: {sizes}.",),
        head=("system", "reading condition", *populations),
        rows=(chance, *((*names, *(_cell(by.get(name)) for name in populations)) for names, by in measured.items())),
    )


def _cell(accuracy: Accuracy | None) -> str:
    if accuracy is None:
        return ""
    return f"{accuracy.accuracy:.3f} ({accuracy.interval.low:.3f} to {accuracy.interval.high:.3f})"

"""The table of systems in cells and sentences. ``bench`` prints it as text, the report as HTML, the datasheet as Markdown.

Each view escapes the names of systems and runs in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from wdw_build.bench.results import Accuracy, BenchResults, StoredResults, SystemResult
from wdw_build.dataset import TEST, TRAIN, VALIDATION

COMMAND = "wdw-build bench -c CONFIG"
HEAD = ("validation", "test", "95 %", "± seeds", "EM", "F1", "parameters", "fit s", "answer s", "paper")
_NO_VALUE = "-"


def number(value: float | None) -> str:
    """Three decimals without the leading zero, as ``.470`` and ``-.086``; - for None."""
    if value is None:
        return _NO_VALUE
    sign, digits = "-" if value < 0 else "", f"{abs(value):.3f}"
    return sign + digits.removeprefix("0")


def cells(row: SystemResult) -> tuple[str, ...]:
    """The cells of a system below ``HEAD``."""
    test = row.test
    return (
        number(row.validation.accuracy if row.validation else None),
        number(test.accuracy if test else None),
        interval(test) if test else _NO_VALUE,
        _half_over_seeds(test),
        number(test.em if test else None),
        number(test.f1 if test else None),
        f"{row.parameters:,}" if row.parameters is not None else _NO_VALUE,
        f"{row.fit_seconds:.1f}" if row.fit_seconds is not None else _NO_VALUE,
        f"{row.choose_seconds:.1f}" if row.choose_seconds is not None else _NO_VALUE,
        number(row.paper),
    )


def chance_cells(table: BenchResults) -> tuple[str, ...]:
    """The cells of chance below ``HEAD``."""
    accuracies = (number(table.chance.get(split)) for split in (VALIDATION, TEST))
    return (*accuracies, *[""] * (len(HEAD) - 2))


def groups(table: BenchResults) -> list[tuple[str, list[SystemResult]]]:
    """(group, consecutive systems of this group), in the order of the table."""
    return [(group, list(rows)) for group, rows in groupby(table.systems, key=lambda row: row.group)]


def interval(accuracy: Accuracy) -> str:
    """The 95 % interval of an accuracy, as ``.412-.613``."""
    return f"{number(accuracy.interval.low)}-{number(accuracy.interval.high)}"


def _half_over_seeds(accuracy: Accuracy | None) -> str:
    """Half the width of the interval over seeds."""
    if accuracy is None or accuracy.seed_interval is None:
        return _NO_VALUE
    return number((accuracy.seed_interval.high - accuracy.seed_interval.low) / 2)


def setting(table: BenchResults) -> str:
    """The number of problems of each split, and the training problems."""
    counts = ", ".join(f"{table.problems[split]:,} {split}" for split in (TRAIN, VALIDATION, TEST))
    return f"problems: {counts}; training: {table.train}"


def notes(stored: StoredResults) -> Iterator[str]:
    """What a reader must know before the table: that there is none, that it is stale, or that it pools several runs."""
    if stored.stale:
        yield "The stored table of systems is stale: it was made from other problems than this run has now, or is unreadable."
    elif stored.table is None:
        yield "No systems have been measured on this dataset."
    elif len(stored.table.runs) > 1:
        yield f"The table pools the problems of {len(stored.table.runs)} runs; it does not describe this run alone."


def warnings(table: BenchResults, escape: Callable[[str], str] = str) -> list[str]:
    """A sentence for each probe and suppressed baseline whose whole interval lies above chance; ``escape`` shows a name."""
    return [
        f"the {row.group} {escape(row.name)} reaches {number(row.test.accuracy)} on test (95 % interval {interval(row.test)}), and "
        f"chance is {number(row.test.chance)}: the dataset gives answers away"
        for row in table.exposed
        if row.test is not None
    ]

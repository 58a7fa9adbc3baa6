"""The report's chapter on systems: the chart of test accuracies, and the table of paired tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wdw_build.bench.results import BASELINE, GIVEN, Accuracy, BenchResults, Comparison, SystemResult
from wdw_build.dataset import TEST
from wdw_build.views.people import HUMAN
from wdw_build.views.report.charts import ticks
from wdw_build.views.report.svg import Shape, line, picture, rectangle, text
from wdw_build.views.system_table import groups, interval, number

KINDS = {BASELINE: "g", "probe": "b", "table 4": "a", "today": "c", GIVEN: "d", HUMAN: "d"}
# Pairs with a smaller p value are marked.
MARKED = 0.05
_ROW, _WIDTH, _LEFT, _RIGHT, _TOP, _FOOT = 22.0, 900.0, 190.0, 780.0, 16.0, 24.0
_LABEL = 28


class Pair(NamedTuple):
    """A cell of the table of paired tests; ``tip`` gives the counts that the p value is computed from."""

    p: str
    marked: bool
    tip: str


def accuracies(table: BenchResults) -> Shape | None:
    """A bar for each system with its 95 % interval, and one line at chance; None without accuracies on test."""
    rows = list(_rows(table))
    if not rows:
        return None
    height = _ROW * len(rows)
    shapes = _scale(height)
    for at, row in enumerate(rows):
        y = _TOP + _ROW * at
        if isinstance(row, str):
            shapes.append(text(0.0, y + 15, row, "small strong"))
        else:
            shapes += _bar(*row, y)
    chance = _x(table.chance[TEST])
    shapes.append(line(chance, _TOP - 4, chance, _TOP + height, "chance"))
    label = f"Accuracy of the systems on test with 95 % intervals; chance is {number(table.chance[TEST])}"
    return picture(_WIDTH, _TOP + height + _FOOT, label, shapes)


def _rows(table: BenchResults) -> Iterator[str | tuple[SystemResult, Accuracy]]:
    """The rows of the chart: the name of each group, then (system, accuracy on test) of its systems."""
    for group, systems in groups(table):
        measured = [(system, system.test) for system in systems if system.test is not None]
        if measured:
            yield group
            yield from measured


def _x(accuracy: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * accuracy


def _scale(height: float) -> list[Shape]:
    shapes = []
    for value in ticks(1.0, 5):
        shapes.append(line(_x(value), _TOP, _x(value), _TOP + height, "grid"))
        shapes.append(text(_x(value), _TOP + height + 16, f"{100 * value:.0f} %", "small", "middle"))
    return [*shapes, line(_LEFT, _TOP, _LEFT, _TOP + height, "axis")]


def _bar(system: SystemResult, test: Accuracy, y: float) -> Iterator[Shape]:
    """A system's name, its bar from 0 to the accuracy, a whisker over its interval, and the figures."""
    low, high, middle = _x(test.interval.low), _x(test.interval.high), y + 11
    name = system.name if len(system.name) <= _LABEL else f"{system.name[: _LABEL - 1]}…"
    tip = f"{system.name}: {number(test.accuracy)}, 95 % interval {interval(test)}, {test.problems:,} problems"
    yield text(_LEFT - 8, y + 15, name, "small", "end")
    yield rectangle(_LEFT, y + 4, _x(test.accuracy) - _LEFT, 14.0, KINDS.get(system.group, "g"), tip)
    yield line(low, middle, high, middle, "interval")
    yield from (line(end, middle - 4, end, middle + 4, "interval") for end in (low, high))
    yield text(_RIGHT + 8, y + 15, f"{number(test.accuracy)}  {interval(test)}", "small")


def paired_tests(table: BenchResults) -> list[tuple[str, Sequence[Pair | None]]]:
    """(system, its test against each system above it); None for two systems that answered no problem in common."""
    names = [system.name for system in table.systems if system.group != HUMAN]
    tests = {(test.first, test.second): test for test in table.comparisons}
    return [(name, [_pair(tests.get((other, name))) for other in names[:at]]) for at, name in enumerate(names) if tests]


def _pair(test: Comparison | None) -> Pair | None:
    if test is None:
        return None
    tip = f"only {test.first} solves {test.first_only:,}, only {test.second} solves {test.second_only:,}"
    return Pair("<.001" if test.p < 0.0005 else number(test.p), test.p < MARKED, tip)

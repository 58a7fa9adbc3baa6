"""The charts of the report as SVG: histograms, problems by month, baseline accuracies, horizontal bars."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wdw_build.bench.results import BASELINE, GIVEN, Accuracy, BenchResults, SystemResult
from wdw_build.dataset import PARTS, RELAXED_ONLY, TEST, TRAIN, VALIDATION
from wdw_build.views.bench_tables import HUMAN, groups, interval, number
from wdw_build.views.report.histograms import Histogram
from wdw_build.views.report.svg import Shape, line, picture, rectangle, text
from wdw_build.views.summary import BeforeAfter, Table2

KINDS = {TRAIN: "a", RELAXED_ONLY: "b", VALIDATION: "c", TEST: "d"}
LEVELS = [("g", "before suppression"), ("a", "strict"), ("b", "strict and relaxed")]
_LABELS = 12


def ticks(most: float, about: int = 4) -> list[float]:
    """Evenly spaced round numbers from 0 to at least ``most``."""
    if most <= 0:
        return [0.0, 1.0]
    raw = most / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    return [round(step * index, 10) for index in range(math.ceil(most / step - 1e-9) + 1)]


class Frame(NamedTuple):
    """The plot area; its vertical scale runs from 0 at the bottom to ``most`` at the top."""

    left: float
    top: float
    width: float
    height: float
    most: float

    def y(self, value: float) -> float:
        """The vertical position of a value."""
        return self.top + self.height * (1 - value / self.most)

    @property
    def right(self) -> float:
        """The position of the right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The position of the base line."""
        return self.top + self.height


def _grid(frame: Frame, values: Sequence[float], percent: bool = False) -> list[Shape]:
    shapes = []
    for value in values:
        shown = f"{100 * value:.0f} %" if percent else f"{value:,g}"
        shapes.append(line(frame.left, frame.y(value), frame.right, frame.y(value), "grid"))
        shapes.append(text(frame.left - 6, frame.y(value) + 4, shown, "small", "end"))
    return shapes


def histogram(data: Histogram) -> Shape:
    """Bars of one colour; a dashed line marks the expected height of a bar, if known."""
    scale = ticks(max((max(bar.count, bar.expected or 0) for bar in data.bins), default=0), 3)
    frame = Frame(48, 10, 402, 150, scale[-1])
    step = frame.width / max(1, len(data.bins))
    shapes = _grid(frame, scale)
    every = math.ceil(len(data.bins) / _LABELS)
    for index, bar in enumerate(data.bins):
        x = frame.left + index * step
        gap = min(2.0, step / 8)
        shapes.append(
            rectangle(
                x + gap,
                frame.y(bar.count),
                step - 2 * gap,
                frame.bottom - frame.y(bar.count),
                "a",
                f"{bar.label}: {bar.count:,}",
            )
        )
        if bar.expected is not None:
            shapes.append(line(x + gap, frame.y(bar.expected), x + step - gap, frame.y(bar.expected), "chance"))
        if index % every == 0:
            shapes.append(text(x + step / 2, frame.bottom + 16, bar.label.partition(" ")[0], "small", "middle"))
    shapes.append(line(frame.left, frame.bottom, frame.right, frame.bottom, "axis"))
    shapes.append(text(frame.left + frame.width / 2, frame.bottom + 34, data.unit, "small", "middle"))
    return picture(460, 200, f"{data.title}: {data.note}", shapes)


def months(rows: Sequence[tuple[str, tuple[int, ...]]], held_out: str) -> Shape:
    """One stacked bar for each month; a dashed line marks the first held-out day (``YYYY-MM-DD``)."""
    scale = ticks(max((sum(counts) for _, counts in rows), default=0))
    frame = Frame(56, 22, 834, 200, scale[-1])
    step = frame.width / max(1, len(rows))
    shapes = _grid(frame, scale)
    every = math.ceil(len(rows) / _LABELS)
    for index, (month, counts) in enumerate(rows):
        x, below = frame.left + index * step, 0
        for group, count in zip(PARTS, counts, strict=True):
            if count:
                height = frame.height * count / frame.most
                shapes.append(
                    rectangle(
                        x + step * 0.1,
                        frame.y(below + count),
                        step * 0.8,
                        height,
                        KINDS[group],
                        f"{month} {group}: {count:,}",
                    )
                )
            below += count
        if index % every == 0:
            shapes.append(text(x + step / 2, frame.bottom + 16, month, "small", "middle"))
        if held_out.startswith(month):
            place = x + step * (int(held_out[8:]) - 1) / 31
            shapes += [
                line(place, frame.top - 4, place, frame.bottom, "boundary"),
                text(
                    place,
                    frame.top - 9,
                    f"held out from {held_out}",
                    "small",
                    "end" if index > len(rows) / 2 else "start",
                ),
            ]
    shapes.append(line(frame.left, frame.bottom, frame.right, frame.bottom, "axis"))
    return picture(900, 248, "Problems per month, by split", shapes)


def baselines(table: Table2) -> Shape:
    """Three bars for each baseline (before, strict, relaxed), each with a line at its chance accuracy."""
    rows = {name: _levels(row) for name, row in table.baselines.items()}
    chance = _levels(table.chance)
    scale = ticks(max([*chance, *(value for row in rows.values() for value in row)], default=1.0))
    frame = Frame(56, 18, 834, 210, scale[-1])
    shapes = _grid(frame, scale, percent=True)
    group = frame.width / max(1, len(rows))
    width = group * 0.24
    for index, (name, row) in enumerate(rows.items()):
        start = frame.left + index * group + group * 0.14
        for level, (value, (kind, meaning)) in enumerate(zip(row, LEVELS, strict=True)):
            x = start + level * width
            shapes += [
                rectangle(
                    x + 2,
                    frame.y(value),
                    width - 4,
                    frame.bottom - frame.y(value),
                    kind,
                    f"{name}, {meaning}: {value:.3f}",
                ),
                # At the foot of the bar: above it, the text would collide with the chance line.
                text(x + width / 2, frame.bottom - 7, f"{100 * value:.1f}", "onbar", "middle"),
                line(x, frame.y(chance[level]), x + width, frame.y(chance[level]), "chance"),
            ]
        shapes.append(text(frame.left + (index + 0.5) * group, frame.bottom + 18, name, "", "middle"))
    shapes.append(line(frame.left, frame.bottom, frame.right, frame.bottom, "axis"))
    return picture(900, 256, "Accuracy of the baselines before and after suppression, with chance", shapes)


def _levels(row: BeforeAfter) -> tuple[float, float, float]:
    return row.before, row.after.strict, row.after.relaxed


class Named(NamedTuple):
    """A bar with its name and the text at its end."""

    name: str
    value: float
    shown: str


def named(label: str, rows: Sequence[Named], kind: str = "a", width: float = 440) -> Shape:
    """A chart of horizontal bars."""
    most = max((row.value for row in rows), default=0) or 1
    left, behind = 130.0, 96.0
    shapes = []
    for index, row in enumerate(rows):
        y = index * 22.0
        length = (width - left - behind) * row.value / most
        shapes += [
            text(left - 8, y + 15, _short(row.name), "small", "end"),
            rectangle(left, y + 3, length, 16, kind, f"{row.name}: {row.shown}"),
            text(left + length + 6, y + 15, row.shown, "small"),
        ]
    return picture(width, 22 * max(1, len(rows)), label, shapes)


def _short(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:19]}…"


# ---- systems --------------------------------------------------------------------------------------------------------

_GROUPS = {BASELINE: "g", "probe": "b", "table 4": "a", "today": "c", GIVEN: "d", HUMAN: "d"}
_ROW, _WIDTH, _LEFT, _RIGHT, _TOP, _FOOT = 22.0, 900.0, 190.0, 780.0, 16.0, 24.0
_LABEL = 28


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
    yield rectangle(_LEFT, y + 4, _x(test.accuracy) - _LEFT, 14.0, _GROUPS.get(system.group, "g"), tip)
    yield line(low, middle, high, middle, "interval")
    yield from (line(end, middle - 4, end, middle + 4, "interval") for end in (low, high))
    yield text(_RIGHT + 8, y + 15, f"{number(test.accuracy)}  {interval(test)}", "small")

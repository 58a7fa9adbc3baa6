"""The charts of the report as SVG: histograms, problems by month, accuracies of baselines and of systems, funnel, bars.

All text and attributes are escaped; colours are classes of the style sheet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from wdw_bench.rendering import HUMAN, groups, interval, number
from wdw_bench.results import BASELINE, GIVEN, Accuracy, BenchResults, SystemResult
from wdw_build.dataset import PARTS, RELAXED_ONLY, TEST, TRAIN, VALIDATION
from wdw_build.views.report.facts import FunnelRow
from wdw_build.views.report.histograms import Histogram
from wdw_build.views.summary import BeforeAfter, Table2

KINDS = {TRAIN: "a", RELAXED_ONLY: "b", VALIDATION: "c", TEST: "d"}
LEVELS = [("g", "before suppression"), ("a", "strict"), ("b", "strict and relaxed")]
_LABELS = 12
# Labels of 12 px are readable down to 10 px.
_WIDE, _LEAST_SCALE = 500, 0.85

Shape = Markup


def element(name: str, *children: str, **attributes: object) -> Shape:
    """An element. In attribute names a trailing underscore is dropped and others become hyphens: ``class_``, ``aria_label``."""
    plain = {
        key.rstrip("_").replace("_", "-"): f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
        for key, value in attributes.items()
    }
    given = "".join(f' {key}="{escape(value)}"' for key, value in plain.items())
    return Markup(f"<{name}{given}>{''.join(map(escape, children))}</{name}>")  # noqa: S704 (all parts are escaped)


def picture(width: float, height: float, label: str, shapes: Iterable[str]) -> Shape:
    """An ``<svg>`` that scales with the page. A wide one scrolls where its labels would get too small.

    Screen readers say ``label``.
    """
    least = width * _LEAST_SCALE if width > _WIDE else 0
    drawn = element(
        "svg",
        *shapes,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=label,
        style=f"max-width:{width:g}px" + (f";min-width:{least:g}px" if least else ""),
    )
    return element("div", drawn, class_="scroll", tabindex=0, role="group", aria_label=label) if least else drawn


def rectangle(x: float, y: float, width: float, height: float, kind: str, tip: str = "") -> Shape:
    """A filled rectangle, with a tooltip if ``tip`` is not empty."""
    tips = (element("title", tip),) if tip else ()
    return element("rect", *tips, x=x, y=y, width=max(width, 0.0), height=max(height, 0.0), class_=kind)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Shape:
    """A line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> Shape:
    """Text; ``anchor`` is start, middle or end."""
    return element("text", words, x=x, y=y, text_anchor=anchor, class_=kind)


def ticks(most: float, about: int = 4) -> list[float]:
    """Evenly spaced round numbers from 0 to at least ``most``."""
    if most <= 0:
        return [0.0, 1.0]
    raw = most / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    return [round(step * index, 10) for index in range(math.ceil(most / step - 1e-9) + 1)]


class Plot:
    """The plot area of upright bars: slots of equal width, and a vertical scale from 0 at the bottom to its highest value."""

    def __init__(
        self, area: tuple[float, float, float, float], slots: int, scale: Sequence[float], *, percent: bool = False
    ) -> None:
        """``area``: left, top, width and height."""
        self.left, self.top, self.width, self._height = area
        self.bottom, self._most = self.top + self._height, scale[-1]
        self.step, self._slots = self.width / max(1, slots), slots
        self.shapes: list[Shape] = []
        for value in scale:
            shown = f"{100 * value:.0f}%" if percent else f"{value:,g}"
            self.level(self.left, self.width, value, "grid")
            self.shapes.append(text(self.left - 6, self.y(value) + 4, shown, "small", "end"))

    def x(self, index: int) -> float:
        """The left edge of a slot."""
        return self.left + index * self.step

    def y(self, value: float) -> float:
        """The vertical position of a value."""
        return self.top + self._height * (1 - value / self._most)

    def bar(self, x: float, width: float, value: float, kind: str, tip: str, below: float = 0.0) -> None:
        """Add a bar that begins at the value ``below``."""
        top = self.y(below + value)
        self.shapes.append(rectangle(x, top, width, self.y(below) - top, kind, tip))

    def level(self, x: float, width: float, value: float, kind: str = "chance") -> None:
        """Add a line across at a value."""
        self.shapes.append(line(x, self.y(value), x + width, self.y(value), kind))

    def label(self, index: int, name: str) -> None:
        """Name a slot below the axis, if there is room for its name."""
        if index % math.ceil(self._slots / _LABELS) == 0:
            self.shapes.append(text(self.x(index) + self.step / 2, self.bottom + 16, name, "small", "middle"))

    def picture(self, width: float, height: float, label: str, *more: Shape) -> Shape:
        """The chart with its axis."""
        axis = line(self.left, self.bottom, self.left + self.width, self.bottom, "axis")
        return picture(width, height, label, [*self.shapes, axis, *more])


def histogram(data: Histogram) -> Shape:
    """Bars of one colour; a dashed line marks the expected height of a bar, if known."""
    scale = ticks(max((max(bar.count, bar.expected or 0) for bar in data.bins), default=0), 3)
    plot = Plot((48, 10, 402, 150), len(data.bins), scale)
    gap = min(2.0, plot.step / 8)
    for index, bar in enumerate(data.bins):
        x, width = plot.x(index) + gap, plot.step - 2 * gap
        plot.bar(x, width, bar.count, "a", f"{bar.label}: {bar.count:,}")
        if bar.expected is not None:
            plot.level(x, width, bar.expected)
        plot.label(index, bar.label.partition(" ")[0])
    unit = text(plot.left + plot.width / 2, plot.bottom + 34, data.unit, "small", "middle")
    return plot.picture(460, 200, f"{data.title}: {data.note}", unit)


def months(rows: Sequence[tuple[str, tuple[int, ...]]], held_out: str) -> Shape:
    """One stacked bar for each month; a dashed line marks the first held-out day (``YYYY-MM-DD``)."""
    plot = Plot((56, 22, 834, 200), len(rows), ticks(max((sum(counts) for _, counts in rows), default=0)))
    for index, (month, counts) in enumerate(rows):
        x, below = plot.x(index), 0
        for group, count in zip(PARTS, counts, strict=True):
            if count:
                tip = f"{month} {group}: {count:,}"
                plot.bar(x + plot.step * 0.1, plot.step * 0.8, count, KINDS[group], tip, below)
            below += count
        plot.label(index, month)
        if held_out.startswith(month):
            place, anchor = x + plot.step * (int(held_out[8:]) - 1) / 31, "end" if index > len(rows) / 2 else "start"
            plot.shapes.append(line(place, plot.top - 4, place, plot.bottom, "boundary"))
            plot.shapes.append(text(place, plot.top - 9, f"held out from {held_out}", "small", anchor))
    return plot.picture(900, 248, "Problems per month, by split")


def baselines(table: Table2) -> Shape:
    """Three bars for each baseline (before, strict, relaxed), each with a line at its chance accuracy."""
    rows = {name: _levels(row) for name, row in table.baselines.items()}
    chance = _levels(table.chance)
    scale = ticks(max([*chance, *(value for row in rows.values() for value in row)], default=1.0))
    plot = Plot((56, 18, 834, 210), len(rows), scale, percent=True)
    width = plot.step * 0.24
    for index, (name, row) in enumerate(rows.items()):
        x = plot.x(index) + plot.step * 0.14
        for value, by_chance, (kind, meaning) in zip(row, chance, LEVELS, strict=True):
            plot.bar(x + 2, width - 4, value, kind, f"{name}, {meaning}: {value:.3f}")
            # At the foot of the bar: above it, the text would collide with the chance line.
            plot.shapes.append(text(x + width / 2, plot.bottom - 7, f"{100 * value:.1f}", "onbar", "middle"))
            plot.level(x, width, by_chance)
            x += width
        plot.shapes.append(text(plot.x(index) + plot.step / 2, plot.bottom + 18, name, "", "middle"))
    return plot.picture(900, 256, "Accuracy of the baselines before and after suppression, with chance")


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
            text(left - 8, y + 15, row.name if len(row.name) <= 20 else f"{row.name[:19]}…", "small", "end"),
            rectangle(left, y + 3, length, 16, kind, f"{row.name}: {row.shown}"),
            text(left + length + 6, y + 15, row.shown, "small"),
        ]
    return picture(width, 22 * max(1, len(rows)), label, shapes)


# ---- funnel ---------------------------------------------------------------------------------------------------------

_STEP_HEIGHT = 62.0
_MIDDLE, _WIDEST = 190.0, 340.0
_LOSSES_LEFT, _LOSSES_WIDTH = 420.0, 470.0
_CHARACTER = 6.2


def funnel(passed: Sequence[FunnelRow]) -> Shape:
    """Bars with widths on a logarithmic scale; beside each bar, the stage's losses by reason."""
    most = math.log10(1 + max((step.read for step in passed), default=1))
    counts = (
        [(passed[0].read, "places in the corpus"), *((step.written, step.passed) for step in passed)] if passed else []
    )
    shapes: list[Shape] = []
    for index, (count, name) in enumerate(counts):
        y, half = index * _STEP_HEIGHT, _half(count, most)
        if index:
            above, top = _half(counts[index - 1][0], most), y - _STEP_HEIGHT + 24
            corners = (_MIDDLE - above, top), (_MIDDLE + above, top), (_MIDDLE + half, y), (_MIDDLE - half, y)
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
            shapes.append(element("polygon", points=points, class_="slope"))
            shapes += _losses(passed[index - 1], y)
        shapes.append(rectangle(_MIDDLE - half, y, 2 * half, 24, "a", f"{name}: {count:,}"))
        inside = 2 * half > 8 * len(f"{count:,}")
        shapes.append(text(_MIDDLE, y + 17, f"{count:,}" if inside else "", "onbar", "middle"))
        shapes.append(text(_MIDDLE, y + 38, name if inside else f"{count:,} {name}", "small over", "middle"))
    return picture(
        _LOSSES_LEFT + _LOSSES_WIDTH, _STEP_HEIGHT * len(counts) - 18, "Records left after each stage", shapes
    )


def _half(count: int, most: float) -> float:
    return max(1.0, _WIDEST / 2 * math.log10(1 + count) / most) if most else 1.0


def _losses(step: FunnelRow, y: float) -> list[Shape]:
    lost = step.read - step.written
    share = f"{100 * lost / step.read:.1f}%" if step.read else "–"
    shapes = [text(_LOSSES_LEFT, y - 16, f"{step.stage}: −{lost:,} of {step.read:,} ({share})", "strong")]
    x = _LOSSES_LEFT
    for at, (reason, count) in enumerate(step.reasons):
        width = _LOSSES_WIDTH * count / lost
        tip = f"{reason}: {count:,} ({100 * count / lost:.1f}% of the loss)"
        shapes.append(rectangle(x, y - 9, max(width - 1, 0.5), 20, f"loss{at % 4}", tip))
        label = f"{reason} {count:,}"
        if width > _CHARACTER * len(label) + 8:
            shapes.append(text(x + 5, y + 5, label, "small onloss"))
        x += width
    return shapes


# ---- systems --------------------------------------------------------------------------------------------------------

_GROUPS = {BASELINE: "g", "probe": "b", "table 4": "a", "today": "c", GIVEN: "d", HUMAN: "d"}
_ROW, _WIDTH, _LEFT, _RIGHT, _TOP, _FOOT = 22.0, 900.0, 190.0, 780.0, 16.0, 24.0
_LABEL = 28


def accuracies(table: BenchResults) -> Shape | None:
    """A bar for each system with its 95% interval, and one line at chance; None without accuracies on test."""
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
    label = f"Accuracy of the systems on test with 95% intervals; chance is {number(table.chance[TEST])}"
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
        shapes.append(text(_x(value), _TOP + height + 16, f"{100 * value:.0f}%", "small", "middle"))
    return [*shapes, line(_LEFT, _TOP, _LEFT, _TOP + height, "axis")]


def _bar(system: SystemResult, test: Accuracy, y: float) -> Iterator[Shape]:
    """A system's name, its bar from 0 to the accuracy, a whisker over its interval, and the figures."""
    low, high, middle = _x(test.interval.low), _x(test.interval.high), y + 11
    name = system.name if len(system.name) <= _LABEL else f"{system.name[: _LABEL - 1]}…"
    tip = f"{system.name}: {number(test.accuracy)}, 95% interval {interval(test)}, {test.problems:,} problems"
    yield text(_LEFT - 8, y + 15, name, "small", "end")
    yield rectangle(_LEFT, y + 4, _x(test.accuracy) - _LEFT, 14.0, _GROUPS.get(system.group, "g"), tip)
    yield line(low, middle, high, middle, "interval")
    yield from (line(end, middle - 4, end, middle + 4, "interval") for end in (low, high))
    yield text(_RIGHT + 8, y + 15, f"{number(test.accuracy)}  {interval(test)}", "small")

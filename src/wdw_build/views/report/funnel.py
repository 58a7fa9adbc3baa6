"""The funnel chart: the records that each stage read, wrote and rejected, by reason."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from wdw_build.dataset import Run, most_frequent_first
from wdw_build.views.report.svg import Shape, picture, polygon, rectangle, text

_ROW = 62.0
_MIDDLE, _WIDEST = 190.0, 340.0
_RIGHT, _SPAN = 420.0, 470.0
_CHARACTER = 6.2


class Step(NamedTuple):
    """One stage of the funnel; ``passed`` labels the written records, ``reasons`` are in descending order of count."""

    stage: str
    passed: str
    read: int
    written: int
    reasons: tuple[tuple[str, int], ...]


def steps(run: Run) -> list[Step]:
    """The steps of the funnel: all stages that declare rejection reasons.

    A stage is left out if its output is the first input of no stage, unless it is the last stage: problems that it rejects
    stay in the dataset.
    """
    funnel_steps = []
    tables = [table for table in run.tables.values() if table.exists]
    passed_on = {table.stage.primary for table in tables} | {tables[-1].stage.name}
    for table in tables:
        stage, manifest = table.stage, table.manifest
        if (stage.reasons or manifest.rejected) and stage.name in passed_on:
            passed = stage.funnel.label if stage.funnel else f"after {stage.name}"
            reasons = tuple(most_frequent_first(manifest.reasons))
            funnel_steps.append(Step(stage.name, passed, manifest.read, manifest.written, reasons))
    return funnel_steps


def funnel(passed: Sequence[Step]) -> Shape:
    """Bars with widths on a logarithmic scale; beside each bar, the stage's losses by reason."""
    most = math.log10(1 + max((step.read for step in passed), default=1))
    counts = (
        [(passed[0].read, "places in the corpus"), *((step.written, step.passed) for step in passed)] if passed else []
    )
    shapes: list[Shape] = []
    for index, (count, name) in enumerate(counts):
        y, half = index * _ROW, _half(count, most)
        if index:
            shapes.append(_slope(y, _half(counts[index - 1][0], most), half))
            shapes += _losses(passed[index - 1], y)
        shapes.append(rectangle(_MIDDLE - half, y, 2 * half, 24, "a", f"{name}: {count:,}"))
        inside = 2 * half > 8 * len(f"{count:,}")
        shapes.append(text(_MIDDLE, y + 17, f"{count:,}" if inside else "", "onbar", "middle"))
        shapes.append(text(_MIDDLE, y + 38, name if inside else f"{count:,} {name}", "small over", "middle"))
    return picture(_RIGHT + _SPAN, _ROW * len(counts) - 18, "Records left after each stage", shapes)


def _half(count: int, most: float) -> float:
    return max(1.0, _WIDEST / 2 * math.log10(1 + count) / most) if most else 1.0


def _slope(y: float, above: float, below: float) -> Shape:
    top = y - _ROW + 24
    corners = [(_MIDDLE - above, top), (_MIDDLE + above, top), (_MIDDLE + below, y), (_MIDDLE - below, y)]
    return polygon(corners, "slope")


def _losses(step: Step, y: float) -> list[Shape]:
    lost = step.read - step.written
    share = f"{100 * lost / step.read:.1f} %" if step.read else "–"
    shapes = [text(_RIGHT, y - 16, f"{step.stage}: −{lost:,} of {step.read:,} ({share})", "strong")]
    x = _RIGHT
    for number, (reason, count) in enumerate(step.reasons):
        width = _SPAN * count / lost
        tip = f"{reason}: {count:,} ({100 * count / lost:.1f} % of the loss)"
        shapes.append(rectangle(x, y - 9, max(width - 1, 0.5), 20, f"loss{number % 4}", tip))
        label = f"{reason} {count:,}"
        if width > _CHARACTER * len(label) + 8:
            shapes.append(text(x + 5, y + 5, label, "small onloss"))
        x += width
    return shapes

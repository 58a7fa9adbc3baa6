#!/usr/bin/env python3
"""Draws the figures that pipeline.py and dedup.py wrote: time and memory by size, on logarithmic axes, as SVG.

    scripts/benchmarks/scaling/plot.py docs/explanation/scaling.jsonl --out docs/explanation

Writes ``scaling_seconds.svg`` and ``scaling_memory.svg``, and prints a table for the documentation.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 420, 70, 40, 130, 50
_COLOURS = (
    "#1b6ca8 #c1440e #3a7d44 #7b3fa0 #b8860b #008b8b #a0305f #555555 #6b8e23 #8b4513 #000000 #d2691e #4b0082 #2e8b57 "
    "#cd5c5c"
).split()
Series = dict[str, list[tuple[float, float]]]


def _series(figures: list[dict[str, Any]], value: str) -> Series:
    found: dict[str, dict[float, float]] = defaultdict(dict)
    for one in figures:
        if one["stage"] != "corpus" and one.get(value):
            name = "dedup alone" if "questions" in one else one["stage"]
            found[name][one["read"]] = one[value]
    return {name: sorted(points.items()) for name, points in found.items()}


class _Axes:
    """Logarithmic axes whose ranges include all points."""

    def __init__(self, series: Series) -> None:
        every = [point for points in series.values() for point in points]
        self.x = self._limits([x for x, _ in every])
        self.y = self._limits([y for _, y in every])

    @staticmethod
    def _limits(values: list[float]) -> tuple[int, int]:
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return low, max(high, low + 1)

    def at(self, x: float, y: float) -> tuple[float, float]:
        right = (math.log10(x) - self.x[0]) / (self.x[1] - self.x[0])
        up = (math.log10(y) - self.y[0]) / (self.y[1] - self.y[0])
        return _LEFT + right * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{text}</text>'


def _grid(axes: _Axes) -> list[str]:
    lines = []
    for power in range(axes.x[0], axes.x[1] + 1):
        x, y = axes.at(10**power, 10 ** axes.y[0])
        lines.append(f'<path d="M{x:.1f} {y:.1f}V{_TOP}" stroke="#ddd"/>')
        lines.append(_text(x, y + 18, f"{10**power:,}", 'text-anchor="middle"'))
    for power in range(axes.y[0], axes.y[1] + 1):
        x, y = axes.at(10 ** axes.x[0], 10**power)
        lines.append(f'<path d="M{x:.1f} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
        lines.append(_text(x - 8, y + 4, f"{10.0**power:,.10g}", 'text-anchor="end"'))
    return lines


def draw(series: Series, title: str) -> str:
    """A line plot with the lines' names on the right."""
    axes = _Axes(series)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_LEFT, 22, title, 'font-size="14" font-weight="bold"'),
        *_grid(axes),
        _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, "records read", 'text-anchor="middle"'),
    ]
    names: list[tuple[float, str, str]] = []
    for number, (name, points) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        placed = [axes.at(x, y) for x, y in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
        names.append((placed[-1][1], name, colour))
    last = -math.inf
    for y, name, colour in sorted(names):
        last = max(y, last + 14)
        parts.append(_text(_WIDTH - _RIGHT + 8, last + 4, name, f'fill="{colour}"'))
    return "\n".join([*parts, "</svg>", ""])


def table(figures: list[dict[str, Any]]) -> str:
    """A Markdown table with a row for each run."""
    rows = [
        "| stage | read | written | seconds | CPU seconds | peak MB | own MB |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for one in sorted(figures, key=lambda one: ("questions" in one, one["stage"], one["read"])):
        costs = (one[key] for key in ("seconds", "cpu_seconds", "peak_mb", "own_mb"))
        values = [one["read"], one.get("written", one["read"]), *costs]
        name = "dedup alone" if "questions" in one else one["stage"]
        rows.append(f"| {name} | " + " | ".join(f"{value:,.10g}" for value in values) + " |")
    return "\n".join(rows)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, help="lines of JSON")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the plots go")
    options = parser.parse_args()
    figures = [json.loads(line) for line in options.figures.read_text(encoding="utf-8").splitlines()]
    for name, value, title in (
        ("seconds", "cpu_seconds", "CPU seconds of a stage, all processes together"),
        ("memory", "own_mb", "Peak memory of a stage in MB (own; mapped files left out)"),
    ):
        (options.out / f"scaling_{name}.svg").write_text(draw(_series(figures, value), title), encoding="utf-8")
    print(table(figures))


if __name__ == "__main__":
    main()

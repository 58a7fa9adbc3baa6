"""Results for the terminal, and as rows of the table in docs/development/performance.md."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from benchmarks.measure import Figure


def shown(value: float, unit: str) -> str:
    """A value with three significant digits and its unit."""
    digits = f"{value:.3g}" if value < 1000 else f"{value:.0f}"
    return digits + {"x": " ×", "s": " s"}[unit]


def notes(figure: Figure) -> str:
    """The notes of a figure in one line."""
    return "; ".join(f"{name} {value}" for name, value in figure.notes.items())


def as_text(figures: Iterable[Figure], judged: bool) -> str:
    """Two lines for each figure. Goals are not checked on small inputs."""
    lines = []
    for one in figures:
        low, high = one.spread
        mark = "    " if not judged else "ok  " if one.reached else "MISS"
        lines.append(
            f"{mark}  {one.name:<22} {shown(one.median, one.unit):>8}  ({shown(low, one.unit)} to {shown(high, one.unit)}, "
            f"{len(one.values)} rounds)  goal {one.goal}  {one.title}"
        )
        if on := "; ".join(filter(None, (one.size, notes(one)))):
            lines.append(f"      {on}")
    return "\n".join(lines)


def row(figure: Figure, day: dt.date) -> str:
    """A row of the table in Markdown, with the day of the measurement. The spread of a single round is not shown."""
    low, high = (shown(value, figure.unit) for value in figure.spread)
    spread = f" ({low} to {high})" if len(figure.values) > 1 else ""
    median = f"**{shown(figure.median, figure.unit)}**{spread}{'' if figure.reached else ', missed'}"
    cells = (f"`{figure.name}`", median, figure.size, day.isoformat())
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

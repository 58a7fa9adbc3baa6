"""Writes results to the terminal and into the table of docs/development/performance.md, whose other rows stay."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.measure import Figure

BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"
_HEAD = ("figure", "median (least to greatest)", "on", "measured")
_ROW = re.compile(r"^\| `(?P<name>[\w-]+)` \|.*\|$")


class NoMarkers(Exception):
    """The document has no markers for the table."""


def shown(value: float, unit: str) -> str:
    """A value with three significant digits and its unit."""
    digits = f"{value:.3g}" if value < 1000 else f"{value:.0f}"
    return digits + {"x": " ×", "s": " s", "": ""}[unit]


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


def written_into(text: str, rows: Mapping[str, str], order: Sequence[str]) -> str:
    """The document with these rows in its table; rows of other figures stay. Raises ``NoMarkers``."""
    before, begin, rest = text.partition(BEGIN)
    inside, end, after = rest.partition(END)
    if not begin or not end:
        raise NoMarkers(f"the document lacks {BEGIN} or {END}")
    known = {found["name"]: found[0] for line in inside.splitlines() if (found := _ROW.match(line))}
    known.update(rows)
    ranked = sorted(known, key=lambda name: (_rank(name, order), name not in order, list(known).index(name)))
    head = [f"| {' | '.join(_HEAD)} |", "|" + "---|" * len(_HEAD)]
    return "\n".join([f"{before}{begin}", *head, *(known[name] for name in ranked), f"{end}{after}"])


def _rank(name: str, order: Sequence[str]) -> int:
    """The position of a figure's benchmark in the table. The figure's name is, or starts with, that of the benchmark."""
    places = [at for at, line in enumerate(order) if name == line or name.startswith(f"{line}-")]
    return places[0] if places else len(order)


def write_into(path: Path, rows: Mapping[str, str], order: Sequence[str]) -> None:
    """Write rows into the table of a document."""
    path.write_text(written_into(path.read_text(encoding="utf-8"), rows, order), encoding="utf-8")

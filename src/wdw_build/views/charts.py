"""Bar charts as SVG, drawn by matplotlib. Equal numbers give equal bytes: ids come from a fixed salt, and no date is written."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from markupsafe import Markup, escape

# Blue, orange and green of Okabe and Ito, which colour-blind people can tell apart.
_COLOURS = ("#0072b2", "#e69f00", "#009e73")
# Inches. A chart is as wide as a phone, so that its letters have the size of the text around it there.
_WIDTH, _HEIGHT, _ROW, _LETTER = 4.6, 2.6, 0.17, 0.085
# Ids of groups, which repeat in every chart of a page. Ids with a hash are referred to.
_GROUP_ID = re.compile(r' id="[\w.]*_\d+"')

Series = Mapping[str, Sequence[float]]


def stacked(title: str, series: Series, labels: Sequence[str]) -> Markup:
    """A chart with one bar for each label, in which the values of the series are stacked; as many labels as fit are shown."""
    bottom = [0.0] * len(labels)
    with _figure(title, _HEIGHT, len(series)) as (axes, drawn):
        for (name, values), colour in zip(series.items(), _COLOURS, strict=False):
            axes.bar(range(len(labels)), values, 0.8, bottom=bottom, label=name, color=colour)
            bottom = [below + value for below, value in zip(bottom, values, strict=True)]
        step = -(-len(labels) * (2 + max(map(len, labels), default=0)) // int(_WIDTH / _LETTER))
        axes.set_xticks(range(0, len(labels), max(1, step)), list(labels)[:: max(1, step)])
    return drawn[0]


def rows(title: str, series: Series, labels: Sequence[str]) -> Markup:
    """A chart with a horizontal bar for each label and series, the first label at the top; each bar has its value beside it."""
    height = 0.8 / len(series)
    with _figure(title, 0.8 + _ROW * len(series) * len(labels), len(series)) as (axes, drawn):
        for number, ((name, values), colour) in enumerate(zip(series.items(), _COLOURS, strict=False)):
            places = [place + (number - (len(series) - 1) / 2) * height for place in range(len(labels))]
            bars = axes.barh(places, values, height, label=name, color=colour)
            axes.bar_label(bars, map(_figure_of, values), padding=2, fontsize="small")
        axes.set_yticks(range(len(labels)), list(labels))
        # Room for the figure beside the longest bar.
        axes.margins(x=0.12)
        axes.invert_yaxis()
    return drawn[0]


def _figure_of(value: float) -> str:
    """A share with three decimals, a count without."""
    return f"{value:.3f}" if 0 < value < 1 else f"{value:,.0f}"


@contextmanager
def _figure(title: str, height: float, series: int) -> Iterator[tuple[Any, list[Markup]]]:
    """The axes to draw on, and a list that holds the chart afterwards. Several series have a legend."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    drawn: list[Markup] = []
    with mpl.rc_context({"svg.hashsalt": title, "svg.fonttype": "none", "text.parse_math": False, "font.size": 9}):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        yield axes, drawn
        if series > 1:
            figure.legend(loc="outside upper right", ncols=series, frameon=False)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    svg = _GROUP_ID.sub("", stream.getvalue().partition("<svg")[2])
    drawn.append(Markup(f'<svg role="img" aria-label="{escape(title)}"{svg}'))  # noqa: S704 (matplotlib escapes its texts)

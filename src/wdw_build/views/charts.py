"""Bar charts as SVG, drawn by matplotlib. Equal numbers give equal bytes: ids come from a fixed salt, and no date is written."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from markupsafe import Markup, escape

# Blue, orange and green of Okabe and Ito, which colour-blind people can tell apart.
_COLOURS = ("#0072b2", "#e69f00", "#009e73")
_LABELS = 12
# Ids of groups, which repeat in every chart of a page. Ids with a hash are referred to.
_GROUP_ID = re.compile(r' id="[\w.]*_\d+"')


def bars(
    title: str,
    series: Mapping[str, Sequence[float]],
    labels: Sequence[str],
    *,
    stacked: bool = False,
    wide: bool = False,
) -> Markup:
    """A chart with a bar for each label and series, side by side or ``stacked``. One series has no legend.

    Labels that are numbers are places on a scale, so that values without a bar leave a gap.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": title, "svg.fonttype": "none", "text.parse_math": False, "font.size": 9}):
        figure = Figure(figsize=(9 if wide else 4.6, 2.6), layout="constrained")
        axes = figure.add_subplot()
        places, slot = _places(labels)
        width = 0.8 * slot if stacked else 0.8 * slot / len(series)
        bottom = [0.0] * len(labels)
        for number, ((name, values), colour) in enumerate(zip(series.items(), _COLOURS, strict=False)):
            shift = 0 if stacked else (number - (len(series) - 1) / 2) * width
            shifted = [place + shift for place in places]
            axes.bar(shifted, values, width, bottom=bottom if stacked else None, label=name, color=colour)
            bottom = [below + value for below, value in zip(bottom, values, strict=True)]
        step = -(-len(labels) // _LABELS)
        axes.set_xticks(places[::step], list(labels)[::step])
        axes.spines[["top", "right"]].set_visible(False)
        if len(series) > 1:
            figure.legend(loc="outside upper right", ncols=len(series), frameon=False)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    svg = _GROUP_ID.sub("", stream.getvalue().partition("<svg")[2])
    return Markup(f'<svg role="img" aria-label="{escape(title)}"{svg}')  # noqa: S704 (matplotlib escapes its texts)


def _places(labels: Sequence[str]) -> tuple[list[float], float]:
    """Where the bars are, and the space of a bar."""
    try:
        places = [float(label) for label in labels]
    except ValueError:
        return [float(place) for place in range(len(labels))], 1.0
    return places, min((after - before for before, after in pairwise(places)), default=1.0)

"""Elements of inline SVG. All text and attributes are escaped; colours are classes of the style sheet."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

Shape = Markup


def element(name: str, *children: str, **attributes: object) -> Shape:
    """An element. In attribute names a trailing underscore is dropped and others become hyphens: ``class_``, ``aria_label``."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_plain(value))}"' for key, value in attributes.items()
    )
    return Markup(f"<{name}{given}>{''.join(map(escape, children))}</{name}>")  # noqa: S704 (all parts are escaped)


def _plain(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def picture(width: float, height: float, label: str, shapes: Iterable[str]) -> Shape:
    """An ``<svg>`` that scales with the page. Screen readers say ``label``."""
    return element(
        "svg",
        *shapes,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=label,
        style=f"max-width:{width:g}px",
    )


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


def polygon(points: Iterable[tuple[float, float]], kind: str) -> Shape:
    """A filled polygon."""
    return element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=kind)

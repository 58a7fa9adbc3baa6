"""A trace as one HTML page without a script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from jinja2 import Environment

from wdw_build.views.html import environment
from wdw_build.views.trace.records import Trace
from wdw_build.views.trace.view import sections

TEMPLATES = Path(__file__).parent / "templates"


def page(
    trace: Trace,
    link: Callable[[str], str] | None = None,
    templates: Environment | None = None,
    menu: Sequence[tuple[str, str]] = (),
) -> str:
    """The page. ``link`` returns the address of an id, ``menu`` holds (name, address); without them it has no links."""
    template = (templates or environment(TEMPLATES)).get_template("trace.html.j2")
    return template.render(trace=trace, sections=sections(trace), link=link, menu=menu)

"""A trace as one HTML page without a script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from wdw_build.views.html import environment
from wdw_build.views.trace.records import Trace
from wdw_build.views.trace.view import sections

TEMPLATES = Path(__file__).parent / "templates"


def page(trace: Trace) -> str:
    """The page as one file, without links."""
    return environment(TEMPLATES).get_template("trace.html.j2").render(contents(trace))


def contents(trace: Trace, link: Callable[[str], str] | None = None) -> dict[str, Any]:
    """The values of the template. ``link`` returns the address of an id; without it, ids are no links."""
    return {"trace": trace, "sections": sections(trace), "link": link}

"""A trace as one HTML page that needs nothing else: no script, no network, every text escaped by the template engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from wdw_build.views.trace.records import Trace
from wdw_build.views.trace.view import sections

_TEMPLATES = Path(__file__).parent / "templates"
# What HTML forbids (control characters, lone surrogates), and marks that would turn the text beside them around.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def _allowed(value: Any) -> Any:
    from markupsafe import Markup

    if isinstance(value, str) and not isinstance(value, Markup):
        return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", value)
    return value


def environment(*folders: Path) -> Any:
    """The template engine over this package's templates and those of more folders; everything is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader([*folders, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_allowed,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.tests["table"] = lambda block: type(block).__name__ == "Table"
    made.tests["prose"] = lambda block: type(block).__name__ == "Prose"
    made.tests["entries"] = lambda block: type(block).__name__ == "Entries"
    return made


def page(
    trace: Trace, link: Callable[[str], str] | None = None, templates: Any = None, menu: Sequence[tuple[str, str]] = ()
) -> str:
    """The page. ``link`` makes addresses of ids, ``menu`` has (name, address); without them the page stands alone."""
    template = (templates or environment()).get_template("trace.html")
    return str(template.render(trace=trace, sections=sections(trace), link=link, menu=menu))

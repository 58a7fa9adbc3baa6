"""How every HTML page is rendered: one Jinja environment, one base template, one style sheet, one set of macros.

A page is one file that works without a network: style and script stand in it, and its content security policy allows nothing
else. Jinja escapes every value; a name that a template does not know is an error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

_TEMPLATES = Path(__file__).parent / "templates"
# What HTML forbids (control characters, lone surrogates), and the marks that reverse the direction of the text beside them.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def environment(*folders: Path) -> Environment:
    """The environment for the templates in ``folders`` and the shared ones: ``base.html.j2`` and ``macros.html.j2``."""
    made = Environment(
        loader=FileSystemLoader([*folders, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_without_forbidden,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["menu"] = ()
    made.filters["thousands"] = "{:,}".format
    return made


def _without_forbidden(value: Any) -> Any:
    """The value of an expression with U+FFFD for every character that a page must not hold."""
    if isinstance(value, Markup):
        return Markup(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", value))  # noqa: S704 (it was markup before)
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else value

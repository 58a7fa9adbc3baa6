"""How every HTML page is rendered: one Jinja environment, one base template, one style sheet, one set of macros.

A page of this package is one file that works without a network: it contains its style, and its content security policy allows
nothing else. The served pages of studies have a base template and a style sheet of their own. Jinja escapes every value, and an
unknown name in a template is an error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

_TEMPLATES = Path(__file__).parent / "templates"
# Characters that HTML forbids (control characters, lone surrogates), and marks that reverse the direction of nearby text.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def environment(*folders: Path) -> Environment:
    """The environment for the templates in ``folders``, then the shared ones: ``base.html.j2`` and ``macros.html.j2``."""
    templates = Environment(
        loader=FileSystemLoader([*folders, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_without_forbidden,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["thousands"] = "{:,}".format
    return templates


def _without_forbidden(value: Any) -> Any:
    """The value of an expression with U+FFFD for every character that a page must not hold."""
    if isinstance(value, Markup):
        return Markup(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", value))  # noqa: S704 (it was markup before)
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else value

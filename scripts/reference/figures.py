"""The figures of named corpora in README and docs, which ``docs/figures.toml`` has once."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "figures.toml"
FIGURES: dict[str, dict[str, int | str]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
# 111<!-- buzzfeed.strict -->
MARKED = re.compile(r"[\d,]+%?<!-- (\w+)\.(\w+) -->")


def figures() -> dict[str, Callable[[], str]]:
    """Page, relative to ``docs/reference`` -> its text with the figures of today, for each page with a marked figure."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    marked = [path for path in pages if MARKED.search(path.read_text(encoding="utf-8"))]
    return {os.path.relpath(path, ROOT / "docs" / "reference"): partial(_filled, path) for path in marked}


def shown(corpus: str, figure: str) -> str:
    """A figure as pages show it. Raises ``KeyError`` if the file lacks it."""
    value = FIGURES[corpus][figure]
    return f"{value:,}" if isinstance(value, int) else value


def _filled(page: Path) -> str:
    return MARKED.sub(lambda found: f"{shown(*found.groups())}<!-- {found[1]}.{found[2]} -->", page.read_text("utf-8"))

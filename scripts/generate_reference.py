#!/usr/bin/env python3
"""Writes the generated pages and JSON schemas of docs/reference, the drawing of the architecture, and the marked figures.

``python scripts/generate_reference.py`` writes them; with ``--check`` it names the pages that are not current and exits with 4.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from reference.architecture import architecture
from reference.commands import commands
from reference.configuration import configuration
from reference.figures import figures
from reference.records import records, schemas
from reference.stages import stages
from reference.systems import systems

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": commands,
    "configuration.md": configuration,
    "records.md": records,
    "stages.md": stages,
    "systems.md": systems,
    "../explanation/architecture.md": architecture,
    **schemas(),
    **figures(),
}


def main() -> int:
    """Write the pages, or name those that are not current."""
    parser = argparse.ArgumentParser(description="Write the generated pages of docs/reference.")
    parser.add_argument(
        "--check", action="store_true", help="name the pages that are not current; exit 4 if there are any"
    )
    check = parser.parse_args().check
    changed = [name for name, page in PAGES.items() if not _is_current(name, page())]
    for name in changed:
        if not check:
            (FOLDER / name).write_text(PAGES[name](), encoding="utf-8")
        print(f"{FOLDER / name}: {'not current' if check else 'written'}")
    return 4 if check and changed else 0


def _is_current(name: str, text: str) -> bool:
    path = FOLDER / name
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())

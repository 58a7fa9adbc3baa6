"""The drawing of docs/explanation/architecture.md: which package imports which."""

from __future__ import annotations

import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
BEGIN, END = "<!-- imports: begin -->", "<!-- imports: end -->"


def architecture() -> str:
    """The page with the drawing of today's imports. An arrow that follows from others is left out."""
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    assert begin, f"{PAGE} lacks {BEGIN}"
    assert end, f"{PAGE} lacks {END}"
    below = _joined(_reached(_imports()))
    # From the top to the bottom: a box reaches more boxes than any box below it.
    order = sorted(below, key=lambda box: (-len(below[box]), sorted(box)))
    boxes = [f'  p{number}["{" · ".join(sorted(box))}"]' for number, box in enumerate(order)]
    arrows = [
        f"  p{number} --> p{order.index(other)}"
        for number, box in enumerate(order)
        for other in sorted(below[box], key=order.index)
        if not any(other in below[between] for between in below[box])
    ]
    return "\n".join([f"{before}{begin}", "```mermaid", "flowchart TD", *boxes, *arrows, "```", f"{end}{after}"])


def _imports() -> dict[str, set[str]]:
    """For each package, those that it imports, without the exceptions that the contracts of import-linter permit."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    exceptions = {line for contract in settings["contracts"] for line in contract.get("ignore_imports", ())}
    graph = grimp.build_graph(*settings["root_packages"], cache_dir=None)
    found: dict[str, set[str]] = {_package(name): set() for name in graph.modules}
    for name in graph.modules:
        for imported in graph.find_modules_directly_imported_by(name):
            if f"{name} -> {imported}" not in exceptions:
                found[_package(name)].add(_package(imported))
    # The top of the package holds its version, and gives out the names of the API.
    return {package: others - {"wdw_build"} for package, others in found.items() if package != "wdw_build"}


def _package(module: str) -> str:
    top, _, rest = module.partition(".")
    return rest.partition(".")[0] if top == "wdw_build" and rest else top


def _reached(imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """For each package, those that it imports directly or through others."""
    found = {package: set(others) for package, others in imports.items()}
    for between in found:
        for others in found.values():
            if between in others:
                others |= found[between]
    return found


def _joined(reached: dict[str, set[str]]) -> dict[frozenset[str], set[frozenset[str]]]:
    """The same for boxes: packages that import each other are one box."""
    box = {
        one: frozenset({one, *(other for other in below if one in reached[other])}) for one, below in reached.items()
    }
    return {box[one]: {box[other] for other in below} - {box[one]} for one, below in reached.items()}

"""Counts lines of code: those without comments, docstrings and blank lines.

    python scripts/count_code.py [FOLDER ...]

Prints a line for each folder; with no folder, for each package of the project.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("src/wdw_build", "src/wdw_bench", "src/wdw_study", "scripts", "tests")
_NO_CODE = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)


def lines_of_code(text: str) -> int:
    """The number of lines of a module that hold code."""
    strings = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in node.body
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement.value.value, str)
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    }
    code = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(code - strings)


def count(folder: Path) -> tuple[int, int]:
    """The lines of code below a folder, and its modules that have any."""
    counts = [lines_of_code(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]
    return sum(counts), sum(1 for lines in counts if lines)


def main(folders: Sequence[str]) -> None:
    """Run the command."""
    for folder in folders or PACKAGES:
        lines, modules = count(Path(folder) if folders else ROOT / folder)
        print(f"{lines:>7,} lines  {modules:>4} modules  {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])

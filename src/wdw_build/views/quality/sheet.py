"""Writes a sheet: a page for people, lines for programs, and the key.

No answer is lost. Lines that hold answers are not overwritten. The key of an earlier sheet is kept beside the new one,
because a reader may have answered the earlier page.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from wdw_build.core.store import jsonl
from wdw_build.errors import UsageError
from wdw_build.views.quality.judgements import KeyLine, SheetLine, Written
from wdw_build.views.quality.page import page

KEY = "key.jsonl"
KEYS = "*/key*.jsonl"
LINES = "sheet.jsonl"
PAGE = "sheet.html"


def write_sheet(folder: Path, lines: Sequence[SheetLine], key: Sequence[KeyLine]) -> Written:
    """Write the three files. Raises ``UsageError`` if ``sheet.jsonl`` exists and holds answers."""
    path = folder / LINES
    if _has_answers(path):
        raise UsageError(f"{path} holds answers and is not overwritten", hint="move it, or use another --seed")
    folder.mkdir(parents=True, exist_ok=True)
    _keep_other_key(folder / KEY, lines[0].sheet)
    _replace(path, b"".join(map(jsonl.encode, lines)))
    _replace(folder / KEY, b"".join(map(jsonl.encode, key)))
    _replace(folder / PAGE, page(lines).encode())
    return Written(lines[0].sheet, len(lines), str(folder / PAGE), str(path), str(folder / KEY))


def _replace(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(content)
    beside.replace(path)


def _keep_other_key(path: Path, sheet: str) -> None:
    try:
        old = msgspec.json.decode(path.read_bytes().partition(b"\n")[0], type=KeyLine).sheet
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return
    if old != sheet:
        path.rename(path.with_name(f"key.{old}.jsonl"))


def _has_answers(path: Path) -> bool:
    """Whether a sheet is filled in. A sheet that cannot be read counts as filled in."""
    if not path.exists():
        return False
    try:
        lines = [msgspec.json.decode(line, type=SheetLine) for line in path.read_bytes().splitlines() if line.strip()]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return True
    return any(line.answer is not None or line.faults or line.remarks for line in lines)

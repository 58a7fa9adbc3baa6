"""Writes a sheet: the page for people, lines for machines, and the key.

Nothing that a reader did is lost: lines that hold answers are not written over, and the key of an earlier sheet, which the page
may have been answered for, is kept beside the new one.
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
    """Write the three files. Raises ``UsageError`` if ``sheet.jsonl`` is there with answers in it."""
    path = folder / LINES
    if _has_answers(path):
        raise UsageError(f"{path} holds answers and is not written over", hint="move it, or draw with another --seed")
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
    """Whether a sheet was filled in; one that cannot be read may have been, too."""
    if not path.exists():
        return False
    try:
        lines = [msgspec.json.decode(line, type=SheetLine) for line in path.read_bytes().splitlines() if line.strip()]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return True
    return any(line.answer is not None or line.faults or line.remarks for line in lines)

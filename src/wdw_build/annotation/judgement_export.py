"""The judgements of a sheet as files for other programs: JSON lines, a table, and the forms of annotation tools."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import msgspec

from wdw_build.annotation.private_files import FILE_MODE
from wdw_build.annotation.sheets import CANNOT_TELL, Judged, Judgement, SheetProblem
from wdw_build.annotation.tool_exports import tool_files
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output

JUDGEMENTS, TABLE = "judgements.jsonl", "judgements.csv"
# A spreadsheet program takes a cell that begins with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class ExportedJudgement(msgspec.Struct, frozen=True, kw_only=True):
    """What one person said of one problem: a line of ``judgements.jsonl``, a row of ``judgements.csv``."""

    sheet: str
    """Name of the sheet."""
    number: int
    """Place of the problem on the sheet, from 1."""
    problem: str
    """Id of the problem."""
    person: str
    """Name of the person."""
    answer: str | None
    """The name that the person chose, or `cannot tell`; null without an answer, and for the task `phenomena`."""
    answer_index: int | None
    """Index of `answer` in the choices of the problem, from 0; null if it is no choice."""
    right: bool | None
    """Whether the answer is that of the key (`cannot tell` is not); null if `answer` is."""
    faults: tuple[str, ...]
    """Labels of faults."""
    phenomena: tuple[str, ...]
    """Labels of the task `phenomena`."""
    note: str
    """Free text."""
    seconds: float | None
    """Time that the page of the problem was open and visible until the last answer; null if unknown."""


def export_judgements(judged: Judged, folder: Path, *, replace: bool) -> tuple[int, list[Path]]:
    """Write the judgements into a folder, in all forms. Returns their number and the files.

    Raises ``UsageError`` if the folder has earlier output and ``replace`` is false.
    """
    rows = list(exported(judged))
    files = {JUDGEMENTS: b"".join(map(jsonl.encode, rows)), TABLE: _table(rows), **tool_files(judged)}
    with atomic_output(folder, replace=replace) as staging:
        for name, content in files.items():
            (staging / name).parent.mkdir(parents=True, exist_ok=True)
            (staging / name).touch(FILE_MODE)
            (staging / name).write_bytes(content)
    return len(rows), [folder / name for name in files]


def exported(judged: Judged) -> Iterator[ExportedJudgement]:
    """The judgements by person, then in the order of the sheet."""
    problems = {problem.id: problem for problem in judged.problems}
    for judgement in judged.judgements:
        yield _exported(judgement, problems[judgement.problem], judged)


def _exported(judgement: Judgement, problem: SheetProblem, judged: Judged) -> ExportedJudgement:
    index = judgement.answer
    has_answer = judgement.answered and judged.sheet.task == "answer"
    given = CANNOT_TELL if index is None else problem.choices[index]
    return ExportedJudgement(
        sheet=judged.sheet.name,
        number=problem.number,
        problem=problem.id,
        person=judgement.person,
        answer=given if has_answer else None,
        answer_index=index,
        right=index == problem.answer if has_answer else None,
        faults=judgement.faults,
        phenomena=judgement.phenomena,
        note=judgement.note,
        seconds=judgement.seconds,
    )


def _table(rows: list[ExportedJudgement]) -> bytes:
    """The rows as CSV (RFC 4180) with a head; labels are separated by spaces, and null is an empty cell."""
    lines = io.StringIO(newline="")
    table = csv.writer(lines)
    table.writerow(ExportedJudgement.__struct_fields__)
    for row in rows:
        table.writerow(map(_cell, msgspec.structs.astuple(row)))
    return lines.getvalue().encode("utf-8", "replace")


def _cell(value: object) -> object:
    """A value as a cell. Text that a spreadsheet program would compute gets an apostrophe before it."""
    if isinstance(value, tuple):
        return " ".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value

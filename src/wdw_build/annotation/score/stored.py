"""The score in the folder of its sheet, where the table of systems, the report and the datasheet read it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from wdw_build.annotation.draw import sheet_problem
from wdw_build.annotation.folder import SheetFolder, replace_file, sheet_folders
from wdw_build.annotation.score.records import SheetScore
from wdw_build.annotation.sheets import SheetProblem
from wdw_build.dataset import Run

SCORE = "score.json"


def write_score(folder: SheetFolder, scored: SheetScore) -> None:
    """Write ``score.json`` by one rename."""
    replace_file(folder.path / SCORE, msgspec.json.format(msgspec.json.encode(scored), indent=1) + b"\n")


def stored_scores(run: Run) -> Iterator[tuple[SheetFolder, SheetScore]]:
    """The sheets of a run that were scored, with their scores, by name; without unreadable scores and those of older draws."""
    for folder in sheet_folders(run.folder):
        try:
            scored = msgspec.json.decode((folder.path / SCORE).read_bytes(), type=SheetScore)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            continue
        if scored.sheet.hash == folder.sheet.hash:
            yield folder, scored


def changed_problems(run: Run, folder: SheetFolder) -> int:
    """The number of problems of a sheet that the run no longer has, or has with another text, key or split."""
    return sum(_has_changed(run, folder, problem) for problem in folder.problems)


def _has_changed(run: Run, folder: SheetFolder, problem: SheetProblem) -> bool:
    try:
        now = sheet_problem(run, problem.number, problem.id, folder.sheet.condition, ())
    except LookupError:
        return True
    return now != msgspec.structs.replace(problem, guesses=now.guesses, strata=(), twins=None)

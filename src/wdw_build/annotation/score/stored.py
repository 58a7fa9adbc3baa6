"""The scores of a run's sheets: ``score.json`` for other programs, and the scores as they are now for tables and views."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from wdw_build.annotation.draw import sheet_problem
from wdw_build.annotation.folder import SheetFolder, read_judged, sheet_folders
from wdw_build.annotation.score import score
from wdw_build.annotation.score.records import SheetScore
from wdw_build.annotation.sheets import SheetProblem
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.dataset import Run

SCORE = "score.json"


def write_score(folder: SheetFolder, scored: SheetScore) -> None:
    """Write ``score.json`` by one rename."""
    replace_file(folder.path / SCORE, jsonl.document(scored))


def current_scores(run: Run) -> Iterator[tuple[SheetFolder, SheetScore]]:
    """The sheets of a run with their scores, computed from all answers so far, by name; without sheets that nobody opened."""
    for folder in sheet_folders(run.folder):
        if folder.has_events:
            yield folder, score(read_judged(folder.path))


def changed_problems(run: Run, folder: SheetFolder) -> int:
    """The number of problems of a sheet that the run no longer has, or has with another text, key or split."""
    return sum(_has_changed(run, folder, problem) for problem in folder.problems)


def _has_changed(run: Run, folder: SheetFolder, problem: SheetProblem) -> bool:
    try:
        now = sheet_problem(run, problem.number, problem.id, folder.sheet.condition, ())
    except LookupError:
        return True
    return now != msgspec.structs.replace(problem, guesses=now.guesses, strata=(), twins=None)

"""A SQLite file with the problems and rejections of a run, for search and paging in runs of any size, and its queries.

The file is a cache in the run's folder and may be deleted; its name contains a hash of the outputs. One pass over the
outputs writes the file in constant memory. It holds the columns of the lists; a trace reads the records themselves. Values
from an address are bound as parameters and never become part of the SQL text.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.core.hashing import digest
from wdw_build.core.progress import Progress
from wdw_build.dataset import JoinedProblem, Run
from wdw_build.errors import READ_ONLY, UsageError
from wdw_build.records import Problem
from wdw_build.stages.suppress import cell_of

_VERSION = 4
_BATCH = 2000
_DETAIL = 300
_SCHEMA = """
CREATE TABLE problems (number INTEGER PRIMARY KEY, id TEXT, date TEXT, source TEXT, "left" TEXT, "right" TEXT, answer TEXT,
  choices INTEGER, "window" INTEGER, score REAL, event REAL, passage TEXT, title TEXT, cell TEXT DEFAULT '',
  split TEXT DEFAULT '', level TEXT DEFAULT '', state TEXT DEFAULT 'open', words TEXT);
CREATE TABLE rejections (number INTEGER PRIMARY KEY, stage TEXT, reason TEXT, id TEXT, detail TEXT);
"""
_INDEXES = """
CREATE UNIQUE INDEX problems_by_id ON problems (id);
CREATE INDEX problems_by_passage ON problems (passage);
"""
_INSERT_PROBLEM = """
INSERT INTO problems (id, date, source, "left", "right", answer, choices, "window", score, event, passage, title, words)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE_PROBLEM = "UPDATE problems SET cell = ?, split = ?, level = ?, state = ? WHERE id = ?"
# Stages such as ``pseudonyms`` read problems that ``suppress`` rejected; the first rejection of such a problem is its state.
_UPDATE_STATE = "UPDATE problems SET state = ? WHERE id = ? AND (state = 'open' OR split != '')"
_INSERT_REJECTION = "INSERT INTO rejections (stage, reason, id, detail) VALUES (?, ?, ?, ?)"
_REJECTION_INDEX = "CREATE INDEX rejections_by_reason ON rejections (stage, reason, number);"
IN_DATASET = "in the dataset"
PAGE = 50
_PROBLEMS = {"split", "level", "state", "choices", "window", "cell", "passage"}
_NUMBERS = {"choices", "window"}
_REJECTIONS = {"stage", "reason"}


def open_catalogue(run: Run, progress: Progress) -> Path:
    """The path of the run's catalogue; writes the catalogue if it does not exist or is out of date.

    If the run's folder is read-only, the catalogue goes into a temporary folder.
    """
    key = digest([_VERSION, {name: output.manifest.fingerprint for name, output in run.outputs.items()}])[:16]
    path = run.folder / f"explore-{key}.sqlite"
    if path.exists():
        return path
    try:
        return _make(run, path, progress)
    except OSError as error:
        if error.errno not in READ_ONLY:
            raise
        return _make(run, Path(tempfile.mkdtemp(prefix="wdw-explore-")) / path.name, progress)


def _make(run: Run, path: Path, progress: Progress) -> Path:
    unfinished = path.with_name(f".{path.name}.tmp")
    unfinished.unlink(missing_ok=True)
    # Says that a folder is read-only; SQLite raises the same error for every cause.
    unfinished.touch()
    rejected = sum(table.manifest.rejected for table in run.tables.values() if table.exists)
    total = len(run.all_alternatives) + len(run.distinct_problems) + rejected
    connection = sqlite3.connect(unfinished, isolation_level=None)
    try:
        with progress.bar("explore", total, "records") as bar:
            _execute(connection, f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {_SCHEMA}")
            _fill(run, connection, bar.advance)
            connection.execute("COMMIT")
    finally:
        connection.close()
    for older in path.parent.glob("explore-*.sqlite"):
        older.unlink()
    return unfinished.replace(path)


def _execute(connection: sqlite3.Connection, script: str) -> None:
    # Not executescript(), which ends the transaction.
    for statement in script.split(";"):
        connection.execute(statement)


def _fill(run: Run, connection: sqlite3.Connection, advance: Callable[[int], None]) -> None:
    def write(statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        remaining = iter(rows)
        while batch := list(islice(remaining, _BATCH)):
            connection.executemany(statement, batch)
            advance(len(batch))

    if run.all_alternatives.exists:
        write(_INSERT_PROBLEM, (_problem(run.problem_of(record)) for record in run.all_alternatives))
    _execute(connection, _INDEXES)
    if run.distinct_problems.exists:
        write(_UPDATE_PROBLEM, map(_decisions, run.joined_problems()))
    is_after_choices = False
    for table in run.tables.values():
        if table.exists:
            rejections = (
                (table.name, each.reason, _text(each.id), _text(each.detail[:_DETAIL])) for each in table.rejections()
            )
            write(_INSERT_REJECTION, rejections)
        if table.exists and is_after_choices:
            states = ((rejection.reason, _text(rejection.id)) for rejection in table.rejections())
            connection.executemany(_UPDATE_STATE, states)
        # Earlier stages may have rejected another article with the id of a problem.
        is_after_choices = is_after_choices or table.name == run.all_alternatives.name
    _execute(connection, _REJECTION_INDEX)


def _text(text: str) -> str:
    """The text without lone surrogates, which SQLite cannot store."""
    return text.encode("utf-8", "replace").decode()


def _decisions(joined: JoinedProblem) -> tuple[str, ...]:
    cell = cell_of(joined.predictions).pattern if joined.predictions else ""
    if joined.assignment is None:
        return cell, "", "", "open", _text(joined.id)
    return cell, joined.assignment.split, joined.assignment.level, IN_DATASET, _text(joined.id)


def _problem(problem: Problem) -> tuple[Any, ...]:
    names = [choice.name for choice in problem.choices]
    question, passage = problem.question, problem.passage
    words = " ".join([problem.id, question.sentence, *names, passage.title, passage.article, question.source])
    texts = (question.left, question.right, names[problem.answer])
    return (
        _text(problem.id),
        str(problem.date),
        _text(question.source),
        *map(_text, texts),
        len(names),
        problem.window,
        problem.score,
        problem.event_score,
        passage.article,
        _text(passage.title),
        _text(words.casefold()),
    )


# ---- queries --------------------------------------------------------------------------------------------------------


class Page(NamedTuple):
    """The rows of one page, the number of rows in all, and the number of this page and of all pages, from 1."""

    rows: list[sqlite3.Row]
    total: int
    number: int
    pages: int


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UsageError(f"{name} must be a whole number, not {text!r}")
    return int(text)


class Catalogue:
    """A run's catalogue, opened read-only. Each query opens its own connection, so any thread may call."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _all(self, query: str, values: list[Any]) -> list[sqlite3.Row]:
        connection = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()

    def problems(self, asked: Mapping[str, str]) -> Page:
        """The problems that meet every filter, in the order of the stage. Every word of ``text`` must occur."""
        parts, values = _equal(asked, _PROBLEMS)
        for word in asked.get("text", "").casefold().split():
            parts.append("instr(words, ?) > 0")
            values.append(word)
        for name, sign in (("from", ">="), ("to", "<=")):
            if asked.get(name):
                parts.append(f"date {sign} ?")
                values.append(asked[name])
        return self._page("problems", parts, values, asked)

    def rejections(self, asked: Mapping[str, str]) -> Page:
        """The rejections of a stage and reason. Every word of ``text`` must occur in the id or the detail."""
        parts, values = _equal(asked, _REJECTIONS)
        for word in asked.get("text", "").split():
            parts.append("(instr(id, ?) > 0 OR instr(detail, ?) > 0)")
            values += [word, word]
        return self._page("rejections", parts, values, asked)

    def _page(self, table: str, parts: list[str], values: list[Any], asked: Mapping[str, str]) -> Page:
        # The names of tables and columns are constants of this module; requested values are bound.
        where = f" WHERE {' AND '.join(parts)}" if parts else ""
        total = int(self._all(f"SELECT count(*) FROM {table}{where}", values)[0][0])  # noqa: S608 (see above)
        pages = max(1, -(-total // PAGE))
        number = min(pages, max(1, _number("page", asked.get("page") or "1")))
        rows = self._all(
            f"SELECT * FROM {table}{where} ORDER BY number LIMIT ? OFFSET ?",  # noqa: S608 (see above)
            [*values, PAGE, (number - 1) * PAGE],
        )
        return Page(rows, total, number, pages)

    def values(self, column: str) -> list[Any]:
        """The distinct values of a column that can be filtered by."""
        if column not in _PROBLEMS - {"passage"}:
            raise KeyError(column)
        return [row[0] for row in self._all(f'SELECT DISTINCT "{column}" FROM problems ORDER BY 1', [])]  # noqa: S608 (a known column)


def _equal(asked: Mapping[str, str], names: set[str]) -> tuple[list[str], list[Any]]:
    requested = [name for name in sorted(names) if asked.get(name)]
    values: list[Any] = [_number(name, asked[name]) if name in _NUMBERS else asked[name] for name in requested]
    return [f'"{name}" = ?' for name in requested], values

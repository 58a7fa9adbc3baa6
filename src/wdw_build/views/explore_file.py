"""A SQLite file with the problems, choices, candidates, rejections and articles of a run, for ``explore`` and for SQL.

One pass over the outputs writes the file in constant memory. It holds all articles, whole, and full-text indexes of articles
and questions. ``metadata`` says how datasette shows the tables.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from wdw_build.core.hashing import digest
from wdw_build.core.progress import Progress
from wdw_build.records import Candidate, Problem
from wdw_build.views.dataset import Run
from wdw_build.views.record_blocks import solved_by, with_verdicts

Row = tuple[Any, ...]
_BATCH = 2000
_SCHEMA = """
CREATE TABLE articles (id TEXT PRIMARY KEY, date TEXT, source TEXT, kind TEXT, title TEXT, text TEXT);
CREATE TABLE problems (id TEXT PRIMARY KEY REFERENCES articles(id), date TEXT, source TEXT, question TEXT, answer TEXT,
  passage TEXT REFERENCES articles(id), "window" INTEGER, score REAL, event REAL, choices INTEGER, alternative INTEGER,
  level TEXT, solved_by TEXT, split TEXT, state TEXT);
CREATE TABLE choices (problem TEXT REFERENCES problems(id), number INTEGER, name TEXT, mentions INTEGER, is_answer INTEGER,
  PRIMARY KEY (problem, number));
CREATE TABLE candidates (question TEXT REFERENCES articles(id), blank INTEGER, rank INTEGER,
  article TEXT REFERENCES articles(id), date TEXT, "window" INTEGER, score REAL, event REAL, stage TEXT, rule TEXT, detail TEXT);
CREATE TABLE rejections (id TEXT REFERENCES articles(id), stage TEXT, reason TEXT, detail TEXT);
"""
_FINISH = """
CREATE INDEX problems_passage ON problems (passage);
CREATE INDEX candidates_question ON candidates (question);
CREATE INDEX candidates_article ON candidates (article);
CREATE INDEX candidates_rule ON candidates (stage, rule);
CREATE INDEX rejections_reason ON rejections (stage, reason);
CREATE INDEX rejections_id ON rejections (id);
CREATE VIRTUAL TABLE articles_fts USING fts5 (title, text, content="articles");
INSERT INTO articles_fts (articles_fts) VALUES ('rebuild');
CREATE VIRTUAL TABLE problems_fts USING fts5 (question, answer, content="problems");
INSERT INTO problems_fts (problems_fts) VALUES ('rebuild');
"""
_TABLES = {
    "problems": {"facets": ["state", "split", "level", "choices", "window"], "label_column": "question"},
    "candidates": {"facets": ["stage", "rule"]},
    "rejections": {"facets": ["stage", "reason"]},
    "articles": {"facets": ["source"], "label_column": "title"},
}
# Room for the columns with long texts.
_CSS = "td.col-question, td.col-detail, td.col-text { min-width: 26em }"


def metadata(run: str, database: str) -> dict[str, Any]:
    """How datasette shows the file; only the person who started the server may read (docs.datasette.io, "Metadata")."""
    return {
        "title": f"Run {run}",
        "allow": {"id": "root"},
        "extra_css_urls": [f"data:text/css,{_CSS}"],
        "databases": {database: {"tables": _TABLES}},
    }


def write_file(run: Run, path: Path, progress: Progress) -> None:
    """Write the file, unless it is that of the run's present outputs already."""
    key = int(
        digest([_SCHEMA, _FINISH, {name: output.manifest.fingerprint for name, output in run.outputs.items()}])[:7], 16
    )
    if path.exists() and _key(path) == key:
        return
    unfinished = path.with_name(f".{path.name}.tmp")
    unfinished.unlink(missing_ok=True)
    unfinished.touch()  # Says why a file cannot be written; SQLite raises the same error for every cause.
    total = sum(table.manifest.written + table.manifest.rejected for table in run.tables.values() if table.exists)
    with closing(sqlite3.connect(unfinished)) as connection, progress.bar("explore", total, "records") as bar:
        connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA}")
        for table, rows in _rows(run):
            _insert(connection, table, rows, bar.advance)
        connection.executescript(f"{_FINISH}PRAGMA user_version = {key};")
    unfinished.replace(path)


def _key(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Row], advance: Callable[[int], None]) -> None:
    remaining = iter(rows)
    while batch := list(islice(remaining, _BATCH)):
        values = ", ".join("?" * len(batch[0]))
        connection.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({values})", batch)  # noqa: S608 (a table of this module)
        advance(len(batch))


def _rows(run: Run) -> Iterator[tuple[str, Iterable[Row]]]:
    """The rows of every table, for the stages that have run."""
    if run.articles.exists:
        articles = (
            (article.id, str(article.date), article.source, article.kind, article.title, article.text)
            for article in run.articles
        )
        yield "articles", articles
    if run.retrievals.exists:
        for stored in (run.retrievals, run.retrievals.rejections()):
            yield "candidates", (row for record in stored for row in _candidates(run, record.id, record.candidates))
    if run.all_alternatives.exists:
        yield "problems", (_problem(run, run.problem_of(record)) for record in run.all_alternatives)
        yield "choices", (row for record in run.all_alternatives for row in _choices(run.problem_of(record)))
    for table in (table for table in run.tables.values() if table.exists):
        yield (
            "rejections",
            ((rejection.id, table.name, rejection.reason, rejection.detail) for rejection in table.rejections()),
        )


def _candidates(run: Run, question: str, candidates: tuple[Candidate, ...]) -> Iterator[Row]:
    """The candidates with the stage that refused them, if one did."""
    for stored, candidate in zip(candidates, with_verdicts(candidates, question, run), strict=True):
        stage = run.retrievals.name if stored.rule else run.all_alternatives.name if candidate.rule else ""
        place = (candidate.article, str(candidate.date), candidate.window, candidate.score, candidate.event)
        yield question, candidate.blank, candidate.rank, *place, stage, candidate.rule, candidate.detail


def _problem(run: Run, problem: Problem) -> Row:
    question, answer = problem.question, problem.choices[problem.answer].name
    text = question.blanked
    numbers = (problem.window, problem.score, problem.event_score, len(problem.choices), problem.alternative)
    decision, assignment = run.decisions.find(problem.id), run.assignments.find(problem.id)
    predictions = run.predictions.find(problem.id)
    solved = solved_by(predictions.of(problem.alternative)) if predictions else ""
    level = ("strict" if decision.strict else "relaxed") if decision else ""
    split, state = (assignment.split, "in the dataset") if assignment else ("", "open")
    # Earlier stages may have rejected another article with the id of a problem.
    line = run.main_line
    later = line[line.index(run.all_alternatives) + 1 :]
    rejected = next((rejection.reason for table in later for rejection in table.rejections_of(problem.id)), state)
    place = (problem.id, str(problem.date), question.source, text, answer, problem.passage.article)
    return *place, *numbers, level, solved, split, rejected


def _choices(problem: Problem) -> Iterator[Row]:
    for at, choice in enumerate(problem.choices):
        yield problem.id, at + 1, choice.name, len(choice.mentions), int(at == problem.answer)

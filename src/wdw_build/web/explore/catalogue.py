"""A run's problems and rejections in one SQLite file, so that they can be searched and paged however many there are.

A cache beside the run, named by the outputs it was made from; made in one pass over the stages, in memory that does not grow.
What it leaves out stands in the records, where a trace finds it by key.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from wdw_build.core.hashing import digest
from wdw_build.core.run.progress import Progress
from wdw_build.dataset import Run
from wdw_build.records import Problem
from wdw_build.stages.suppress import cell_of

_VERSION = 2
_BATCH = 2000
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
_LAST = "CREATE INDEX rejections_by_reason ON rejections (stage, reason, number);"
IN_DATASET = "in the dataset"

Rows = Iterable[tuple[Any, ...]]


def open_catalogue(run: Run, progress: Progress) -> Path:
    """The run's catalogue; it is made if there is none of these outputs.

    Where the run may not be written, it is made in a temporary folder.
    """
    key = digest([_VERSION, {name: output.manifest.fingerprint for name, output in run.outputs.items()}])[:16]
    path = run.folder / f"explore-{key}.sqlite"
    if path.exists():
        return path
    try:
        return _make(run, path, progress)
    except PermissionError:
        return _make(run, Path(tempfile.mkdtemp(prefix="wdw-explore-")) / path.name, progress)


def _make(run: Run, path: Path, progress: Progress) -> Path:
    beside = path.with_name(f".{path.name}.tmp")
    beside.unlink(missing_ok=True)
    # Says that the folder may not be written as what it is: SQLite has one error for everything.
    beside.touch()
    total = sum(
        run.outputs[name].manifest.written for name in ("choices", "baselines", "split") if name in run.outputs
    ) + sum(output.manifest.rejected for output in run.outputs.values())
    connection = sqlite3.connect(beside, isolation_level=None)
    try:
        with progress.bar("explore", total, "records") as bar:
            _each(connection, f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {_SCHEMA}")
            _fill(run, connection, bar.advance)
            connection.execute("COMMIT")
    finally:
        connection.close()
    for older in path.parent.glob("explore-*.sqlite"):
        older.unlink()
    return beside.replace(path)


def _each(connection: sqlite3.Connection, script: str) -> None:
    # Not executescript(), which ends the transaction.
    for statement in script.split(";"):
        connection.execute(statement)


def _fill(run: Run, connection: sqlite3.Connection, advance: Callable[[int], None]) -> None:
    def put(statement: str, rows: Rows) -> None:
        every = iter(rows)
        while batch := list(islice(every, _BATCH)):
            connection.executemany(statement, batch)
            advance(len(batch))

    put(
        'INSERT INTO problems (id, date, source, "left", "right", answer, choices, "window", score, event, passage, title, '
        "words) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        map(_problem, _records(run, "choices")),
    )
    _each(connection, _INDEXES)
    put(
        "UPDATE problems SET cell = ? WHERE id = ?",
        ((cell_of(one).pattern, one.id) for one in _records(run, "baselines")),
    )
    put(
        "UPDATE problems SET split = ?, level = ?, state = ? WHERE id = ?",
        ((one.split, one.level, IN_DATASET, one.id) for one in _records(run, "split")),
    )
    for stage in run.stages:
        if stage.name not in run.outputs:
            continue
        put("INSERT INTO rejections (stage, reason, id, detail) VALUES (?, ?, ?, ?)", _rejections(run, stage.name))
        if stage.name in {"dedup", "suppress", "split"}:
            every = run.outputs[stage.name].rejections()
            connection.executemany(
                "UPDATE problems SET state = ? WHERE id = ?", ((one.reason, one.id) for one in every)
            )
    _each(connection, _LAST)


def _records(run: Run, stage: str) -> Iterator[Any]:
    return run.outputs[stage].records() if stage in run.outputs else iter(())


def _rejections(run: Run, stage: str) -> Rows:
    return ((stage, one.reason, _text(one.id), _text(one.detail[:300])) for one in run.outputs[stage].rejections())


def _text(text: str) -> str:
    """Text that SQLite takes: lone surrogates are no UTF-8."""
    return text.encode("utf-8", "replace").decode()


def _problem(one: Problem) -> tuple[Any, ...]:
    names = [choice.name for choice in one.choices]
    question, passage = one.question, one.passage
    words = " ".join([one.id, question.sentence, *names, passage.title, passage.article, question.source])
    texts = (question.left, question.right, names[one.answer])
    return (
        one.id,
        str(one.date),
        _text(question.source),
        *map(_text, texts),
        len(names),
        one.window,
        one.score,
        one.event_score,
        passage.article,
        _text(passage.title),
        _text(words.casefold()),
    )

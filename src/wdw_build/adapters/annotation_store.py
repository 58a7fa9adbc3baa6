"""Annotations of passages, stored once for each article and model, shared by all runs and workers.

A cache, not an output: SQLite in the store, keyed by article id and a hash of its text. An annotation depends on its
text alone, so that it does not matter who made it and when.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.ports import Annotator
from wdw_build.records import Annotation, Article

_CHUNK = 16
_WAIT_SECONDS = 60.0
_decoder = msgspec.json.Decoder(Annotation)


def _key(article: Article) -> str:
    text = article.text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(article.id.encode("utf-8", "surrogatepass") + b"\0" + text).hexdigest()


def _file(folder: Path, identity: str) -> Path:
    return folder / f"{digest(identity)[:16]}.sqlite"


def stored_annotation(folder: Path, identity: str, article: Article) -> Annotation | None:
    """The annotation that is stored for an article and a model, or None. Nothing is made or written."""
    path = _file(folder, identity)
    if not path.exists():
        return None
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            row = connection.execute("SELECT value FROM annotations WHERE key = ?", (_key(article),)).fetchone()
    except sqlite3.Error:
        return None
    return _decoder.decode(row[0]) if row else None


class AnnotationStore:
    """Annotates articles, each once."""

    def __init__(self, folder: Path, annotator: Annotator) -> None:
        self._annotator = annotator
        self._path = _file(folder, annotator.identity)
        self._connection: sqlite3.Connection | None = None

    @property
    def identity(self) -> str:
        """The annotator's identity: storing changes nothing."""
        return self._annotator.identity

    def _database(self) -> sqlite3.Connection:
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self._path, timeout=_WAIT_SECONDS)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS annotations (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID"
            )
        return self._connection

    def _stored(self, key: str) -> Annotation | None:
        row = self._database().execute("SELECT value FROM annotations WHERE key = ?", (key,)).fetchone()
        return _decoder.decode(row[0]) if row else None

    def annotate(self, articles: Sequence[Article]) -> dict[str, Annotation]:
        """The annotation of every article, by id; those that are not stored are made and stored."""
        found: dict[str, Annotation] = {}
        missing: dict[str, Article] = {}
        for article in articles:
            stored = self._stored(_key(article))
            if stored is None:
                missing[article.id] = article
            else:
                found[article.id] = stored
        todo = list(missing.values())
        for at in range(0, len(todo), _CHUNK):
            chunk = todo[at : at + _CHUNK]
            made = self._annotator.annotate([(article.id, article.text) for article in chunk])
            rows = [(_key(article), msgspec.json.encode(note)) for article, note in zip(chunk, made, strict=True)]
            with self._database() as connection:
                connection.executemany("INSERT OR IGNORE INTO annotations VALUES (?, ?)", rows)
            found.update((note.id, note) for note in made)
        return found

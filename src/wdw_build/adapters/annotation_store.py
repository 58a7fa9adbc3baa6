"""A cache of annotations in SQLite, shared by all runs and workers of a store.

The key is the article's id and a hash of its text. An annotation depends only on the text, the model and the device, so
it does not matter which run or worker made it. Each model and device has its own file.
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

# Articles annotated and stored together; a GPU gets all of them in one pass.
_CHUNK = 64
_WAIT_SECONDS = 60.0
_decoder = msgspec.json.Decoder(Annotation)


def _key(article: Article) -> str:
    text = article.text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(article.id.encode("utf-8", "surrogatepass") + b"\0" + text).hexdigest()


def _file(folder: Path, identity: str, device: str) -> Path:
    suffix = "" if device == "cpu" else f"-{device}"
    return folder / f"{digest(identity)[:16]}{suffix}.sqlite"


def stored_annotation(folder: Path, identity: str, article: Article) -> Annotation | None:
    """The stored annotation of an article by a model, or None; annotates nothing. Prefers the CPU's annotation."""
    for path in sorted(folder.glob(f"{digest(identity)[:16]}*.sqlite"), key=lambda path: len(path.name)):
        try:
            with contextlib.closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
                row = connection.execute("SELECT value FROM annotations WHERE key = ?", (_key(article),)).fetchone()
        except sqlite3.Error:
            continue
        if row:
            return _decoder.decode(row[0])
    return None


class AnnotationStore:
    """``Annotations`` that stores each annotation."""

    def __init__(self, folder: Path, annotator: Annotator) -> None:
        self._annotator, self._folder = annotator, folder
        self._connection: sqlite3.Connection | None = None
        self._used: set[str] = set()

    @property
    def identity(self) -> str:
        """The annotator's identity."""
        return self._annotator.identity

    @property
    def device(self) -> str:
        """See ``OnDevice.device``."""
        return self._annotator.device

    def take_devices(self) -> frozenset[str]:
        """See ``OnDevice.take_devices``. A stored annotation counts for the device that made it."""
        used, self._used = frozenset(self._used), set()
        return used

    def _database(self) -> sqlite3.Connection:
        if self._connection is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = _file(self._folder, self._annotator.identity, self.device)
            self._connection = sqlite3.connect(path, timeout=_WAIT_SECONDS)
            self._connection.execute("PRAGMA journal_mode=WAL")
            # Faster, because a chunk does not wait for the disk. A power cut loses the last chunks, which are made again.
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS annotations (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID"
            )
        return self._connection

    def _stored(self, key: str) -> Annotation | None:
        row = self._database().execute("SELECT value FROM annotations WHERE key = ?", (key,)).fetchone()
        stored = _decoder.decode(row[0]) if row else None
        # An earlier version stored no token spans: the article is annotated again.
        return None if stored is not None and stored.tokens and not stored.token_layout else stored

    def annotate(self, articles: Sequence[Article]) -> dict[str, Annotation]:
        """The annotations of articles, by id. Articles without a stored annotation are annotated now, and the result is stored."""
        annotations: dict[str, Annotation] = {}
        missing: dict[str, Article] = {}
        for article in articles:
            stored = self._stored(_key(article))
            if stored is None:
                missing[article.id] = article
            else:
                annotations[article.id] = stored
                self._used.add(self.device)
        waiting = list(missing.values())
        for start in range(0, len(waiting), _CHUNK):
            chunk = waiting[start : start + _CHUNK]
            self._annotator.take_devices()
            new = self._annotator.annotate([(article.id, article.text) for article in chunk])
            used = self._annotator.take_devices()
            self._used |= used
            annotations.update((annotation.id, annotation) for annotation in new)
            # A result that another device computed does not belong in this device's file.
            if used <= {self.device}:
                self._store(chunk, new)
        return annotations

    def _store(self, articles: Sequence[Article], annotations: Sequence[Annotation]) -> None:
        rows = [
            (_key(article), msgspec.json.encode(annotation))
            for article, annotation in zip(articles, annotations, strict=True)
        ]
        with self._database() as connection:
            connection.executemany("INSERT OR REPLACE INTO annotations VALUES (?, ?)", rows)

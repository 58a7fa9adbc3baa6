"""A cache of annotations, shared by all runs, workers and hosts of a store.

The key is a hash of the article's id and text. An annotation depends only on the text, the model and the device, so it does
not matter which run or worker made it. Each model and device has a folder of ``core.store.segments``. Earlier versions kept
a SQLite file for each of them, which is converted on first use.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sqlite3
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.store.segments import Segments
from wdw_build.ports import Annotator
from wdw_build.records import Annotation, Article

# Articles annotated together; a GPU gets all of them in one pass.
_CHUNK = 64
# A process waits this long for another one that converts a SQLite file; then it converts the file, too.
_WAIT_SECONDS, _POLL_SECONDS = 600.0, 0.2
_decoder = msgspec.json.Decoder(Annotation)


def _key(article: Article) -> str:
    text = article.text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(article.id.encode("utf-8", "surrogatepass") + b"\0" + text).hexdigest()


def _name(identity: str) -> str:
    return digest(identity)[:16]


def _folders(folder: Path, identity: str) -> list[Path]:
    """The folders of a model's annotations, one for each device, that of the CPU first."""
    folders = (path for path in folder.glob(f"{_name(identity)}*") if path.is_dir())
    return sorted(folders, key=lambda path: len(path.name))


def stored_annotation(folder: Path, identity: str, article: Article) -> Annotation | None:
    """The stored annotation of an article by a model, or None; annotates nothing. Prefers the CPU's annotation."""
    for path in folder.glob(f"{_name(identity)}*.sqlite"):
        # In a folder that may not be written, SQLite files stay unread.
        with contextlib.suppress(OSError):
            _convert(path, Segments(path.with_suffix("")))
    for path in _folders(folder, identity):
        if value := Segments(path).find(_key(article)):
            return _decoder.decode(value)
    return None


def _convert(path: Path, segments: Segments) -> None:
    """Move the annotations of a SQLite file into segments, and delete the file. Only one process does it."""
    deadline = time.monotonic() + _WAIT_SECONDS
    while path.exists():
        with segments.locked() as is_alone:
            if is_alone or time.monotonic() > deadline:
                _convert_now(path, segments)
        time.sleep(_POLL_SECONDS if path.exists() else 0)


def _convert_now(path: Path, segments: Segments) -> None:
    errors: list[sqlite3.Error] = []
    with contextlib.closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
        segments.load(_usable_rows(connection, errors))
    if errors and path.exists():
        aside = path.rename(path.with_name(f"{path.name}.damaged"))
        warnings.warn(f"{aside}: {errors[0]}; what could not be read is annotated again", RuntimeWarning, stacklevel=2)
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def _usable_rows(connection: sqlite3.Connection, errors: list[sqlite3.Error]) -> Iterator[tuple[str, bytes]]:
    """Yield keys and annotations, sorted by key, up to an error. Those of the first versions lack token spans: they are dropped."""
    try:
        for key, value in connection.execute("SELECT key, value FROM annotations ORDER BY key"):
            annotation = _decoder.decode(value)
            if annotation.token_layout or not annotation.tokens:
                yield key, value
    except sqlite3.Error as error:
        errors.append(error)


class AnnotationStore:
    """``Annotations`` that stores each annotation."""

    def __init__(self, folder: Path, annotator: Annotator) -> None:
        self._annotator, self._folder = annotator, folder
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

    @functools.cached_property
    def _segments(self) -> Segments:
        suffix = "" if self.device == "cpu" else f"-{self.device}"
        folder = self._folder / f"{_name(self.identity)}{suffix}"
        segments = Segments(folder)
        _convert(folder.with_suffix(".sqlite"), segments)
        return segments

    def annotate(self, articles: Sequence[Article]) -> dict[str, Annotation]:
        """The annotations of articles, by id. Articles without a stored annotation are annotated now, and the result is stored."""
        annotations: dict[str, Annotation] = {}
        missing: dict[str, Article] = {}
        for article in articles:
            stored = self._segments.find(_key(article))
            if stored is None:
                missing[article.id] = article
            else:
                annotations[article.id] = _decoder.decode(stored)
                self._used.add(self.device)
        waiting = list(missing.values())
        for start in range(0, len(waiting), _CHUNK):
            chunk = waiting[start : start + _CHUNK]
            self._annotator.take_devices()
            new = self._annotator.annotate([(article.id, article.text) for article in chunk])
            used = self._annotator.take_devices()
            self._used |= used
            annotations.update((annotation.id, annotation) for annotation in new)
            # A result that another device computed does not belong in this device's folder.
            if used <= {self.device}:
                self._segments.add(_entries(chunk, new))
        return annotations

    def flush(self) -> None:
        """See ``Annotations.flush``."""
        self._segments.flush()

    def compact(self) -> None:
        """See ``Annotations.compact``. The process need not have the devices that made the annotations."""
        for folder in _folders(self._folder, self.identity):
            Segments(folder).compact()


def _entries(articles: Sequence[Article], annotations: Sequence[Annotation]) -> Iterator[tuple[str, bytes]]:
    for article, annotation in zip(articles, annotations, strict=True):
        yield _key(article), msgspec.json.encode(annotation)

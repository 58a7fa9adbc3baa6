"""What models computed, by key, in SQLite files that all runs and workers of a store share: annotations and sentence vectors.

A result depends only on its key, so it does not matter which process computed it, and a row that is there is never replaced.
The key is a hash of the model, its device and the text that it reads, with the article's id for a whole article. So a corpus
that grows costs what is new.
"""

from __future__ import annotations

import functools
import hashlib
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.store.key_index import translated
from wdw_build.ports import Annotator, Preloaded, TextEncoder
from wdw_build.records import Annotation, Article, TaggedName, Tokens

# Results are written after this many seconds or results, whichever comes first.
_WRITE_SECONDS, _WRITE_RESULTS = 10.0, 512
# Another process holds the lock for a moment while it writes.
_LOCK_SECONDS = 120.0
_RETRY_SECONDS = 0.02
_CREATE = "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID"


class KeptResults:
    """The results of a file. Raises ``DamagedOutputError`` if the file is damaged, ``OSError`` if it cannot be used.

    ``network``: the processes may be on several hosts. A write-ahead log, which lets others read during a write, needs memory
    that all processes share.
    """

    def __init__(self, path: Path, *, network: bool = False) -> None:
        self._path, self._journal = path, "DELETE" if network else "WAL"
        self._connection: sqlite3.Connection | None = None
        self._pending: dict[bytes, bytes] = {}
        self._written = time.monotonic()

    def find(self, key: bytes) -> bytes | None:
        """The result of a key, or None."""
        if key in self._pending:
            return self._pending[key]
        with translated(self._path):
            row = self._open().execute("SELECT result FROM results WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    def add(self, results: Iterable[tuple[bytes, bytes]]) -> None:
        """Add results, which are written together now and then."""
        self._pending.update(results)
        if len(self._pending) >= _WRITE_RESULTS or time.monotonic() - self._written >= _WRITE_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what was added."""
        self._written = time.monotonic()
        if not self._pending:
            return
        with translated(self._path), self._open() as connection:
            # Sorted: two processes that fill a file in one order keep its pages full.
            connection.executemany("INSERT OR IGNORE INTO results VALUES (?, ?)", sorted(self._pending.items()))
        self._pending = {}

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self._path, timeout=_LOCK_SECONDS, check_same_thread=False)
            # The last process to close the file writes its log into it, and deletes the log.
            Finalize(self, self._connection.close, exitpriority=0)
            self._prepare(self._connection)
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Set the journal and create the table.

        Processes that change the journal of a new file at once do not wait for each other, whatever the timeout: all but one
        of them fail, and try again.
        """
        last_try = time.monotonic() + _LOCK_SECONDS
        while True:
            try:
                connection.executescript(
                    f"PRAGMA journal_mode = {self._journal}; PRAGMA synchronous = NORMAL; {_CREATE}"
                )
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > last_try:
                    raise
                time.sleep(_RETRY_SECONDS)


# ---- annotations -----------------------------------------------------------------------------------------------------

# Articles annotated together; a GPU gets all of them in one pass.
_CHUNK = 64
_Input = TypeVar("_Input")
_Result = TypeVar("_Result")


def _key(kind: str, content: bytes) -> bytes:
    return hashlib.sha256(kind.encode() + b"\0" + content).digest()


def _bytes(text: str) -> bytes:
    # A text may hold lone surrogates.
    return text.encode("utf-8", "surrogatepass")


def _sentence_key(kind: str, sentence: Tokens) -> bytes:
    spans = ",".join(f"{start}-{end}" for start, end in sentence.spans)
    return _key(kind, _bytes("\0".join([sentence.text, spans, *sentence.words])))


class AnnotationStore:
    """``CachedAnnotator`` that stores each result."""

    def __init__(self, results: KeptResults, annotator: Annotator) -> None:
        self._annotator, self._kept = annotator, results
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
        """See ``OnDevice.take_devices``. A stored result counts for the device that made it."""
        used, self._used = frozenset(self._used), set()
        return used

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        if isinstance(self._annotator, Preloaded):
            self._annotator.preload()

    def annotate(self, articles: Sequence[Article]) -> dict[str, Annotation]:
        """See ``CachedAnnotator.annotate``."""

        def make(missing: Sequence[Article]) -> list[Annotation]:
            return self._annotator.annotate([(article.id, article.text) for article in missing])

        keys = [_key("article", _bytes(article.id) + b"\0" + _bytes(article.text)) for article in articles]
        annotations = self._results(articles, keys, make, Annotation, _CHUNK)
        return {annotation.id: annotation for annotation in annotations}

    def first_sentences(self, paragraphs: Sequence[str]) -> list[Tokens | None]:
        """See ``Annotator.first_sentences``."""
        keys = [_key("first", _bytes(paragraph)) for paragraph in paragraphs]
        return self._results(paragraphs, keys, self._annotator.first_sentences, Tokens | None)

    def names(self, sentences: Sequence[Tokens]) -> list[tuple[TaggedName, ...]]:
        """See ``Annotator.names``."""
        keys = [_sentence_key("names", sentence) for sentence in sentences]
        return self._results(sentences, keys, self._annotator.names, tuple[TaggedName, ...])

    def trees(self, sentences: Sequence[Tokens]) -> list[str]:
        """See ``Annotator.trees``."""
        keys = [_sentence_key("tree", sentence) for sentence in sentences]
        return self._results(sentences, keys, self._annotator.trees, str)

    def _results(
        self,
        inputs: Sequence[_Input],
        keys: Sequence[bytes],
        make: Callable[[Sequence[_Input]], list[_Result]],
        kind: object,
        chunk: int = sys.maxsize,
    ) -> list[_Result]:
        """The result for each input. Results that are not stored are made now, ``chunk`` at a time, and stored."""
        prefix = digest([self.identity, self.device])[:16].encode()
        known: dict[bytes, _Result] = {}
        missing: dict[bytes, _Input] = {}
        for key, item in zip(keys, inputs, strict=True):
            if key not in known and key not in missing:
                if (stored := self._kept.find(prefix + key)) is None:
                    missing[key] = item
                else:
                    known[key] = msgspec.json.decode(stored, type=kind)
                    self._used.add(self.device)
        waiting = list(missing)
        for start in range(0, len(waiting), chunk):
            chunk_keys = waiting[start : start + chunk]
            self._annotator.take_devices()
            results = dict(zip(chunk_keys, make([missing[key] for key in chunk_keys]), strict=True))
            used = self._annotator.take_devices()
            self._used |= used
            known |= results
            # A result that another device computed does not belong to this device.
            if used <= {self.device}:
                encoded = {key: _encoded(result) for key, result in results.items()}
                self._kept.add((prefix + key, value) for key, value in encoded.items() if value)
        return [known[key] for key in keys]

    def flush(self) -> None:
        """See ``StoresResults.flush``."""
        self._kept.flush()


def _encoded(result: object) -> bytes:
    """A result as JSON; empty for a text with lone surrogates, which JSON cannot hold: it is not stored."""
    try:
        return msgspec.json.encode(result)
    except UnicodeEncodeError:
        return b""


# ---- sentence vectors ------------------------------------------------------------------------------------------------


class VectorStore:
    """``TextEncoder`` that stores each vector by its text and the model."""

    def __init__(self, results: KeptResults, encoder: TextEncoder) -> None:
        self._encoder, self._kept = encoder, results

    @property
    def identity(self) -> str:
        """The encoder's identity."""
        return self._encoder.identity

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        if isinstance(self._encoder, Preloaded):
            self._encoder.preload()

    def vectors(self, texts: Sequence[str], exact: bool = False) -> list[Any]:
        """See ``TextEncoder.vectors``. Vectors that are not stored are computed together."""
        import numpy as np

        numbers = "<f8" if exact else "<f4"
        keys = {text: self._key(text, exact) for text in texts}
        stored = {text: self._kept.find(key) for text, key in keys.items()}
        missing = [text for text, vector in stored.items() if vector is None]
        vectors = self._encoder.vectors(missing, exact)
        computed = {text: vector.astype(numbers).tobytes() for text, vector in zip(missing, vectors, strict=True)}
        self._kept.add((keys[text], vector) for text, vector in computed.items())
        stored |= computed
        return [np.frombuffer(stored[text] or b"", dtype=numbers) for text in texts]

    @functools.cached_property
    def _model(self) -> bytes:
        # An identity takes milliseconds: it reads the metadata of installed packages.
        return digest(self.identity)[:16].encode()

    def _key(self, text: str, exact: bool) -> bytes:
        return self._model + b"exact" * exact + hashlib.sha256(_bytes(text)).digest()

    def flush(self) -> None:
        """See ``StoresResults.flush``."""
        self._kept.flush()

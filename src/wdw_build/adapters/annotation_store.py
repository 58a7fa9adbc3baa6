"""A cache of what the models say of articles and of their first sentences, shared by all runs, workers and hosts of a store.

The key is a hash of the text that a model reads, with the article's id for a whole article. A result depends only on this
text, the model and the device, so it does not matter which run or worker made it, and a corpus that grows costs what is
new. Each model and device has a folder of ``core.store.segments``.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.store.segments import Segments
from wdw_build.ports import Annotator, Preloaded
from wdw_build.records import Annotation, Article, TaggedName, Tokens

# Articles annotated together; a GPU gets all of them in one pass.
_CHUNK = 64
_Input = TypeVar("_Input")
_Result = TypeVar("_Result")


def _key(kind: str, content: bytes) -> str:
    return hashlib.sha256(kind.encode() + b"\0" + content).hexdigest()


def _article_key(article: Article) -> str:
    return _key("article", _bytes(article.id) + b"\0" + _bytes(article.text))


def _bytes(text: str) -> bytes:
    # A text may hold lone surrogates.
    return text.encode("utf-8", "surrogatepass")


def _sentence_key(kind: str, sentence: Tokens) -> str:
    spans = ",".join(f"{start}-{end}" for start, end in sentence.spans)
    return _key(kind, _bytes("\0".join([sentence.text, spans, *sentence.words])))


def _name(identity: str) -> str:
    return digest(identity)[:16]


def _folders(folder: Path, identity: str) -> list[Path]:
    """The folders of a model's results, one for each device, that of the CPU first."""
    folders = (path for path in folder.glob(f"{_name(identity)}*") if path.is_dir())
    return sorted(folders, key=lambda path: len(path.name))


def stored_annotation(folder: Path, identity: str, article: Article) -> Annotation | None:
    """The stored annotation of an article by a model, or None; annotates nothing. Prefers the CPU's annotation."""
    for path in _folders(folder, identity):
        if value := Segments(path).find(_article_key(article)):
            return msgspec.json.decode(value, type=Annotation)
    return None


class AnnotationStore:
    """``Annotations`` that stores each result."""

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
        """See ``OnDevice.take_devices``. A stored result counts for the device that made it."""
        used, self._used = frozenset(self._used), set()
        return used

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        if isinstance(self._annotator, Preloaded):
            self._annotator.preload()

    @functools.cached_property
    def _segments(self) -> Segments:
        suffix = "" if self.device == "cpu" else f"-{self.device}"
        return Segments(self._folder / f"{_name(self.identity)}{suffix}")

    def annotate(self, articles: Sequence[Article]) -> dict[str, Annotation]:
        """See ``Annotations.annotate``."""

        def make(missing: Sequence[Article]) -> list[Annotation]:
            return self._annotator.annotate([(article.id, article.text) for article in missing])

        annotations = self._results(articles, list(map(_article_key, articles)), make, Annotation, _CHUNK)
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

    def starts(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """See ``Annotator.starts``."""
        keys = [_sentence_key("starts", sentence) for sentence in sentences]
        return self._results(sentences, keys, self._annotator.starts, list[float])

    def _results(
        self,
        inputs: Sequence[_Input],
        keys: Sequence[str],
        make: Callable[[Sequence[_Input]], list[_Result]],
        kind: object,
        chunk: int = sys.maxsize,
    ) -> list[_Result]:
        """The result for each input. Results that are not stored are made now, ``chunk`` at a time, and stored."""
        known: dict[str, _Result] = {}
        missing: dict[str, _Input] = {}
        for key, one in zip(keys, inputs, strict=True):
            if key not in known and key not in missing:
                if (stored := self._segments.find(key)) is None:
                    missing[key] = one
                else:
                    known[key] = msgspec.json.decode(stored, type=kind)
                    self._used.add(self.device)
        waiting = list(missing)
        for start in range(0, len(waiting), chunk):
            now = waiting[start : start + chunk]
            self._annotator.take_devices()
            made = dict(zip(now, make([missing[key] for key in now]), strict=True))
            used = self._annotator.take_devices()
            self._used |= used
            known |= made
            # A result that another device computed does not belong in this device's folder.
            if used <= {self.device}:
                self._segments.add(
                    (key, value) for key, value in zip(made, map(_encoded, made.values()), strict=True) if value
                )
        return [known[key] for key in keys]

    def flush(self) -> None:
        """See ``Annotations.flush``."""
        self._segments.flush()

    def compact(self) -> None:
        """See ``Annotations.compact``. The process need not have the devices that made the annotations."""
        for folder in _folders(self._folder, self.identity):
            Segments(folder).compact()


def _encoded(result: object) -> bytes:
    """A result as JSON; empty for a text with lone surrogates, which JSON cannot hold: it is not stored."""
    try:
        return msgspec.json.encode(result)
    except UnicodeEncodeError:
        return b""

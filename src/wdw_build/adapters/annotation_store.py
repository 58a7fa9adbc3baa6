"""A cache of annotations, shared by all runs, workers and hosts of a store.

The key is a hash of the article's id and text. An annotation depends only on the text, the model and the device, so it does
not matter which run or worker made it. Each model and device has a folder of ``core.store.segments``.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.store.segments import Segments
from wdw_build.ports import Annotator
from wdw_build.records import Annotation, Article

# Articles annotated together; a GPU gets all of them in one pass.
_CHUNK = 64
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
    for path in _folders(folder, identity):
        if value := Segments(path).find(_key(article)):
            return _decoder.decode(value)
    return None


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
        return Segments(self._folder / f"{_name(self.identity)}{suffix}")

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
                pairs = zip(chunk, new, strict=True)
                self._segments.add((_key(article), msgspec.json.encode(annotation)) for article, annotation in pairs)
        return annotations

    def flush(self) -> None:
        """See ``Annotations.flush``."""
        self._segments.flush()

    def compact(self) -> None:
        """See ``Annotations.compact``. The process need not have the devices that made the annotations."""
        for folder in _folders(self._folder, self.identity):
            Segments(folder).compact()

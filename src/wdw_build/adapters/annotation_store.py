"""A cache of what the models say of articles and of their first sentences, shared by all runs and workers of a store.

The key is a hash of the model, its device and the text that it reads, with the article's id for a whole article. A result
depends on nothing else, so it does not matter which run or worker made it, and a corpus that grows costs what is new.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from wdw_build.adapters.kept_results import KeptResults
from wdw_build.core.hashing import digest
from wdw_build.ports import Annotator, Preloaded
from wdw_build.records import Annotation, Article, TaggedName, Tokens

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
    """``Annotations`` that stores each result."""

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
        """See ``Annotations.annotate``."""

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

    def starts(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """See ``Annotator.starts``."""
        keys = [_sentence_key("starts", sentence) for sentence in sentences]
        return self._results(sentences, keys, self._annotator.starts, list[float])

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
        for key, one in zip(keys, inputs, strict=True):
            if key not in known and key not in missing:
                if (stored := self._kept.find(prefix + key)) is None:
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
            # A result that another device computed does not belong to this device.
            if used <= {self.device}:
                encoded = zip(made, map(_encoded, made.values()), strict=True)
                self._kept.add((prefix + key, value) for key, value in encoded if value)
        return [known[key] for key in keys]

    def flush(self) -> None:
        """See ``Annotations.flush``."""
        self._kept.flush()


def _encoded(result: object) -> bytes:
    """A result as JSON; empty for a text with lone surrogates, which JSON cannot hold: it is not stored."""
    try:
        return msgspec.json.encode(result)
    except UnicodeEncodeError:
        return b""

"""Substitutes for the neural models, for measuring the other code: they look up the names of the invented wire.

They implement the protocol of the annotator, so the real stages use them. On other text, they find nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthetic.words import GIVEN, SURNAMES
from wdw_build.core.stage import Port, PortSource
from wdw_build.ports import ANNOTATIONS, ANNOTATOR, LANGUAGE_MODEL, LanguageModel
from wdw_build.records import Annotation, Article, Mention, TaggedName, Tokens, pack_spans
from wdw_build.text.names.consistency import PERSON

_TOKEN = re.compile(r"\w+(?:'\w+)?|[^\w\s]")
_END = re.compile(r'(?<=[.!?])"? ')
_GIVEN, _SURNAMES = frozenset(GIVEN), frozenset(SURNAMES)
_NAME = re.compile(rf"\b(?:(?:{'|'.join(GIVEN)}) )?(?:{'|'.join(SURNAMES)})\b")


def _tokens(sentence: str) -> Tokens:
    found = list(_TOKEN.finditer(sentence))
    return Tokens(text=sentence, words=tuple(match[0] for match in found), spans=tuple(match.span() for match in found))


class Lookup:
    """``Annotator`` and ``Annotations`` that look up names."""

    identity = "look-up of the invented wire's names 1"

    def first_sentences(self, paragraphs: Sequence[str]) -> list[Tokens | None]:
        """See ``Annotator.first_sentences``. The first paragraph of an article in the wire is one sentence."""
        return [_tokens(paragraph) if paragraph.strip() else None for paragraph in paragraphs]

    def names(self, sentences: Sequence[Tokens]) -> list[tuple[TaggedName, ...]]:
        """See ``Annotator.names``."""
        return [tuple(TaggedName(*span, PERSON) for span in _spans(sentence.words)) for sentence in sentences]

    def starts(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """No sentence starts within another one."""
        return [[0.0] * len(sentence.words) for sentence in sentences]

    def trees(self, sentences: Sequence[Tokens]) -> list[str]:
        """See ``Annotator.trees``. The trees are flat, with a noun phrase for each person."""
        return [_tree(sentence.words) for sentence in sentences]

    def annotate(self, texts: Sequence[Any]) -> Any:
        """The persons in articles: a list for ``(id, text)`` pairs, a dictionary by id for articles."""
        if texts and isinstance(texts[0], Article):
            return {article.id: _annotation(article.id, article.text) for article in texts}
        return [_annotation(name, text) for name, text in texts]

    def flush(self) -> None:
        """See ``Annotations.flush``; nothing is stored."""

    def compact(self) -> None:
        """See ``Annotations.compact``; nothing is stored."""


def _spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    for at, word in enumerate(words):
        if word in _SURNAMES:
            yield at - (at > 0 and words[at - 1] in _GIVEN), at + 1


def _tree(words: Sequence[str]) -> str:
    ends = dict(_spans(words))
    parts, at = [], 0
    while at < len(words):
        end = ends.get(at, at)
        if end > at:
            parts.append("(NP " + " ".join(f"(NNP {word})" for word in words[at:end]) + ")")
        else:
            parts.append(f"({'VBD' if words[at].islower() else 'XX'} {words[at]})")
        at = max(end, at + 1)
    return f"(ROOT (S {' '.join(parts)}))"


def _annotation(name: str, text: str) -> Annotation:
    persons = tuple(Mention(start=found.start(), end=found.end(), text=found[0]) for found in _NAME.finditer(text))
    spans = [found.span() for found in _TOKEN.finditer(text)]
    return Annotation(
        id=name,
        persons=persons,
        tokens=len(spans),
        sentences=len(_END.findall(text)) + 1,
        token_layout=pack_spans(spans),
    )


class BoundedModel:
    """``LanguageModel`` that estimates from the first sentences of a text, and reads no further."""

    def __init__(self, model: LanguageModel, sentences: int) -> None:
        self._model, self._most = model, sentences

    @property
    def identity(self) -> str:
        """The model's identity, and the limit."""
        return f"{self._model.identity}, first {self._most} sentences"

    def estimate(self, text: Iterable[bytes], folder: Path) -> None:
        """See ``LanguageModel.estimate``."""
        self._model.estimate(self._first(text), folder)

    def _first(self, text: Iterable[bytes]) -> Iterator[bytes]:
        left = self._most
        for piece in text:
            if piece.count(b"\n") >= left:
                yield b"".join(piece.splitlines(keepends=True)[:left])
                return
            left -= piece.count(b"\n")
            yield piece

    def score(self, folder: Path, sentence: Sequence[str]) -> float:
        """See ``LanguageModel.score``."""
        return self._model.score(folder, sentence)


@dataclass(frozen=True)
class StandIns:
    """``PortSource`` with the real backends, except for the neural models and the size of the language model."""

    real: PortSource
    lm_sentences: int

    def get(self, port: Port[Any]) -> Any:
        """The backend of a port."""
        if port in {ANNOTATOR, ANNOTATIONS}:
            return Lookup()
        if port == LANGUAGE_MODEL:
            return BoundedModel(self.real.get(port), self.lm_sentences)
        return self.real.get(port)

    def identity(self, port: str) -> str:
        """The backend's identity."""
        return str(self.get(Port(port)).identity)

    def check(self, port: str) -> None:
        """See ``PortSource.check``. Asking for the identity checks everything."""
        _ = self.identity(port)

    def preload(self, ports: Sequence[str]) -> None:
        """See ``PortSource.preload``."""
        self.real.preload([port for port in ports if port not in {ANNOTATOR, ANNOTATIONS, LANGUAGE_MODEL}])

    def take_devices(self, ports: Sequence[str]) -> tuple[str, ...]:
        """No device: no model computes."""
        return ()

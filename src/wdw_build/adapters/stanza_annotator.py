"""Tokens, persons and trees with Stanza's own processors (tokenize, ner, pos, constituency).

Only the processors that a step needs are run, on ``Sentence`` objects pooled from many articles, sorted by length so
that batches hold little padding. Articles are annotated one at a time: an annotation must not depend on its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from wdw_build.adapters.stanza_models import PROCESSORS, ModelSet
from wdw_build.core.workers import limit_threads
from wdw_build.errors import ProvideResource
from wdw_build.records import Annotation, Mention, Tokens
from wdw_build.text.boundaries import ends_sentence
from wdw_build.text.mentions import over_initials

VERSION = 3
_BATCH = 64
# A first sentence of interest ends well before this; what lies beyond need not be tokenised.
_FIRST_CHARACTERS = 4000
_PERSON = frozenset({"PERSON", "PER"})
_TEXT_LIMIT = 400_000
# A token may hold a space ("1 000"): trees are written in brackets, where it must not.
_SPACE = re.compile(r"\s+")


class StanzaAnnotator:
    """``Annotator`` on Stanza."""

    def __init__(self, models: ModelSet, max_sentence_tokens: int) -> None:
        self._models, self._max_tokens = models, max_sentence_tokens
        self._loaded: Any = None

    @property
    def identity(self) -> str:
        """Stanza's version, the models' hashes and the settings that change annotations."""
        return f"annotator {VERSION}, {self._models.identity}, pieces of {self._max_tokens}"

    def _processor(self, name: str) -> Any:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded.processors[name]

    def _load(self) -> Any:
        self._models.files()
        limit_threads()
        import stanza
        import torch

        torch.set_num_threads(1)
        try:
            return stanza.Pipeline(
                "en", dir=str(self._models.folder), package=self._models.package, processors=",".join(PROCESSORS),
                download_method=None, use_gpu=False, ner_batch_size=_BATCH, constituency_batch_size=_BATCH,
                tokenize_batch_size=_BATCH, logging_level="ERROR", verbose=False,
            )  # fmt: skip
        except Exception as error:
            raise ProvideResource(
                f"Stanza cannot load the models in {self._models.folder}: {error}",
                hint="wdw-build doctor  checks the shipped files; nlp.models: bundled  uses them",
            ) from error

    def first_sentences(self, paragraphs: Sequence[str]) -> list[Tokens | None]:
        """See ``Annotator.first_sentences``."""
        texts = [_short(paragraph) for paragraph in paragraphs]
        documents = self._tokenize([text for text in texts if text])
        found = iter(documents)
        return [_first(next(found), text) if text else None for text in texts]

    def _tokenize(self, texts: list[str]) -> list[Any]:
        if not texts:
            return []
        from stanza.models.common.doc import Document

        documents: list[Any] = self._processor("tokenize").bulk_process([Document([], text=text) for text in texts])
        return documents

    def persons(self, sentences: Sequence[Tokens]) -> list[tuple[tuple[int, int], ...]]:
        """See ``Annotator.persons``."""
        if not sentences:
            return []
        document = _document(sentence.words for sentence in sentences)
        self._processor("ner").process(document)
        return [
            tuple((over_initials(words.words, start), end) for start, end in _person_spans(found))
            for words, found in zip(sentences, document.sentences, strict=True)
        ]

    def trees(self, sentences: Sequence[Tokens]) -> list[str]:
        """See ``Annotator.trees``."""
        if not sentences:
            return []
        document = _document(sentence.words for sentence in sentences)
        self._processor("pos").process(document)
        self._processor("constituency").process(document)
        return [str(sentence.constituency) for sentence in document.sentences]

    def annotate(self, texts: Sequence[tuple[str, str]]) -> list[Annotation]:
        """See ``Annotator.annotate``."""
        return [self._annotation(name, text[:_TEXT_LIMIT]) for name, text in texts]

    def _annotation(self, name: str, text: str) -> Annotation:
        documents = self._tokenize([text] if text.strip() else [])
        sentences = [found for document in documents for found in _sentences(document, text)]
        pieces = [piece for offset, tokens in sentences for piece in _pieces(offset, tokens, self._max_tokens)]
        mentions = []
        for (offset, piece), spans in zip(pieces, self.persons([piece for _, piece in pieces]), strict=True):
            for start, end in spans:
                low, high = offset + piece.spans[start][0], offset + piece.spans[end - 1][1]
                mentions.append(Mention(start=low, end=high, text=text[low:high]))
        return Annotation(
            id=name, persons=tuple(mentions), tokens=sum(len(piece.words) for _, piece in pieces),
            sentences=len(sentences),
        )  # fmt: skip


def _short(paragraph: str) -> str:
    """What is tokenised of a first paragraph; whitespace only gives an empty string."""
    text = paragraph[:_FIRST_CHARACTERS]
    return text if text.strip() else ""


def _located(sentence: Any, text: str) -> tuple[int, Tokens]:
    """A Stanza sentence: where it starts in ``text``, and its tokens with offsets from there."""
    places = [_place(word) for word in sentence.words]
    start, end = places[0][0], places[-1][1]
    tokens = Tokens(
        text=text[start:end],
        words=tuple(_SPACE.sub("", word.text) for word in sentence.words),
        spans=tuple((low - start, high - start) for low, high in places),
    )
    return start, tokens


def _place(word: Any) -> tuple[int, int]:
    # Words that Stanza splits off a token ("don't" -> "do", "n't") may have no offsets of their own.
    source = word if word.start_char is not None else word.parent
    return source.start_char, source.end_char


def _sentences(document: Any, text: str) -> list[tuple[int, Tokens]]:
    """The document's sentences; those that the tokenizer cut apart are joined again."""
    found: list[tuple[int, Tokens]] = []
    for sentence in document.sentences:
        start, tokens = _located(sentence, text)
        if found:
            before, earlier = found[-1]
            end = before + len(earlier.text)
            if not ends_sentence(earlier.words, tokens.words[0], text[end:start]):
                found[-1] = (before, _joined(earlier, tokens, text, before, start))
                continue
        found.append((start, tokens))
    return found


def _joined(one: Tokens, other: Tokens, text: str, before: int, start: int) -> Tokens:
    shift = start - before
    return Tokens(
        text=text[before : start + len(other.text)],
        words=one.words + other.words,
        spans=one.spans + tuple((low + shift, high + shift) for low, high in other.spans),
    )


def _first(document: Any, text: str) -> Tokens | None:
    found = _sentences(document, text)
    return found[0][1] if found else None


def _pieces(offset: int, sentence: Tokens, size: int) -> list[tuple[int, Tokens]]:
    """A sentence in pieces of at most ``size`` tokens."""
    return [
        (offset, Tokens(text=sentence.text, words=sentence.words[at : at + size], spans=sentence.spans[at : at + size]))
        for at in range(0, len(sentence.words), size)
    ]


def _document(sentences: Iterable[Sequence[str]]) -> Any:
    from stanza.models.common.doc import Document

    return Document([[{"id": (at + 1,), "text": word} for at, word in enumerate(words)] for words in sentences])


def _person_spans(sentence: Any) -> list[tuple[int, int]]:
    return [(entity.words[0].id - 1, entity.words[-1].id) for entity in sentence.ents if entity.type in _PERSON]

"""Stanza's processors (tokenize, ner, pos, constituency) on one device, each run alone over what it is given.

Stanza's own pipeline runs them one after the other over whole documents. Here only those that a step needs are run, and
without what only training or other uses of Stanza need: word objects for the tagger, the loss of the CRF.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

from wdw_build.adapters.devices import CPU
from wdw_build.adapters.stanza_models import PROCESSORS, ModelSet
from wdw_build.core.workers import limit_threads
from wdw_build.errors import ProvideResource

# Sentences of a batch on the CPU, in the order given. The last digits of a score depend on what shares its batch, so
# these batches belong to the output and are no setting.
_BATCH = 64
# On a GPU what is passed in is one batch already.
_WHOLE = 1_000_000


class StanzaPipeline:
    """The processors, loaded when it is made. Raises ``ProvideResource`` if the models cannot be loaded."""

    def __init__(self, models: ModelSet, device: str) -> None:
        models.files()
        limit_threads()
        import torch

        torch.set_num_threads(1)
        # Short floats are quick on new GPUs, and further from what the CPU computes.
        torch.backends.cudnn.allow_tf32 = False
        self._no_gradients = torch.inference_mode
        self._processors = _load(models, device)
        _leave_out_loss(self._processors["ner"])
        # Models and libraries stay: the garbage collector need not look through them again and again.
        gc.collect()
        gc.freeze()

    def tokenize(self, texts: list[str]) -> list[Any]:
        """A Stanza document for each text."""
        from stanza.models.common.doc import Document

        with self._no_gradients():
            documents: list[Any] = self._processors["tokenize"].bulk_process([Document([], text=text) for text in texts])
        return documents

    def name_spans(self, sentences: Sequence[Sequence[str]]) -> list[list[tuple[str, int, int]]]:
        """Names as (type, start, end), token spans [start, end), of each sentence."""
        from stanza.models.ner.utils import decode_from_bioes

        words = _Words(sentences)
        with self._no_gradients():
            self._processors["ner"].process(words)
        return [
            [(found["type"], found["start"], found["end"] + 1) for found in decode_from_bioes(tags)]
            for tags in words.tags()
        ]

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[str]:
        """The bracketed tree of each sentence."""
        from stanza.models.common.doc import Document

        document = Document([
            [{"id": (at + 1,), "text": word} for at, word in enumerate(words)] for words in sentences
        ])  # fmt: skip
        with self._no_gradients():
            self._processors["pos"].process(document)
            self._processors["constituency"].process(document)
        return [str(sentence.constituency) for sentence in document.sentences]


class _Words:
    """What the tagger needs of a Stanza document: the words in, the tags out. A document makes two objects a word."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self._sentences = sentences
        self._tags: list[str] = []

    def get(self, fields: list[str], **_: bool) -> list[list[list[str | None]]]:
        """The words, and no tags yet."""
        empty: list[str | None] = [None] * (len(fields) - 1)
        return [[[word, *empty] for word in words] for words in self._sentences]

    def set(self, fields: list[str], values: list[str], **_: bool) -> None:
        """Take one tag a word."""
        if fields == ["ner"]:
            self._tags = values

    def build_ents(self) -> list[Any]:
        """Nothing: the tags are read by ``tags``."""
        return []

    def tags(self) -> list[list[str]]:
        """The tags of each sentence."""
        found = iter(self._tags)
        return [[next(found) for _ in words] for words in self._sentences]


def _load(models: ModelSet, device: str) -> Any:
    import stanza

    size = _BATCH if device == CPU else _WHOLE
    sizes: dict[str, int] = {"ner_batch_size": size, "constituency_batch_size": size, "tokenize_batch_size": _BATCH}
    if device != CPU:
        sizes.update(pos_batch_size=size, pos_batch_maximum_tokens=size)
    try:
        return stanza.Pipeline(
            "en", dir=str(models.folder), package=models.package, processors=",".join(PROCESSORS),
            download_method=None, device=device, logging_level="ERROR", verbose=False, **sizes,
        ).processors  # fmt: skip
    except Exception as error:
        raise ProvideResource(
            f"Stanza cannot load the models in {models.folder}: {error}",
            hint="wdw-build doctor  checks the shipped files; nlp.models: bundled  uses them",
        ) from error


def _leave_out_loss(ner: Any) -> None:
    """Let the tagger skip the loss of its CRF, which it computes and drops at every batch."""
    for trainer in ner.trainers:
        for crit in trainer.model.crits:
            crit.forward = lambda *_, own=crit: (0.0, own._transitions)

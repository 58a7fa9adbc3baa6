"""Stanza's processors (tokenize, ner, pos, constituency) on one device, each run alone over what it is given.

Stanza's own pipeline runs them one after the other over whole documents. Here only those that a step needs are run. The
tokenizer and the tagger of the shipped models are called by ``stanza_tokens`` and ``stanza_names``, which give what Stanza's
processors give; models with other parts (a character language model, a transformer) run in Stanza's processors.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

from wdw_build.adapters.stanza.devices import CPU
from wdw_build.adapters.stanza.models import PROCESSORS, ModelSet
from wdw_build.adapters.stanza.name_tagger import NameTagger
from wdw_build.adapters.stanza.tokenizer import Tokenizer, Word
from wdw_build.core.run.workers import limit_threads
from wdw_build.errors import MissingResourceError

# Sentences of a batch on the CPU, in the order given. The last digits of a score depend on what shares its batch, so
# these batches belong to the output and are no setting.
_BATCH = 64
# On a GPU what is passed in is one batch already.
_WHOLE = 1_000_000


class StanzaPipeline:
    """The processors, loaded when it is made. Raises ``MissingResourceError`` if the models cannot be loaded."""

    def __init__(self, models: ModelSet, device: str) -> None:
        models.files()
        limit_threads()
        import torch

        torch.set_num_threads(1)
        # Short floats are quick on new GPUs, and further from what the CPU computes.
        torch.backends.cudnn.allow_tf32 = False
        self._no_gradients = torch.inference_mode
        self._processors = _load(models, device)
        tokenizer, tagger, whole = self._processors["tokenize"], self._processors["ner"], device != CPU
        self._tokenizer = Tokenizer(tokenizer, whole) if Tokenizer.fits(tokenizer) else _StanzaTokenizer(tokenizer)
        self._tagger = NameTagger(tagger, whole) if NameTagger.fits(tagger) else _StanzaTagger(tagger)
        # Models and libraries stay: the garbage collector need not look through them again and again.
        gc.collect()
        gc.freeze()

    def tokenize(self, texts: Sequence[str]) -> list[list[list[Word]]]:
        """The sentences of each text."""
        with self._no_gradients():
            return self._tokenizer.tokenize(texts)

    def name_spans(self, sentences: Sequence[Sequence[str]]) -> list[list[tuple[str, int, int]]]:
        """Names as (type, start, end), token spans [start, end), of each sentence."""
        with self._no_gradients():
            return self._tagger.names(sentences)

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[str]:
        """The bracketed tree of each sentence."""
        document = _document(sentences)
        with self._no_gradients():
            self._processors["pos"].process(document)
            self._processors["constituency"].process(document)
        return [str(sentence.constituency) for sentence in document.sentences]


class _StanzaTokenizer:
    """Any ``TokenizeProcessor``, by Stanza's own way."""

    def __init__(self, processor: Any) -> None:
        self._processor = processor

    def tokenize(self, texts: Sequence[str]) -> list[list[list[Word]]]:
        """The sentences of each text."""
        from stanza.models.common.doc import Document

        documents = self._processor.bulk_process([Document([], text=text) for text in texts])
        return [[[_word(word) for word in one.words] for one in document.sentences] for document in documents]


def _word(word: Any) -> Word:
    # Words that Stanza splits off a token ("don't" -> "do", "n't") may have no offsets of their own.
    source = word if word.start_char is not None else word.parent
    return Word(word.text, source.start_char, source.end_char)


class _StanzaTagger:
    """Any ``NERProcessor``, by Stanza's own way."""

    def __init__(self, processor: Any) -> None:
        self._processor = processor

    def names(self, sentences: Sequence[Sequence[str]]) -> list[list[tuple[str, int, int]]]:
        """Names as (type, start, end) of each sentence."""
        from stanza.models.ner.utils import decode_from_bioes

        document = self._processor.process(_document(sentences))
        tags = [[token.ner for token in sentence.tokens] for sentence in document.sentences]
        return [[(one["type"], one["start"], one["end"] + 1) for one in decode_from_bioes(own)] for own in tags]


def _document(sentences: Sequence[Sequence[str]]) -> Any:
    from stanza.models.common.doc import Document

    return Document([[{"id": (at + 1,), "text": word} for at, word in enumerate(words)] for words in sentences])


def _load(models: ModelSet, device: str) -> Any:
    import stanza

    size = _BATCH if device == CPU else _WHOLE
    sizes: dict[str, int] = {"ner_batch_size": size, "constituency_batch_size": size}
    if device != CPU:
        sizes.update(pos_batch_size=size, pos_batch_maximum_tokens=size)
    try:
        return stanza.Pipeline(
            "en",
            dir=str(models.folder),
            package=models.package,
            processors=",".join(PROCESSORS),
            download_method=None,
            device=device,
            logging_level="ERROR",
            verbose=False,
            **sizes,
        ).processors
    except Exception as error:
        raise MissingResourceError(
            f"Stanza cannot load the models in {models.folder}: {error}",
            hint="wdw-build doctor  checks the shipped files; nlp.models: bundled  uses them",
        ) from error

"""Runs Stanza's processors (tokenize, ner, pos, constituency) one by one on one device.

Stanza's own pipeline always runs all of them over whole documents. The tokenizer and the name tagger of the shipped models
run in the modules ``tokenizer`` and ``name_tagger``, which are faster and give the same results. Models with other parts (a
character language model, a transformer) run in Stanza's processors.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from wdw_build.adapters.devices import CPU, load_torch
from wdw_build.adapters.stanza.models import BUNDLED, PROCESSORS, ModelSet
from wdw_build.adapters.stanza.name_tagger import NameTagger
from wdw_build.adapters.stanza.tokenizer import Tokenizer, Word
from wdw_build.core.engine.worker_process import environment_kept, limit_threads
from wdw_build.errors import MissingResourceError

# Consecutive sentences in one batch on the CPU. The last digits of a score depend on the batch, so the number affects the
# output and is not a setting.
_BATCH = 64
# On a GPU, the input of each call is one batch.
_WHOLE = 1_000_000


class StanzaPipeline:
    """Stanza's processors. Loads the models, and raises ``MissingResourceError`` if it cannot."""

    def __init__(self, models: ModelSet, device: str) -> None:
        models.files()
        load_torch()
        import torch

        # TF32 is faster on new GPUs, but its results are further from the CPU's.
        torch.backends.cudnn.allow_tf32 = False
        self._no_gradients = torch.inference_mode
        # Libraries read the limit when they load.
        with environment_kept():
            limit_threads()
            self._processors = _load(models, device)
        tokenizer, tagger, whole = self._processors["tokenize"], self._processors["ner"], device != CPU
        self._tokenizer = Tokenizer(tokenizer, whole) if Tokenizer.fits(tokenizer) else _StanzaTokenizer(tokenizer)
        self._tagger = NameTagger(tagger, whole) if NameTagger.fits(tagger) else _StanzaTagger(tagger)
        # Whether tokens and names of a text do not depend on the texts that are read with it.
        self.is_batch_independent = Tokenizer.fits(tokenizer) and NameTagger.fits(tagger)
        # Spares the garbage collector the models and libraries, which live as long as the process.
        gc.collect()
        gc.freeze()

    def tokenize(self, texts: Sequence[str]) -> list[list[list[Word]]]:
        """The sentences of each text."""
        with self._no_gradients():
            return self._tokenizer.tokenize(texts)

    def name_spans(self, sentences: Sequence[Sequence[str]]) -> list[list[tuple[str, int, int]]]:
        """The names in each sentence as (type, start, end), with token spans [start, end)."""
        with self._no_gradients():
            return self._tagger.names(sentences)

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[str]:
        """The bracketed tree of each sentence."""
        document = _document(sentences)
        with self._no_gradients():
            self._processors["pos"].process(document)
            self._processors["constituency"].process(document)
        return [str(sentence.constituency) for sentence in document.sentences]


@functools.lru_cache(2)
def loaded_pipeline(models: ModelSet, identity: str, device: str) -> StanzaPipeline:
    """The pipeline on a device, loaded once in a process for all configurations.

    ``identity`` is that of the models: files that have changed are loaded again.
    """
    return StanzaPipeline(models, device)


class _StanzaTokenizer:
    """Runs any ``TokenizeProcessor``."""

    def __init__(self, processor: Any) -> None:
        self._processor = processor

    def tokenize(self, texts: Sequence[str]) -> list[list[list[Word]]]:
        """The sentences of each text."""
        from stanza.models.common.doc import Document

        documents = self._processor.bulk_process([Document([], text=text) for text in texts])
        return [[[_word(word) for word in sentence.words] for sentence in document.sentences] for document in documents]


def _word(word: Any) -> Word:
    # Words that Stanza splits off a token ("don't" -> "do", "n't") may lack offsets; their token has them.
    source = word if word.start_char is not None else word.parent
    return Word(word.text, source.start_char, source.end_char)


class _StanzaTagger:
    """Runs any ``NERProcessor``."""

    def __init__(self, processor: Any) -> None:
        self._processor = processor

    def names(self, sentences: Sequence[Sequence[str]]) -> list[list[tuple[str, int, int]]]:
        """The names in each sentence as (type, start, end)."""
        from stanza.models.ner.utils import decode_from_bioes

        document = self._processor.process(_document(sentences))
        tags = [[token.ner for token in sentence.tokens] for sentence in document.sentences]
        return [
            [(span["type"], span["start"], span["end"] + 1) for span in decode_from_bioes(in_sentence)]
            for in_sentence in tags
        ]


def _document(sentences: Sequence[Sequence[str]]) -> Any:
    from stanza.models.common.doc import Document

    return Document([[{"id": (number,), "text": word} for number, word in enumerate(words, 1)] for words in sentences])


def _load(models: ModelSet, device: str) -> Any:
    import stanza

    size = _BATCH if device == CPU else _WHOLE
    sizes: dict[str, int] = {"ner_batch_size": size, "constituency_batch_size": size}
    if device != CPU:
        sizes.update(pos_batch_size=size, pos_batch_maximum_tokens=size)
    try:
        with _loading_fast(shipped=models.folder == BUNDLED):
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
            hint="install the package (or the models of nlp.models) again",
        ) from error


@contextmanager
def _loading_fast(*, shipped: bool) -> Iterator[None]:
    """Load models without what only training needs, and ``shipped`` ones without a guard.

    For its first optimizer, torch imports its compiler: 800 modules, a third of the time and 70 MB. The unpickler that refuses
    code in a file is written in Python, and takes two thirds of the rest; this package's own files need no such guard.
    """
    import torch
    from stanza.models.common import utils

    usual, load = utils.dispatch_optimizer, torch.load
    utils.dispatch_optimizer = lambda *_, **__: None
    if shipped:
        torch.load = lambda *arguments, **named: load(*arguments, **{**named, "weights_only": False})
    try:
        yield
    finally:
        utils.dispatch_optimizer, torch.load = usual, load

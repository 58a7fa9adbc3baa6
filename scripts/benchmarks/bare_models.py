"""Question formation compared with the bare models: only their forward passes, over prepared batches.

The yardstick is the unavoidable work, without reading articles or making questions: NER on all sentences that the stage tags,
POS tagger and parser on those that it parses, in prepared batches of sentences of similar length, and the second tagger on
those that it reads.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest import mock

from benchmarks.measure import Figure, Goal, speeds, times_faster
from benchmarks.setting import QUESTION_FORMATION, Line, Recorder, Setting, forget_annotations, run_again
from benchmarks.straightforward import stanza_pipeline
from wdw_build.adapters.sentence_models import Pieces, SecondTagger
from wdw_build.pipeline import Pipeline
from wdw_build.records import Tokens

_BATCH = 64


def _document(sentences: Sequence[Tokens]) -> Any:
    from stanza.models.common.doc import Document

    by_length = sorted((one.words for one in sentences), key=len, reverse=True)
    return Document([[{"id": (at + 1,), "text": word} for at, word in enumerate(words)] for words in by_length])


def _ner(processor: Any, sentences: Sequence[Tokens]) -> list[Callable[[], object]]:
    from stanza.models.ner.data import DataLoader

    document = _document(sentences)
    calls: list[Callable[[], object]] = []
    for trainer, config in zip(processor.trainers, processor.configs, strict=True):
        loader = DataLoader(
            document,
            _BATCH,
            config,
            vocab=trainer.vocab,
            evaluation=True,
            preprocess_tags=False,
            bert_tokenizer=trainer.model.bert_tokenizer,
        )
        calls += [functools.partial(trainer.predict, batch) for batch in loader]
    return calls


def _pos(processor: Any, document: Any) -> list[Callable[[], object]]:
    from stanza.models.pos.data import Dataset

    dataset = Dataset(
        document, processor.config, processor.pretrain, vocab=processor.vocab, evaluation=True, sort_during_eval=True
    )
    batches = dataset.to_length_limited_loader(batch_size=_BATCH, maximum_tokens=5000)
    return [functools.partial(processor.trainer.predict, batch) for batch in batches]


def _parser(processor: Any, document: Any) -> list[Callable[[], object]]:
    model = processor._model
    tagged = [
        [(word.text, word.xpos if model.uses_xpos() else word.upos) for word in sentence.words]
        for sentence in document.sentences
    ]
    return [lambda: model.parse_tagged_words(tagged, _BATCH)]


def forward_passes(nlp: Any, tagged: Sequence[Tokens], parsed: Sequence[Tokens]) -> Callable[[], None]:
    """A function that runs all forward passes of the models, over prepared batches."""
    import torch

    calls = _ner(nlp.processors["ner"], tagged)
    if parsed:
        document = _document(parsed)
        calls += _pos(nlp.processors["pos"], document)
        nlp.processors["pos"].process(document)
        calls += _parser(nlp.processors["constituency"], document)

    def run() -> None:
        with torch.no_grad():
            for call in calls:
                call()

    return run


@contextlib.contextmanager
def _read_by_second_tagger(found: list[list[Pieces]]) -> Iterator[None]:
    """Append the batches that the second tagger reads with float32 to ``found``."""
    real = SecondTagger._computed

    def computed(tagger: SecondTagger, read: Sequence[Pieces], head: Any, exact: bool) -> list[Any]:
        if not exact:
            found.append(list(read))
        return real(tagger, read, head, exact)

    with mock.patch.object(SecondTagger, "_computed", computed):
        yield


def _second(batches: Sequence[list[Pieces]]) -> Callable[[], None]:
    """A function that runs all forward passes of the second tagger, over prepared batches."""
    tagger = SecondTagger()

    def run() -> None:
        for batch in batches:
            tagger._computed(batch, tagger._of_tags, exact=False)

    return run


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the share of the bare models' speed that question formation reaches."""
    pipeline = setting.prepared(LINE.name, setting.size(4000, 64))
    recorder, read_again = Recorder(pipeline.config, "annotations"), list[list[Pieces]]()
    with _read_by_second_tagger(read_again):
        Pipeline(pipeline.config, pipeline.progress, recorder).run(QUESTION_FORMATION, force=True)
    tagged = [one for sentences in recorder.arguments["names"] for one in sentences]
    parsed = [one for sentences in recorder.arguments["trees"] for one in sentences]
    first, second = forward_passes(stanza_pipeline(pipeline.config.nlp.models), tagged, parsed), _second(read_again)

    def bare() -> None:
        first()
        second()

    bare()
    timed = setting.in_turn(
        LINE.name,
        lambda: run_again(pipeline, *QUESTION_FORMATION),
        bare,
        before=lambda: forget_annotations(pipeline),
    )
    read = pipeline.output("sentences").manifest.read
    size = f"{read} articles, {len(tagged)} sentences tagged, {len(parsed)} parsed"
    return [
        Figure(
            LINE.name,
            "articles/s, share of the bare models'",
            times_faster(timed),
            "x",
            Goal("≥", 0.85),
            size,
            speeds(timed, read, "articles"),
        )
    ]


LINE = Line("bare-models", "question formation : forward passes of NER on all, POS and parser on survivors", measure)

"""The share of the rules in the CPU time of the stage ``choices``, on the given corpus and on three invented ones.

Models are the calls of the tokenizer and of the two name taggers. All other code of the stage counts as rules: the rules for names
and sentences, the reading of articles, and the coding and storing of annotations; not the start of a run and the commit of
its output. The invented corpora are the wire of ``scripts/make_corpus.py``, the same with long articles, and the same
without paragraphs.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from benchmarks.measure import Figure, Goal, calls_timed
from benchmarks.setting import ROOT, Line, Setting, context, forget_annotations, stored
from make_corpus import per_day, write
from synthetic.wire import Wire
from wdw_build.adapters.sentence_models import SecondTagger
from wdw_build.adapters.stanza.pipeline import StanzaPipeline
from wdw_build.core.config.corpus_settings import CorpusConfig
from wdw_build.core.config_file import load_config
from wdw_build.pipeline import Pipeline
from wdw_build.ports import ANNOTATOR
from wdw_build.stages import choices
from wdw_build.text.names import evidence, matching, not_persons

# One first sentence in two names two persons, so that few articles give enough questions.
_ONE_IN = 2
_MODELS = (
    (StanzaPipeline, "tokenize"),
    (StanzaPipeline, "name_spans"),
    (SecondTagger, "opinions"),
    (SecondTagger, "starts"),
)
# Name of the corpus -> options of the wire.
_INVENTED: dict[str, dict[str, Any]] = {"wire": {}, "long": {"length": 8}, "no-paragraphs": {"paragraphs": False}}


def _invented(setting: Setting, name: str) -> Setting:
    """The setting with an invented corpus, which is written once."""
    articles = setting.size(240 if name == "long" else 600, 40)
    path = setting.work / "corpora" / f"invented-{name}-{articles}.jsonl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".tmp")
        with beside.open("wb") as stream:
            write(stream, Wire(1, per_day(articles), _ONE_IN, **_INVENTED[name]), articles)
        beside.replace(path)
    # The invented reports of one event share few words.
    config = load_config(ROOT / "configs" / "sample.yaml", ["retrieve.min_event_score=0"])
    config = msgspec.structs.replace(config, corpus=CorpusConfig(reader="jsonl", path=str(path)))
    return dataclasses.replace(setting, config=config, articles=None)


def _forget_names() -> None:
    """Empty the caches of the rules, which the last round filled."""
    for module in (choices, evidence, matching, not_persons):
        for function in vars(module).values():
            if hasattr(function, "cache_clear") and function.__module__ == module.__name__:
                function.cache_clear()


def _share(pipeline: Pipeline) -> tuple[float, float]:
    """The CPU seconds of the rules and of the models over all questions, on one core in this process."""
    forget_annotations(pipeline)
    _forget_names()
    retrievals = list(stored(pipeline, "retrieve"))
    inputs = {name: pipeline.output(name) for name in choices.STAGE.reads}
    alone = context(pipeline, inputs, pipeline.ports)
    with calls_timed(_MODELS) as seconds:
        begun = time.process_time()
        for _ in choices.STAGE.run(iter(retrievals), pipeline.config.choices, alone):
            pass
        total = time.process_time() - begun
    models = sum(seconds.values())
    return total - models, models


def _figure(setting: Setting, name: str) -> Figure:
    pipeline = setting.prepared(name, setting.articles)
    pipeline.run(["choices"])
    # The models load at the first call.
    pipeline.ports.get(ANNOTATOR).annotate([("", "Ida Malberg met Karl Torquist.")])
    with setting.progress.bar(name, setting.rounds, "runs") as bar:
        rounds = []
        for _ in range(setting.rounds):
            rounds.append(_share(pipeline))
            bar.advance()
    made = pipeline.output("choices").manifest
    rules, models = min(rounds)
    return Figure(
        name,
        "share of the rules in the CPU time of `choices`",
        [rules / (rules + models) for rules, models in rounds],
        "",
        Goal("≤", 0.05),
        f"{made.read} questions, {made.written} problems",
        {"rules": f"{rules:.3g} s", "models": f"{models:.3g} s"},
    )


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the share on the setting's corpus and on the invented ones."""
    given = [_figure(setting, LINE.name)]
    return given + [_figure(_invented(setting, name), f"{LINE.name}-{name}") for name in _INVENTED]


LINE = Line("rules-against-models", "the rules of `choices` : its models, CPU seconds", measure, rounds=3)

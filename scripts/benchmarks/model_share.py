"""The CPU time of a whole build compared with that of the model passes in it.

One process builds the corpus from nothing, and the calls of the models are timed within it: tokenizer, tagger, parser, second
tagger and sentence encoder. Whatever else the build does is overhead: loading libraries and models, reading, rules, searching,
the language model, adversaries, the program, writing.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from benchmarks.measure import Figure, Goal, calls_timed, cpu_seconds
from benchmarks.setting import Line, Setting
from wdw_build.adapters.sentence_models import SecondTagger, SentenceEncoder
from wdw_build.adapters.stanza.pipeline import StanzaPipeline
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.pipeline.stage_order import STAGES

_PASSES: Sequence[tuple[type, str]] = (
    (StanzaPipeline, "tokenize"),
    (StanzaPipeline, "name_spans"),
    (StanzaPipeline, "trees"),
    (SecondTagger, "_probabilities"),
    (SentenceEncoder, "vectors"),
)


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the CPU time of a build as a multiple of that of its model passes."""
    pipeline = setting.prepared(LINE.name, full=None)
    shutil.rmtree(pipeline.root, ignore_errors=True)
    start = cpu_seconds()
    with calls_timed(_PASSES) as seconds:
        Pipeline(pipeline.config, setting.progress).run([stage.name for stage in STAGES])
    whole = cpu_seconds() - start
    size = f"{pipeline.output('ingest').manifest.read} articles, preset {pipeline.config.preset}"
    notes = {"whole": f"{whole:.1f} s"} | {
        name: f"{value:.1f} s" for name, value in sorted(seconds.items(), key=lambda one: -one[1])
    }
    ratio = whole / sum(seconds.values())
    return [Figure(LINE.name, "CPU s of `all` : of its model passes", [ratio], "x", Goal("≤", 1.5), size, notes)]


LINE = Line("model-share", "`wdw-build all` in one process : the model passes in it", measure, rounds=1)

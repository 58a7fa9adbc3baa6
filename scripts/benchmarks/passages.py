"""Passage annotation compared with one call of Stanza's pipeline for each of the same articles.

Our side is the stage ``choices`` without stored annotations: it selects candidates, annotates each once, builds the choices
and writes the output. The yardstick only annotates the same articles.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measure import Figure, Goal, speeds, times_faster
from benchmarks.setting import Line, Recorder, Setting, forget_annotations, run_again
from benchmarks.straightforward import stanza_pipeline
from wdw_build.pipeline import Pipeline


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the speed as a multiple of the loop's."""
    pipeline = setting.prepared(LINE.name, setting.size(6000, 40))
    recorder = Recorder(pipeline.config, "annotations")
    Pipeline(pipeline.config, pipeline.progress, recorder).run(["choices"], force=True)
    articles = {one.id: one.text for asked in recorder.arguments["annotate"] for one in asked}
    nlp = stanza_pipeline(pipeline.config.nlp.models)
    nlp("Once.")

    def loop() -> None:
        for text in articles.values():
            nlp(text)

    timed = setting.in_turn(
        LINE.name, lambda: run_again(pipeline, "choices"), loop, before=lambda: forget_annotations(pipeline)
    )
    made = pipeline.output("choices").manifest
    return [
        Figure(
            LINE.name,
            "articles/s, times the loop's",
            times_faster(timed),
            "x",
            Goal("≥", 4),
            f"{len(articles)} articles, {made.read} questions, {made.written} problems",
            speeds(timed, len(articles), "articles"),
        )
    ]


LINE = Line("passage-annotation", "`choices` : `stanza.Pipeline` over each passage tried", measure)

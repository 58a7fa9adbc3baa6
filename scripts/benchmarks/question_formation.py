"""Question formation compared with a simple loop: one call of Stanza's pipeline for each first sentence.

Our side runs the stages as users do, from stored articles to finished questions. Both sides load the models before the
measurement. The yardstick gets the first sentences and discards its results.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measure import Figure, Goal, speeds, times_faster
from benchmarks.setting import QUESTION_FORMATION, Line, Setting, forget_annotations, run_again, stored
from benchmarks.straightforward import stanza_pipeline
from wdw_build.pipeline.backends import backend
from wdw_build.pipeline.pipeline import Pipeline


def first_sentences(pipeline: Pipeline) -> list[str]:
    """The first sentences of the articles that have one."""
    paragraphs = [article.paragraphs[0] for article in stored(pipeline, "ingest")]
    found = backend(pipeline.config, "annotator").first_sentences(paragraphs)
    return [tokens.text for tokens in found if tokens is not None]


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the speed as a multiple of the loop's."""
    pipeline = setting.prepared(LINE.name, full=500, quick=64)
    pipeline.run(["questions"])
    sentences, nlp = first_sentences(pipeline), stanza_pipeline(pipeline.config.nlp.models)
    nlp(sentences[0])

    def loop() -> None:
        for sentence in sentences:
            nlp(sentence)

    timed = setting.in_turn(
        LINE.name,
        lambda: run_again(pipeline, *QUESTION_FORMATION),
        loop,
        before=lambda: forget_annotations(pipeline),
    )
    read, written = pipeline.output("sentences").manifest.read, pipeline.output("questions").manifest.written
    return [
        Figure(
            LINE.name,
            "articles/s, times the loop's",
            times_faster(timed),
            "x",
            Goal("≥", 10),
            f"{read} articles, {written} questions",
            speeds(timed, read, "articles"),
        )
    ]


LINE = Line("question-formation", "question formation : `stanza.Pipeline` over each first sentence", measure)

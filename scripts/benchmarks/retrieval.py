"""Retrieval compared with filtering in Python: day and name in the query, or tests on the best 1,000 hits of BM25.

Our side repeats the searches of the stage ``retrieve``. The ratio leaves out the rest of the stage (the tests of
``is_valid``); the notes give the speed of the whole stage. The yardstick searches the same index for the sentence, looks up
the hits' days in a dictionary, and then looks for the name in the texts of the remaining hits; the other order is slower.
With 1,000 hits it also misses candidates; the notes give the share that it finds.
"""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.measure import Figure, Goal, seconds, speeds, times_faster
from benchmarks.setting import Line, Recorder, Setting, context, stored
from wdw_build.adapters.lucene_java import BM25_B, BM25_K1, start
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.ports import INDEX_FOLDER
from wdw_build.records import Question
from wdw_build.stages import retrieve as retrieve_stage
from wdw_build.text.dates import day_number
from wdw_build.text.names.name import fold, parse

_TOP = 1000
_LUCENE = "org.apache.lucene"


def some_questions(pipeline: Pipeline, wanted: int) -> list[Question]:
    """Questions at equal distances in the corpus."""
    output = pipeline.output("questions")
    every = max(1, output.manifest.written // wanted)
    return list(itertools.islice(stored(pipeline, "questions"), 0, every * wanted, every))


class FilterInPython:
    """Searches for the best 1,000 articles for a sentence and filters them by day and name."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._articles: Any = pipeline.output("ingest")
        self._windows = pipeline.config.retrieve.windows
        self._days = {one.id: one.day for one in stored(pipeline, "index")}
        self._ids = list(self._days)
        self._java = start(pipeline.config.execution.java_heap)
        folder = self._java("java.nio.file.Paths").get(str(pipeline.output("index").folder / INDEX_FOLDER))
        reader = self._class("index.DirectoryReader").open(self._class("store.FSDirectory").open(folder))
        signature = f"(L{_LUCENE.replace('.', '/')}/index/IndexReader;)V"
        self._searcher = self._class("search.IndexSearcher")(reader, signature=signature)
        self._searcher.setSimilarity(self._class("search.similarities.BM25Similarity")(BM25_K1, BM25_B))
        self._builder = self._class("util.QueryBuilder")(self._class("analysis.en.EnglishAnalyzer")())

    def _class(self, name: str) -> Any:
        return self._java(f"{_LUCENE}.{name}")

    def search(self, question: Question) -> list[str]:
        """The ids of the hits within the largest window that contain the name, by window and then by score."""
        query = self._builder.createBooleanQuery("text", question.sentence)
        hits = [self._ids[hit.doc] for hit in self._searcher.search(query, _TOP).scoreDocs]
        day = day_number(question.date)
        apart = {hit: abs(self._days[hit] - day) for hit in hits if hit != question.id}
        near = [hit for hit, days in apart.items() if days <= max(self._windows)]
        name = re.compile(r"\b" + r"\W+".join(map(re.escape, fold(parse(question.name.text).bare).split())) + r"\b")
        holding = [hit for hit in near if name.search(fold(self._articles.find(hit).text))]
        return sorted(holding, key=lambda hit: next(window for window in self._windows if apart[hit] <= window))


def _stage(pipeline: Pipeline, made: list[Question], recorder: Recorder | None = None) -> list[Any]:
    inputs = {name: pipeline.output(name) for name in ("index", "ingest")}
    return list(retrieve_stage.run(iter(made), pipeline.config.retrieve, context(pipeline, inputs, recorder)))


def _replay(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    return [hit for call in calls for hits in call() for hit in hits]


def _prepared(setting: Setting) -> tuple[Pipeline, list[Question]]:
    """A pipeline with an index, and questions to search for."""
    wanted = 20 if setting.quick else 200
    pipeline = setting.prepared(LINE.name, full=None, quick=None)
    pipeline.run(["index", "questions"])
    return pipeline, some_questions(pipeline, wanted)


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the speed as a multiple of the yardstick's, and the questions/s of the whole stage."""
    pipeline, made = _prepared(setting)
    recorder, plain = Recorder(pipeline.config, "index"), FilterInPython(pipeline)
    _stage(pipeline, made, recorder)
    found = {hit.id for hit in _replay(recorder.calls)}
    also = found & {hit for question in made for hit in plain.search(question)}
    timed = setting.in_turn(
        LINE.name, lambda: _replay(recorder.calls), lambda: [plain.search(question) for question in made]
    )
    whole = [seconds(lambda: _stage(pipeline, made)) for _ in range(setting.rounds)]
    notes = {
        "found by the yardstick": f"{len(also) / max(1, len(found)):.2f} of ours",
        "the whole stage": f"{len(made) / statistics.median(whole):.3g} questions/s on one core",
    }
    articles = pipeline.output("index").manifest.written
    return [
        Figure(
            LINE.name,
            "searches, times filtering in Python",
            times_faster(timed),
            "x",
            Goal("≥", 10),
            f"{articles} articles, {len(made)} questions",
            {**speeds(timed, len(made), "questions"), **notes},
        )
    ]


LINE = Line("retrieval", "searches of `retrieve` : the top 1,000 of BM25, filtered in Python", measure)

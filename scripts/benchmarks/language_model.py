"""The n-gram model of the baselines compared with bare ``lmplz`` on the same text.

Our side goes from stored articles to a usable model: it leaves out articles that are too similar to a question, splits
sentences and tokens, runs ``lmplz`` and ``build_binary``, and predicts for one problem. The yardstick gets the finished text
in a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, Goal, run_command
from benchmarks.setting import Line, Setting, context, stored
from wdw_build.adapters.kenlm_model import find_tool
from wdw_build.core.stage import Port
from wdw_build.pipeline import Pipeline
from wdw_build.ports import LANGUAGE_MODEL
from wdw_build.records import Problem
from wdw_build.registry import Backends
from wdw_build.stages import baselines


class _TextOnly:
    """``LanguageModel`` that writes the text for the estimation to a file, and estimates nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def estimate(self, sentences: Iterable[Sequence[str]], folder: Path) -> None:
        with self._path.open("w", encoding="utf-8", errors="replace") as stream:
            stream.writelines(" ".join(sentence) + "\n" for sentence in sentences if sentence)

    def score(self, folder: Path, sentence: Sequence[str]) -> float:
        return 0.0


class _WithText(Backends):
    """The real backends, except for the language model."""

    def get(self, port: Port[Any]) -> Any:
        return _TextOnly(Path(self.config.output_dir) / "text.txt") if port == LANGUAGE_MODEL else super().get(port)


def _estimate(pipeline: Pipeline, ports: Any = None) -> None:
    """Run ``baselines`` for its first problem only; the model is still estimated for all problems."""
    inputs = {name: pipeline.output(name) for name in ("dedup", "ingest")}
    first: Problem = next(stored(pipeline, "dedup"))
    for _ in baselines.run(iter([first]), pipeline.config.baselines, context(pipeline, inputs, ports)):
        pass


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the time as a multiple of that of ``lmplz`` alone."""
    pipeline = setting.prepared(LINE.name, setting.articles or (80 if setting.quick else None))
    pipeline.run(["dedup"])
    _estimate(pipeline, _WithText(pipeline.config))
    config, text = pipeline.config, pipeline.root / "text.txt"
    bare = [
        str(find_tool("lmplz")),
        "-o",
        str(config.baselines.ngram_order),
        "-S",
        config.execution.lm_memory,
        "-T",
        str(pipeline.root / "sort-"),
        "--discount_fallback",
        "--skip_symbols",
        "--text",
        str(text),
        "--arpa",
        str(pipeline.root / "bare.arpa"),
    ]
    timed = setting.in_turn(LINE.name, lambda: _estimate(pipeline), lambda: run_command(*bare))
    articles = pipeline.output("ingest").manifest.written
    notes = {
        "ours": f"{min(ours for ours, _ in timed):.3g} s at best",
        "yardstick": f"{min(bare for _, bare in timed):.3g} s",
    }
    return [
        Figure(
            LINE.name,
            "time, times bare lmplz's",
            [ours / other for ours, other in timed],
            "x",
            Goal("≤", 1.15),
            f"{articles} articles, {text.stat().st_size / 1e6:.2g} MB of text",
            notes,
        )
    ]


LINE = Line("language-model", "the n-gram model of `baselines` : `lmplz` on the same text", measure, cores=2)

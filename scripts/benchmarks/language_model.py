"""The n-gram model of the baselines compared with bare ``lmplz`` on the same text.

Our side is the stage with two workers, from stored articles to predictions: it leaves out articles that are too similar to
a question, splits sentences and tokens, runs ``lmplz`` and ``build_binary``, and predicts. The workers are running already.
The yardstick gets the finished text in a file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, Goal, run_command
from benchmarks.setting import Line, Setting
from wdw_build.adapters.kenlm_model import find_tool
from wdw_build.core.progress import Progress
from wdw_build.core.run.run_alone import run_alone
from wdw_build.core.run.runner import Runner
from wdw_build.core.stage import Port
from wdw_build.pipeline import BY_NAME, Pipeline
from wdw_build.ports import LANGUAGE_MODEL
from wdw_build.registry import Backends, engine

_STAGE = BY_NAME["baselines"]


class _TextOnly:
    """``LanguageModel`` that writes the text for the estimation to a file, and estimates nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def estimate(self, text: Iterable[bytes], folder: Path) -> None:
        with self._path.open("wb") as stream:
            stream.writelines(text)

    def score(self, folder: Path, sentence: Sequence[str]) -> float:
        return 0.0


class _WithText(Backends):
    """The real backends, except for the language model."""

    def get(self, port: Port[Any]) -> Any:
        return _TextOnly(Path(self.config.output_dir) / "text.txt") if port == LANGUAGE_MODEL else super().get(port)


def _write_text(pipeline: Pipeline) -> Path:
    """Write the text for the estimation into a file."""
    job = Pipeline(pipeline.config, Progress("quiet"), _WithText(pipeline.config)).job(
        _STAGE, pipeline.ready(_STAGE.reads)
    )
    with tempfile.TemporaryDirectory(dir=pipeline.root) as folder:
        for _ in run_alone(job, job.inputs["dedup"].records(), Path(folder), Progress("quiet"))[1]:
            pass
    return pipeline.root / "text.txt"


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the time as a multiple of that of ``lmplz`` alone."""
    pipeline = setting.prepared(LINE.name, setting.articles or (80 if setting.quick else None), workers=2)
    pipeline.run(["dedup"])
    text = _write_text(pipeline)
    config, job = pipeline.config, pipeline.job(_STAGE, pipeline.ready(_STAGE.reads))
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
    with engine(config, Progress("quiet")) as tasks:
        runner = Runner(pipeline.root, config.run, config.execution, Progress("quiet"), tasks)
        runner.make(job)
        timed = setting.in_turn(LINE.name, lambda: runner.make(job), lambda: run_command(*bare))
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


LINE = Line("language-model", "the stage `baselines` with two workers : `lmplz` on the same text", measure, cores=2)

#!/usr/bin/env python3
"""Runs the pipeline on invented corpora of several sizes, without the neural models, and writes the costs of each stage.

    scripts/benchmarks/scaling/pipeline.py --articles 100000 300000 1000000 --work out/scale --json out/scale.jsonl

Each stage runs in its own process, so that their peak memory is measured separately. Peak memory is that of all processes
together. Mapped pages of the index are counted separately, because the system can reclaim them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # scripts/
from benchmarks.scaling.cost import Watch
from synthetic.models import StandIns
from wdw_build.core.config.corpus_settings import CorpusConfig
from wdw_build.core.config.execution_settings import ExecutionConfig
from wdw_build.core.config.settings import Config
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.store.manifest import read_timing
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.registry import Backends

_CORPUS = "corpus"
_STEPS = [_CORPUS, *(stage.name for stage in STAGES)]
_MAKE = Path(__file__).resolve().parents[2] / "make_corpus.py"


def _config(work: Path, corpus: Path, workers: int) -> Config:
    return Config(
        run="scale",
        output_dir=str(work),
        corpus=CorpusConfig(reader="jsonl", path=str(corpus)),
        execution=ExecutionConfig(workers=workers, shard_size=8192, java_heap="1g", lm_memory="512M"),
    )


def kept_run(folder: Path) -> Pipeline:
    """The pipeline of a run that ``--keep`` left in ``folder``."""
    folder = folder.resolve()
    config = _config(folder, folder / "corpus.jsonl", 1)
    return Pipeline(config, Progress("quiet"), StandIns(Backends(config), 0))


def measure(work: Path, articles: int, workers: int, lm_sentences: int, stage: str, out: Path) -> None:
    """Run one stage on the outputs of those before it, or make the corpus; append a line of figures to ``out``."""
    corpus = work / "corpus.jsonl"
    if stage == _CORPUS:
        with Watch() as watch:
            subprocess.run([sys.executable, str(_MAKE), "--articles", str(articles), "--out", str(corpus)], check=True)
        _note(out, {"articles": articles, "stage": stage, "read": articles, **watch.figures()})
        return
    config = _config(work, corpus, workers)
    pipeline = Pipeline(config, Progress(choose_mode(False)), StandIns(Backends(config), lm_sentences))
    with Watch() as watch:
        pipeline.run([stage])
    made = pipeline.output(stage).manifest
    told = {"articles": articles, "stage": stage, "read": made.read, "written": made.written, "workers": workers}
    timing = read_timing(pipeline.run_folder / stage)
    # What several workers would share: the tasks of a stage that is cut into shards.
    mapped = timing.cpu_seconds if timing is not None and pipeline.stage(stage).scope == "map" else 0.0
    _note(out, {**told, **watch.figures(), "mapped_cpu_seconds": mapped})


def _note(out: Path, figures: dict[str, object]) -> None:
    with out.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(figures) + "\n")
    print(json.dumps(figures), flush=True)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, nargs="+", required=True, metavar="N", help="sizes")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--lm-sentences", type=int, default=500_000, help="bound of the n-gram model (default 500000)")
    parser.add_argument("--to", choices=[stage.name for stage in STAGES], default=STAGES[-1].name, help="last stage")
    parser.add_argument("--work", type=Path, required=True, metavar="FOLDER", help="corpora and outputs; large")
    parser.add_argument(
        "--json", type=Path, required=True, metavar="FILE", help="figures are added to it, a line a stage"
    )
    parser.add_argument("--keep", action="store_true", help="leave corpora and outputs in FOLDER")
    parser.add_argument("--stage", choices=_STEPS, help="run this stage alone, on what is in FOLDER")
    options = parser.parse_args()
    if options.stage:
        measure(
            options.work.resolve(),
            options.articles[0],
            options.workers,
            options.lm_sentences,
            options.stage,
            options.json,
        )
        return
    for articles in options.articles:
        folder = options.work / str(articles)
        folder.mkdir(parents=True, exist_ok=True)
        for step in _STEPS[: _STEPS.index(options.to) + 1]:
            command = [sys.executable, __file__, "--articles", str(articles), "--work", str(folder), "--stage", step]
            command += ["--workers", str(options.workers), "--lm-sentences", str(options.lm_sentences)]
            subprocess.run([*command, "--json", str(options.json)], check=True)
        if not options.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()

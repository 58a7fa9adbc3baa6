#!/usr/bin/env python3
"""Run the pipeline on invented corpora of several sizes, without the neural models, and write what each stage cost.

    scripts/benchmarks/scaling/pipeline.py --articles 100000 300000 1000000 --work out/scale --json out/scale.jsonl

Each size is a process of its own, so that one's memory is not counted for the next. Peak memory is of all processes
together; pages of the index that the system keeps mapped are counted apart, for it can take them back.
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
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.settings import Config, CorpusConfig, ExecutionConfig
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.registry import Backends

_MAKE = Path(__file__).resolve().parents[2] / "make_corpus.py"


def _config(work: Path, corpus: Path, workers: int) -> Config:
    return Config(
        run="scale", output_dir=str(work), corpus=CorpusConfig(reader="jsonl", path=str(corpus)),
        execution=ExecutionConfig(workers=workers, shard_size=8192, java_heap="1g", lm_memory="512M"),
    )  # fmt: skip


def measure(work: Path, articles: int, workers: int, lm_sentences: int, last: str, out: Path) -> None:
    """Make the corpus and run the stages up to ``last``; a line of figures for each goes to ``out``."""
    work = work.resolve()
    corpus = work / "corpus.jsonl"
    if not corpus.exists():
        with Watch() as watch:
            subprocess.run([sys.executable, str(_MAKE), "--articles", str(articles), "--out", str(corpus)], check=True)
        _note(out, {"articles": articles, "stage": "corpus", "read": articles, **watch.figures()})
    config = _config(work, corpus, workers)
    pipeline = Pipeline(config, Progress(choose_mode(False)), StandIns(Backends(config), lm_sentences))
    for stage in STAGES[: [stage.name for stage in STAGES].index(last) + 1]:
        with Watch() as watch:
            ran = pipeline.run([stage.name])
        if ran:
            made = pipeline.output(stage.name).manifest
            _note(out, {
                "articles": articles, "stage": stage.name, "read": made.read, "written": made.written,
                "workers": workers, **watch.figures(),
            })  # fmt: skip


def _note(out: Path, figures: dict[str, object]) -> None:
    with out.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(figures) + "\n")
    print(json.dumps(figures), flush=True)


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, nargs="+", required=True, metavar="N", help="sizes")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--lm-sentences", type=int, default=500_000, help="bound of the n-gram model (default 500000)")
    parser.add_argument("--to", choices=[stage.name for stage in STAGES], default=STAGES[-1].name, help="last stage")
    parser.add_argument("--work", type=Path, required=True, metavar="FOLDER", help="corpora and outputs; large")
    parser.add_argument("--json", type=Path, required=True, metavar="FILE", help="figures are added to it, a line a stage")
    parser.add_argument("--keep", action="store_true", help="leave corpora and outputs in FOLDER")
    options = parser.parse_args()
    if len(options.articles) == 1:
        folder = options.work / str(options.articles[0])
        folder.mkdir(parents=True, exist_ok=True)
        measure(folder, options.articles[0], options.workers, options.lm_sentences, options.to, options.json)
        if not options.keep:
            shutil.rmtree(folder)
        return
    for articles in options.articles:
        command = [sys.executable, __file__, *sys.argv[1:]]
        at = command.index("--articles") + 1
        command[at : at + len(options.articles)] = [str(articles)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()

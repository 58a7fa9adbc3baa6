#!/usr/bin/env python3
"""Builds a large dataset from the invented wire and runs ``bench`` on it, to compare the ranking with the paper's Table 4.

    scripts/benchmarks/ranking.py --articles 64000 --work out/ranking --systems word-overlap,as-reader --set as-reader.hidden=64

64,000 articles give about 20,000 strict problems. Names are looked up instead of tagged, so that the build takes minutes;
everything else is the real pipeline with the preset ``paper``. What is in the folder already is not made again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/
from synthetic.models import StandIns
from wdw_bench.run import bench
from wdw_build.cli.bench import rendered, shown_systems
from wdw_build.core.config.settings import Config
from wdw_build.core.config_file import decode_config
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.dataset import Run
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.registry import Backends

_MAKE = Path(__file__).resolve().parents[1] / "make_corpus.py"
_LM_SENTENCES = 200_000
_HELD_OUT = 2000
# Of about 29,000 training problems, 20,000 lie further from the held-out time than this.
_GAP_DAYS = 17


def config(work: Path, workers: int, given: dict[str, object]) -> Config:
    """The configuration of the dataset, with the section ``bench`` as given."""
    keys = {
        "run": "ranking",
        "preset": "paper",
        "output_dir": str(work),
        "corpus": {"reader": "jsonl", "path": str(work / "corpus.jsonl")},
        "split": {"held_out": _HELD_OUT, "gap_days": _GAP_DAYS},
        "export": {"formats": ["jsonl"]},
        "execution": {"workers": workers, "shard_size": 8192},
        "bench": given,
    }
    return decode_config(keys, Path("ranking"), work)


def build(work: Path, articles: int, settings: Config) -> Run:
    """Make the corpus and the dataset, unless they are there."""
    corpus = work / "corpus.jsonl"
    if not corpus.exists():
        made = corpus.with_suffix(".tmp")
        command = [sys.executable, str(_MAKE), "--articles", str(articles), "--one-in", "1", "--out", str(made)]
        subprocess.run(command, check=True)
        made.replace(corpus)
    pipeline = Pipeline(settings, Progress(choose_mode(False)), StandIns(Backends(settings), _LM_SENTENCES))
    pipeline.run()
    return Run(pipeline.run_folder, STAGES, pipeline.ready())


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=64_000, metavar="N", help="size of the corpus (default 64000)")
    parser.add_argument("--work", type=Path, required=True, metavar="FOLDER", help="corpus and outputs")
    parser.add_argument("--systems", required=True, metavar="NAMES", help="systems, separated by commas")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="SYSTEM.KEY=VALUE", help="a setting of a system (may be repeated)"
    )
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    names = options.systems.split(",") if options.systems != "none" else []
    settings: dict[str, dict[str, object]] = {}
    for given in options.set:
        key, _, value = given.partition("=")
        system, _, name = key.partition(".")
        settings.setdefault(system, {})[name] = float(value) if "." in value else int(value)
    configured = config(work, options.workers, {"systems": names, "settings": settings})
    run = build(work, options.articles, configured)
    if names:
        print(rendered([shown_systems(bench(configured, [run], Progress(choose_mode(False))))]))


if __name__ == "__main__":
    main()

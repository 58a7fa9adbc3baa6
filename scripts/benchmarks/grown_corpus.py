"""What a build costs when the corpus has grown since the last one, compared with a build from nothing, in CPU seconds.

The grown build has the output folder of a build of a part of the corpus. Both builds must have the same problems.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.measure import Figure, Goal, cpu_seconds, run_wdw_build
from benchmarks.setting import Line, Setting, stored
from benchmarks.whole import DifferentProblems
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.progress import Progress
from wdw_build.pipeline.config.file import as_yaml
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.pipeline.pipeline import Pipeline

# Share of the corpus that is new -> the most that the grown build may cost.
_NEW = {0.1: 0.3, 0.01: 0.15}


def _cpu_seconds(config: Config, folder: Path) -> float:
    """The CPU seconds of ``wdw-build all``."""
    path = folder / "config.yaml"
    path.write_text(as_yaml(config), encoding="utf-8")
    begun = cpu_seconds()
    # 1: suppression kept few problems, which is usual for small corpora.
    run_wdw_build("all", "-q", "-c", path, allowed=1)
    return cpu_seconds() - begun


def _without_new(corpus: Path, folder: Path, share: float) -> Path:
    """The corpus without the lines that are new."""
    part = folder / f"without-{share}.jsonl"
    with corpus.open("rb") as lines:
        part.write_bytes(
            b"".join(line for number, line in enumerate(lines) if uniform_hash(0, "grown", str(number)) >= share)
        )
    return part


def _problems(config: Config) -> list[Any]:
    return list(stored(Pipeline(config, Progress("quiet")), "problems"))


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the CPU seconds of grown builds as a share of a whole one."""
    base = setting.prepared(LINE.name, full=None)
    folder = setting.work / LINE.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    corpus = Path(base.config.corpus.path)

    def configured(place: str, path: Path) -> Config:
        return msgspec.structs.replace(
            base.config, output_dir=str(folder / place), corpus=CorpusConfig(reader="jsonl", path=str(path))
        )

    ratios: dict[float, list[float]] = {share: [] for share in _NEW}
    seconds = []
    for number in range(setting.rounds):
        whole = configured(f"whole-{number}", corpus)
        seconds.append(_cpu_seconds(whole, folder))
        for share in _NEW:
            place = f"grown-{share}-{number}"
            _cpu_seconds(configured(place, _without_new(corpus, folder, share)), folder)
            grown = configured(place, corpus)
            ratios[share].append(_cpu_seconds(grown, folder) / seconds[-1])
            if _problems(grown) != _problems(whole):
                raise DifferentProblems(f"the corpus that grew by {share:.0%} has other problems")
    size = f"{sum(1 for _ in corpus.open('rb'))} articles, preset {base.config.preset}"
    notes = {"from nothing": ", ".join(f"{one:.0f} s of CPU" for one in seconds)}
    return [
        Figure(
            f"{LINE.name}-{share:.0%}".rstrip("%"),
            f"CPU s with {share:.0%} more articles, share of a build from nothing",
            values,
            "x",
            Goal("≤", _NEW[share]),
            size,
            notes,
        )
        for share, values in ratios.items()
    ]


LINE = Line("grown-corpus", "`wdw-build all` after the corpus grew : from nothing", measure, rounds=1)

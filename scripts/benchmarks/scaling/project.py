#!/usr/bin/env python3
"""Estimates the time of a run over Gigaword on several machines: measured costs times assumed numbers, by stage.

    scripts/benchmarks/scaling/project.py docs/explanation/scaling.jsonl --tag 1.9 --parse 20 --annotate 60

The costs without models are those of the largest run in the file. The costs of the models are options, in milliseconds of
one core. docs/explanation/scaling.md lists the assumptions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ARTICLES = 9.9e6
WORDS = 4e9
# The share of first sentences that are parsed, of parsed sentences that become questions, and of questions that find a
# passage; and the number of passages tried.
PARSED, ASKED, ANSWERED, TRIED = 0.15, 0.6, 0.6, 1.4
# Seconds that `lmplz`, with `build_binary` at the other end of its pipe, takes for five-grams of a million words. One task
# does this; both programs run at the same time.
_LMPLZ = 2.55


@dataclass(frozen=True)
class Machine:
    """A machine. Its cores share the tasks of steps with many tasks; a GPU runs the models ``gpu`` times as fast as one core."""

    name: str
    cores: int
    gpu: float = 0.0


MACHINES = (Machine("2 cores", 2), Machine("2 cores and a GPU", 2, 20.0), Machine("16 nodes of 16 cores", 256))


@dataclass(frozen=True)
class Cost:
    """Seconds of one core: in the models, in other code that many tasks share, and in single tasks and the merging."""

    models: float = 0.0
    shared: float = 0.0
    single: float = 0.0

    def seconds(self, machine: Machine) -> float:
        """The time on a machine, where models and other code do not overlap."""
        models = self.models / machine.gpu if machine.gpu else self.models / machine.cores
        return models + self.shared / machine.cores + self.single


def _largest(figures: Sequence[Mapping[str, Any]], stage: str) -> Mapping[str, Any]:
    """The figures of a stage in the largest run."""
    return max((one for one in figures if one["stage"] == stage and "articles" in one), key=lambda one: one["articles"])


def _cost(figures: Mapping[str, Any], count: float, unit: str = "read") -> Cost:
    """The cost of ``count`` records, in proportion to the records read, or to the articles of the corpus."""
    shared = float(figures["mapped_cpu_seconds"])
    single = float(figures["cpu_seconds"]) - shared
    return Cost(0.0, shared * count / figures[unit], single * count / figures[unit])


def costs(figures: Sequence[Mapping[str, Any]], tag: float, parse: float, annotate: float) -> dict[str, Cost]:
    """The costs of each stage; ``tag``, ``parse`` and ``annotate`` are milliseconds for a sentence or passage."""
    asked = ARTICLES * PARSED * ASKED
    problems = asked * ANSWERED
    counts = {
        "ingest": ARTICLES,
        "index": ARTICLES,
        "sentences": ARTICLES,
        "names": ARTICLES,
        "questions": ARTICLES,
        "retrieve": asked,
        "choices": asked,
        "dedup": problems,
        "pseudonyms": problems,
        "baselines": ARTICLES,
        "adversary": problems,
        "suppress": problems,
        "split": problems,
        "export": problems,
    }
    # The cost of ``baselines`` comes from the articles of the corpus, which it cuts; it reads problems.
    units = {"baselines": "articles"}
    found = {stage: _cost(_largest(figures, stage), count, units.get(stage, "read")) for stage, count in counts.items()}
    models = {
        "sentences": ARTICLES * tag / 1000,
        "questions": ARTICLES * PARSED * parse / 1000,
        "choices": asked * TRIED * annotate / 1000,
    }
    for stage, seconds in models.items():
        found[stage] = replace(found[stage], models=seconds)
    # The model of the measured run is bounded, so its time is not in proportion to the corpus.
    found["baselines"] = replace(found["baselines"], single=WORDS / 1e6 * _LMPLZ)
    return found


def table(found: Mapping[str, Cost], machines: Sequence[Machine] = MACHINES) -> str:
    """A Markdown table of hours by stage and machine."""
    rows = [f"| stage | {' | '.join(machine.name for machine in machines)} |", "|---|" + "---:|" * len(machines)]
    for stage, cost in found.items():
        rows.append(f"| {stage} | " + " | ".join(f"{cost.seconds(one) / 3600:.2f} h" for one in machines) + " |")
    whole = (sum(cost.seconds(one) for cost in found.values()) / 3600 for one in machines)
    return "\n".join([*rows, "| **all** | " + " | ".join(f"**{hours:.1f} h**" for hours in whole) + " |"])


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, help="lines of JSON that pipeline.py wrote")
    parser.add_argument(
        "--tag", type=float, required=True, metavar="MS", help="tokenising and tagging a first sentence"
    )
    parser.add_argument("--parse", type=float, required=True, metavar="MS", help="parsing a sentence")
    parser.add_argument("--annotate", type=float, required=True, metavar="MS", help="annotating a passage")
    options = parser.parse_args()
    figures = [json.loads(line) for line in options.figures.read_text(encoding="utf-8").splitlines()]
    print(table(costs(figures, options.tag, options.parse, options.annotate)))


if __name__ == "__main__":
    main()

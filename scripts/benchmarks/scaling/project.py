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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ARTICLES = 9.9e6
WORDS = 4e9
# The share of first sentences that are parsed, of parsed sentences that become questions, and of questions that find a
# passage; and the number of passages tried.
PARSED, ASKED, ANSWERED, TRIED = 0.15, 0.6, 0.6, 1.4
# Seconds of one core that lmplz takes for five-grams of a million words.
_LMPLZ = 1.75
_MAPPED = ("sentences", "questions", "retrieve", "choices")


@dataclass(frozen=True)
class Machine:
    """A machine. Its cores share the ``map`` stages; a GPU runs the models ``gpu`` times as fast as one core."""

    name: str
    cores: int
    gpu: float = 0.0


MACHINES = (Machine("2 cores", 2), Machine("2 cores and a GPU", 2, 20.0), Machine("16 nodes of 16 cores", 256))


@dataclass(frozen=True)
class Cost:
    """Seconds of one core, in the models and in other code."""

    models: float
    rest: float

    def seconds(self, stage: str, machine: Machine) -> float:
        """The time on a machine, where models and other code do not overlap."""
        share = machine.cores if stage in _MAPPED else 1
        models = self.models / machine.gpu if machine.gpu else self.models / share
        return models + self.rest / share


def _each(figures: Sequence[Mapping[str, Any]], stage: str, unit: str = "read") -> float:
    """CPU seconds for each record read, or for each article of the corpus, in the largest run."""
    runs = [one for one in figures if one["stage"] == stage and "articles" in one]
    largest = max(runs, key=lambda one: one["articles"])
    return float(largest["cpu_seconds"] / largest[unit])


def costs(figures: Sequence[Mapping[str, Any]], tag: float, parse: float, annotate: float) -> dict[str, Cost]:
    """The costs of each stage; ``tag``, ``parse`` and ``annotate`` are milliseconds for a sentence or passage."""
    asked = ARTICLES * PARSED * ASKED
    problems = asked * ANSWERED
    counts = {
        "ingest": ARTICLES,
        "index": ARTICLES,
        "retrieve": asked,
        "choices": problems,
        "dedup": problems,
        "suppress": problems,
        "split": problems,
        "export": problems,
    }
    found = {stage: Cost(0.0, count * _each(figures, stage)) for stage, count in counts.items()}
    found["sentences"] = Cost(ARTICLES * tag / 1000, 0.0)
    found["questions"] = Cost(ARTICLES * PARSED * parse / 1000, 0.0)
    found["choices"] = Cost(asked * TRIED * annotate / 1000, found["choices"].rest)
    # The stage reads problems, but its cost comes from splitting the corpus into sentences.
    found["baselines"] = Cost(0.0, ARTICLES * _each(figures, "baselines", "articles") + WORDS / 1e6 * _LMPLZ)
    order = (
        "ingest",
        "index",
        "sentences",
        "questions",
        "retrieve",
        "choices",
        "dedup",
        "baselines",
        "suppress",
        "split",
        "export",
    )
    return {stage: found[stage] for stage in order}


def table(found: Mapping[str, Cost], machines: Sequence[Machine] = MACHINES) -> str:
    """A Markdown table of hours by stage and machine."""
    rows = [f"| stage | {' | '.join(machine.name for machine in machines)} |", "|---|" + "---:|" * len(machines)]
    for stage, cost in found.items():
        rows.append(f"| {stage} | " + " | ".join(f"{cost.seconds(stage, one) / 3600:.2f} h" for one in machines) + " |")
    whole = (sum(cost.seconds(stage, one) for stage, cost in found.items()) / 3600 for one in machines)
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

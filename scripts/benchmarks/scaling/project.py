#!/usr/bin/env python3
"""How long a run over Gigaword would take on some machines: measured costs times assumed numbers, stage by stage.

    scripts/benchmarks/scaling/project.py docs/explanation/scaling.jsonl --tag 1.9 --parse 20 --annotate 60

Costs without a model are read from the largest run in the file; those of the models are milliseconds of one core, given as
options. Nothing is measured here: see docs/explanation/scaling.md for what is assumed.
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
# Shares of first sentences that are parsed, of those that become questions, of these that find a passage; passages tried.
PARSED, ASKED, ANSWERED, TRIED = 0.15, 0.6, 0.6, 1.4
# lmplz: seconds of one core for a million words of five-grams.
_LMPLZ = 1.75
_MAPPED = ("sentences", "questions", "retrieve", "choices")


@dataclass(frozen=True)
class Machine:
    """``cores`` share the stages that map; a GPU takes the models' part, ``gpu`` times as fast as one core."""

    name: str
    cores: int
    gpu: float = 0.0


MACHINES = (Machine("2 cores", 2), Machine("2 cores and a GPU", 2, 20.0), Machine("16 nodes of 16 cores", 256))


@dataclass(frozen=True)
class Cost:
    """Seconds of one core: in models, and besides."""

    models: float
    rest: float

    def seconds(self, stage: str, machine: Machine) -> float:
        """The time on a machine; models and the rest of the work do not overlap."""
        share = machine.cores if stage in _MAPPED else 1
        models = self.models / machine.gpu if machine.gpu else self.models / share
        return models + self.rest / share


def _each(figures: Sequence[Mapping[str, Any]], stage: str, unit: str = "read") -> float:
    """CPU seconds a record read, or an article of the corpus, in the largest run."""
    runs = [one for one in figures if one["stage"] == stage and "articles" in one]
    largest = max(runs, key=lambda one: one["articles"])
    return float(largest["cpu_seconds"] / largest[unit])


def costs(figures: Sequence[Mapping[str, Any]], tag: float, parse: float, annotate: float) -> dict[str, Cost]:
    """What each stage costs; ``tag``, ``parse`` and ``annotate`` are milliseconds a sentence or passage."""
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
    # It reads problems, but its cost is that of cutting the corpus.
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
    """Hours by stage and machine, as Markdown."""
    rows = [f"| stage | {' | '.join(machine.name for machine in machines)} |", "|---|" + "---:|" * len(machines)]
    for stage, cost in found.items():
        rows.append(f"| {stage} | " + " | ".join(f"{cost.seconds(stage, one) / 3600:.2f} h" for one in machines) + " |")
    whole = (sum(cost.seconds(stage, one) for stage, cost in found.items()) / 3600 for one in machines)
    return "\n".join([*rows, "| **all** | " + " | ".join(f"**{hours:.1f} h**" for hours in whole) + " |"])


def main() -> None:
    """Read the command line and print the table."""
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

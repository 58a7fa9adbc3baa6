"""Fits the evidence score to labelled problems, and measures it (docs/explanation/evidence-score.md).

    python scripts/fit_evidence.py data/labels/decided.jsonl [--run NAME=RUN …]

Each line of the labels has the features of an alternative and what its readers said. The weights are fitted to the lines
without ``test``; all figures are of the lines with it, except those of cross-validation. ``--run`` computes the features of
the corpus NAME anew from a run, and writes them into the file; alternatives that the run lacks keep theirs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quality.event_fits import Array, apply, auc, crossed, fit
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.adapters.sentence_models import SentenceEncoder
from wdw_build.dataset import Run, open_run
from wdw_build.records import ProblemAlternatives
from wdw_build.similarity.evidence import WEIGHTS, Case, EvidenceScorer, Features
from wdw_build.stage_order import STAGES
from wdw_build.text.passages.word_frequencies import read_frequencies

Line = dict[str, Any]
THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9)
FIELDS = Features._fields


def share(line: Line, holds: Any) -> float:
    """The share of the two readers and the judge of whom something holds."""
    votes = [bool(holds(vote)) for vote in (*line["readers"], line["judge"])]
    return sum(votes) / len(votes)


class Labels:
    """Labelled alternatives: features (n, features), and the shares of votes that the passage decides, and that two choices fit."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.x: Array = np.array([line["features"] for line in lines])
        self.follows: Array = np.array([share(line, lambda vote: vote["how"] == "passage") for line in lines])
        self.two: Array = np.array([share(line, lambda vote: vote["also"]) for line in lines])
        self.groups = [f"{line['corpus']} {line['question']}" for line in lines]

    @property
    def target(self) -> Array:
        """The target of the fit: the passage decides, and for the answer alone."""
        return self.follows * (1 - self.two)

    def aucs(self, scores: Array) -> str:
        """The AUC for "follows from the passage", and for "no other choice fits"."""
        return f"{auc(scores, self.follows > 0.5):>8.3f}{auc(scores, self.two < 0.5):>8.3f}"


def features_of(run: Run, lines: Sequence[Line]) -> None:
    """Compute the features of the lines whose alternatives a run has."""
    frequencies = read_frequencies(run.outputs["index"].folder)
    scorer = EvidenceScorer(SentenceEncoder(), PunktSplitter().sentences, frequencies)
    for line in lines:
        record = run.all_alternatives.find(line["question"])
        number = _number(record, line) if record else None
        if record is None or number is None:
            print(f"{line['corpus']} {line['question']}: not in the run")
            continue
        problem = record.outline(number)
        article = run.articles.find(problem.passage.article)
        assert article
        case = Case(problem.question, article, problem.choices, problem.answer)
        line["features"] = [round(value, 3) for value in scorer.features([case])[0]]


def _number(record: ProblemAlternatives, line: Line) -> int | None:
    """The number of the alternative with the labelled blank, passage and set of choices."""
    for number, one in enumerate(record.alternatives):
        found = one.blank, record.passages[one.passage].article, one.choice_set, len(one.choices), one.answer
        if found == (line["blank"], line["passage"], line["choice_set"], line["choices"], line["answer"]):
            return number
    return None


def report(train: Labels, test: Labels) -> None:
    """Print the fit, its AUC with and without each feature, and what each threshold keeps."""
    every = Labels([*train.lines, *test.lines])
    ones = np.ones(len(every.lines))
    print(f"fitted to {len(train.lines)} alternatives, measured on {len(test.lines)}; AUC follows | no other fits")
    weights = fit(train.x, train.target, np.ones(len(train.lines)))
    print(f"fitted   {np.round(weights, 2).tolist()}\nproduct  {list(WEIGHTS)}")
    scores = apply(np.array(WEIGHTS), test.x)
    print(f"{'product':<16}{test.aucs(scores)}")
    print(f"{'cross-validated':<16}{every.aucs(crossed(every.x, every.target, ones, every.groups))}  (all lines)")
    for number, name in enumerate(FIELDS):
        rest = [other for other in range(len(FIELDS)) if other != number]
        less = apply(fit(train.x[:, rest], train.target, np.ones(len(train.lines))), test.x[:, rest])
        cross = crossed(every.x[:, rest], every.target, ones, every.groups)
        print(
            f"without {name:<10}{test.aucs(less)}   cross-validated{every.aucs(cross)}   alone{test.aucs(test.x[:, number])}"
        )
    print(f"{'threshold':<12}{'kept':>7}{'follows':>9}{'two fit':>9}{'same event':>12}")
    for threshold in THRESHOLDS:
        kept = scores >= threshold
        same = np.array([line["judge"]["event"] == "same" for line in test.lines])
        shares = (np.mean(part[kept]) for part in (test.follows > 0.5, test.two > 0.5, same))
        print(f"{threshold:<12}{np.mean(kept):>7.2f}" + "".join(f"{value:>10.2f}" for value in shares))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Fit the evidence score to labelled problems and measure it.")
    parser.add_argument("labels", type=Path)
    parser.add_argument("--run", action="append", default=[], metavar="NAME=RUN", help="compute the features anew")
    arguments = parser.parse_args()
    lines = [json.loads(line) for line in arguments.labels.read_text(encoding="utf-8").splitlines()]
    for given in arguments.run:
        name, _, run = given.partition("=")
        features_of(open_run(Path(run), STAGES), [line for line in lines if line["corpus"] == name])
    if arguments.run:
        arguments.labels.write_text(
            "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8"
        )
    report(Labels([one for one in lines if not one["test"]]), Labels([one for one in lines if one["test"]]))


if __name__ == "__main__":
    main()

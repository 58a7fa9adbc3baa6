"""Fits the evidence score to labelled problems, and measures it (docs/explanation/evidence-score.md).

    python scripts/fit_evidence.py data/labels/decided.jsonl [--run NAME=RUN …]

Each line of the labels has the features of an alternative and what its readers said. The weights are fitted to the lines
without ``test``; all figures are of the lines with it, except those of cross-validation. ``--run`` computes the features of
the corpus NAME anew from a run, and writes them into the file; without alternatives that a run of their corpus lacks.

Lines with ``scarce`` have an answer that is neither the first nor the most named choice: suppression keeps mostly such
alternatives, so they count twice, and have a test of their own.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quality.event_fits import Array, apply, auc, crossed, fit
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.adapters.sentence_models import SentenceEncoder
from wdw_build.records import ProblemAlternatives
from wdw_build.text.passages.evidence import WEIGHTS, Case, EvidenceScorer, Features
from wdw_build.text.passages.same_event import read_frequencies
from wdw_build.views.dataset import Run, open_run

Line = dict[str, Any]
THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9)
FIELDS = Features._fields


def share(line: Line, holds: Any) -> float:
    """The share of the two readers and the judge of whom something holds."""
    votes = [bool(holds(vote)) for vote in (*line["readers"], line["judge"])]
    return sum(votes) / len(votes)


def decides(answer: int, vote: dict[str, Any]) -> bool:
    """Whether a reader found that the passage decides, and for the marked answer, which the judge knows."""
    return bool(vote["how"] == "passage") and vote.get("answer", answer) == answer


class Labels:
    """Labelled alternatives: features (n, features), and the shares of votes that the passage decides, and that two choices fit."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.x: Array = np.array([line["features"] for line in lines])
        self.follows: Array = np.array([share(line, functools.partial(decides, line["answer"])) for line in lines])
        self.two: Array = np.array([share(line, lambda vote: vote["also"]) for line in lines])
        self.groups = [f"{line['corpus']} {line['question']}" for line in lines]
        # Suppression keeps mostly alternatives in which the answer is scarce.
        self.scarce: Array = np.array([line["scarce"] for line in lines])
        self.shares: Array = 1.0 + self.scarce

    @property
    def target(self) -> Array:
        """The target of the fit: the passage decides, and for the answer alone."""
        return self.follows * (1 - self.two)

    def aucs(self, scores: Array) -> str:
        """The AUC for "follows from the passage", and for "no other choice fits": of scarce answers, and of the others."""
        parts = (self.scarce, ~self.scarce)
        pairs = ((auc(scores[part], high[part]) for high in (self.follows > 0.5, self.two < 0.5)) for part in parts)
        return " |".join("".join(f"{value:>7.3f}" for value in pair) for pair in pairs)


def features_of(run: Run, lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines whose alternatives a run has, with their features."""
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
        counts = [len(choice.mentions) for choice in problem.choices]
        first = min(problem.choices, key=lambda choice: choice.mentions[0].start)
        is_first = problem.choices[problem.answer] is first
        features = [round(value, 3) for value in scorer.features([case])[0]]
        yield line | {"scarce": not is_first and counts[problem.answer] < max(counts), "features": features}


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
    print(
        f"fitted to {len(train.lines)} alternatives, measured on {len(test.lines)}, {sum(test.scarce)} of them scarce"
    )
    print("AUC of follows and no other fits, for scarce answers | for the others")
    weights = fit(train.x, train.target, train.shares)
    print(f"fitted   {np.round(weights, 2).tolist()}\nproduct  {list(WEIGHTS)}")
    scores = apply(np.array(WEIGHTS), test.x)
    print(f"{'product':<16}{test.aucs(scores)}")
    print(
        f"{'cross-validated':<16}{every.aucs(crossed(every.x, every.target, every.shares, every.groups))}  (all lines)"
    )
    for number, name in enumerate(FIELDS):
        rest = [other for other in range(len(FIELDS)) if other != number]
        less = apply(fit(train.x[:, rest], train.target, train.shares), test.x[:, rest])
        cross = crossed(every.x[:, rest], every.target, every.shares, every.groups)
        print(
            f"without {name:<10}{test.aucs(less)}   cross-validated{every.aucs(cross)}   alone{test.aucs(test.x[:, number])}"
        )
    print(
        f"{'threshold':<12}{'kept':>7}{'follows':>9}{'two fit':>9}{'same event':>12}   of scarce answers; then of the others"
    )
    same = np.array([line["judge"]["event"] == "same" for line in test.lines])
    for part, threshold in itertools.product((test.scarce, ~test.scarce), THRESHOLDS):
        kept = part & (scores >= threshold)
        shares = (np.mean(what[kept]) for what in (test.follows > 0.5, test.two > 0.5, same))
        print(f"{threshold:<12}{kept.sum() / part.sum():>7.2f}" + "".join(f"{value:>10.2f}" for value in shares))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Fit the evidence score to labelled problems and measure it.")
    parser.add_argument("labels", type=Path)
    parser.add_argument("--run", action="append", default=[], metavar="NAME=RUN", help="compute the features anew")
    arguments = parser.parse_args()
    lines = [json.loads(line) for line in arguments.labels.read_text(encoding="utf-8").splitlines()]
    for given in arguments.run:
        name, _, run = given.partition("=")
        found = list(features_of(open_run(Path(run)), [line for line in lines if line["corpus"] == name]))
        lines = [line for line in lines if line["corpus"] != name] + found
    if arguments.run:
        arguments.labels.write_text(
            "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8"
        )
    report(Labels([one for one in lines if not one["test"]]), Labels([one for one in lines if one["test"]]))


if __name__ == "__main__":
    main()

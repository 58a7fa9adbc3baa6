"""Fits the event score to labelled pairs and says what it is worth (docs/same_event.md).

    python scripts/fit_same_event.py LABELS=RUN … [--test LABELS=RUN …] [--problems LABELS,LABELS=RUN …]

LABELS is a file of ``data/labels``; RUN, the folder of a run on the corpus of its ids. AUC: of each figure alone, and of
the score by cross-validation over questions, over days (pairs of one day are often one story), and fitted to the other
corpora alone. ``--test`` measures the product's weights on pairs that are not fitted to; ``--problems``, how many of the
problems of a run (with whatever ``retrieve`` keys it had) tell of the same event, as far as they are labelled.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quality.event_features import Text, cut, measured, product
from wdw_build.core.frequencies import FrequencyCounter
from wdw_build.core.store import Output
from wdw_build.records import Article, Problem, Question, Record, Retrieval
from wdw_build.text import same_event
from wdw_build.text.same_event import Features, Frequencies
from wdw_build.text.tokens import words

THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
FOLDS = 10
PENALTY = 1.0  # of the squared weights of standardised features
Array = Any  # numpy's


@dataclass(frozen=True)
class Pair:
    """A labelled pair with its figures."""

    question: Question
    same: bool
    features: Features
    measured: dict[str, float]


@dataclass(frozen=True)
class Set:
    """The pairs of one corpus, and for every question of the run the features of its valid candidates."""

    name: str
    pairs: list[Pair]
    absent: int
    found: list[list[Features]]

    @property
    def x(self) -> Array:
        """The product's features, a row a pair."""
        return np.array([pair.features for pair in self.pairs])

    @property
    def y(self) -> Array:
        """1.0 for the same event."""
        return np.array([float(pair.same) for pair in self.pairs])


class Corpus:
    """The articles of a run, cut when asked for."""

    def __init__(self, run: Path) -> None:
        self.run, self._cut = run, dict[str, Text]()
        counter, total = FrequencyCounter(), 0
        for article in self.records("ingest", Article):
            every = words(article.text)
            counter.add(every)
            total += len(every)
        self._ingest = Output((run / "ingest").resolve(), Article)
        self.frequencies: Frequencies = counter.result()
        self.mean_words = total / max(1, self.frequencies.articles)

    def records(self, stage: str, kind: type[Record]) -> Iterator[Any]:
        """The records of a stage."""
        yield from Output((self.run / stage).resolve(), kind).records()

    def text(self, article: str) -> Text | None:
        """An article, cut; None if the run has none of that id."""
        if article not in self._cut and (found := self._ingest.find(article)):
            self._cut[article] = cut(found)  # type: ignore[arg-type]
        return self._cut.get(article)


def read(labels: Path, run: Path) -> Set:
    """The pairs of a label file, with figures from the run."""
    corpus = Corpus(run)
    questions = {question.id: question for question in corpus.records("questions", Question)}
    pairs, absent = [], 0
    for line in labels.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        question, own, text = (
            questions.get(label["question"]), corpus.text(label["question"]), corpus.text(label["candidate"])
        )  # fmt: skip
        if not (question and own and text):
            absent += 1
            continue
        figures = measured(question, own, text, corpus.frequencies, corpus.mean_words)
        made = product(question, own, text, corpus.frequencies)
        pairs.append(Pair(question, label["label"] == "same", made, figures))
    found = [_valid(corpus, questions[one.id], one) for one in corpus.records("retrieve", Retrieval)]
    return Set(labels.stem, pairs, absent, found)


def _valid(corpus: Corpus, question: Question, retrieval: Retrieval) -> list[Features]:
    own = corpus.text(question.id)
    texts = [corpus.text(one.article) for one in retrieval.candidates if not one.rule]
    return [product(question, own, text, corpus.frequencies) for text in texts if own and text]


def auc(scores: Array, y: Array) -> float:
    """The likelihood that a pair of the same event scores higher than another; a tie is half."""
    high, low = scores[y == 1], scores[y == 0]
    wins = (high[:, None] > low).sum() + 0.5 * (high[:, None] == low).sum()
    return float(wins / (len(high) * len(low)))


def fit(x: Array, y: Array) -> Array:
    """Weights of a logistic regression (Newton's method, ridge on standardised features), the intercept first."""
    mean, spread = x.mean(axis=0), x.std(axis=0)
    rows = np.column_stack([np.ones(len(x)), (x - mean) / spread])
    ridge = PENALTY * np.diag([0.0] + [1.0] * x.shape[1])
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (p - y) + ridge @ weights
        weights = weights - np.linalg.solve((rows.T * (p * (1 - p))) @ rows + ridge, slope)
    raw = weights[1:] / spread
    return np.concatenate([[weights[0] - raw @ mean], raw])


def apply(weights: Array, x: Array) -> Array:
    """The score of every row."""
    return 1 / (1 + np.exp(-(weights[0] + x @ weights[1:])))


def crossed(x: Array, y: Array, groups: Sequence[str]) -> Array:
    """Each row's score by a fit without the rows of its fold; the rows of a group are in one fold."""
    sizes = {group: groups.count(group) for group in groups}
    filled = [0] * FOLDS
    fold = {}
    for group in sorted(sizes, key=lambda one: (-sizes[one], one)):
        fold[group] = filled.index(min(filled))
        filled[fold[group]] += sizes[group]
    where = np.array([fold[group] for group in groups])
    scores = np.zeros(len(y))
    for number in set(where):
        scores[where == number] = apply(fit(x[where != number], y[where != number]), x[where == number])
    return scores


def by_question(one: Set) -> list[str]:
    """The groups of cross-validation over questions."""
    return [pair.question.id for pair in one.pairs]


def by_day(one: Set) -> list[str]:
    """The groups of cross-validation over days."""
    return [pair.question.date.isoformat() for pair in one.pairs]


def product_weights() -> Array:
    """The weights that the product holds."""
    return np.array(
        [same_event.INTERCEPT, same_event.LEADS_WEIGHT, same_event.OPENING_WEIGHT, same_event.DAYS_WEIGHT]
    )


def auc_table(sets: list[Set]) -> None:
    """AUC of each figure, and of the score."""
    print(f"{'AUC':<44}" + "".join(f"{one.name:>22}{'(0 or 1 days)':>16}" for one in sets))
    for name in sets[0].pairs[0].measured:
        _row(name, [np.array([pair.measured[name] for pair in one.pairs]) for one in sets], sets)
    _row("score, cross-validated over questions", [crossed(one.x, one.y, by_question(one)) for one in sets], sets)
    _row("score, cross-validated over days", [crossed(one.x, one.y, by_day(one)) for one in sets], sets)
    if len(sets) > 1:
        others = [[other for other in sets if other is not one] for one in sets]
        fitted = [fit(np.vstack([o.x for o in rest]), np.concatenate([o.y for o in rest])) for rest in others]
        _row("score, fitted to the other corpora", [apply(w, one.x) for w, one in zip(fitted, sets, strict=True)], sets)


def fitted_table(sets: list[Set]) -> None:
    """The weights of a fit to all the pairs beside the product's, and what the score is worth by threshold."""
    weights = fit(np.vstack([one.x for one in sets]), np.concatenate([one.y for one in sets]))
    names = ("INTERCEPT", "LEADS_WEIGHT", "OPENING_WEIGHT", "DAYS_WEIGHT")
    for name, fitted, held in zip(names, weights, product_weights(), strict=True):
        print(f"{name:<16} fitted {fitted:>8.3f}   in the product {held:>8.3f}")
    for one in sets:
        worth(one, crossed(one.x, one.y, by_day(one)))


def _row(name: str, scores: list[Array], sets: list[Set]) -> None:
    cells = []
    for values, one in zip(scores, sets, strict=True):
        near = np.exp(one.x[:, 2]) < 2.5
        cells.append(f"{auc(values, one.y):>22.3f}{auc(values[near], one.y[near]):>16.3f}")
    print(f"{name:<44}" + "".join(cells))


def worth(one: Set, scores: Array) -> None:
    """Precision and recall of the pairs by threshold, and how many questions keep a candidate."""
    print(f"\n{one.name}: {len(one.pairs)} pairs, {int(one.y.sum())} of the same event"
          + (f"; {one.absent} are not in the run" if one.absent else ""))  # fmt: skip
    print(f"{'min_event_score':<18}{'pairs':>8}{'precision':>12}{'recall':>9}{'questions':>12}")
    for threshold in THRESHOLDS:
        kept = scores >= threshold
        left = sum(any(same_event.score(made) >= threshold for made in found) for found in one.found)
        precision = f"{one.y[kept].mean():.2f}" if kept.any() else "-"
        recall = one.y[kept].sum() / one.y.sum()
        print(f"{threshold:<18}{int(kept.sum()):>8}{precision:>12}{recall:>9.2f}{left:>12}")


def problems(labels: Sequence[Path], run: Path) -> None:
    """How many problems a run has, and how many of the labelled ones tell of the same event."""
    lines = [json.loads(line) for path in labels for line in path.read_text(encoding="utf-8").splitlines()]
    label = {(line["question"], line["candidate"]): line["label"] for line in lines}
    made = [(one.id, one.passage.article) for one in Output((run / "choices").resolve(), Problem).records()]  # type: ignore[attr-defined]
    known = [label[pair] for pair in made if pair in label]
    same = known.count("same")
    precision = f"{same / len(known):.2f}" if known else "-"
    print(f"{run.name:<16}{len(made):>6} problems{len(known):>6} labelled{same:>6} same event   precision {precision}")


def main() -> None:
    """Measure, fit, print."""
    parser = argparse.ArgumentParser(description="Fit the event score to labelled pairs and measure it.")
    parser.add_argument("sets", nargs="*", metavar="LABELS=RUN", help="pairs to fit to, and the run with their texts")
    parser.add_argument("--test", action="append", default=[], metavar="LABELS=RUN", help="pairs to measure alone")
    parser.add_argument("--problems", action="append", default=[], metavar="LABELS,…=RUN", help="a run's problems")
    arguments = parser.parse_args()
    sets, tests = ([read(*map(Path, one.split("=", 1))) for one in given] for given in (arguments.sets, arguments.test))
    if sets:
        auc_table(sets)
        fitted_table(sets)
    for one in tests:
        scores = apply(product_weights(), one.x)
        print(f"\n{one.name}, not fitted to: AUC {auc(scores, one.y):.3f}", end="")
        worth(one, scores)
    for one in arguments.problems:
        labels, run = one.split("=", 1)
        problems([Path(path) for path in labels.split(",")], Path(run))


if __name__ == "__main__":
    main()

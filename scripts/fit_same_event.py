"""Fits the event scorers to labelled pairs, and measures them (docs/explanation/event-score.md).

    python scripts/fit_same_event.py LABELS=RUN … [--test LABELS=RUN …]

LABELS is a file in ``data/labels``, and RUN the folder of a run on the corpus of its ids. The weights of each scorer are
fitted to the pairs that are in no ``--test`` file. For each scorer, the script prints the fitted weights and the shipped
ones, the AUC of each feature and of the score, and precision and yield by threshold.
"""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quality.event_fits import Array, apply, auc, crossed, fit
from wdw_build.adapters import event_scorers
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.adapters.sentence_models import SentenceEncoder
from wdw_build.ports import ArticleText, EventQuestion
from wdw_build.text.dates import day_number
from wdw_build.text.passages import same_event
from wdw_build.text.passages.same_event import Frequencies, read_frequencies
from wdw_build.views.dataset import open_run

THRESHOLDS = (0.0, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7)
SHOWN = 0.5  # the threshold at which fits to the other corpora are reported
# A passage about a related event may hold the answer; it counts as a quarter of one about the same event.
TARGETS = {"same": 1.0, "related": 0.25, "other": 0.0}
# The weight of a corpus in the fit, for any number of pairs. The sample is invented, and has no label "other".
SHARES = {"sample": 0.5}
SCORERS: dict[str, tuple[Any, tuple[float, ...]]] = {
    "lexical": (event_scorers.LexicalScorer(), same_event.WEIGHTS),
    "encoder": (event_scorers.EncoderScorer(SentenceEncoder()), event_scorers.ENCODER_WEIGHTS),
}


class Corpus:
    """The articles of a run, split into sentences when needed."""

    def __init__(self, run: Path) -> None:
        self.name, self._run = run.name, open_run(run)
        self.frequencies: Frequencies = read_frequencies(self._run.outputs["index"].folder)
        self.text = functools.cache(self._text)

    def _text(self, article: str) -> ArticleText | None:
        if (found := self._run.articles.find(article)) is None:
            return None
        return ArticleText(found.id, day_number(found.date), found.title, PunktSplitter().sentences(found.text))

    def question(self, article: str) -> str:
        """The question's sentence; without a question, the first sentence of the article."""
        if (found := self._run.questions.find(article)) is not None:
            return found.sentence
        text = self.text(article)
        return text.sentences[0] if text and text.sentences else ""

    def retrievals(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each question's id and its valid candidates."""
        for one in self._run.retrievals:
            yield one.id, [candidate.article for candidate in one.candidates if not candidate.rule]


@dataclass(frozen=True)
class Pair:
    """A labelled pair of a question and a candidate."""

    corpus: Corpus
    question: str
    candidate: str
    label: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Identifies the pair."""
        return self.corpus.name, self.question, self.candidate

    def arguments(self) -> tuple[str, ArticleText, list[ArticleText], Frequencies]:
        """The arguments for a scorer's methods."""
        own, candidate = self.corpus.text(self.question), self.corpus.text(self.candidate)
        assert own
        assert candidate
        return self.corpus.question(self.question), own, [candidate], self.corpus.frequencies


@dataclass(frozen=True)
class Set:
    """The pairs of a label file."""

    name: str
    pairs: list[Pair]

    @functools.cached_property
    def labels(self) -> Array:
        """The labels of the pairs."""
        return np.array([pair.label for pair in self.pairs])

    def figures(self, scorer: str) -> Array:
        """A scorer's features, with a row for each pair."""
        return np.array([_figures(scorer, pair) for pair in self.pairs])

    def scores(self, scorer: str) -> Array:
        """The scores of a scorer, with its cascade."""
        return np.array([_scores(scorer, *pair.arguments())[0] for pair in self.pairs])


def _scores(scorer: str, question: str, own: Any, candidates: Sequence[Any], frequencies: Frequencies) -> list[float]:
    """The scores of a question's candidates, with the cascade."""
    scores: list[list[float]] = SCORERS[scorer][0].score([EventQuestion(question, own, candidates)], frequencies)
    return scores[0]


@functools.cache
def _figures(scorer: str, pair: Pair) -> Any:
    return SCORERS[scorer][0].figures(*pair.arguments())[0]


@functools.cache
def corpus(run: str) -> Corpus:
    """The corpus of a run; each is opened once."""
    return Corpus(Path(run))


def read(given: str) -> Set:
    """The pairs of LABELS=RUN. Reports and skips pairs whose articles are not in the run."""
    labels, _, run = given.partition("=")
    lines = [json.loads(line) for line in Path(labels).read_text(encoding="utf-8").splitlines()]
    every = [Pair(corpus(run), line["question"], line["candidate"], line["label"]) for line in lines]
    found = [pair for pair in every if pair.corpus.text(pair.question) and pair.corpus.text(pair.candidate)]
    if len(found) < len(every):
        print(f"{Path(labels).stem}: {len(every) - len(found)} of {len(every)} pairs are not in the run")
    return Set(Path(labels).stem, found)


def targets(pairs: Sequence[Pair]) -> tuple[Array, Array]:
    """The targets of the fit, and the weights of the pairs."""
    names = [pair.corpus.name for pair in pairs]
    shares = np.array([SHARES.get(name, 1.0) / names.count(name) for name in names])
    return np.array([TARGETS[pair.label] for pair in pairs]), shares * len(pairs) / shares.sum()


def both(scores: Array, labels: Array) -> str:
    """Two AUCs: the same event against all others, and all others against another story."""
    return f"{auc(scores, labels == 'same'):>7.3f}{auc(scores, labels != 'other'):>7.3f}"


def fitted(scorer: str, pairs: list[Pair]) -> None:
    """The fitted weights, and the AUC of fits on pairs that they were not fitted to."""
    every = Set("all", pairs)
    x, labels, (y, shares) = every.figures(scorer), every.labels, targets(pairs)
    print(f"fitted   {np.round(fit(x, y, shares), 2).tolist()}\nproduct  {list(SCORERS[scorer][1])}")
    names = np.array([pair.corpus.name for pair in pairs])
    cross = crossed(x, y, shares, [pair.question for pair in pairs])
    for name in sorted(set(names)):
        rest, own = names != name, names == name
        over = targets([pair for pair in pairs if pair.corpus.name != name])
        alone = apply(fit(x[rest], *over), x[own])
        inside, outside = both(cross[own], labels[own]), both(alone, labels[own])
        print(f"{name:<16}AUC over questions{inside}   fitted to the other corpora{outside}", end="")
        kept = labels[own][alone >= SHOWN]
        parts = (f"{label} {np.mean(kept == label):.2f}" for label in TARGETS)
        print(f"; at {SHOWN}, {len(kept)} of {own.sum()}: {', '.join(parts)}")


def worth(scorer: str, one: Set) -> None:
    """The AUC of features and score, and the precision by threshold."""
    x, scores = one.figures(scorer), one.scores(scorer)
    fields = type(_figures(scorer, one.pairs[0]))._fields
    print(f"\n{scorer}, {one.name}: {len(one.pairs)} pairs; AUC same|rest, rest|other")
    for name, column in zip(fields, x.T, strict=True):
        print(f"  {name:<12}{both(-column if name == 'days' else column, one.labels)}")
    print(f"  {'score':<12}{both(scores, one.labels)}")
    print(f"  {'threshold':<12}{'pairs':>7}{'same':>7}{'other':>7}{'recall':>8}")
    for threshold in THRESHOLDS:
        kept = one.labels[scores >= threshold]
        same, other = (f"{np.mean(kept == label):.2f}" if len(kept) else "-" for label in ("same", "other"))
        recall = (kept == "same").sum() / max(1, (one.labels == "same").sum())
        print(f"  {threshold:<12}{len(kept):>7}{same:>7}{other:>7}{recall:>8.2f}")


def best(scorer: str, one: Corpus, known: dict[tuple[str, str, str], str]) -> None:
    """The number of questions with a candidate at each threshold, and the labels of the best candidates."""
    found = []
    for question, candidates in one.retrievals():
        texts = [one.text(candidate) for candidate in candidates]
        scores = _scores(scorer, one.question(question), one.text(question), texts, one.frequencies)
        top = max(range(len(scores)), key=lambda number: scores[number])
        found.append((scores[top], known.get((one.name, question, candidates[top]), "")))
    print(f"\n{scorer}, {one.name}: the best candidate of each of {len(found)} questions")
    for threshold in THRESHOLDS:
        kept = [label for score, label in found if score >= threshold]
        counts = {label: kept.count(label) for label in TARGETS}
        print(f"  {threshold:<12}{len(kept):>7}   labelled {sum(counts.values()):>4}: {counts}")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Fit the event scorers to labelled pairs and measure them.")
    parser.add_argument("sets", nargs="+", metavar="LABELS=RUN", help="pairs to fit to, and the run with their texts")
    parser.add_argument("--test", action="append", default=[], metavar="LABELS=RUN", help="pairs to measure alone")
    arguments = parser.parse_args()
    sets, tests = ([read(one) for one in given] for given in (arguments.sets, arguments.test))
    held_out = {pair.key for one in tests for pair in one.pairs}
    pairs = [pair for one in sets for pair in one.pairs if pair.key not in held_out]
    print(f"fitted to {len(pairs)} pairs")
    known = {pair.key: pair.label for one in [*sets, *tests] for pair in one.pairs}
    for scorer in SCORERS:
        print(f"\n==== {scorer}")
        fitted(scorer, pairs)
        for one in [*sets, *tests]:
            worth(scorer, one)
        for name in dict.fromkeys(pair.corpus.name for pair in pairs):
            best(scorer, next(pair.corpus for pair in pairs if pair.corpus.name == name), known)


if __name__ == "__main__":
    main()

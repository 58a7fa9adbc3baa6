"""Latent structural SVM (Yu & Joachims 2009) on the semantic features: the score of a choice is that of its best sentence.

Training minimises |w - p|^2 / 2 + C sum_i sum_{c != y_i} max(0, 1 - s(y_i) + s(c))^2 with s(c) = max_h w . f(c, h). The prior
weights p take the place of 0, so that a few problems change the weights only a little. Validation problems choose the penalty C
if there are enough of them, otherwise cross-validation does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wdw_bench.systems.semantic import SemanticSettings
from wdw_bench.systems.semantic.features import GROUPS, NAMES, features
from wdw_bench.systems.semantic.view import Bools, Floats, Lexicon, tokens_of, view
from wdw_bench.systems.vectors import Vectors
from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, TrainingContext
from wdw_build.reading.problems import watched

Weights = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

PENALTIES = (0.0, 0.003, 0.01, 0.03)
ROUNDS = 4
STEPS = 40
LEAST_CHANGE = 0.01


class Examples(NamedTuple):
    """Problems whose choices have a row of features for each sentence."""

    rows: Floats
    """Features (N, F), ordered by problem, choice, sentence."""
    choices: Places
    """First row of each choice."""
    problems: Places
    """First choice of each problem."""
    answers: Places
    """The right choice of each problem, as an index of ``choices``."""


def pack(features: Sequence[Floats], answers: Sequence[int]) -> Examples:
    """Examples from the features (C, S, F) of each problem and the index of its answer."""
    sentences = np.array([values.shape[1] for values in features for _ in range(values.shape[0])], np.intp)
    counts = np.array([values.shape[0] for values in features], np.intp)
    problems = np.cumsum(counts) - counts
    rows = np.concatenate([values.reshape(-1, values.shape[2]) for values in features])
    return Examples(rows, np.cumsum(sentences) - sentences, problems, problems + np.array(answers, np.intp))


def best_rows(examples: Examples, weights: Weights) -> tuple[Places, Weights]:
    """The row of the best sentence of each choice, the first of equals, and its score."""
    scores = (examples.rows @ weights.astype(np.float32)).astype(np.float64)
    return _first_best(scores, examples.choices)


def right(examples: Examples, weights: Weights) -> Bools:
    """Whether the model chooses the answer of each problem; the first of equal choices is chosen."""
    _, scores = best_rows(examples, weights)
    agreed: Bools = _first_best(scores, examples.problems)[0] == examples.answers
    return agreed


def fit(examples: Examples, prior: Weights, penalty: float) -> Weights:
    """The weights for the penalty C of errors: rounds of choosing sentences for the answers and of a convex step (CCCP)."""
    from scipy.optimize import minimize

    weights = prior.copy()
    if not penalty:
        return weights
    for _ in range(ROUNDS):
        rows, _ = best_rows(examples, weights)
        support = examples.rows[rows[examples.answers]].astype(np.float64)
        objective = Objective(examples, support, prior, penalty)
        solution: Any = minimize(objective, weights, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
        change = float(np.abs(solution.x - weights).max())
        weights = solution.x
        if change < LEAST_CHANGE:
            break
    return weights


class Objective:
    """The convex objective once the answers' sentences are chosen: value and gradient at given weights."""

    def __init__(self, examples: Examples, support: Weights, prior: Weights, penalty: float) -> None:
        self._examples, self._support, self._prior, self._penalty = examples, support, prior, penalty
        self._problem_of = _owners(examples.problems, len(examples.choices))

    def __call__(self, weights: Weights) -> tuple[float, Weights]:
        """Value and gradient (F)."""
        rows, scores = best_rows(self._examples, weights)
        short = np.maximum(0.0, 1 - (self._support @ weights)[self._problem_of] + scores)
        short[self._examples.answers] = 0
        active = np.flatnonzero(short)
        pull = 2 * self._penalty * short[active]
        change = weights - self._prior
        wrong = self._examples.rows[rows[active]].T.astype(np.float64) @ pull
        answers = self._support.T @ np.bincount(self._problem_of[active], pull, len(self._support))
        value = float(change @ change) / 2 + self._penalty * float(short @ short)
        return value, change + wrong - answers


def _first_best(scores: Weights, starts: Places) -> tuple[Places, Weights]:
    """In each group of scores, the index of the first of the highest ones, and the highest score."""
    best = np.maximum.reduceat(scores, starts)
    owners = _owners(starts, len(scores))
    hits = np.flatnonzero(scores == best[owners])
    return hits[np.flatnonzero(np.diff(owners[hits], prepend=-1))], best


def _owners(starts: Places, total: int) -> Places:
    """For each of ``total`` items, the index of the group that it is in."""
    return np.repeat(np.arange(len(starts)), np.diff(starts, append=total))


Problems = Sequence[tuple[Floats, int]]
"""The features (C, S, F) of each problem and the index of its answer."""

ENOUGH = 200
MOST = 2000
FOLDS = 5


def choose_penalty(training: Problems, validation: Problems, prior: Weights) -> float:
    """The least C whose accuracy is within half a standard error of the best one's.

    The standard error is that of a share, sqrt(a (1 - a) / n) for the best accuracy a on n problems.
    """
    counts = np.zeros(len(PENALTIES), np.intp)
    total = 0
    for fitted, held_out in _folds(training, validation):
        examples, tested = pack(*zip(*fitted, strict=True)), pack(*zip(*held_out, strict=True))
        counts += [int(right(tested, fit(examples, prior, penalty)).sum()) for penalty in PENALTIES]
        total += len(held_out)
    if not total:
        return PENALTIES[0]
    best = float(counts.max()) / total
    margin = math.sqrt(best * (1 - best) / total) / 2
    return next(penalty for penalty, count in zip(PENALTIES, counts, strict=True) if count / total >= best - margin)


def _folds(training: Problems, validation: Problems) -> Iterator[tuple[Problems, Problems]]:
    """Pairs of problems to fit and problems held out, of at most 2,000 problems each."""
    if len(validation) >= ENOUGH:
        yield training[:MOST], validation[:MOST]
        return
    problems = [*training, *validation][:MOST]
    # Neighbouring problems may share a passage, so folds are ranges.
    edges = [len(problems) * fold // FOLDS for fold in range(FOLDS + 1)]
    for first, last in pairwise(edges):
        if 0 < last - first < len(problems):
            yield problems[:first] + problems[last:], problems[first:last]


# ---- the system ------------------------------------------------------------------------------------------------------

BATCH = 32
MOST_WORDS = 200_000
# Weights before training, of features that are scaled to standard deviation 1: equal ones in each way of matching.
PRIOR = {
    "sliding window, relative": 0.2,
    "distance": -0.2,
    "both, vectors": 0.2,
    "both, names": 0.2,
    "near": 0.2,
    "near, vectors": 0.2,
}


class SemanticFeatures:
    """``System``: score(choice) = max over sentences of w . f(passage, sentence, question, choice)."""

    def __init__(self, settings: SemanticSettings) -> None:
        self._settings = settings
        self._lexicon: Lexicon
        # Of each feature, divided by its standard deviation in training.
        self._weights: Weights

    @property
    def parameters(self) -> int:
        """The number of weights that are learnt."""
        return int(self._used().sum())

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Learn word frequencies, then the weights; ``validation`` decides on the penalty C."""
        vectors = Vectors(workspace.vectors)
        # In how many passages each word is; words of one passage are left out.
        counts: Counter[str] = Counter()
        for labelled in watched(training, "words", workspace.progress):
            counts.update({token.lower() for token in labelled.problem.passage_tokens})
        known, is_known = vectors.lookup(sorted(counts))
        mean = known[is_known].mean(axis=0) if is_known.any() else np.zeros(vectors.dimensions)
        frequencies = {word: count for word, count in sorted(counts.items()) if count > 1}
        self._lexicon = Lexicon(vectors, frequencies, len(training), np.array(mean, np.float32))
        fitted = self._examples(training, self._settings.max_training, "features", workspace)
        held_out = self._examples(validation, MOST, "validation", workspace)
        self._weights = self._learn(fitted, held_out)
        self._lexicon = self._lexicon.emptied()

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """The score of a choice is that of its best sentence. Reads 32 problems ahead."""
        for values in self._extract(problems):
            scores = (values.astype(np.float64) @ self._weights).max(axis=1)
            yield Prediction(tuple(np.round(scores, 6).tolist()))

    def _used(self) -> Floats:
        """1 for the features that the settings do not leave out, otherwise 0."""
        left_out = {name for group in self._settings.leave_out for name in GROUPS[group]}
        return np.array([name not in left_out for name in NAMES], np.float32)

    def _examples(
        self, problems: LabelledProblems, most: int, label: str, workspace: TrainingContext
    ) -> list[tuple[Floats, int]]:
        """Features and answers of at most ``most`` problems, spread evenly."""
        step = max(-(-len(problems) // most), 1)
        answers: list[int] = []

        def chosen() -> Iterator[ReadingProblem]:
            for labelled in islice(watched(problems, label, workspace.progress), 0, None, step):
                answers.append(labelled.answer)
                yield labelled.problem

        return [(values, answers[number]) for number, values in enumerate(self._extract(chosen()))]

    def _extract(self, problems: Iterable[ReadingProblem]) -> Iterator[Floats]:
        """The features (C, S, F) of each problem."""
        stream = iter(problems)
        while batch := list(islice(stream, BATCH)):
            if len(self._lexicon) > MOST_WORDS:
                self._lexicon = self._lexicon.emptied()
            tokenised = [tokens_of(problem) for problem in batch]
            self._lexicon.learn(word for tokens in tokenised for word in tokens.words())
            for tokens in tokenised:
                yield features(view(tokens, self._lexicon), self._lexicon)

    def _learn(self, fitted: list[tuple[Floats, int]], held_out: list[tuple[Floats, int]]) -> Weights:
        """The weights. Scales the features in place."""
        scale = _deviations(fitted) if fitted else np.ones(len(NAMES), np.float32)
        factors = self._used() / scale
        for values, _ in [*fitted, *held_out]:
            np.multiply(values, factors, out=values)
        prior = np.array([PRIOR.get(name, 0.0) for name in NAMES])
        penalty = choose_penalty(fitted, held_out, prior)
        weights = fit(pack(*zip(*fitted, strict=True)), prior, penalty) if fitted else prior
        learnt: Weights = weights * factors
        return learnt


def _deviations(problems: list[tuple[Floats, int]]) -> Floats:
    """The standard deviation of each feature over all choices and sentences; 1 for constant features."""
    total = sum(values.shape[0] * values.shape[1] for values, _ in problems)
    mean = sum(values.sum(axis=(0, 1), dtype=np.float64) for values, _ in problems) / total
    square = sum(((values - mean) ** 2).sum(axis=(0, 1)) for values, _ in problems) / total
    deviations = np.sqrt(square)
    scaled: Floats = np.where(deviations > 1e-6, deviations, 1.0).astype(np.float32)
    return scaled

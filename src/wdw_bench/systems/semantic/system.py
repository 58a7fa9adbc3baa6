"""The system: features of every choice in every sentence, and the weights of the max-margin model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from wdw_bench.systems.semantic import SemanticSettings
from wdw_bench.systems.semantic.features import GROUPS, NAMES, features
from wdw_bench.systems.semantic.max_margin import MOST, Weights, choose_penalty, fit, pack
from wdw_bench.systems.semantic.view import Floats, Lexicon, tokens_of, view
from wdw_bench.systems.vectors import Vectors
from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, TrainingContext
from wdw_build.reading.problems import watched

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

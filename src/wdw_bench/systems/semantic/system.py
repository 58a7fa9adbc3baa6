"""The system: features of every choice in every sentence, and the weights of the max-margin model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec
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
MODEL = "model.json"
# Weights before training, of features that are scaled to standard deviation 1: equal ones in each way of matching.
PRIOR = {
    "sliding window, relative": 0.2,
    "distance": -0.2,
    "both, vectors": 0.2,
    "both, names": 0.2,
    "near": 0.2,
    "near, vectors": 0.2,
}


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """What is learnt."""

    weights: dict[str, float]
    """Feature -> weight, divided by the feature's standard deviation in training."""
    penalty: float
    """The penalty C of errors that was chosen."""
    passages: int
    """Passages of training, one for each problem."""
    frequencies: dict[str, int]
    """Word in lower case -> number of these passages that have it; words of one passage are left out."""
    centre: tuple[float, ...]
    """The mean vector of the words of training."""


class SemanticFeatures:
    """``System``: score(choice) = max over sentences of w . f(passage, sentence, question, choice)."""

    def __init__(self, settings: SemanticSettings) -> None:
        self._settings = settings
        self._model: Model
        self._vectors: Vectors
        self._lexicon: Lexicon
        self._weights: Weights

    @property
    def parameters(self) -> int:
        """The number of weights that are learnt."""
        return int(self._used().sum())

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Learn word frequencies, then the weights; ``validation`` decides on the penalty C."""
        self._vectors = Vectors(workspace.vectors)
        # In how many passages each word is.
        frequencies: Counter[str] = Counter()
        for labelled in watched(training, "words", workspace.progress):
            frequencies.update({token.lower() for token in labelled.problem.passage_tokens})
        vectors, found = self._vectors.lookup(sorted(frequencies))
        mean = vectors[found].mean(axis=0) if found.any() else np.zeros(self._vectors.dimensions)
        model = Model(
            weights={},
            penalty=0.0,
            passages=len(training),
            frequencies={word: count for word, count in sorted(frequencies.items()) if count > 1},
            centre=tuple(mean.tolist()),
        )
        self._lexicon = self._new_lexicon(model)
        fitted = self._examples(training, self._settings.max_training, "features", workspace)
        held_out = self._examples(validation, MOST, "validation", workspace)
        self._use(msgspec.structs.replace(model, **self._learn(fitted, held_out)))

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``; reads 32 problems ahead."""
        for values in self._extract(problems):
            scores = (values.astype(np.float64) @ self._weights).max(axis=1)
            yield Prediction(tuple(np.round(scores, 6).tolist()))

    def save(self, folder: Path) -> None:
        """Write the model as JSON."""
        (folder / MODEL).write_bytes(msgspec.json.encode(self._model))

    def load(self, folder: Path, workspace: TrainingContext) -> None:
        """Read what ``save`` wrote."""
        self._vectors = Vectors(workspace.vectors)
        self._use(msgspec.json.decode((folder / MODEL).read_bytes(), type=Model))

    def _use(self, model: Model) -> None:
        self._model, self._lexicon = model, self._new_lexicon(model)
        self._weights = np.array([model.weights.get(name, 0.0) for name in NAMES])

    def _used(self) -> Floats:
        """1 for the features that the settings do not leave out, otherwise 0."""
        left_out = {name for group in self._settings.leave_out for name in GROUPS[group]}
        return np.array([name not in left_out for name in NAMES], np.float32)

    def _new_lexicon(self, model: Model) -> Lexicon:
        return Lexicon(self._vectors, model.frequencies, model.passages, np.array(model.centre, np.float32))

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

    def _learn(self, fitted: list[tuple[Floats, int]], held_out: list[tuple[Floats, int]]) -> dict[str, object]:
        """The weights and the penalty, as fields of ``Model``. Scales the features in place."""
        scale = _deviations(fitted) if fitted else np.ones(len(NAMES), np.float32)
        factors = self._used() / scale
        for values, _ in [*fitted, *held_out]:
            np.multiply(values, factors, out=values)
        prior = np.array([PRIOR.get(name, 0.0) for name in NAMES])
        penalty = choose_penalty(fitted, held_out, prior)
        weights = fit(pack(*zip(*fitted, strict=True)), prior, penalty) if fitted else prior
        return {"weights": dict(zip(NAMES, (weights * factors).tolist(), strict=True)), "penalty": penalty}


def _deviations(problems: list[tuple[Floats, int]]) -> Floats:
    """The standard deviation of each feature over all choices and sentences; 1 for constant features."""
    total = sum(values.shape[0] * values.shape[1] for values, _ in problems)
    mean = sum(values.sum(axis=(0, 1), dtype=np.float64) for values, _ in problems) / total
    square = sum(((values - mean) ** 2).sum(axis=(0, 1)) for values, _ in problems) / total
    deviations = np.sqrt(square)
    scaled: Floats = np.where(deviations > 1e-6, deviations, 1.0).astype(np.float32)
    return scaled

"""Conditional log-linear model over the choices of a problem, with hashed features and an L2 penalty, and its systems.

p(choice | problem) = exp(w·f(choice)) / sum over the problem's choices of exp(w·f). Feature strings are hashed to ids
(Weinberger et al. 2009), so that the model has a fixed size. A feature is binary or has a number as its value.

The system ``shallow`` has the features of all parts of the problem.
"""

from __future__ import annotations

import functools
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, repeat
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from wdw_build.core.installed import installed_version
from wdw_build.core.section import Section
from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, System, SystemEntry, TrainingContext
from wdw_build.reading.probes.cues import cues
from wdw_build.reading.probes.features import COUNTED, Features, NameCounts, all_parts, count_features, name_key
from wdw_build.reading.problems import watched

Numbers = Sequence[Mapping[str, float]]
"""For each choice, feature -> value; empty without numeric features."""
HASH_BITS = 20
_IDS = 1 << HASH_BITS
_ITERATIONS = 100
_TOLERANCE = 1e-6
_KEPT_COUNTS = 1024
_DECIMALS = 3

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def feature_ids(features: Iterable[str]) -> list[int]:
    """The ids of features, from 0 to 2^20 - 1; the same in every process."""
    return [checksum % _IDS for checksum in _checksums(features)]


def _checksums(features: Iterable[str]) -> Iterator[int]:
    return map(zlib.crc32, map(str.encode, features))


@functools.lru_cache(maxsize=_KEPT_COUNTS)
def _count_ids(answers: int, distractors: int) -> list[int]:
    return feature_ids(count_features(answers, distractors))


@dataclass(frozen=True)
class Examples:
    """Problems as arrays: the ids of all choices one after the other, and where choices and problems begin."""

    ids: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    """The value of each id: 1 for a binary feature."""
    choice_starts: Ints
    """Index of the first id of each choice."""
    problem_starts: Ints
    """Index of the first choice of each problem."""
    answers: Ints
    """Index of the answer of each problem, among all choices."""

    def __len__(self) -> int:
        return len(self.answers)


@dataclass(frozen=True)
class Encoded:
    """The features of one problem's choices, one choice after the other."""

    ids: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    """The value of each id: 1 for a binary feature."""
    starts: Ints
    """Index of the first id of each choice."""

    def scores(self, weights: Floats) -> Floats:
        """For each choice, the sum of its features' values times their weights."""
        sums: Floats = np.add.reduceat(weights[self.ids] * self.values, self.starts)
        return sums


def encode(choices: Sequence[Iterable[str]], numbers: Numbers = ()) -> Encoded:
    """The features of each choice, at least one each. ``numbers``: further features with their values; empty if there are none."""
    checksums, values, starts = array("I"), array("f"), array("q")
    for index, features in enumerate(choices):
        starts.append(len(checksums))
        checksums.extend(_checksums(features))
        values.extend(repeat(1.0, len(checksums) - len(values)))
        if numbers:
            checksums.extend(_checksums(numbers[index]))
            values.extend(numbers[index].values())
    ids = (np.array(checksums) % _IDS).astype(np.int32)
    return Encoded(ids, np.array(values, np.float32), np.array(starts, np.int64))


def collected(problems: Iterable[tuple[Encoded, int]]) -> Examples:
    """The examples of problems, each with the index of its answer; eight bytes for each feature."""
    known = list(problems)
    encoded = [problem for problem, _ in known]
    first_ids = np.cumsum([0, *(len(problem.ids) for problem in encoded)])
    first_choices = np.cumsum([0, *(len(problem.starts) for problem in encoded)])[: len(encoded)].astype(np.int64)
    return Examples(
        np.concatenate([np.zeros(0, np.int32), *(problem.ids for problem in encoded)]),
        np.concatenate([np.zeros(0, np.float32), *(problem.values for problem in encoded)]),
        np.concatenate(
            [
                np.zeros(0, np.int64),
                *(problem.starts + first for problem, first in zip(encoded, first_ids, strict=False)),
            ]
        ),
        first_choices,
        first_choices + np.array([answer for _, answer in known], np.int64),
    )


def fit(examples: Examples, penalties: Sequence[float], held_out: Examples) -> tuple[Floats, float]:
    """The weights of all ids for the penalty with the least loss on the held-out problems, and that penalty.

    Minimises loss(w) + penalty/2 |w|², summed over the problems, by L-BFGS. ``penalties`` descend; each fit starts from
    the weights of the one before, and the first penalty with a greater held-out loss ends the search. Without held-out
    problems the first penalty is taken; without examples the weights are 0.
    """
    best, best_loss, best_penalty = np.zeros(_IDS), np.inf, penalties[0]
    if not len(examples):
        return best, best_penalty
    is_used = np.zeros(_IDS, np.bool_)
    is_used[examples.ids] = True
    used = np.flatnonzero(is_used)
    # Features without examples share one more column, of weight 0.
    columns = np.full(_IDS, len(used), np.int32)
    columns[used] = np.arange(len(used))
    known, judged = (replace(part, ids=columns[part.ids]) for part in (examples, held_out))
    weights = np.zeros(len(used))
    for penalty in penalties:
        weights = _minimise(known, penalty, weights)
        held_out_loss = _loss(judged, choice_scores(judged, np.append(weights, 0.0)))[0] if len(judged) else 0.0
        if held_out_loss >= best_loss:
            break
        best[used], best_loss, best_penalty = weights, held_out_loss, penalty
    return best, best_penalty


def choice_scores(examples: Examples, weights: Floats) -> Floats:
    """For each choice, the sum of its features' values times their weights."""
    return Encoded(examples.ids, examples.values, examples.choice_starts).scores(weights)


def _loss(examples: Examples, scores: Floats) -> tuple[float, Floats]:
    """-log p of the answers, summed, and its derivative by the score of each choice."""
    sizes = np.diff(examples.problem_starts, append=len(scores))
    shifted = scores - np.repeat(np.maximum.reduceat(scores, examples.problem_starts), sizes)
    exponentials = np.exp(shifted)
    totals = np.add.reduceat(exponentials, examples.problem_starts)
    derivative = exponentials / np.repeat(totals, sizes)
    derivative[examples.answers] -= 1.0
    return float((np.log(totals) - shifted[examples.answers]).sum()), derivative


def _minimise(examples: Examples, penalty: float, start: Floats) -> Floats:
    """The weights with the least penalised loss. The ids of the examples are indices of weights."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_array

    rows = np.append(examples.choice_starts, len(examples.ids))
    holds = csr_array(
        (examples.values.astype(np.float64), examples.ids, rows), shape=(len(examples.choice_starts), len(start))
    )
    by_column = holds.T

    def objective(weights: Floats) -> tuple[float, Floats]:
        value, derivative = _loss(examples, holds @ weights)
        return value + penalty / 2 * float(weights @ weights), by_column @ derivative + penalty * weights

    options = {"maxiter": _ITERATIONS, "ftol": _TOLERANCE}
    minimum: Any = minimize(objective, start, method="L-BFGS-B", jac=True, options=options)
    weights: Floats = minimum.x
    return weights


Penalty = Annotated[float, Meta(gt=0.0)]


class RankerSettings(Section, frozen=True, kw_only=True):
    """Settings of the trained probes."""

    penalties: Annotated[tuple[Penalty, ...], Meta(min_length=1)] = (100.0, 30.0, 10.0, 3.0, 1.0)
    """Weights of the L2 penalty to try. The one with the lowest validation loss is used."""


# A cross-fitted system reads each problem once in every fold and round. About 100 MB.
_MOST_KEPT = 8192
_KEPT: dict[tuple[object, str, int], Encoded] = {}


class LogLinearRanker:
    """A log-linear model over the choices. ``features`` are binary, ``numbers`` have values."""

    def __init__(
        self,
        features: Callable[[ReadingProblem, NameCounts], Features],
        settings: RankerSettings,
        numbers: Callable[[ReadingProblem], Numbers] = lambda problem: (),
    ) -> None:
        self._features, self._numbers = features, numbers
        self._penalties = sorted(settings.penalties, reverse=True)
        self._names = NameCounts()
        self._weights = np.zeros(1 << HASH_BITS)

    @property
    def parameters(self) -> int:
        """The number of weights that are not 0."""
        return int(np.count_nonzero(self._weights))

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Learn the weights; the penalty is the one with the least loss on ``validation``.

        Names are counted in two halves. A training problem sees the counts of the other half, so that they do not hold its
        own answer.
        """
        halves = (NameCounts(), NameCounts())
        for counts, example in zip(cycle(halves), training):
            counts.add(example)
        self._names = halves[0] + halves[1]
        examples = self._collect(training, halves[::-1], workspace)
        held_out = self._collect(validation, (self._names,), workspace)
        self._weights, _ = fit(examples, self._penalties, held_out)

    def _collect(
        self, problems: LabelledProblems, name_counts: Sequence[NameCounts], workspace: TrainingContext
    ) -> Examples:
        """The features of labelled problems, which see the name counts in turn."""
        counted = zip(watched(problems, "features", workspace.progress), cycle(name_counts))
        return collected((self._encoded(example.problem, counts), example.answer) for example, counts in counted)

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """The score of a choice is the sum of its features' weights, rounded to three decimals.

        The last digits of the weights depend on the processor.
        """
        for problem in problems:
            scores = self._encoded(problem, self._names).scores(self._weights)
            yield Prediction(tuple(np.round(scores, _DECIMALS).tolist()))

    def _encoded(self, problem: ReadingProblem, counts: NameCounts) -> Encoded:
        """The features of a problem. All but those of the name counts are the same for every system, and are kept."""
        key = (self._features, problem.id, hash(problem))
        known = _KEPT.get(key)
        if known is None:
            known = encode(self._features(problem, NameCounts()), self._numbers(problem))
            if len(_KEPT) < _MOST_KEPT:
                _KEPT[key] = known
        ids = known.ids.copy()
        for start, choice in zip(known.starts.tolist(), problem.choices, strict=True):
            ids[start + COUNTED.start : start + COUNTED.stop] = _count_ids(*counts.of(name_key(choice)))
        return Encoded(ids, known.values, known.starts)


def _solver_versions(settings: Any, workspace: TrainingContext) -> dict[str, str]:
    """The versions of the libraries that fit a log-linear model."""
    return {name: installed_version(name, "a log-linear model") for name in ("numpy", "scipy")}


def ranker(name: str, title: str, source: str, make: Callable[[Any], System]) -> SystemEntry:
    """The entry of a probe that ranks the choices by a log-linear model."""
    return SystemEntry(
        name=name,
        title=title,
        source=source,
        group="probe",
        make=make,
        version=2,
        settings=RankerSettings,
        trained=True,
        backends=_solver_versions,
    )


SHALLOW = ranker(
    "shallow",
    "Shallow features",
    "logistic regression over the choices",
    lambda settings: LogLinearRanker(all_parts, settings, cues),
)

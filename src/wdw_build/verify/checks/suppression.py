"""Baselines and suppression: predictions, cells, draws, and the accuracy of each baseline on the kept problems.

The scores of the n-gram model and of the word counts are taken from the records; everything else is
computed again. The check is that no bound is exceeded, not that the linear program kept as many problems as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from wdw_build.core.config.settings import Config
from wdw_build.records import AdversaryPredictions, Problem, SuppressionDecision
from wdw_build.verify.files import RunFiles
from wdw_build.verify.hashing import uniform_hash
from wdw_build.verify.report import CheckRecorder, Recorders

BASELINES = ("first-person", "most-frequent", "ngram", "unigram")
_SLACK = 0.5
_EPSILON = 1e-6

_NOT_COUNTED = "-"


class Cells(NamedTuple):
    """The names of baselines and adversaries, and the cell of each problem.

    ``of``: problem id -> a digit for each name (1 if it solves the problem, - if its bound does not count the problem), and the
    number of choices.
    """

    names: tuple[str, ...]
    of: dict[str, tuple[str, int]]


def _passage_scores(problem: Problem) -> dict[str, list[float]]:
    """The scores of the two baselines that use the mentions only: an earlier first mention or more mentions score higher."""
    return {
        "first-person": [
            -float(min((span.start for span in choice.mentions), default=0)) for choice in problem.choices
        ],
        "most-frequent": [float(len(choice.mentions)) for choice in problem.choices],
    }


def _highest(scores: Sequence[float]) -> int:
    """The index of the highest score; if scores are equal, the first index."""
    return list(scores).index(max(scores))


def _wrong_guess(problem: Problem, predictions: AdversaryPredictions, baseline: str) -> str:
    scores = predictions.scores.get(baseline, ())
    if len(scores) != len(problem.choices) or baseline not in predictions.guesses:
        return f"{baseline} has {len(scores)} scores for {len(problem.choices)} choices"
    if predictions.guesses[baseline] != _highest(scores):
        return f"{baseline} predicts choice {predictions.guesses[baseline]}, but its scores are {scores}"
    expected = _passage_scores(problem).get(baseline)
    if expected is not None and predictions.guesses[baseline] != _highest(expected):
        return f"{baseline} predicts choice {predictions.guesses[baseline]}, but the mentions give {_highest(expected)}"
    return ""


def check_guesses(files: RunFiles, recorders: Recorders) -> Cells:
    """Compare the predictions with the problems; return the cell of each problem by its id."""
    recorder = recorders["guesses"]
    cells: dict[str, tuple[str, int]] = {}
    predictions_by_id = {record.id: record for record in files.records("adversary", AdversaryPredictions)}
    expected = (*BASELINES, *_adversaries(predictions_by_id.values()))
    for problem in files.records("dedup", Problem):
        predictions = predictions_by_id.pop(problem.id, None)
        if predictions is None:
            continue
        recorder.count()
        if (predictions.choices, predictions.answer, predictions.date) != (
            len(problem.choices),
            problem.answer,
            problem.date,
        ):
            recorder.fail(problem.id, "choices, answer or date differ from the problem")
        if tuple(predictions.guesses) != expected:
            recorder.fail(problem.id, f"the baselines are {list(predictions.guesses)}, not {list(expected)}")
        for baseline in expected:
            if wrong := _wrong_guess(problem, predictions, baseline):
                recorder.fail(problem.id, wrong)
        solved = "".join(_digit(predictions, name, problem.answer) for name in expected)
        cells[problem.id] = (solved, len(problem.choices))
    return Cells(expected, cells)


def _adversaries(predictions: Iterable[AdversaryPredictions]) -> tuple[str, ...]:
    """The adversaries in the order of the configuration, as the first problem has them after the baselines."""
    first = next(iter(predictions), None)
    return tuple(first.guesses)[len(BASELINES) :] if first is not None else ()


def _digit(predictions: AdversaryPredictions, name: str, answer: int) -> str:
    return _NOT_COUNTED if name in predictions.unbounded else "1" if predictions.guesses.get(name) == answer else "0"


def check_kept(files: RunFiles, config: Config, cells: Cells, recorders: Recorders) -> dict[str, SuppressionDecision]:
    """Check cells, draws, levels and bounds; return the decisions on the kept problems by id."""
    kept = {decision.id: decision for decision in files.records("suppress", SuppressionDecision)}
    for decision in kept.values():
        _check_cell(decision, cells, config.seed, recorders["cells"])
    _check_levels(kept, recorders["levels"])
    strict = [cells.of[decision.id] for decision in kept.values() if decision.strict and decision.id in cells.of]
    _check_bound(cells.names, strict, config.suppress.strict, recorders["strict-bound"])
    relaxed = [cells.of[decision.id] for decision in kept.values() if decision.id in cells.of]
    _check_bound(cells.names, relaxed, config.suppress.relaxed, recorders["relaxed-bound"])
    return kept


def _check_cell(decision: SuppressionDecision, cells: Cells, seed: int, recorder: CheckRecorder) -> None:
    recorder.count()
    if decision.id not in cells.of:
        recorder.fail(decision.id, "has no predictions of the baselines")
    elif (decision.cell, decision.choices) != cells.of[decision.id]:
        recorder.fail(
            decision.id,
            f"is in cell {decision.cell} with {decision.choices} choices; by the predictions it is {cells.of[decision.id]}",
        )
    if decision.draw != uniform_hash(seed, "suppress", decision.id):
        recorder.fail(decision.id, f"has the draw {decision.draw}, which does not follow from seed {seed}")


def _check_levels(kept: dict[str, SuppressionDecision], recorder: CheckRecorder) -> None:
    rates: dict[tuple[str, int], tuple[float, float]] = {}
    for decision in kept.values():
        recorder.count()
        pair = (decision.strict_rate, decision.relaxed_rate)
        if rates.setdefault((decision.cell, decision.choices), pair) != pair:
            recorder.fail(
                decision.id,
                f"has the rates {pair}, but others of its cell have {rates[decision.cell, decision.choices]}",
            )
        elif not 0.0 <= decision.strict_rate <= decision.relaxed_rate + _EPSILON <= 1.0 + 2 * _EPSILON:
            recorder.fail(
                decision.id, f"has the strict rate {decision.strict_rate} and the relaxed rate {decision.relaxed_rate}"
            )


def _check_bound(
    names: Sequence[str], cells: list[tuple[str, int]], bound: float | str, recorder: CheckRecorder
) -> None:
    recorder.count(len(cells))
    allowed: Callable[[int], float] = (lambda choices: 1.0 / choices) if isinstance(bound, str) else (lambda _: bound)
    for number, name in enumerate(names):
        counted = [(cell[number], choices) for cell, choices in cells if cell[number] != _NOT_COUNTED]
        solved = sum(digit == "1" for digit, _ in counted)
        most = sum(allowed(choices) for _, choices in counted)
        if solved > most + _SLACK + _EPSILON:
            recorder.fail(
                name, f"solves {solved} of {len(counted)} problems; {most:.2f} plus half a problem are allowed"
            )

"""Baselines and suppression: predictions, cells, draws, and the selected alternatives.

The scores of the n-gram model and of the word counts are taken from the records; everything else is
computed again. ``bounds`` checks that the selected problems meet all bounds; no check tells whether as many problems as
possible were selected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wdw_build.core.config.settings import Config, SuppressConfig
from wdw_build.records import (
    AdversaryPredictions,
    BaselinePredictions,
    Predictions,
    Problem,
    ProblemAlternatives,
    SuppressionDecision,
)
from wdw_build.verify.alternatives import problem_of
from wdw_build.verify.checks import bounds
from wdw_build.verify.checks.bounds import NOT_COUNTED, Solved
from wdw_build.verify.files import RunFiles
from wdw_build.verify.hashing import uniform_hash
from wdw_build.verify.report import CheckRecorder, Recorders

BASELINES = ("first-person", "most-frequent", "ngram", "unigram")
_EPSILON = 1e-6


class Cells(NamedTuple):
    """The names of baselines and adversaries, and for each article what they do with each alternative.

    ``of``: id -> an entry for each alternative; None if the alternative has no prediction, or its record lacks a part of it.
    ``excluded``: id -> the alternatives that may not be selected. ``is_single``: there is one alternative for each article, and
    none of them is excluded.
    """

    names: tuple[str, ...]
    of: dict[str, tuple[Solved | None, ...]]
    excluded: dict[str, tuple[int, ...]]
    is_single: bool


def each(record: BaselinePredictions) -> tuple[BaselinePredictions | Predictions, ...]:
    """The predictions for each alternative, in order."""
    return (record, *record.others)


def _passage_scores(problem: Problem) -> dict[str, tuple[float, ...]]:
    """The scores of the two baselines that use the mentions only: an earlier first mention or more mentions score higher."""
    return {
        "first-person": tuple(
            -float(min((span.start for span in choice.mentions), default=0)) for choice in problem.choices
        ),
        "most-frequent": tuple(float(len(choice.mentions)) for choice in problem.choices),
    }


def _highest(scores: Sequence[float]) -> int:
    """The index of the highest score; if scores are equal, the first index."""
    return list(scores).index(max(scores))


def _wrong_guess(problem: Problem, predictions: BaselinePredictions | Predictions, baseline: str) -> str:
    scores = predictions.scores.get(baseline, ())
    if len(scores) != len(problem.choices) or baseline not in predictions.guesses:
        return f"{baseline} has {len(scores)} scores for {len(problem.choices)} choices"
    if predictions.guesses[baseline] != _highest(scores):
        return f"{baseline} predicts choice {predictions.guesses[baseline]}, but its scores are {scores}"
    expected = _passage_scores(problem).get(baseline)
    if expected is not None and scores != expected:
        return f"{baseline} has the scores {scores}, but the mentions give {expected}"
    return ""


def check_guesses(files: RunFiles, recorders: Recorders) -> Cells:
    """Compare the predictions with the alternatives; return the cell of each alternative."""
    recorder = recorders["guesses"]
    predictions_by_id = {record.id: record for record in files.records("adversary", AdversaryPredictions)}
    names = (*BASELINES, *_adversaries(predictions_by_id.values()))
    cells: dict[str, tuple[Solved | None, ...]] = {}
    # Most cells are equal, and equal cells share one object.
    known: dict[Solved, Solved] = {}
    is_single = True
    for record in files.records("dedup", ProblemAlternatives):
        predictions = predictions_by_id.get(record.id)
        if predictions is None:
            continue
        is_single = is_single and len(record.alternatives) == 1 and not predictions.excluded
        solved = [_solved(record, number, predictions, names, recorder) for number in range(len(record.alternatives))]
        cells[record.id] = tuple(known.setdefault(one, one) if one else None for one in solved)
        if predictions.date != record.question.date:
            recorder.fail(record.id, f"its date is {predictions.date}, that of the question is {record.question.date}")
        if len(each(predictions)) != len(record.alternatives):
            recorder.fail(
                record.id, f"{len(each(predictions))} alternatives have predictions, not {len(record.alternatives)}"
            )
    excluded = {name: record.excluded for name, record in predictions_by_id.items() if record.excluded}
    return Cells(names, cells, excluded, is_single)


def _solved(
    record: ProblemAlternatives,
    number: int,
    predictions: AdversaryPredictions,
    names: tuple[str, ...],
    recorder: CheckRecorder,
) -> Solved | None:
    """What baselines and adversaries do with an alternative; None without predictions, or if the record lacks a part."""
    problem, alternatives = problem_of(record, number), each(predictions)
    if problem is None or number >= len(alternatives):
        return None
    recorder.count()
    place = f"{record.id}, alternative {number}" if number else record.id
    one = alternatives[number]
    if (one.choices, one.answer) != (len(problem.choices), problem.answer):
        recorder.fail(place, "choices or answer differ from the alternative")
    if tuple(one.guesses) != names:
        recorder.fail(place, f"the baselines are {list(one.guesses)}, not {list(names)}")
    for baseline in names:
        if wrong := _wrong_guess(problem, one, baseline):
            recorder.fail(place, wrong)
    digits = (
        NOT_COUNTED if name in predictions.unbounded else "1" if one.guesses.get(name) == problem.answer else "0"
        for name in names
    )
    return Solved("".join(digits), len(problem.choices), tuple(_places(problem)))


def _places(problem: Problem) -> Iterator[int]:
    """The place of the answer by first mention and by number of mentions; -1 if there is no such choice."""
    for scores in _passage_scores(problem).values():
        order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
        yield order.index(problem.answer) if problem.answer in order else -1


def _adversaries(predictions: Iterable[AdversaryPredictions]) -> tuple[str, ...]:
    """The adversaries in the order of the configuration, as the first article has them after the baselines."""
    first = next(iter(predictions), None)
    return tuple(first.guesses)[len(BASELINES) :] if first is not None else ()


def check_kept(files: RunFiles, config: Config, cells: Cells, recorders: Recorders) -> dict[str, SuppressionDecision]:
    """Check the selected alternatives, cells, draws, levels and bounds; return the decisions by id."""
    kept: dict[str, SuppressionDecision] = {}
    for decision in files.records("suppress", SuppressionDecision):
        if decision.id in kept:
            recorders["selected"].fail(decision.id, "is selected twice")
        kept[decision.id] = decision
    strict: list[Solved] = []
    relaxed: list[Solved] = []
    for decision in kept.values():
        _check_selected(decision, cells, recorders["selected"])
        solved = _cell_of(decision, cells)
        _check_cell(decision, solved, config.seed, recorders["cells"])
        if solved is not None:
            relaxed.append(solved)
            strict += [solved] if decision.strict else []
    _check_levels(kept, has_rates(config.suppress, cells.is_single), recorders["levels"])
    bounds.check(cells.names, strict, relaxed, config.suppress, recorders)
    return kept


def has_rates(config: SuppressConfig, is_single: bool) -> bool:
    """Whether problems are selected by the keep rates of their cells."""
    has_caps = any((config.max_per_passage, config.max_per_event, config.max_per_answer))
    return config.bounds == "pooled" and is_single and not has_caps


def _cell_of(decision: SuppressionDecision, cells: Cells) -> Solved | None:
    alternatives = cells.of.get(decision.id, ())
    return alternatives[decision.alternative] if 0 <= decision.alternative < len(alternatives) else None


def _check_selected(decision: SuppressionDecision, cells: Cells, recorder: CheckRecorder) -> None:
    recorder.count()
    count = len(cells.of.get(decision.id, ()))
    if decision.alternatives != count or not 0 <= decision.alternative < count:
        recorder.fail(
            decision.id,
            f"alternative {decision.alternative} of {decision.alternatives} is selected, of {count} there are",
        )
    if decision.alternative in cells.excluded.get(decision.id, ()):
        recorder.fail(decision.id, f"alternative {decision.alternative} is selected, which the adversaries exclude")


def _check_cell(decision: SuppressionDecision, solved: Solved | None, seed: int, recorder: CheckRecorder) -> None:
    recorder.count()
    if solved is None:
        recorder.fail(decision.id, "has no predictions of the baselines")
    elif (decision.cell, decision.choices) != (solved.cell, solved.choices):
        recorder.fail(
            decision.id,
            f"is in cell {decision.cell} with {decision.choices} choices; by the predictions it is in {solved.cell} with "
            f"{solved.choices}",
        )
    if decision.draw != uniform_hash(seed, "suppress", decision.id):
        recorder.fail(decision.id, f"has the draw {decision.draw}, which does not follow from seed {seed}")


def _check_levels(kept: dict[str, SuppressionDecision], with_rates: bool, recorder: CheckRecorder) -> None:
    rates: dict[tuple[str, int], tuple[float, float]] = {}
    for decision in kept.values():
        recorder.count()
        strict, relaxed = decision.strict_rate, decision.relaxed_rate
        if strict is None or relaxed is None or not with_rates:
            if with_rates or (strict, relaxed) != (None, None):
                recorder.fail(
                    decision.id, f"has the rates {strict} and {relaxed}; there are {'two' if with_rates else 'none'}"
                )
        elif rates.setdefault((decision.cell, decision.choices), (strict, relaxed)) != (strict, relaxed):
            recorder.fail(
                decision.id,
                f"has the rates {strict} and {relaxed}, but others of its cell have "
                f"{rates[decision.cell, decision.choices]}",
            )
        elif not 0.0 <= strict <= relaxed + _EPSILON <= 1.0 + 2 * _EPSILON:
            recorder.fail(decision.id, f"has the strict rate {strict} and the relaxed rate {relaxed}")

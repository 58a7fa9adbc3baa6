"""Baselines and suppression: guesses, cells, draws, and the bounds on what is kept.

What the n-gram model and the word counts say is taken as recorded; what follows from it is not. Whether the linear
programme kept as many problems as could be kept is not checked: that no bound is broken is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from wdw_build.core.config.settings import Config
from wdw_build.records import BaselinePredictions, Problem, SuppressionDecision
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Book, Ledger

BASELINES = ("first-person", "most-frequent", "ngram", "unigram")
_SLACK = 0.5
_SMALL = 1e-6

# What is known of each problem by its baselines: the cell, and the number of choices.
Cells = dict[str, tuple[str, int]]


def _passage_scores(problem: Problem) -> dict[str, list[float]]:
    """The scores that follow from the mentions: earlier is better, more is better."""
    return {
        "first-person": [
            -float(min((span.start for span in choice.mentions), default=0)) for choice in problem.choices
        ],
        "most-frequent": [float(len(choice.mentions)) for choice in problem.choices],
    }


def _highest(scores: Sequence[float]) -> int:
    """The place of the first of the highest."""
    return list(scores).index(max(scores))


def _wrong_guess(problem: Problem, one: BaselinePredictions, baseline: str) -> str:
    scores = one.scores.get(baseline, ())
    if len(scores) != len(problem.choices) or baseline not in one.guesses:
        return f"{baseline}: {len(scores)} scores for {len(problem.choices)} choices"
    if one.guesses[baseline] != _highest(scores):
        return f"{baseline}: chose {one.guesses[baseline]}, but the scores are {scores}"
    expected = _passage_scores(problem).get(baseline)
    if expected is not None and one.guesses[baseline] != _highest(expected):
        return f"{baseline}: chose {one.guesses[baseline]}, but by the mentions it is {_highest(expected)}"
    return ""


def check_guesses(files: RunFiles, book: Book) -> Cells:
    """Compare guesses with problems, in the files' order; the cells by problem id."""
    ledger = book["guesses"]
    cells: Cells = {}
    guesses = {one.id: one for one in files.records("baselines", BaselinePredictions)}
    for problem in files.records("dedup", Problem):
        one = guesses.pop(problem.id, None)
        if one is None:
            continue
        ledger.tried()
        if (one.choices, one.answer, one.date) != (len(problem.choices), problem.answer, problem.date):
            ledger.fail(problem.id, "choices, answer or date are not the problem's")
        if tuple(one.guesses) != BASELINES:
            ledger.fail(problem.id, f"baselines {list(one.guesses)}")
        for baseline in BASELINES:
            if wrong := _wrong_guess(problem, one, baseline):
                ledger.fail(problem.id, wrong)
        solved = "".join("1" if one.guesses.get(name) == problem.answer else "0" for name in BASELINES)
        cells[problem.id] = (solved, len(problem.choices))
    return cells


def draw(seed: int, stage: str, name: str) -> float:
    """The number in [0, 1) that seed, stage and id give."""
    key = "\x1f".join((str(seed), stage, name)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(key).digest()[:7], "big") / 2**56


def check_kept(files: RunFiles, config: Config, cells: Cells, book: Book) -> dict[str, SuppressionDecision]:
    """Cells, draws, levels and bounds; the kept problems by id."""
    kept = {one.id: one for one in files.records("suppress", SuppressionDecision)}
    for one in kept.values():
        _check_cell(one, cells, config.seed, book["cells"])
    _check_levels(kept, book["levels"])
    strict = [cells[one.id] for one in kept.values() if one.strict and one.id in cells]
    _check_bound(strict, config.suppress.strict, book["strict-bound"])
    relaxed = [cells[one.id] for one in kept.values() if one.id in cells]
    _check_bound(relaxed, config.suppress.relaxed, book["relaxed-bound"])
    return kept


def _check_cell(one: SuppressionDecision, cells: Cells, seed: int, ledger: Ledger) -> None:
    ledger.tried()
    if one.id not in cells:
        ledger.fail(one.id, "no baseline has guessed at it")
    elif (one.cell, one.choices) != cells[one.id]:
        ledger.fail(one.id, f"cell {one.cell}, {one.choices} choices; by the guesses {cells[one.id]}")
    if one.draw != draw(seed, "suppress", one.id):
        ledger.fail(one.id, f"draw {one.draw} does not follow from seed {seed}")


def _check_levels(kept: dict[str, SuppressionDecision], ledger: Ledger) -> None:
    rates: dict[tuple[str, int], tuple[float, float]] = {}
    for one in kept.values():
        ledger.tried()
        pair = (one.strict_rate, one.relaxed_rate)
        if rates.setdefault((one.cell, one.choices), pair) != pair:
            ledger.fail(one.id, f"rates {pair}, but others of its cell have {rates[one.cell, one.choices]}")
        elif not 0.0 <= one.strict_rate <= one.relaxed_rate + _SMALL <= 1.0 + 2 * _SMALL:
            ledger.fail(one.id, f"strict rate {one.strict_rate}, relaxed rate {one.relaxed_rate}")


def _check_bound(found: list[tuple[str, int]], bound: float | str, ledger: Ledger) -> None:
    ledger.tried(len(found))
    allowed: Callable[[int], float] = (lambda choices: 1.0 / choices) if isinstance(bound, str) else (lambda _: bound)
    most = sum(allowed(choices) for _, choices in found)
    for number, baseline in enumerate(BASELINES):
        solved = sum(cell[number] == "1" for cell, _ in found)
        if solved > most + _SLACK + _SMALL:
            ledger.fail(baseline, f"solves {solved} of {len(found)}; allowed are {most:.2f} and half a problem")

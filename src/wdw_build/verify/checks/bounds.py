"""The bounds of the selected problems, for each baseline and adversary, and the places of the answers.

A bound compares how often a system is right with what is allowed, in problems. Bounds at chance hold from both sides, for
each number of choices; others from above. A relaxed bound that the strict problems alone exceed allows what they have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from wdw_build.core.config.settings import SuppressConfig
from wdw_build.verify.report import CheckRecorder, Recorders

RANKINGS = ("first mention", "number of mentions")
NOT_COUNTED = "-"
_SLACK, _PLACE_SLACK = 0.5, 1.0
_EPSILON = 1e-6


class Solved(NamedTuple):
    """What baselines and adversaries do with a problem.

    ``cell``: a digit for each of them: 1 if it solves the problem, - if its bound does not count the problem. ``places``: the
    place of the answer, from 0, by each of ``RANKINGS``.
    """

    cell: str
    choices: int
    places: tuple[int, ...]


class _Sum(NamedTuple):
    """The number of problems that a row counts, those of them that have its property, and how many of them may."""

    problems: int
    found: int
    allowed: float

    @property
    def excess(self) -> float:
        return self.found - self.allowed


# The name of a row, in words.
_Rows = dict[str, _Sum]


def check(
    names: Sequence[str],
    strict: Sequence[Solved],
    relaxed: Sequence[Solved],
    config: SuppressConfig,
    recorders: Recorders,
) -> None:
    """Check the bounds of the strict problems, and those of strict and relaxed problems together."""
    by_choices = config.bounds == "by_choices"
    for level, problems, bound in (("strict", strict, config.strict), ("relaxed", relaxed, config.relaxed)):
        recorder = recorders[f"{level}-bound"]
        recorder.count(len(problems))
        sides = by_choices and isinstance(bound, str)
        rows, least = (_bounds(names, some, bound, by_choices) for some in (problems, strict))
        _check_rows(rows, least if level == "relaxed" else {}, _SLACK, sides, recorder)
        if sides:
            recorders["answer-places"].count(len(problems))
            places, least = _place_rows(problems), _place_rows(strict)
            _check_rows(places, least if level == "relaxed" else {}, _PLACE_SLACK, True, recorders["answer-places"])


def _bounds(names: Sequence[str], problems: Sequence[Solved], bound: float | str, by_choices: bool) -> _Rows:
    """A row for each system, or for each system and number of choices."""
    rows: _Rows = {}
    counts = Counter((problem.cell, problem.choices) for problem in problems)
    for number, name in enumerate(names):
        sums: defaultdict[str, list[float]] = defaultdict(lambda: [0, 0, 0.0])
        for (cell, choices), count in counts.items():
            if cell[number] == NOT_COUNTED:
                continue
            row = sums[f"{name}, {choices} choices" if by_choices else name]
            row[0] += count
            row[1] += count * (cell[number] == "1")
            row[2] += count * _allowed(bound, choices, by_choices)
        rows.update({row: _Sum(int(one[0]), int(one[1]), one[2]) for row, one in sums.items()})
    return rows


def _allowed(bound: float | str, choices: int, by_choices: bool) -> float:
    """The share of problems that a system may solve. A bound for one number of choices is not below chance."""
    chance = 1.0 / choices
    return chance if isinstance(bound, str) else max(bound, chance) if by_choices else bound


def _place_rows(problems: Sequence[Solved]) -> _Rows:
    """A row for each ranking, number of choices and place."""
    totals = Counter(problem.choices for problem in problems)
    counts = Counter(
        (ranking, problem.choices, place)
        for problem in problems
        for ranking, place in zip(RANKINGS, problem.places, strict=True)
    )
    return {
        f"place {place + 1} of {choices} by {ranking}": _Sum(total, counts[ranking, choices, place], total / choices)
        for ranking in RANKINGS
        for choices, total in totals.items()
        for place in range(choices)
    }


def _check_rows(rows: _Rows, least: _Rows, slack: float, two_sided: bool, recorder: CheckRecorder) -> None:
    """``least``: the rows of the strict problems, which may have exceeded these bounds already."""
    for name, row in rows.items():
        already = least[name].excess if name in least else 0.0
        high, low = max(slack, already), min(-slack, already)
        if row.excess > high + _EPSILON or (two_sided and row.excess < low - _EPSILON):
            limits = (
                f"{row.allowed + low:.2f} to {row.allowed + high:.2f}" if two_sided else f"{row.allowed + high:.2f}"
            )
            recorder.fail(name, f"{row.found} of {row.problems} problems, {limits} are allowed")

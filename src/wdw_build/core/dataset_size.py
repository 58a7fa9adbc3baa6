"""How many problems are held out, and what the size of a dataset means for its users: the interval of a measured accuracy.

The words are those of log, summary and report.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from typing import NamedTuple

_LEVEL = 0.95


class Interval(NamedTuple):
    """An interval [low, high] of an accuracy."""

    low: float
    high: float


def wilson(correct: float, problems: float, level: float = _LEVEL) -> Interval:
    """Wilson's interval (Wilson 1927) of a proportion at a confidence level; [0, 1] without problems.

    The numbers need not be whole: for judgements that are not independent, ``problems`` is their effective number.
    """
    if not problems:
        return Interval(0.0, 1.0)
    z = statistics.NormalDist().inv_cdf((1 + level) / 2)
    share, scale = correct / problems, 1 + z * z / problems
    centre = (share + z * z / (2 * problems)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / problems + (z / (2 * problems)) ** 2)
    # Rounding must not move a limit over the share or out of [0, 1].
    return Interval(min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))


# With fewer strict problems, a warning is shown.
FEW_PROBLEMS = 100
# Width of an interval that says little about a system.
_WIDE = 0.3
# Below this share of strict problems, the log says what suppression costs.
_FEW_KEPT = 0.5
_MORE = "wdw-build summary lists what costs problems"


def most_held_out(problems: int, held_out: int, max_share: float) -> int:
    """The number of problems to hold out of ``problems``: at least a third of these is left; 0 if it is below 2."""
    size = min(held_out, int(max_share * problems), problems - -(-problems // 3))
    return size if size >= 2 else 0


def few_problems(strict: int) -> str:
    """The warning for a dataset of few strict problems; empty for a larger one."""
    if strict >= FEW_PROBLEMS:
        return ""
    number = "no strict problem is" if not strict else f"only {strict} strict problem{'s are' if strict > 1 else ' is'}"
    return f"WARNING: {number} selected, which is few to train or to measure a system on"


def suppression_note(strict: int, problems: int, largest: object = None) -> str:
    """What the log says of a selection that has few problems or lost many; else empty.

    ``largest``: the key that costs the most problems, a ``SuppressionCost``.
    """
    few, lost = few_problems(strict), f"suppression left out {problems - strict:,} of {problems:,} problems"
    if not few and strict >= _FEW_KEPT * problems:
        return ""
    return "; ".join(str(part) for part in (few, lost, largest, few and _MORE) if part)


def no_held_out(strict: int, why: str = "") -> str:
    """The warning for a dataset without held-out problems. ``why`` follows the number of strict problems."""
    reason = why or "fewer than two can be held out"
    return f"WARNING: there is no validation and no test set: of {strict} strict problems, {reason}; all are training"


def interval_of_test(problems: int) -> str:
    """How precisely a test set of this size measures an accuracy of one half; empty without problems."""
    if not problems:
        return ""
    low, high = wilson(problems / 2, problems)
    return (
        f"the test set has {problems} problem{'s' if problems > 1 else ''}: a measured accuracy of 50% has a 95% interval "
        f"from {low:.0%} to {high:.0%} (Wilson), {100 * (high - low):.0f} points wide"
    )


def shows_little(problems: int) -> str:
    """A warning if the 95% interval of an accuracy of one half on this test set is wider than 30 points; else empty."""
    low, high = wilson(problems / 2, problems)
    return f"{problems} test problem{'s' if problems != 1 else ''} show little" if high - low > _WIDE else ""


def split_notes(strict: int, sizes: Mapping[str, int], periods: Mapping[str, str], why: str = "") -> tuple[str, ...]:
    """The precision of the test set, and a warning for sets without problems.

    ``sizes``: split -> strict problems. ``periods``: ``SplitConfig.periods``. ``why``: see ``no_held_out``.
    """
    precision = interval_of_test(sizes["test"])
    if not periods:
        return (precision or no_held_out(strict, why),)
    empty = (
        f"WARNING: the {split} set is empty: there is no strict problem {period}"
        for split, period in periods.items()
        if not sizes[split]
    )
    return tuple(filter(None, (precision, *empty)))


def size_notes(strict: int, sizes: Mapping[str, int], periods: Mapping[str, str]) -> tuple[str, ...]:
    """What every view says about the size: ``few_problems`` and ``split_notes``, which say nothing about keys to change."""
    return tuple(filter(None, (few_problems(strict), *split_notes(strict, sizes, periods))))

"""The strict level of suppression, and what bounds, caps and adversaries cost.

A cost is estimated by solving the strict level again, as a linear relaxation without the bound, cap or adversary.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from msgspec.structs import replace as changed
from numpy.typing import NDArray

from wdw_build.ports import Solver
from wdw_build.records import SuppressionCost
from wdw_build.selection.offers import Offered, Offers, Terms, terms_of
from wdw_build.selection.program import choose, relaxed_number, relaxed_weights
from wdw_build.selection.settings import AdversaryConfig, SplitConfig, SuppressConfig, adversary_round

# The held-out problems are not known before the problems are chosen. The first guess of their first day leaves so much more.
_MARGIN = 4 / 3

# Another value of each key of `suppress`, and what the dataset then no longer guarantees.
_OTHER_VALUES: tuple[tuple[str, str | int | float | None, str], ...] = (
    ("strict", 1.0, "no system is bounded"),
    (
        "bounds",
        "pooled",
        "the place of the answer is no longer bounded, and its usual place alone solves {place:.0%} of the strict problems "
        "(chance {chance:.0%})",
    ),
    ("max_per_passage", 0, "any number of problems may have the same passage"),
    ("max_per_event", 0, "problems with the same answer may share an article"),
    ("max_per_answer", 0.0, "any number of problems may have the same answer"),
    ("max_enrichment", None, "what misleads the baselines may be several times as frequent as before suppression"),
    ("shared_articles", "allow", "the passage of a problem may open with the question and answer of another one"),
)
_ONE_ROUND = "adversaries that are trained on the selected problems may beat chance"
_NO_ADVERSARY = "no trained system is bounded"
_UNTRAINED = "; not counted: from {least} problems, an adversary is trained, whose bound costs problems"


def choose_strict(
    offers: Offers, config: SuppressConfig, split: SplitConfig | None, solver: Solver
) -> tuple[NDArray[np.int64], Terms]:
    """The strict level, as ``choose`` returns it, and its terms. Only ``within-split`` needs ``split``.

    With ``shared_articles: within-split``, only training problems may share an article. The strict problems decide which days
    are held out, so an earlier day is tried if some were held out that are dated before the first guess.
    """
    terms = strict_terms(offers.day, config, split)
    while True:
        chosen = choose(offers, terms, solver)
        actual = strict_terms(offers.day[chosen >= 0], config, split, margin=1.0)
        if terms.apart_from is None or actual.apart_from is None or actual.apart_from >= terms.apart_from:
            return chosen, terms
        terms = actual


def strict_terms(
    days: NDArray[np.int64], config: SuppressConfig, split: SplitConfig | None, margin: float = _MARGIN
) -> Terms:
    """The terms of the strict level if its problems have these days; ``margin`` times as many problems are held out."""
    apart_from = 0 if config.shared_articles == "forbid" else None
    if config.shared_articles == "within-split" and split is not None:
        keys = [(dt.date.fromordinal(day), "") for day in days.tolist()]
        apart_from = split.first_held_out(keys, margin)[0].toordinal()
    return terms_of(config, config.strict, apart_from)


def costs(
    offered: Offered, config: SuppressConfig, adversaries: AdversaryConfig, terms: Terms, strict: int, solver: Solver
) -> list[SuppressionCost]:
    """The cost of each key, the largest first; keys whose other value keeps no more problems are absent.

    ``terms``: those of the strict level, which keeps ``strict`` problems. Differences of relaxations are more precise than the
    relaxations: both exceed the integer program by about the same number.
    """
    now = relaxed_number(offered.offers, terms, solver)
    is_untrained = bool(adversaries.systems) and not any(
        adversary_round(system, adversaries.systems) for system in offered.systems
    )
    estimated = []
    for key, value, other, price, offers, other_terms in _variants(offered, config, adversaries, terms):
        weights = relaxed_weights(offers, other_terms, solver)
        more = round(float(weights.sum()) - now)
        if more > 0:
            place, chance = _usual_place(offers, weights)
            price = price.format(place=place, chance=chance)
            if is_untrained and key != "suppress.strict" and strict + more >= adversaries.min_problems:
                price += _UNTRAINED.format(least=adversaries.min_problems)
            cost = SuppressionCost(
                key=key, value=value, other=other, kept=strict, other_kept=strict + more, price=price
            )
            estimated.append(cost)
    return sorted(estimated, key=lambda cost: -cost.other_kept)


def _variants(
    offered: Offered, config: SuppressConfig, adversaries: AdversaryConfig, terms: Terms
) -> Iterator[tuple[str, str, str, str, Offers, Terms]]:
    """Key, value, other value, its price, and the offers and terms with the other value."""
    rounds = [adversary_round(system, adversaries.systems) for system in offered.systems]
    for key, other, price in _OTHER_VALUES:
        value = getattr(config, key)
        if value != other:
            section = changed(config, **{key: other} | ({"relaxed": 1.0} if key == "strict" else {}))
            apart_from = None if key == "shared_articles" else terms.apart_from
            other_terms = terms_of(section, section.strict, apart_from)
            yield f"suppress.{key}", _shown(value), _shown(other), price, offered.offers, other_terms
    if max(rounds, default=0) > 1:
        value = str(adversaries.rounds)
        yield "adversary.rounds", value, "1", _ONE_ROUND, _without(offered.offers, rounds, 2), terms
    if any(rounds):
        value = f"[{', '.join(adversaries.systems)}]"
        yield "adversary.systems", value, "[]", _NO_ADVERSARY, _without(offered.offers, rounds, 1), terms


def _usual_place(offers: Offers, weights: NDArray[np.float64]) -> tuple[float, float]:
    """The accuracy of choosing, for each number of choices, the place by first mention that most answers have; and chance."""
    sizes = [offers.choices == choices for choices in np.unique(offers.choices)]
    most = sum(np.bincount(offers.ranks[size, 0], weights[size]).max() for size in sizes)
    total = max(1.0, weights.sum())
    return float(most / total), float((weights / offers.choices).sum() / total)


def _without(offers: Offers, rounds: list[int], first: int) -> Offers:
    """The offers without the systems of round ``first`` and later rounds."""
    return replace(offers, solved=offers.solved[:, [number < first for number in rounds]])


def _shown(value: str | float | None) -> str:
    return "null" if value is None else value if isinstance(value, str) else f"{value:g}"

"""Agreement of persons who labelled the same units, corrected for chance: Cohen's kappa and Krippendorff's alpha.

Labels are nominal: two labels are equal or they differ. Missing labels are left out. ``nltk.metrics.agreement`` has both
coefficients, but its kappa assumes that everybody labelled every unit, and it gives 1 where only one label occurs. A
contract test compares the values where both are defined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from itertools import combinations
from typing import NamedTuple

from wdw_study.score_records import Agreement, PairAgreement, rounded
from wdw_study.sheets import ByPerson, Judgement

# The labels that one person gave, by unit.
Labels = Mapping[str, Hashable]

_NO_UNITS = "nobody labelled the same problems"
_ONE_LABEL = "only one label occurs, so that chance agreement is 1"


class Coefficient(NamedTuple):
    """A coefficient of agreement with what it was computed from."""

    value: float | None
    """1: perfect agreement; 0: as much as chance gives. None if it is undefined."""
    observed: float | None
    """Share of the pairs of labels that are equal; None without units."""
    units: int
    """Units that at least two persons labelled."""
    undefined: str = ""
    """Why ``value`` is None."""


def cohens_kappa(first: Labels, second: Labels) -> Coefficient:
    """Cohen's kappa (Cohen 1960) of two persons, over the units that both labelled.

    kappa = (p_o - p_e) / (1 - p_e), where p_o is the share of units with equal labels, and p_e the sum over the labels of the
    product of both persons' shares.
    """
    units = sorted(first.keys() & second.keys())
    count = len(units)
    if not count:
        return Coefficient(None, None, 0, _NO_UNITS)
    equal = sum(first[unit] == second[unit] for unit in units)
    by_first, by_second = (Counter(labels[unit] for unit in units) for labels in (first, second))
    # Counts instead of shares, so that the test for a chance agreement of 1 is exact.
    expected = sum(by_first[label] * by_second[label] for label in by_first)
    if expected == count * count:
        return Coefficient(None, equal / count, count, _ONE_LABEL)
    return Coefficient((equal * count - expected) / (count * count - expected), equal / count, count)


def krippendorffs_alpha(persons: Mapping[str, Labels]) -> Coefficient:
    """Krippendorff's alpha for nominal labels (Krippendorff 2011, section C) of any number of persons.

    alpha = 1 - D_o / D_e, from the coincidences of labels within units; a unit with m labels weighs each of its pairs by
    1 / (m - 1). Units with fewer than two labels are left out.
    """
    by_unit: dict[str, Counter[Hashable]] = {}
    for labels in persons.values():
        for unit, label in labels.items():
            by_unit.setdefault(unit, Counter())[label] += 1
    paired = [counts for counts in by_unit.values() if counts.total() > 1]
    if not paired:
        return Coefficient(None, None, 0, _NO_UNITS)
    totals = sum(paired, Counter[Hashable]())
    n = totals.total()
    equal = sum(sum(count * (count - 1) for count in counts.values()) / (counts.total() - 1) for counts in paired)
    unequal_by_chance = n * n - sum(count * count for count in totals.values())
    if not unequal_by_chance:
        return Coefficient(None, equal / n, len(paired), _ONE_LABEL)
    return Coefficient(1 - (n - 1) * (n - equal) / unequal_by_chance, equal / n, len(paired))


def agreement(answered: ByPerson, label: Callable[[Judgement], Hashable]) -> Agreement:
    """The agreement of all persons and of each pair on the label of each judgement."""
    labels = {
        person: {problem: label(judgement) for problem, judgement in judgements.items()}
        for person, judgements in answered.items()
    }
    alpha = krippendorffs_alpha(labels)
    return Agreement(
        problems=alpha.units,
        same=rounded(alpha.observed),
        alpha=rounded(alpha.value),
        undefined=alpha.undefined,
        pairs=tuple(_pair(first, second, labels) for first, second in combinations(sorted(labels), 2)),
    )


def _pair(first: str, second: str, labels: Mapping[str, Labels]) -> PairAgreement:
    kappa = cohens_kappa(labels[first], labels[second])
    return PairAgreement(
        first=first,
        second=second,
        problems=kappa.units,
        same=rounded(kappa.observed),
        kappa=rounded(kappa.value),
        undefined=kappa.undefined,
    )

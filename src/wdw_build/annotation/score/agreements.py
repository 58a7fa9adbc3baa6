"""Agreement of persons on answers, on faults and on phenomena."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations

from wdw_build.annotation.agreement import Labels, cohens_kappa, krippendorffs_alpha
from wdw_build.annotation.score.records import ANY_FAULT, Agreement, FaultScore, PairAgreement
from wdw_build.annotation.score.shares import rounded
from wdw_build.annotation.sheets import FAULTS, Judgement

# Person -> problem -> what the person said, of answered problems.
ByPerson = Mapping[str, Mapping[str, Judgement]]


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


def fault_scores(judgements: Sequence[Judgement], answered: ByPerson) -> dict[str, FaultScore]:
    """Label -> its score, of the faults that anybody ticked; any fault at all is the first."""
    used = [fault for fault in FAULTS if any(fault in judgement.faults for judgement in judgements)]
    tests = {ANY_FAULT: _has_any, **{fault: _has(fault) for fault in used}} if used else {}
    return {label: _fault_score(test, judgements, answered) for label, test in tests.items()}


def _has_any(judgement: Judgement) -> bool:
    return bool(judgement.faults)


def _has(fault: str) -> Callable[[Judgement], bool]:
    return lambda judgement: fault in judgement.faults


def _fault_score(has: Callable[[Judgement], bool], judgements: Sequence[Judgement], answered: ByPerson) -> FaultScore:
    ticked: dict[str, set[str]] = {}
    for judgement in judgements:
        if has(judgement):
            ticked.setdefault(judgement.problem, set()).add(judgement.person)
    return FaultScore(
        problems=len(ticked),
        by_several=sum(len(persons) > 1 for persons in ticked.values()),
        persons=len(set().union(*ticked.values())),
        agreement=agreement(answered, has),
    )

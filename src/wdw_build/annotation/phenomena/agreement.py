"""Agreement of the estimate with people, and of people with each other, on whether an answer needs coreference."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from wdw_build.annotation.phenomena.estimate import Estimated
from wdw_build.annotation.score.agreements import agreement
from wdw_build.annotation.score.records import Agreement, PairAgreement
from wdw_build.annotation.sheets import Judged, Judgement

ESTIMATE = "(estimate)"
_LINKS = frozenset({"pronominal", "nominal", "multiple"})


class PhenomenaAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on one sheet. The label of a problem is whether `pronominal`, `nominal` or `multiple` was given."""

    sheet: str
    """Name of the sheet."""
    with_estimate: tuple[PairAgreement, ...]
    """The estimate with each person; problems on which the rules do not decide are left out."""
    people: Agreement
    """The people with each other."""
    confusion: dict[str, dict[str, int]]
    """Estimate -> label of people -> number of labels."""


def agreement_on(judged: Judged, estimates: Iterable[Estimated]) -> PhenomenaAgreement:
    """Compare the estimates of a sheet's problems with what people labelled."""
    by_problem = {one.id: one for one in estimates}
    answered: dict[str, dict[str, Judgement]] = {}
    for judgement in judged.judgements:
        if judgement.answered and judgement.problem in by_problem:
            answered.setdefault(judgement.person, {})[judgement.problem] = judgement
    decided = {
        name: Judgement(person=ESTIMATE, problem=name, answered=True, phenomena=(one.phenomenon,))
        for name, one in by_problem.items()
        if one.phenomenon != "other"
    }
    compared = agreement({**answered, ESTIMATE: decided}, needs_coreference)
    return PhenomenaAgreement(
        sheet=judged.sheet.name,
        with_estimate=tuple(pair for pair in compared.pairs if ESTIMATE in (pair.first, pair.second)),
        people=agreement(answered, needs_coreference),
        confusion=_confusion(by_problem, answered.values()),
    )


def needs_coreference(judgement: Judgement) -> bool:
    """Whether a link of coreference was labelled."""
    return bool(_LINKS.intersection(judgement.phenomena))


def _confusion(estimates: dict[str, Estimated], answered: Iterable[dict[str, Judgement]]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for judgements in answered:
        for name, judgement in judgements.items():
            row = counts.setdefault(estimates[name].phenomenon, {})
            for label in judgement.phenomena:
                row[label] = row.get(label, 0) + 1
    return counts

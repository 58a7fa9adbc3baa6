"""What finding the answers takes, as people labelled it (Dasigi et al. 2019, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.annotation.score.agreements import ByPerson, agreement
from wdw_build.annotation.score.answers import by_problem_of
from wdw_build.annotation.score.records import PhenomenonScore
from wdw_build.annotation.score.shares import clustered_share, share
from wdw_build.annotation.sheets import PHENOMENA, Judgement


def phenomenon_scores(answered: ByPerson, adjudicated: Sequence[Judgement]) -> dict[str, PhenomenonScore]:
    """Label -> its score, for all labels."""
    return {label: _phenomenon_score(label, answered, adjudicated) for label in PHENOMENA}


def _phenomenon_score(label: str, answered: ByPerson, adjudicated: Sequence[Judgement]) -> PhenomenonScore:
    counts = [
        (sum(label in judgement.phenomena for judgement in judgements), len(judgements))
        for judgements in by_problem_of(answered).values()
    ]
    return PhenomenonScore(
        share=clustered_share(counts),
        majority=share(sum(2 * given > persons for given, persons in counts), len(counts)),
        by_person={
            person: share(sum(label in judgement.phenomena for judgement in judgements.values()), len(judgements))
            for person, judgements in answered.items()
        },
        adjudicated=share(sum(label in decision.phenomena for decision in adjudicated), len(adjudicated)),
        agreement=agreement(answered, lambda judgement: label in judgement.phenomena),
    )

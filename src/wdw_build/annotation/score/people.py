"""The score of each person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from wdw_build.annotation.score.records import PersonScore
from wdw_build.annotation.score.shares import seconds_of, share
from wdw_build.annotation.sheets import FAULTS, Judged, Judgement


def person_score(person: str, answered: Mapping[str, Judgement], judged: Judged) -> PersonScore:
    """What one person answered; ``answered`` holds the person's judgements by problem."""
    key = {problem.id: problem.answer for problem in judged.problems}
    right = sum(judgement.answer == key[problem] for problem, judgement in answered.items())
    cannot_tell = sum(judgement.answer is None for judgement in answered.values())
    times = [judgement.seconds for judgement in answered.values() if judgement.seconds is not None]
    has_key = judged.sheet.task == "answer"
    return PersonScore(
        person=person,
        answered=len(answered),
        complete=len(answered) == len(judged.problems),
        cannot_tell=cannot_tell if has_key else 0,
        accuracy=share(right, len(answered)) if has_key else None,
        accuracy_of_decided=share(right, len(answered) - cannot_tell) if has_key else None,
        seconds=seconds_of(times),
        faults=_faults([judgement for judgement in judged.judgements if judgement.person == person]),
    )


def _faults(judgements: Sequence[Judgement]) -> dict[str, int]:
    counts = Counter(fault for judgement in judgements for fault in set(judgement.faults))
    return {fault: counts[fault] for fault in FAULTS if counts[fault]}

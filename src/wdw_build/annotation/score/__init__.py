"""Scores a sheet: how often people are right, how well they agree, which faults they saw, and where they differ.

The score is a pure function of what people said. ``annotate score`` prints it and stores it as ``score.json``; the table of
systems, the report and the datasheet compute it when they are made, so that they are never older than the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wdw_build.annotation.score.agreements import ByPerson, fault_scores
from wdw_build.annotation.score.answers import answer_score
from wdw_build.annotation.score.disagreements import adjudication_score, disagreements
from wdw_build.annotation.score.people import person_score
from wdw_build.annotation.score.phenomena import phenomenon_scores
from wdw_build.annotation.score.records import PersonScore, SheetScore
from wdw_build.annotation.sheets import Judged, Judgement

__all__ = ["SheetScore", "score"]


def score(judged: Judged) -> SheetScore:
    """The score of a sheet. Each person is scored on the problems that the person answered."""
    answered, is_answer = _answered(judged), judged.sheet.task == "answer"
    persons = tuple(person_score(person, judgements, judged) for person, judgements in answered.items())
    return SheetScore(
        sheet=judged.sheet,
        problems=len(judged.problems),
        persons=persons,
        answers=answer_score(judged, answered) if is_answer and answered else None,
        phenomena=phenomenon_scores(answered, judged.adjudicated) if answered and not is_answer else {},
        faults=fault_scores(judged.judgements, answered),
        adjudication=adjudication_score(judged, answered) if is_answer else None,
        disagreements=tuple(disagreements(judged)),
        notes=tuple(_notes(persons, len(judged.problems))),
    )


def _answered(judged: Judged) -> ByPerson:
    """The judgements with an answer, by person and problem; persons by name, problems in the order of the sheet."""
    places = {problem.id: problem.number for problem in judged.problems}
    found: dict[str, dict[str, Judgement]] = {}
    for judgement in sorted(judged.judgements, key=lambda judgement: (judgement.person, places[judgement.problem])):
        if judgement.answered:
            found.setdefault(judgement.person, {})[judgement.problem] = judgement
    return found


def _notes(persons: Sequence[PersonScore], problems: int) -> Iterator[str]:
    """A sentence for each person who has not finished."""
    if not persons:
        yield "nobody has answered a problem of this sheet"
    for person in persons:
        if not person.complete:
            yield f"{person.person} answered {person.answered} of {problems} problems and is scored on these"

"""Problems on which persons differ, and what the adjudicator decided of the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from wdw_build.annotation.score.agreements import ByPerson
from wdw_build.annotation.score.answers import accuracy, by_problem_of
from wdw_build.annotation.score.records import AdjudicationScore, Disagreement
from wdw_build.annotation.score.shares import share
from wdw_build.annotation.sheets import CANNOT_TELL, Judged, Judgement, SheetProblem, Task


def disagreements(judged: Judged) -> Iterator[Disagreement]:
    """The problems to adjudicate, in the order of the sheet."""
    task, decided = judged.sheet.task, {judgement.problem: judgement for judgement in judged.adjudicated}
    for problem in judged.problems:
        said = [judgement for judgement in judged.judgements if judgement.problem == problem.id]
        reasons = reasons_to_adjudicate(problem, said, task)
        if reasons:
            answers = (judgement for judgement in said if judgement.answered)
            yield Disagreement(
                number=problem.number,
                id=problem.id,
                reasons=reasons,
                key=problem.choices[problem.answer],
                answers={judgement.person: _answer(task, problem, judgement) for judgement in answers},
                faults={judgement.person: judgement.faults for judgement in said if judgement.faults},
                notes={judgement.person: judgement.note for judgement in said if judgement.note},
                adjudicated=_answer(task, problem, decided[problem.id]) if problem.id in decided else None,
            )


def reasons_to_adjudicate(problem: SheetProblem, judgements: Sequence[Judgement], task: Task) -> tuple[str, ...]:
    """Why a problem should be adjudicated, from everything that people said of it; empty if there is no reason."""
    answered = [judgement for judgement in judgements if judgement.answered]
    labels = {frozenset(given.phenomena) if task == "phenomena" else given.answer for given in answered}
    reasons = {
        "people differ": len(labels) > 1,
        "nobody chose the key": task == "answer" and bool(answered) and problem.answer not in labels,
        "marked as faulty": any(judgement.faults for judgement in judgements),
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _answer(task: Task, problem: SheetProblem, judgement: Judgement) -> str:
    """A choice, or labels; `cannot tell` without either."""
    return ", ".join(judgement.phenomena) or CANNOT_TELL if task == "phenomena" else _name(problem, judgement.answer)


def _name(problem: SheetProblem, answer: int | None) -> str:
    return CANNOT_TELL if answer is None else problem.choices[answer]


def adjudication_score(judged: Judged, answered: ByPerson) -> AdjudicationScore | None:
    """The score of the key and of the persons by the adjudicator's answers; None if nothing was adjudicated."""
    key = {problem.id: problem.answer for problem in judged.problems}
    decided = {judgement.problem: judgement.answer for judgement in judged.adjudicated}
    if not decided:
        return None
    right = sum(answer == key[problem] for problem, answer in decided.items())
    undecidable = sum(answer is None for answer in decided.values())
    problems = list(_corrected(judged.problems, decided))
    return AdjudicationScore(
        key_right=share(right, len(decided)),
        key_wrong=share(len(decided) - right - undecidable, len(decided)),
        undecidable=share(undecidable, len(decided)),
        accuracy=accuracy(problems, by_problem_of(answered)),
        by_person={
            person: accuracy(problems, by_problem_of({person: judgements})) for person, judgements in answered.items()
        },
    )


def _corrected(problems: Sequence[SheetProblem], decided: Mapping[str, int | None]) -> Iterator[SheetProblem]:
    """The problems with the adjudicator's answers as the key, without the undecidable ones."""
    for problem in problems:
        answer = decided.get(problem.id, problem.answer)
        if answer is not None:
            yield msgspec.structs.replace(problem, answer=answer)

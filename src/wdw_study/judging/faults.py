"""The problems of a sheet whose faults are confirmed, for the build to leave out (``corpus.omitted_problems``)."""

from __future__ import annotations

from collections import Counter

from wdw_build.api import FaultyProblem, UsageError
from wdw_study.judging.score import Case, cases
from wdw_study.judging.sheets import FAULTS, Judged
from wdw_study.people import is_model

# Reasons besides the labels of ``FAULTS``: the adjudicator's answer is not the marked one, or there is none.
WRONG_ANSWER, NO_ANSWER = "wrong-answer", "no-answer"
_SEVERAL = 2


def confirmed(judged: Judged, model: str = "") -> tuple[list[FaultyProblem], int]:
    """The faulty problems in the order of the sheet, and how many problems to adjudicate are left undecided.

    The adjudicator's decision counts. Without one, a fault that two or more people marked is confirmed, and otherwise the
    faults that ``model`` marked, a participant's name. Raises ``UsageError`` if the model answered no problem.
    """
    answered = len(judged.answered_by_models.get(model, ()))
    if model and not answered:
        raise UsageError(
            f"{model} answered no problem of sheet {judged.sheet.name}",
            hint=f"models: {', '.join(judged.answered_by_models) or 'none'}",
        )
    # Without a passage, an answer that cannot be told is no fault of the problem.
    counts_answers = judged.sheet.task == "answer" and judged.sheet.has_passage
    faulty: list[FaultyProblem] = []
    undecided = 0
    for case in cases(judged):
        labels, is_models = _marked(case, model)
        decided = case.decided
        if decided and counts_answers and decided.answer != case.problem.answer:
            labels.append(NO_ANSWER if decided.answer is None else WRONG_ANSWER)
        undecided += not (decided or labels)
        if labels:
            found_by = f", marked by {model} ({answered:,} problems judged)" if is_models else ""
            faulty.append(FaultyProblem(id=case.problem.id, reason=", ".join(labels) + found_by))
    return faulty, undecided


def _marked(case: Case, model: str) -> tuple[list[str], bool]:
    """The faults of a problem, and whether the model alone marked them."""
    people = (judgement for judgement in case.judgements if not is_model(judgement.person))
    marks = Counter(fault for judgement in people for fault in set(judgement.faults))
    several = [fault for fault, count in marks.items() if count >= _SEVERAL]
    by_model = {fault for judgement in case.judgements if judgement.person == model for fault in judgement.faults}
    faults = case.decided.faults if case.decided else several or by_model
    return sorted(faults, key=[*FAULTS].index), faults is by_model and bool(by_model)

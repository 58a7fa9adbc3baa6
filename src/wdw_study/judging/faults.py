"""The problems of a sheet whose faults are confirmed, for the build to leave out (``corpus.faulty_problems``)."""

from __future__ import annotations

from collections import Counter

from wdw_build.api import FaultyProblem
from wdw_study.judging.score import cases
from wdw_study.judging.sheets import FAULTS, Judged

# Reasons besides the labels of ``FAULTS``: the adjudicator's answer is not the marked one, or there is none.
WRONG_ANSWER, NO_ANSWER = "wrong-answer", "no-answer"
_SEVERAL = 2


def confirmed(judged: Judged) -> tuple[list[FaultyProblem], int]:
    """The faulty problems in the order of the sheet, and how many problems to adjudicate are left undecided.

    The adjudicator's decision counts. Without one, a fault that two or more people marked is confirmed.
    """
    # Without a passage, an answer that cannot be told is no fault of the problem.
    counts_answers = judged.sheet.task == "answer" and judged.sheet.has_passage
    faulty: list[FaultyProblem] = []
    undecided = 0
    for case in cases(judged):
        decided = case.decided
        marks = Counter(fault for judgement in case.judgements for fault in set(judgement.faults))
        faults = decided.faults if decided else [fault for fault, people in marks.items() if people >= _SEVERAL]
        labels = sorted(faults, key=[*FAULTS].index)
        if decided and counts_answers and decided.answer != case.problem.answer:
            labels.append(NO_ANSWER if decided.answer is None else WRONG_ANSWER)
        undecided += not (decided or labels)
        if labels:
            faulty.append(FaultyProblem(id=case.problem.id, reason=", ".join(labels)))
    return faulty, undecided

"""The problems of a sheet whose faults are confirmed, for the build to leave out (``corpus.faulty_problems``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from wdw_build.adapters.faulty_problems import FaultyProblem
from wdw_build.annotation.sheet_score import cases
from wdw_build.annotation.sheets import FAULTS, Judged, Judgement, SheetProblem
from wdw_build.bench.conditions import has_passage

# Reasons besides the labels of ``FAULTS``: the adjudicator's answer is not the marked one, or there is none.
WRONG_ANSWER, NO_ANSWER = "wrong-answer", "no-answer"
_SEVERAL = 2


def confirmed(judged: Judged) -> tuple[list[FaultyProblem], int]:
    """The faulty problems in the order of the sheet, and how many problems to adjudicate are left undecided.

    The adjudicator's decision counts. Without one, a fault that two or more people marked is confirmed.
    """
    # Without a passage, an answer that cannot be told is no fault of the problem.
    counts_answers = judged.sheet.task == "answer" and has_passage(judged.sheet.condition)
    faulty: list[FaultyProblem] = []
    undecided = 0
    for case in cases(judged):
        if case.decided is not None:
            labels = [*_decided(case.decided, case.problem, counts_answers=counts_answers)]
        else:
            labels = _marked_by_several(case.judgements)
            undecided += not labels
        if labels:
            faulty.append(FaultyProblem(id=case.problem.id, reason=", ".join(labels)))
    return faulty, undecided


def _decided(decided: Judgement, problem: SheetProblem, *, counts_answers: bool) -> Iterator[str]:
    yield from _in_order(decided.faults)
    if counts_answers and decided.answer != problem.answer:
        yield NO_ANSWER if decided.answer is None else WRONG_ANSWER


def _marked_by_several(judgements: Sequence[Judgement]) -> list[str]:
    marks = Counter(fault for judgement in judgements for fault in set(judgement.faults))
    return _in_order(fault for fault, people in marks.items() if people >= _SEVERAL)


def _in_order(faults: Iterable[str]) -> list[str]:
    return sorted(faults, key=[*FAULTS].index)

"""The owner's pages: progress, scores, and the problems to adjudicate with their key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from wdw_build.annotation.folder import SheetFolder, read_judged
from wdw_build.annotation.judgements import ADJUDICATED, Adjudication
from wdw_build.annotation.people import LONGEST_NAME, checked_name
from wdw_build.annotation.score import score
from wdw_build.annotation.sheets import PHENOMENA, SheetProblem
from wdw_build.errors import UsageError
from wdw_build.reading import BLANK
from wdw_build.views.marks import Mark, Segment, segments
from wdw_build.web.annotate.cases import Case, cases_of, progress_of
from wdw_build.web.annotate.desk import LONGEST_NOTE, labels_of, note_of
from wdw_build.web.annotate.reader import menu_of
from wdw_build.web.annotate.scores import score_tables
from wdw_build.web.base import OWNER, Pages, require, session_of
from wdw_build.web.base.people import Form

_ADJUDICATOR = "adjudicator"
_NO_ANSWER = "none"


def owner_router(folder: SheetFolder, pages: Pages) -> APIRouter:
    """The router of one sheet, for the role of owner alone."""
    router = APIRouter(prefix="/owner", dependencies=[Depends(require(OWNER))])

    def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
        return pages.render(request, template, status, menu=menu_of(request), sheet=folder.sheet, **values)

    @router.get("")
    def progress(request: Request) -> Response:
        people = progress_of(folder, read_judged(folder.path))
        return page(request, "progress.html.j2", people=people)

    @router.get("/scores")
    def scores(request: Request) -> Response:
        scored = score(read_judged(folder.path))
        return page(request, "scores.html.j2", notes=scored.notes, tables=score_tables(scored))

    @router.get("/disagreements")
    def disagreements(request: Request) -> Response:
        return page(request, "disagreements.html.j2", cases=cases_of(read_judged(folder.path)))

    _add_case(router, folder, page)
    return router


def _add_case(router: APIRouter, folder: SheetFolder, page: Callable[..., Response]) -> None:
    def case_page(request: Request, case: Case, error: str = "") -> Response:
        return page(
            request,
            "case.html.j2",
            400 if error else 200,
            case=case,
            question=_question(case.problem),
            chosen_by=[_chosen_by(case, index) for index in range(len(case.problem.choices))],
            undecided=_chosen_by(case, None),
            phenomenon_words=PHENOMENA,
            labelled_by={label: _labelled_by(case, label) for label in PHENOMENA},
            name=session_of(request).get(_ADJUDICATOR, ""),
            error=error,
            fault_words=folder.sheet.faults,
            no_answer=_NO_ANSWER,
            longest=LONGEST_NAME,
            longest_note=LONGEST_NOTE,
        )

    @router.get("/problem/{number}")
    def show(request: Request, number: int) -> Response:
        return case_page(request, _case(folder, number))

    @router.post("/problem/{number}")
    def decide(request: Request, number: int, form: Form) -> Response:
        case = _case(folder, number)
        try:
            name, decision = checked_name(str(form.get("name", ""))), _decision(form, folder, case.problem)
        except UsageError as error:
            return case_page(request, case, f"{error.message}: {error.hint}.")
        session_of(request)[_ADJUDICATOR] = name
        folder.log.append(name, ADJUDICATED, case.problem.id, decision)
        return RedirectResponse("/owner/disagreements", 303)


def _case(folder: SheetFolder, number: int) -> Case:
    """The problem with this number. Raises 404 if there is nothing to adjudicate under it."""
    case = next((case for case in cases_of(read_judged(folder.path)) if case.problem.number == number), None)
    if case is None:
        raise HTTPException(404, "There is nothing to adjudicate under this number.")
    return case


def _decision(form: FormData, folder: SheetFolder, problem: SheetProblem) -> Adjudication:
    """The decision of a form. Raises ``UsageError`` if a part is missing, and 400 for an unknown label."""
    faults, note = labels_of(form, "fault", folder.sheet.faults), note_of(form)
    if folder.sheet.task == "phenomena":
        phenomena = labels_of(form, "phenomenon", PHENOMENA)
        if not phenomena and not faults:
            raise UsageError("no label was chosen", hint="choose one at least, or mark what is wrong with the problem")
        return Adjudication(None, faults, note, phenomena)
    given = str(form.get("answer", ""))
    choices = {str(index): index for index in range(len(problem.choices))}
    if given not in (*choices, _NO_ANSWER):
        raise UsageError("no answer was chosen", hint="choose one, or that none is right")
    return Adjudication(choices.get(given), faults, note)


def _question(problem: SheetProblem) -> tuple[Segment, ...]:
    return segments(problem.question, [Mark(*match.span(), "blank") for match in re.finditer(BLANK, problem.question)])


def _chosen_by(case: Case, index: int | None) -> str:
    """The names of the people who gave an answer, separated by commas."""
    return ", ".join(
        judgement.person
        for judgement in case.judgements
        if judgement.answered and not judgement.phenomena and judgement.answer == index
    )


def _labelled_by(case: Case, label: str) -> str:
    """The names of the people who gave a label of phenomena, separated by commas."""
    return ", ".join(judgement.person for judgement in case.judgements if label in judgement.phenomena)

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
from wdw_build.annotation.sheets import SheetProblem
from wdw_build.errors import UsageError
from wdw_build.reading import BLANK
from wdw_build.views.marks import Mark, Segment, segments
from wdw_build.web.annotate.cases import Case, cases_of, progress_of
from wdw_build.web.annotate.desk import LONGEST_NOTE
from wdw_build.web.annotate.reader import menu_of
from wdw_build.web.annotate.scores import score_tables
from wdw_build.web.base import OWNER, Pages, require, session_of
from wdw_build.web.base.people import Form

_ADJUDICATOR = "adjudicator"
_NONE = "none"


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
    def case_page(request: Request, number: int, error: str = "") -> Response:
        cases = cases_of(read_judged(folder.path))
        case = next((case for case in cases if case.problem.number == number), None)
        if case is None:
            raise HTTPException(404, "There is nothing to adjudicate under this number.")
        return page(
            request,
            "case.html.j2",
            400 if error else 200,
            case=case,
            question=_question(case.problem),
            chosen_by=[_chosen_by(case, index) for index in range(len(case.problem.choices))],
            undecided=_chosen_by(case, None),
            name=session_of(request).get(_ADJUDICATOR, ""),
            error=error,
            fault_words=folder.sheet.faults,
            none=_NONE,
            longest=LONGEST_NAME,
            longest_note=LONGEST_NOTE,
        )

    @router.get("/problem/{number}")
    def show(request: Request, number: int) -> Response:
        return case_page(request, number)

    @router.post("/problem/{number}")
    def decide(request: Request, number: int, form: Form) -> Response:
        try:
            name, decision = _decision(form, folder, number)
        except UsageError as error:
            return case_page(request, number, f"{error.message}: {error.hint}.")
        session_of(request)[_ADJUDICATOR] = name
        folder.log.append(name, ADJUDICATED, folder.problems[number - 1].id, decision)
        return RedirectResponse("/owner/disagreements", 303)


def _decision(form: FormData, folder: SheetFolder, number: int) -> tuple[str, Adjudication]:
    """The adjudicator's name and decision. Raises ``UsageError`` if a part is missing."""
    if not 1 <= number <= len(folder.problems):
        raise HTTPException(404, "There is no such problem.")
    given = str(form.get("answer", ""))
    choices = {str(index): index for index in range(len(folder.problems[number - 1].choices))}
    if given not in (*choices, _NONE):
        raise UsageError("no answer was chosen", hint="choose one, or that none is right")
    marked = set(map(str, form.getlist("fault")))
    note = str(form.get("note", "")).strip()[:LONGEST_NOTE]
    return checked_name(str(form.get("name", ""))), Adjudication(
        choices.get(given), tuple(fault for fault in folder.sheet.faults if fault in marked), note
    )


def _question(problem: SheetProblem) -> tuple[Segment, ...]:
    return segments(problem.question, [Mark(*match.span(), "blank") for match in re.finditer(BLANK, problem.question)])


def _chosen_by(case: Case, index: int | None) -> str:
    """The names of the people who gave an answer, separated by commas."""
    return ", ".join(
        judgement.person
        for judgement in case.judgements
        if judgement.answered and not judgement.phenomena and judgement.answer == index
    )

"""The owner's pages of a sheet: how far each person is, the scores, and the problems to adjudicate with their key."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.datastructures import FormData

from wdw_build.api import UsageError
from wdw_study.judging.judgements import ADJUDICATED, LONGEST_NOTE, Adjudication
from wdw_study.judging.score import Case, cases, score, score_tables
from wdw_study.judging.sheets import PHENOMENA, SheetFolder, SheetProblem, judged_of
from wdw_study.people import LONGEST_NAME, aside_of, checked_name, people_of
from wdw_study.web.access import OWNER, Form, field, labels_of, require, see
from wdw_study.web.app import Pages
from wdw_study.web.judge import note_of

MENU = (("Progress", "/owner"), ("Scores", "/owner/scores"), ("Disagreements", "/owner/disagreements"))
_ADJUDICATOR = "adjudicator"
_NO_ANSWER = "none"


class PersonRow(NamedTuple):
    """A person in the table of progress."""

    name: str
    aside: bool
    cells: tuple[str, ...]


def router(folder: SheetFolder, pages: Pages) -> APIRouter:
    """The router of one sheet, for the role of owner alone."""
    routes = APIRouter(prefix="/owner", dependencies=[Depends(require(OWNER))])
    sheet = folder.head

    @routes.get("")
    def progress(request: Request) -> Response:
        return pages.render(request, "sheet_progress.html.j2", sheet=sheet, people=list(_progress(folder)))

    @routes.get("/scores")
    def scores(request: Request) -> Response:
        scored = score(judged_of(folder))
        return pages.render(request, "scores.html.j2", sheet=sheet, notes=scored.notes, tables=score_tables(scored))

    @routes.get("/disagreements")
    def disagreements(request: Request) -> Response:
        return pages.render(request, "disagreements.html.j2", sheet=sheet, cases=list(cases(judged_of(folder))))

    @routes.get("/problem/{number}")
    def show(request: Request, number: int) -> Response:
        return pages.render(request, "case.html.j2", **_case_values(request, folder, _case(folder, number)))

    @routes.post("/problem/{number}")
    def decide(request: Request, number: int, form: Form) -> Response:
        case = _case(folder, number)
        try:
            name, decision = checked_name(field(form, "name")), _decision(form, folder, case.problem)
        except UsageError as error:
            values = _case_values(request, folder, case, f"{error.message}: {error.hint}.")
            return pages.render(request, "case.html.j2", 400, **values)
        request.session[_ADJUDICATOR] = name
        folder.log.append(name, ADJUDICATED, case.problem.id, decision)
        return see("/owner/disagreements")

    return routes


def _case_values(request: Request, folder: SheetFolder, case: Case, error: str = "") -> dict[str, Any]:
    """What the page shows on which a problem is adjudicated."""
    return {
        "sheet": folder.head,
        "case": case,
        "chosen_by": [_chosen_by(case, index) for index in range(len(case.problem.choices))],
        "undecided": _chosen_by(case, None),
        "phenomenon_words": PHENOMENA,
        "labelled_by": {
            label: ", ".join(judgement.person for judgement in case.judgements if label in judgement.phenomena)
            for label in PHENOMENA
        },
        "name": request.session.get(_ADJUDICATOR, ""),
        "error": error,
        "fault_words": folder.head.faults,
        "no_answer": _NO_ANSWER,
        "longest": LONGEST_NAME,
        "longest_note": LONGEST_NOTE,
    }


def _progress(folder: SheetFolder) -> Iterator[PersonRow]:
    """How far everyone is who signed in, in the order of signing in."""
    events = folder.log.events()
    people, aside = people_of(events), aside_of(events)
    last = {event.person: event.time for event in events}
    judged = judged_of(folder, counts_all=True)
    for name in people:
        judgements = [judgement for judgement in (*judged.judgements, *judged.models) if judgement.person == name]
        answered = [judgement for judgement in judgements if judgement.answered]
        cells = (
            f"{len(answered)} of {len(folder.items)}",
            str(sum(judgement.answer is None and not judgement.phenomena for judgement in answered)),
            str(sum(bool(judgement.faults) for judgement in judgements)),
            f"{dt.datetime.fromtimestamp(last[name], dt.UTC):%Y-%m-%d %H:%M} UTC",
        )
        yield PersonRow(name, name in aside, cells)


def _case(folder: SheetFolder, number: int) -> Case:
    """The problem with this number. Raises 404 if there is nothing to adjudicate under it."""
    case = next((case for case in cases(judged_of(folder)) if case.problem.number == number), None)
    if case is None:
        raise HTTPException(404, "There is nothing to adjudicate under this number.")
    return case


def _decision(form: FormData, folder: SheetFolder, problem: SheetProblem) -> Adjudication:
    """The decision of a form. Raises ``UsageError`` if a part is missing, and 400 for an unknown label."""
    faults, note = labels_of(form, "fault", folder.head.faults), note_of(form)
    if folder.head.task == "phenomena":
        phenomena = labels_of(form, "phenomenon", PHENOMENA)
        if not phenomena and not faults:
            raise UsageError("no label was chosen", hint="choose at least one, or mark what is wrong with the problem")
        return Adjudication(None, faults, note, phenomena)
    answer = field(form, "answer")
    choices = {str(index): index for index in range(len(problem.choices))}
    if answer not in (*choices, _NO_ANSWER):
        raise UsageError("no answer was chosen", hint="choose one, or that none is right")
    return Adjudication(choices.get(answer), faults, note)


def _chosen_by(case: Case, index: int | None) -> str:
    """The names of the people who gave an answer, separated by commas."""
    return ", ".join(
        judgement.person
        for judgement in case.judgements
        if judgement.answered and not judgement.phenomena and judgement.answer == index
    )

"""The pages of annotators: instructions, a page for each problem, the pause and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from wdw_build.annotation.judgements import HIDDEN, PAUSED, RESUMED, SHOWN, VISIBLE
from wdw_build.annotation.sheet_folder import SheetFolder
from wdw_build.annotation.sheets import CANNOT_TELL, FAULTS, PHENOMENA
from wdw_build.web.annotate.annotator import LONGEST_NOTE, Annotator
from wdw_build.web.base import OWNER, READER, Pages, require
from wdw_build.web.base.access import OTHER_SPELLING, PERSON, Form, Role, person_of, see
from wdw_build.web.base.app import Menu

# Letters for the faults, beside the keys of the page: n (note), p (pause), u (undo) and ? (help).
FAULT_KEYS = dict(zip(FAULTS, "wastgelb", strict=True))
PHENOMENON_KEYS = {label: str(number) for number, label in enumerate(PHENOMENA, 1)}
_OWNER_MENU = (("Progress", "/owner"), ("Scores", "/owner/scores"), ("Disagreements", "/owner/disagreements"))
_ANNOTATOR_MENU = (("Start", "/"), ("Next open problem", "/next"))
# The links of pages of errors, which do not know whether somebody is signed in.
MENUS: Mapping[Role, Menu] = {READER: _ANNOTATOR_MENU, OWNER: (*_ANNOTATOR_MENU, *_OWNER_MENU)}


def menu_of(request: Request) -> Menu:
    """The links at the top of a page."""
    session = request.session
    own = _ANNOTATOR_MENU if session.get(PERSON) else (("Sign in", "/sign-in"),)
    return (*own, *(_OWNER_MENU if session.get("role") == OWNER else ()))


def annotator_router(folder: SheetFolder, pages: Pages) -> APIRouter:
    """The router of one sheet. Its pages need a name."""
    router = APIRouter(dependencies=[Depends(require(READER))])

    def signed_in(request: Request) -> Annotator:
        """The person who signed in. Redirects to the page for signing in if nobody has."""
        return Annotator(folder, person_of(request))

    def page(request: Request, template: str, annotator: Annotator, **values: Any) -> Response:
        statuses = annotator.statuses()
        return pages.render(
            request,
            template,
            menu=menu_of(request),
            person=annotator.person,
            sheet=folder.sheet,
            statuses=statuses,
            answered=len(statuses) - statuses.count("open"),
            can_undo=annotator.can_undo,
            fault_words=folder.sheet.faults,
            fault_keys=FAULT_KEYS,
            phenomenon_words=PHENOMENA,
            phenomenon_keys=PHENOMENON_KEYS,
            **values,
        )

    @router.get("/")
    def start(request: Request) -> Response:
        session = request.session
        if not session.get(PERSON) and session.get("role") == OWNER:
            return see("/owner")
        annotator = signed_in(request)
        return page(request, "start.html.j2", annotator, other_spelling=session.pop(OTHER_SPELLING, False))

    @router.get("/next")
    def next_open(request: Request, after: int = 0) -> Response:
        number = signed_in(request).next_open(after)
        return see(f"/problem/{number}" if number else "/done")

    @router.get("/done")
    def done(request: Request) -> Response:
        return page(request, "done.html.j2", signed_in(request))

    @router.post("/pause")
    def pause(request: Request) -> Response:
        folder.log.append(person_of(request), PAUSED)
        return see("/paused")

    @router.get("/paused")
    def paused(request: Request) -> Response:
        annotator = signed_in(request)
        return page(request, "paused.html.j2", annotator) if annotator.is_paused else see("/")

    @router.post("/resume")
    def resume(request: Request) -> Response:
        annotator = signed_in(request)
        folder.log.append(annotator.person, RESUMED)
        shown = (event.subject for event in reversed(annotator.events) if event.kind == SHOWN)
        number = annotator.number_of(next(shown, ""))
        return see(f"/problem/{number}" if number else "/next")

    @router.post("/undo")
    def undo(request: Request) -> Response:
        number = signed_in(request).undo()
        return see(f"/problem/{number}" if number else "/")

    @router.get("/problem/{number}")
    def problem(request: Request, number: int) -> Response:
        annotator = signed_in(request)
        if annotator.is_paused:
            return see("/paused")
        folder.log.append(annotator.person, SHOWN, annotator.problem(number).id)
        return page(
            request,
            "problem.html.j2",
            annotator,
            problem=annotator.shown(number),
            last=len(folder.problems),
            cannot_tell=CANNOT_TELL,
            longest_note=LONGEST_NOTE,
        )

    @router.post("/problem/{number}")
    def save(request: Request, number: int, form: Form) -> Response:
        annotator = signed_in(request)
        if form.get("person", annotator.person) != annotator.person:
            raise HTTPException(409, "Somebody else has signed in with this browser. Sign in again.")
        saved = annotator.save(number, form)
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse(saved)
        targets = {"next": f"/next?after={number}", "previous": f"/problem/{max(number - 1, 1)}"}
        return see(targets.get(str(form.get("go")), f"/problem/{number}"))

    @router.post("/problem/{number}/attention")
    def attention(request: Request, number: int, form: Form) -> Response:
        annotator = signed_in(request)
        kind = VISIBLE if form.get("state") == VISIBLE else HIDDEN
        folder.log.append(annotator.person, kind, annotator.problem(number).id)
        return Response(status_code=204)

    return router

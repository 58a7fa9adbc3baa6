"""The pages of annotators: instructions, a page for each problem, the pause and the end."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from wdw_build.annotation.folder import SheetFolder
from wdw_build.annotation.judgements import HIDDEN, PAUSED, RESUMED, SHOWN, VISIBLE
from wdw_build.annotation.sheets import CANNOT_TELL, FAULTS, PHENOMENA
from wdw_build.web.annotate.desk import LONGEST_NOTE, Desk
from wdw_build.web.base import OWNER, READER, Pages, require, session_of
from wdw_build.web.base.people import PERSON, Form, person_of

# Letters for the faults, beside the keys of the page: n (note), p (pause), u (undo) and ? (help).
FAULT_KEYS = dict(zip(FAULTS, "wastgelb", strict=True))
PHENOMENON_KEYS = {label: str(number) for number, label in enumerate(PHENOMENA, 1)}
OWNER_MENU = (("Progress", "/owner"), ("Scores", "/owner/scores"), ("Disagreements", "/owner/disagreements"))
_READER_MENU = (("Start", "/"), ("Next open problem", "/next"))


def menu_of(request: Request) -> tuple[tuple[str, str], ...]:
    """The links at the top of a page."""
    session = session_of(request)
    own = _READER_MENU if session.get(PERSON) else (("Sign in", "/sign-in"),)
    return (*own, *(OWNER_MENU if session.get("role") == OWNER else ()))


def reader_router(folder: SheetFolder, pages: Pages) -> APIRouter:
    """The router of one sheet. Its pages need a name."""
    router = APIRouter(dependencies=[Depends(require(READER))])
    _add_overview(router, folder, pages)
    _add_problem(router, folder, pages)
    return router


def _desk(request: Request, folder: SheetFolder) -> Desk:
    """The desk of the person who signed in. Redirects to the page for signing in if nobody has."""
    return Desk.of(folder, person_of(request))


def _see(address: str) -> Response:
    return RedirectResponse(address, 303)


def _page(pages: Pages, request: Request, template: str, desk: Desk, **values: Any) -> Response:
    statuses = desk.statuses()
    return pages.render(
        request,
        template,
        menu=menu_of(request),
        person=desk.person,
        sheet=desk.folder.sheet,
        statuses=statuses,
        answered=len(statuses) - statuses.count("open"),
        can_undo=desk.can_undo,
        fault_words=desk.folder.sheet.faults,
        fault_keys=FAULT_KEYS,
        phenomenon_words=PHENOMENA,
        phenomenon_keys=PHENOMENON_KEYS,
        **values,
    )


def _add_overview(router: APIRouter, folder: SheetFolder, pages: Pages) -> None:
    @router.get("/")
    def start(request: Request) -> Response:
        session = session_of(request)
        if not session.get(PERSON) and session.get("role") == OWNER:
            return _see("/owner")
        return _page(pages, request, "start.html.j2", _desk(request, folder))

    @router.get("/next")
    def next_open(request: Request, after: int = 0) -> Response:
        number = _desk(request, folder).next_open(after)
        return _see(f"/problem/{number}" if number else "/done")

    @router.get("/done")
    def done(request: Request) -> Response:
        return _page(pages, request, "done.html.j2", _desk(request, folder))

    @router.post("/pause")
    def pause(request: Request) -> Response:
        desk = _desk(request, folder)
        folder.log.append(desk.person, PAUSED)
        return _see("/paused")

    @router.get("/paused")
    def paused(request: Request) -> Response:
        desk = _desk(request, folder)
        return _page(pages, request, "paused.html.j2", desk) if desk.is_paused else _see("/")

    @router.post("/resume")
    def resume(request: Request) -> Response:
        desk = _desk(request, folder)
        folder.log.append(desk.person, RESUMED)
        last = next((event.subject for event in reversed(desk.events) if event.kind == SHOWN), "")
        number = next((problem.number for problem in folder.problems if problem.id == last), None)
        return _see(f"/problem/{number}" if number else "/next")

    @router.post("/undo")
    def undo(request: Request) -> Response:
        number = _desk(request, folder).undo()
        return _see(f"/problem/{number}" if number else "/")


def _add_problem(router: APIRouter, folder: SheetFolder, pages: Pages) -> None:
    @router.get("/problem/{number}")
    def problem(request: Request, number: int) -> Response:
        desk = _desk(request, folder)
        if desk.is_paused:
            return _see("/paused")
        folder.log.append(desk.person, SHOWN, desk.problem(number).id)
        return _page(
            pages,
            request,
            "problem.html.j2",
            desk,
            problem=desk.shown(number),
            last=len(folder.problems),
            cannot_tell=CANNOT_TELL,
            longest_note=LONGEST_NOTE,
        )

    @router.post("/problem/{number}")
    def save(request: Request, number: int, form: Form) -> Response:
        saved = _desk(request, folder).save(number, form)
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse(saved._asdict())
        targets = {"next": f"/next?after={number}", "previous": f"/problem/{max(number - 1, 1)}"}
        return _see(targets.get(str(form.get("go")), f"/problem/{number}"))

    @router.post("/problem/{number}/attention")
    def attention(request: Request, number: int, form: Form) -> Response:
        desk = _desk(request, folder)
        kind = VISIBLE if form.get("state") == VISIBLE else HIDDEN
        folder.log.append(desk.person, kind, desk.problem(number).id)
        return Response(status_code=204)

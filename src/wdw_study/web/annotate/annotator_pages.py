"""The pages of annotators. Their view of the sheet holds neither the key nor what other people said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from starlette.datastructures import FormData

from wdw_study import study
from wdw_study.judgements import (
    HIDDEN,
    PAUSED,
    RESUMED,
    SHOWN,
    VISIBLE,
)
from wdw_study.sheet_folder import SheetFolder
from wdw_study.sheets import CANNOT_TELL, FAULTS, PHENOMENA
from wdw_study.web.annotate.annotator import LONGEST_NOTE, Annotator, paragraphs_of
from wdw_study.web.base import OWNER, READER, Pages, require
from wdw_study.web.base.access import IS_KNOWN, PERSON, Form, Role, field, person_of, see
from wdw_study.web.base.app import Menu

_CONSENT = "/consent"
_LONGEST_NUMBER = 9


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


class _Site(NamedTuple):
    """The pages of one sheet."""

    folder: SheetFolder
    pages: Pages

    def annotator(self, request: Request) -> Annotator:
        """The person who signed in and agreed to the study. Redirects to the page for that if nobody has."""
        person, folder = person_of(request), self.folder
        if not study.has_consented(folder.study, folder.log.events(person)):
            raise HTTPException(303, "Read this first.", {"Location": _CONSENT})
        study.assign(folder.study, folder.problems, folder.log, folder.sheet, person)
        return Annotator(folder, person)

    def require_open(self) -> None:
        """Raise 403 if the study is closed."""
        if study.is_closed(self.folder.study):
            raise HTTPException(403, "The study is closed: answers are no longer taken. What you saved before is kept.")

    def page(self, request: Request, template: str, annotator: Annotator, **values: Any) -> Response:
        """A page of this person."""
        statuses, sheet = annotator.statuses(), self.folder.sheet
        return self.pages.render(
            request,
            template,
            menu=menu_of(request),
            person=annotator.person,
            sheet=sheet,
            study=self.folder.study,
            is_closed=study.is_closed(self.folder.study),
            statuses=statuses,
            all=len(statuses),
            answered=len(statuses) - statuses.count("open"),
            can_undo=annotator.can_undo,
            fault_words=sheet.faults,
            fault_keys=FAULT_KEYS,
            phenomenon_words=PHENOMENA,
            phenomenon_keys=PHENOMENON_KEYS,
            **values,
        )

    def save(self, request: Request, form: FormData, number: int) -> dict[str, Any]:
        """Save the changes of a problem's form. Raises 409 if the page of the form was another person's, 403 if it is late."""
        self.require_open()
        annotator = self.annotator(request)
        if form.get("person", annotator.person) != annotator.person:
            raise HTTPException(409, "Somebody else has signed in with this browser. Sign in again.")
        return annotator.save(number, form)

    def save_with_button(self, request: Request, form: FormData) -> None:
        """Save what the form of a problem holds beside its button; without JavaScript nothing else has saved it."""
        number = field(form, "number")
        if number.isdecimal():
            self.save(request, form, int(number[:_LONGEST_NUMBER]))


def annotator_router(folder: SheetFolder, pages: Pages) -> APIRouter:
    """The router of one sheet. Its pages need a name."""
    router, site = APIRouter(dependencies=[Depends(require(READER))]), _Site(folder, pages)
    _overview(router, site)
    _consent(router, site)
    _clock(router, site)
    _problems(router, site)
    return router


def _overview(router: APIRouter, site: _Site) -> None:
    """The pages before and after the problems."""

    @router.get("/")
    def start(request: Request) -> Response:
        session = request.session
        if not session.get(PERSON) and session.get("role") == OWNER:
            return see("/owner")
        annotator = site.annotator(request)
        instructions = paragraphs_of(site.folder.study.instructions)
        is_known = session.pop(IS_KNOWN, False)
        return site.page(request, "start.html.j2", annotator, is_known=is_known, instructions=instructions)

    @router.get("/next")
    def next_open(request: Request, after: int = 0) -> Response:
        number = site.annotator(request).next_open(after)
        return see(f"/problem/{number}" if number else "/done")

    @router.get("/done")
    def done(request: Request) -> Response:
        return site.page(request, "done.html.j2", site.annotator(request))


def _consent(router: APIRouter, site: _Site) -> None:
    """The page that comes before all others, if the study asks for consent."""

    @router.get(_CONSENT)
    def ask(request: Request) -> Response:
        text = paragraphs_of(site.folder.study.consent)
        return site.pages.render(request, "consent.html.j2", menu=(), person=person_of(request), paragraphs=text)

    @router.post(_CONSENT)
    def agree(request: Request, form: Form) -> Response:
        if field(form, "agree"):
            site.folder.log.append(person_of(request), study.CONSENTED, value=study.consent_hash(site.folder.study))
        return see("/")


def _clock(router: APIRouter, site: _Site) -> None:
    """Pause, and what stops and starts the clock of a problem."""
    log = site.folder.log

    @router.post("/pause")
    def pause(request: Request, form: Form) -> Response:
        site.save_with_button(request, form)
        log.append(person_of(request), PAUSED)
        return see("/paused")

    @router.get("/paused")
    def paused(request: Request) -> Response:
        annotator = site.annotator(request)
        return site.page(request, "paused.html.j2", annotator) if annotator.is_paused else see("/")

    @router.post("/resume")
    def resume(request: Request) -> Response:
        annotator = site.annotator(request)
        log.append(annotator.person, RESUMED)
        shown = (event.subject for event in reversed(annotator.events) if event.kind == SHOWN)
        number = annotator.number_of(next(shown, ""))
        return see(f"/problem/{number}" if number else "/next")

    @router.post("/problem/{number}/attention")
    def attention(request: Request, number: int, form: Form) -> Response:
        annotator = site.annotator(request)
        kind = VISIBLE if form.get("state") == VISIBLE else HIDDEN
        log.append(annotator.person, kind, annotator.problem(number).id)
        return Response(status_code=204)


def _problems(router: APIRouter, site: _Site) -> None:
    """The page of a problem, its changes and undo."""

    @router.get("/problem/{number}")
    def problem(request: Request, number: int) -> Response:
        annotator = site.annotator(request)
        if annotator.is_paused:
            return see("/paused")
        site.folder.log.append(annotator.person, SHOWN, annotator.problem(number).id)
        return site.page(
            request,
            "problem.html.j2",
            annotator,
            problem=annotator.shown(number),
            cannot_tell=CANNOT_TELL,
            longest_note=LONGEST_NOTE,
        )

    @router.post("/problem/{number}")
    def save(request: Request, number: int, form: Form) -> Response:
        saved = site.save(request, form, number)
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse(saved)
        targets = {"next": f"/next?after={number}", "previous": f"/problem/{max(number - 1, 1)}"}
        return see(targets.get(str(form.get("go")), f"/problem/{number}"))

    @router.post("/undo")
    def undo(request: Request, form: Form) -> Response:
        site.require_open()
        site.save_with_button(request, form)
        number = site.annotator(request).undo()
        return see(f"/problem/{number}" if number else "/")

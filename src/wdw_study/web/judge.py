"""The pages of annotators, which show neither the key nor other people's judgements."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from starlette.datastructures import FormData

from wdw_study.judging.judgements import LONGEST_NOTE
from wdw_study.judging.sheets import CANNOT_TELL, FAULTS, PHENOMENA, SheetFolder
from wdw_study.web.access import IS_KNOWN, OWNER, PERSON, READER, ROLE, Form, Person, field, person_of, require, see
from wdw_study.web.annotator import Annotator
from wdw_study.web.app import Pages

MENU = (("Start", "/"), ("Next open problem", "/next"))
# Letters for the faults, beside the keys of the page: n (note), u (undo) and ? (help).
FAULT_KEYS = dict(zip(FAULTS, "wastgelb", strict=True))
PHENOMENON_KEYS = {label: str(number) for number, label in enumerate(PHENOMENA, 1)}
_LONGEST_NUMBER = 9


class _Site(NamedTuple):
    """The pages of one sheet."""

    folder: SheetFolder
    pages: Pages

    def page(self, request: Request, template: str, annotator: Annotator, **values: Any) -> Response:
        """A page of this person."""
        statuses, sheet = annotator.statuses(), self.folder.head
        return self.pages.render(
            request,
            template,
            sheet=sheet,
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

    def save(self, person: str, form: FormData, number: int) -> dict[str, Any]:
        """Save the changes of a problem's form. Raises 409 if the page of the form was another person's."""
        if form.get("person", person) != person:
            raise HTTPException(409, "Somebody else has signed in with this browser. Sign in again.")
        return Annotator(self.folder, person).save(number, form)


def router(folder: SheetFolder, pages: Pages) -> APIRouter:
    """The router of one sheet. Its pages need a name."""
    routes, site = APIRouter(dependencies=[Depends(require(READER))]), _Site(folder, pages)
    _overview(routes, site)
    _problems(routes, site)
    return routes


def _overview(routes: APIRouter, site: _Site) -> None:
    """The pages before and after the problems."""

    @routes.get("/")
    def start(request: Request) -> Response:
        session = request.session
        if not session.get(PERSON) and session.get(ROLE) == OWNER:
            return see("/owner")
        annotator, is_known = Annotator(site.folder, person_of(request)), session.pop(IS_KNOWN, False)
        return site.page(request, "start.html.j2", annotator, is_known=is_known)

    @routes.get("/next")
    def next_open(person: Person, after: int = 0) -> Response:
        number = Annotator(site.folder, person).next_open(after)
        return see(f"/problem/{number}" if number else "/done")

    @routes.get("/done")
    def done(request: Request, person: Person) -> Response:
        return site.page(request, "done.html.j2", Annotator(site.folder, person))


def _problems(routes: APIRouter, site: _Site) -> None:
    """The page of a problem, its changes and undo."""

    @routes.get("/problem/{number}")
    def problem(request: Request, person: Person, number: int) -> Response:
        annotator = Annotator(site.folder, person)
        return site.page(
            request,
            "problem.html.j2",
            annotator,
            problem=annotator.shown(number),
            cannot_tell=CANNOT_TELL,
            longest_note=LONGEST_NOTE,
        )

    @routes.post("/problem/{number}")
    def save(request: Request, person: Person, number: int, form: Form) -> Response:
        saved = site.save(person, form, number)
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse(saved)
        targets = {"next": f"/next?after={number}", "previous": f"/problem/{max(number - 1, 1)}"}
        return see(targets.get(str(form.get("go")), f"/problem/{number}"))

    @routes.post("/undo")
    def undo(person: Person, form: Form) -> Response:
        # Without JavaScript, nothing else has saved the fields of the form.
        number = field(form, "number")
        if number.isdecimal():
            site.save(person, form, int(number[:_LONGEST_NUMBER]))
        last = Annotator(site.folder, person).undo()
        return see(f"/problem/{last}" if last else "/")

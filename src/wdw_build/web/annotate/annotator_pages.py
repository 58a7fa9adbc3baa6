"""The pages of annotators. Their view of the sheet holds neither the key nor what other people said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from starlette.datastructures import FormData

from wdw_build.annotation import judgements
from wdw_build.annotation.judgements import (
    ANSWERED,
    FAULTS_MARKED,
    HIDDEN,
    LABELLED,
    NOTED,
    PAUSED,
    RESUMED,
    SHOWN,
    UNDONE,
    VISIBLE,
)
from wdw_build.annotation.sheet_draw import choice_order
from wdw_build.annotation.sheet_folder import SheetFolder
from wdw_build.annotation.sheets import CANNOT_TELL, FAULTS, PHENOMENA, Judgement, SheetProblem
from wdw_build.reading import BLANK
from wdw_build.views.marks import Mark, Segment, segments
from wdw_build.web.base import OWNER, READER, Pages, require
from wdw_build.web.base.access import IS_KNOWN, PERSON, Form, Role, field, labels_of, person_of, see
from wdw_build.web.base.app import Menu

LONGEST_NOTE = 4000
_LONGEST_NUMBER = 9


class Annotator:
    """A person at a sheet: the person's own events, and what follows from them."""

    def __init__(self, folder: SheetFolder, person: str) -> None:
        self.folder, self.person = folder, person
        self.events = folder.log.events(person)
        self._changes = judgements.standing_changes(self.events)
        self._judgements = judgements.person_judgements(person, self.events)

    @property
    def is_paused(self) -> bool:
        """Whether the person paused."""
        return judgements.is_paused(self.events)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._changes)

    def problem(self, number: int) -> SheetProblem:
        """The problem with its key. Raises 404 if the sheet has no such number."""
        if not 1 <= number <= len(self.folder.problems):
            raise HTTPException(404, f"The sheet has problems 1 to {len(self.folder.problems)}.")
        return self.folder.problems[number - 1]

    def statuses(self) -> list[str]:
        """`open`, `answered` or `faulty` (answered too) for every problem, in the order of the sheet."""
        known = map(self._judgement, self.folder.problems)
        return [("faulty" if each.faults else "answered") if each.answered else "open" for each in known]

    def next_open(self, after: int) -> int | None:
        """The next problem without an answer; after the last one, the search begins again. None: all are answered."""
        numbers = [number for number, status in enumerate(self.statuses(), 1) if status == "open"]
        return next((number for number in numbers if number > after), numbers[0] if numbers else None)

    def number_of(self, problem: str) -> int | None:
        """The number of the problem with this id; None if the sheet does not have it."""
        return next((each.number for each in self.folder.problems if each.id == problem), None)

    def shown(self, number: int) -> dict[str, Any]:
        """Everything that the person may see of a problem, as values of the template."""
        problem = self.problem(number)
        judgement = self._judgement(problem)
        asks_answer = self.folder.sheet.task == "answer"
        chosen = judgement.answer if asks_answer and judgement.answered else None
        return {
            "number": number,
            "question": marked_question(problem),
            "paragraphs": [part.strip() for part in problem.passage.split("\n\n") if part.strip()],
            # The value is the place of a choice in the person's own order, so that it does not reveal the key.
            "choices": [
                {"value": str(place), "name": problem.choices[index], "checked": index == chosen}
                for place, index in enumerate(self._order(problem))
            ],
            "cannot_tell": asks_answer and judgement.answered and judgement.answer is None,
            "given": "" if asks_answer else problem.choices[problem.answer],
            "judgement": judgement,
        }

    def save(self, number: int, form: FormData) -> dict[str, Any]:
        """Append what a form changes; the new status of the problem and the number of answered problems.

        The form names the fields that its page changed. The others are left as they are, because another tab may have
        changed them since.
        """
        problem = self.problem(number)
        for kind, value in judgements.changes_to(self._judgement(problem), dict(self._given(problem, form))).items():
            self.folder.log.append(self.person, kind, problem.id, value)
        statuses = Annotator(self.folder, self.person).statuses()
        return {"status": statuses[number - 1], "answered": len(statuses) - statuses.count("open")}

    def undo(self) -> int | None:
        """Take back the last change and return the number of its problem; None if there is nothing to undo."""
        if not self._changes:
            return None
        last = self._changes[-1]
        self.folder.log.append(self.person, UNDONE, last.subject, last.number)
        return self.number_of(last.subject)

    def _order(self, problem: SheetProblem) -> Sequence[int]:
        return choice_order(self.folder.sheet.seed, self.person, problem)

    def _judgement(self, problem: SheetProblem) -> Judgement:
        return self._judgements.get(problem.id) or Judgement(person=self.person, problem=problem.id)

    def _given(self, problem: SheetProblem, form: FormData) -> Iterator[tuple[str, Any]]:
        """The kinds and values of the changes in a form. An answer that was not chosen is no change."""
        changed, sheet = field(form, "changed").split(), self.folder.sheet
        if "answer" in changed and "answer" in form and sheet.task == "answer":
            answers = {CANNOT_TELL: None, **{str(place): index for place, index in enumerate(self._order(problem))}}
            if field(form, "answer") not in answers:
                raise HTTPException(400, "The problem has no such choice. Reload the page.")
            yield ANSWERED, answers[field(form, "answer")]
        if "phenomenon" in changed and sheet.task == "phenomena":
            yield LABELLED, labels_of(form, "phenomenon", PHENOMENA)
        if "fault" in changed:
            yield FAULTS_MARKED, labels_of(form, "fault", sheet.faults)
        if "note" in changed:
            yield NOTED, note_of(form)


def marked_question(problem: SheetProblem) -> tuple[Segment, ...]:
    """The question with its blank marked."""
    return segments(problem.question, [Mark(*match.span(), "blank") for match in re.finditer(BLANK, problem.question)])


def note_of(form: FormData) -> str:
    """The note of a form. Raises 400 if it is too long."""
    note = field(form, "note").replace("\r\n", "\n").strip()
    if len(note) > LONGEST_NOTE:
        raise HTTPException(400, f"A note has at most {LONGEST_NOTE} characters.")
    return note


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
        """The person who signed in. Redirects to the page for signing in if nobody has."""
        return Annotator(self.folder, person_of(request))

    def page(self, request: Request, template: str, annotator: Annotator, **values: Any) -> Response:
        """A page of this person."""
        statuses, sheet = annotator.statuses(), self.folder.sheet
        return self.pages.render(
            request,
            template,
            menu=menu_of(request),
            person=annotator.person,
            sheet=sheet,
            statuses=statuses,
            answered=len(statuses) - statuses.count("open"),
            can_undo=annotator.can_undo,
            fault_words=sheet.faults,
            fault_keys=FAULT_KEYS,
            phenomenon_words=PHENOMENA,
            phenomenon_keys=PHENOMENON_KEYS,
            **values,
        )

    def save(self, request: Request, form: FormData, number: int) -> dict[str, Any]:
        """Save the changes of a problem's form. Raises 409 if the page of the form was another person's."""
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
        return site.page(request, "start.html.j2", annotator, is_known=session.pop(IS_KNOWN, False))

    @router.get("/next")
    def next_open(request: Request, after: int = 0) -> Response:
        number = site.annotator(request).next_open(after)
        return see(f"/problem/{number}" if number else "/done")

    @router.get("/done")
    def done(request: Request) -> Response:
        return site.page(request, "done.html.j2", site.annotator(request))


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
            last=len(site.folder.problems),
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
        site.save_with_button(request, form)
        number = site.annotator(request).undo()
        return see(f"/problem/{number}" if number else "/")

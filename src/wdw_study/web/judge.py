"""The pages of annotators: one person's view of a sheet, without the key and without other people's judgements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from starlette.datastructures import FormData

from wdw_study.event_log import UNDONE
from wdw_study.judging import judgements
from wdw_study.judging.draw import choice_order
from wdw_study.judging.judgements import ANSWERED, FAULTS_MARKED, LABELLED, LONGEST_NOTE, NOTED, Judgement
from wdw_study.judging.sheets import CANNOT_TELL, FAULTS, PHENOMENA, SheetFolder, SheetProblem
from wdw_study.web.access import (
    IS_KNOWN,
    READER,
    Form,
    Person,
    field,
    is_nameless_owner,
    labels_of,
    person_of,
    require,
    see,
)
from wdw_study.web.app import Pages


class Annotator:
    """A person at a sheet: the person's own events, and what follows from them."""

    def __init__(self, folder: SheetFolder, person: str) -> None:
        self.folder, self.person = folder, person
        events = folder.log.events(person)
        self._changes = judgements.standing_changes(events)
        self._judgements = judgements.person_judgements(person, events)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._changes)

    def problem(self, number: int) -> SheetProblem:
        """The problem with its key. Raises 404 if the sheet has no such number."""
        if not 1 <= number <= len(self.folder.items):
            raise HTTPException(404, f"There are problems 1 to {len(self.folder.items)}.")
        return self.folder.items[number - 1]

    def statuses(self) -> list[str]:
        """`open`, `answered` or `faulty` (answered too) for every problem."""
        known = map(self._judgement, self.folder.items)
        return [("faulty" if judgement.faults else "answered") if judgement.answered else "open" for judgement in known]

    def next_open(self, after: int) -> int | None:
        """The next problem without an answer; after the last one, the search begins again. None: all are answered."""
        numbers = [number for number, status in enumerate(self.statuses(), 1) if status == "open"]
        return next((number for number in numbers if number > after), numbers[0] if numbers else None)

    def shown(self, number: int) -> dict[str, Any]:
        """Everything that the person may see of a problem, as values of the template."""
        problem = self.problem(number)
        judgement = self._judgement(problem)
        asks_answer = self.folder.head.task == "answer"
        chosen = judgement.answer if asks_answer and judgement.answered else None
        return {
            "number": number,
            "around_blank": problem.around_blank,
            **{name: getattr(problem, name) for name in ("passage", "title", "date")},
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
        judgements.append_changes(self.folder.log, self._judgement(problem), dict(self._given(problem, form)))
        statuses = Annotator(self.folder, self.person).statuses()
        return {"status": statuses[number - 1], "answered": len(statuses) - statuses.count("open")}

    def undo(self) -> int | None:
        """Take back the last change and return the number of its problem; None if there is nothing to undo."""
        if not self._changes:
            return None
        last = self._changes[-1]
        self.folder.log.append(self.person, UNDONE, last.subject, last.number)
        return next((problem.number for problem in self.folder.items if problem.id == last.subject), None)

    def _order(self, problem: SheetProblem) -> Sequence[int]:
        return choice_order(self.folder.head.seed, self.person, problem)

    def _judgement(self, problem: SheetProblem) -> Judgement:
        return self._judgements.get(problem.id) or Judgement(person=self.person, problem=problem.id)

    def _given(self, problem: SheetProblem, form: FormData) -> Iterator[tuple[str, Any]]:
        """The kinds and values of the changes in a form. An answer that was not chosen is no change."""
        changed, sheet = field(form, "changed").split(), self.folder.head
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


def note_of(form: FormData) -> str:
    """The note of a form. Raises 400 if it is too long."""
    note = field(form, "note").replace("\r\n", "\n").strip()
    if len(note) > LONGEST_NOTE:
        raise HTTPException(400, f"A note has at most {LONGEST_NOTE} characters.")
    return note


# ---- pages -----------------------------------------------------------------------------------------------------------

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
        if is_nameless_owner(request):
            return see("/owner")
        annotator, is_known = Annotator(site.folder, person_of(request)), request.session.pop(IS_KNOWN, False)
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

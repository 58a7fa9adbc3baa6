"""The list of passages, the instructions, and the page on which a person writes questions about one passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from wdw_build.annotation.event_log import value_of
from wdw_build.annotation.questions import advice, rules
from wdw_build.annotation.questions.adversary import Outcome
from wdw_build.annotation.questions.measures import agrees, is_confirmed
from wdw_build.annotation.questions.passages import Passage
from wdw_build.annotation.questions.rules import Draft
from wdw_build.annotation.questions.spans import texts
from wdw_build.annotation.questions.state import (
    DELETED,
    EDITED,
    LABELLING,
    REFUSED,
    UNDONE,
    VALIDATING,
    VERDICTS,
    WRITING,
    WRITTEN,
    Question,
    Refused,
    State,
    Validation,
    Written,
    passage_of,
)
from wdw_build.web.base import READER, require
from wdw_build.web.base.people import Form, Person, person_of
from wdw_build.web.collect import progress
from wdw_build.web.collect.site import Site, form_spans, spans_of

_SECONDS_WHILE_TYPING, _SECONDS_AT_SUBMIT = 10, 20
_LONGEST_QUESTION = 1000
_GROUPS = {"writing": WRITING, "validating": VALIDATING, "labelling": LABELLING}


def router(site: Site) -> APIRouter:
    """The pages for writers."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/")
    def passages(request: Request) -> Response:
        if progress.is_owner_without_name(request):
            return RedirectResponse("/progress", 303)
        return _passages(site, request, person_of(request))

    @routes.get("/instructions")
    def instructions(request: Request, person: Person) -> Response:
        limits = site.opened.collection.limits
        return site.render(
            request, "instructions.html.j2", person, limits=limits, has_model=bool(site.answerer.identity)
        )

    @routes.get("/passages/{name}")
    def write(request: Request, person: Person, name: str, edit: str = "", saved: str = "") -> Response:
        passage, state = site.passage(name), site.opened.state()
        editing = _own(state, edit, person, name) if edit else None
        draft = editing.written.draft if editing else Draft("", ())
        site.answerer.prepare(person, passage.text)
        return _page(site, request, person, passage, draft, editing=edit, saved=saved)

    @routes.post("/passages/{name}")
    def submit(request: Request, person: Person, name: str, form: Form) -> Response:
        return _submit(
            site, request, person, site.passage(name), _draft(form, site.passage(name)), _field(form, "editing")
        )

    @routes.post("/passages/{name}/ask")
    def ask(person: Person, name: str, form: Form) -> Response:
        passage = site.passage(name)
        return JSONResponse(_checked(site, person, passage, _draft(form, passage), _field(form, "editing")))

    @routes.post("/questions/{name}/delete")
    def delete(person: Person, name: str) -> Response:
        question = _own(site.opened.state(), name, person)
        site.opened.log.append(person, DELETED, question.id)
        return RedirectResponse(f"/passages/{question.passage}?saved=deleted", 303)

    @routes.post("/undo")
    def undo(person: Person, form: Form) -> Response:
        return _undo(site, person, _field(form, "group"), _field(form, "passage"))

    return routes


def _field(form: Form, name: str) -> str:
    return str(form.get(name, ""))


def _draft(form: Form, passage: Passage) -> Draft:
    question = " ".join(_field(form, "question")[:_LONGEST_QUESTION].split())
    return Draft(question, spans_of(form, passage.text))


def _own(state: State, name: str, person: str, passage: str = "") -> Question:
    """The person's question with this id, about this passage if one is given; else the page "Not found"."""
    question = state.find(name)
    if question is None or question.writer != person or passage not in ("", question.passage):
        raise HTTPException(404, "You have no such question.")
    return question


# ---- pages ---------------------------------------------------------------------------------------------------------------


def _passages(site: Site, request: Request, person: str) -> Response:
    state = site.opened.state()
    mine = Counter(question.passage for question in state.questions if question.writer == person)
    everyones = Counter(question.passage for question in state.questions)
    confirmed = Counter(
        question.passage
        for question in state.questions
        if question.writer == person and is_confirmed(question, site.passage(question.passage).text)
    )
    rows = [(each, mine[each.id], everyones[each.id], confirmed[each.id]) for each in site.opened.passages]
    return site.render(request, "passages.html.j2", person, rows=rows, written=mine.total())


def _page(
    site: Site,
    request: Request,
    person: str,
    passage: Passage,
    draft: Draft,
    *,
    editing: str = "",
    saved: str = "",
    faults: Sequence[str] = (),
    outcome: Outcome | None = None,
    status: int = 200,
) -> Response:
    state, passages = site.opened.state(), site.opened.passages
    number = passages.index(passage)
    return site.render(
        request,
        "write.html.j2",
        person,
        status,
        passage=passage,
        number=number + 1,
        previous=passages[number - 1].id if number else "",
        following=passages[number + 1].id if number + 1 < len(passages) else "",
        question=draft.question,
        spans=form_spans(draft.spans, passage.text),
        answers="\n".join(filter(None, texts(passage.text, draft.spans))),
        editing=editing,
        validated=any(question.id == editing and question.validations for question in state.of(passage.id)),
        saved=saved,
        faults=faults,
        notes=_notes_of_last(state, person, passage) if saved in {"yes", "unchecked"} else [],
        outcome=outcome,
        limits=site.opened.collection.limits,
        mine=[_shown(question, passage) for question in state.of(passage.id) if question.writer == person],
        can_undo=state.last(person, WRITING, passage.id) is not None,
        has_model=bool(site.answerer.identity),
    )


def _shown(question: Question, passage: Passage) -> dict[str, Any]:
    """A question of the list of the writer's own. Who validated it, and what they marked, stays hidden from her."""
    opinions = Counter(_opinion(validation, question, passage) for validation in question.validations.values())
    return {
        "id": question.id,
        "question": question.written.question,
        "answers": texts(passage.text, question.written.spans),
        "unchecked": question.written.adversary is None,
        "opinions": sorted(opinions.items()),
        "confirmed": is_confirmed(question, passage.text),
    }


def _opinion(validation: Validation, question: Question, passage: Passage) -> str:
    if validation.verdict != "answerable":
        return VERDICTS[validation.verdict]
    same = agrees(validation, question, passage.text)
    return "marked the same answer" if same else "marked another answer"


def _notes_of_last(state: State, person: str, passage: Passage) -> list[str]:
    """The notes on the question that the person wrote or changed last."""
    last = state.last(person, (WRITTEN, EDITED))
    return advice.notes(value_of(last, Written).draft, passage) if last else []


# ---- checks and actions ----------------------------------------------------------------------------------------------------


def _faults(site: Site, passage: Passage, draft: Draft, editing: str, outcome: Outcome) -> list[tuple[str, str]]:
    """(rule, sentence) for each rule that a draft breaks."""
    limits = site.opened.collection.limits
    others = [each.written.draft for each in site.opened.state().of(passage.id) if each.id != editing]
    answer = outcome.answer.spans if outcome.answer else None
    names = rules.broken(draft, passage, others, limits, answer)
    return [(name, advice.explanation(name, draft, passage, others, limits, answer)) for name in names]


def _checked(site: Site, person: str, passage: Passage, draft: Draft, editing: str) -> dict[str, Any]:
    """What the page shows while a person types."""
    outcome = Outcome("none")
    if draft.question:
        outcome = site.answerer.ask(f"{person}\x1ftyping", passage.text, draft.question, _SECONDS_WHILE_TYPING)
    answer = outcome.answer
    return {
        "state": outcome.state,
        "faults": [sentence for _, sentence in _faults(site, passage, draft, editing, outcome)],
        "notes": advice.notes(draft, passage),
        "answer": list(answer.spans) if answer else [],
        "f1": round(rules.f1(draft, passage, answer.spans), 2) if answer and draft.spans else None,
    }


def _submit(site: Site, request: Request, person: str, passage: Passage, draft: Draft, editing: str) -> Response:
    if editing:
        _own(site.opened.state(), editing, person, passage.id)
    outcome = Outcome("none")
    if draft.question:
        # Without a slot: a question that a newer one dropped would be saved unchecked.
        outcome = site.answerer.ask("", passage.text, draft.question, _SECONDS_AT_SUBMIT)
    log = site.opened.log
    with site.writing:
        faults = _faults(site, passage, draft, editing, outcome)
        if not faults:
            kind, subject = (EDITED, editing) if editing else (WRITTEN, passage.id)
            log.append(person, kind, subject, Written(draft.question, draft.spans, outcome.answer))
            saved = "unchecked" if outcome.answer is None and site.answerer.identity else "yes"
            return RedirectResponse(f"/passages/{passage.id}?saved={saved}", 303)
    names = tuple(name for name, _ in faults)
    log.append(person, REFUSED, passage.id, Refused(draft.question, draft.spans, outcome.answer, names))
    sentences = [sentence for _, sentence in faults]
    return _page(site, request, person, passage, draft, editing=editing, faults=sentences, outcome=outcome, status=422)


def _undo(site: Site, person: str, group: str, passage: str) -> Response:
    """Take back the person's last action of a group, about this passage if one is given, and return to its page."""
    state = site.opened.state()
    last = state.last(person, _GROUPS.get(group, ()), passage)
    if last is None:
        raise HTTPException(422, "There is nothing to undo.")
    site.opened.log.append(person, UNDONE, last.subject, last.number)
    if group != "writing":
        return RedirectResponse(f"/{'validate' if group == 'validating' else 'label'}?saved=undone", 303)
    return RedirectResponse(f"/passages/{passage_of(last.subject)}?saved=undone", 303)

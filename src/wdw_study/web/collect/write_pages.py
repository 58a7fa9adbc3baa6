"""The list of passages, the instructions, and the page on which a person writes questions about one passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from wdw_study.collection import question_rules as rules
from wdw_study.collection import question_state as events
from wdw_study.collection.adversary_worker import Outcome
from wdw_study.collection.passages import Passage, texts
from wdw_study.collection.question_rules import Draft
from wdw_study.collection.question_scores import agrees, is_confirmed
from wdw_study.collection.question_state import Question, Refused, State, Written, passage_of
from wdw_study.event_log import value_of
from wdw_study.web.base import OWNER, READER, require
from wdw_study.web.base.access import IS_KNOWN, PERSON, Form, Person, field, person_of, see
from wdw_study.web.collect.collect_site import Site, form_spans, spans_of

_SECONDS_WHILE_TYPING, _SECONDS_AT_SUBMIT = 10, 20
_LONGEST_QUESTION = 1000
_GROUPS = {"writing": events.WRITING, "validating": events.VALIDATING, "labelling": events.LABELLING}


def router(site: Site) -> APIRouter:
    """The pages for writers."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/")
    def passages(request: Request) -> Response:
        session = request.session
        # The owner's page needs no name; writing, validating and labelling do.
        if session.get("role") == OWNER and not session.get(PERSON):
            return see("/progress")
        return _passages(site, request, person_of(request))

    @routes.get("/instructions")
    def instructions(request: Request, person: Person) -> Response:
        limits = site.opened.collection.limits
        return site.render(
            request, "instructions.html.j2", person, limits=limits, has_model=bool(site.answerer.identity)
        )

    @routes.get("/passages/{name}")
    def write(request: Request, person: Person, name: str, edit: str = "", saved: str = "") -> Response:
        passage = site.passage(name)
        editing = _own(site.opened.state(), edit, person, name) if edit else None
        draft = editing.written if editing else Draft("", ())
        site.answerer.prepare(person, passage.text)
        return _page(_Writing(site, person, passage, draft, edit), request, saved)

    @routes.post("/passages/{name}")
    def submit(request: Request, person: Person, name: str, form: Form) -> Response:
        return _submit(_Writing.of(site, person, name, form), request)

    @routes.post("/passages/{name}/ask")
    def ask(person: Person, name: str, form: Form) -> Response:
        return JSONResponse(_checked(_Writing.of(site, person, name, form)))

    _changes(routes, site)
    return routes


def _changes(routes: APIRouter, site: Site) -> None:
    """Delete a question, and undo."""

    @routes.post("/questions/{name}/delete")
    def delete(person: Person, name: str) -> Response:
        question = _own(site.opened.state(), name, person)
        site.opened.log.append(person, events.DELETED, question.id)
        return see(f"/passages/{question.passage}?saved=deleted")

    @routes.post("/undo")
    def undo(person: Person, form: Form) -> Response:
        """Take back the person's last action of a group, about this passage if one is given, and return to its page."""
        group = field(form, "group")
        last = site.opened.state().last(person, _GROUPS.get(group, ()), field(form, "passage"))
        if last is None:
            raise HTTPException(422, "There is nothing to undo. A validation stays once its answer was shown to you.")
        site.opened.log.append(person, events.UNDONE, last.subject, last.number)
        pages = {"validating": "/validate", "labelling": "/label"}
        return see(f"{pages.get(group, f'/passages/{passage_of(last.subject)}')}?saved=undone")


class _Writing(NamedTuple):
    """A person who writes a question about a passage, or changes the question with the id ``editing``."""

    site: Site
    person: str
    passage: Passage
    draft: Draft
    editing: str

    @staticmethod
    def of(site: Site, person: str, name: str, form: Form) -> _Writing:
        """The draft of a form."""
        passage = site.passage(name)
        question = " ".join(field(form, "question")[:_LONGEST_QUESTION].split())
        return _Writing(site, person, passage, Draft(question, spans_of(form, passage.text)), field(form, "editing"))

    def asked(self, slot: str, seconds: float) -> Outcome:
        """The adversary's answer to the draft."""
        if not self.draft.question:
            return Outcome("none")
        return self.site.answerer.ask(slot, self.passage.text, self.draft.question, seconds)

    def faults(self, outcome: Outcome) -> dict[str, str]:
        """Each rule that the draft breaks, with its sentence."""
        opened, answer = self.site.opened, outcome.answer.spans if outcome.answer else None
        others = [each.written for each in opened.state().of(self.passage.id) if each.id != self.editing]
        context = self.draft, self.passage, others, opened.collection.limits, answer
        return {name: rules.explanation(name, *context) for name in rules.broken(*context)}


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
    is_known = request.session.pop(IS_KNOWN, False)
    return site.render(request, "passages.html.j2", person, rows=rows, written=mine.total(), is_known=is_known)


def _page(
    writing: _Writing, request: Request, saved: str = "", faults: Sequence[str] = (), outcome: Outcome | None = None
) -> Response:
    site, person, passage, draft, editing = writing
    state, passages = site.opened.state(), site.opened.passages
    number = passages.index(passage)
    last = state.last(person, (events.WRITTEN, events.EDITED)) if saved in {"yes", "unchecked"} else None
    return site.render(
        request,
        "write.html.j2",
        person,
        422 if faults else 200,
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
        notes=rules.notes(value_of(last, Written), passage) if last else [],
        outcome=outcome,
        limits=site.opened.collection.limits,
        mine=[_shown(question, passage) for question in state.of(passage.id) if question.writer == person],
        can_undo=state.last(person, events.WRITING, passage.id) is not None,
        has_model=bool(site.answerer.identity),
    )


def _shown(question: Question, passage: Passage) -> dict[str, Any]:
    """A question of the list of the writer's own. Who validated it, and what they marked, stays hidden from her."""
    opinions: Counter[str] = Counter()
    for validation in question.validations.values():
        same = "marked the same answer" if agrees(validation, question, passage.text) else "marked another answer"
        opinions[same if validation.verdict == "answerable" else events.VERDICTS[validation.verdict]] += 1
    return {
        "id": question.id,
        "question": question.written.question,
        "answers": texts(passage.text, question.written.spans),
        "unchecked": question.written.adversary is None,
        "opinions": sorted(opinions.items()),
        "confirmed": is_confirmed(question, passage.text),
    }


# ---- checks --------------------------------------------------------------------------------------------------------------


def _checked(writing: _Writing) -> dict[str, Any]:
    """What the page shows while a person types."""
    draft, passage = writing.draft, writing.passage
    outcome = writing.asked(f"{writing.person}\x1ftyping", _SECONDS_WHILE_TYPING)
    answer = outcome.answer
    return {
        "state": outcome.state,
        "faults": list(writing.faults(outcome).values()),
        "notes": rules.notes(draft, passage),
        "answer": list(answer.spans) if answer else [],
        "f1": round(rules.f1(draft, passage, answer.spans), 2) if answer and draft.spans else None,
    }


def _submit(writing: _Writing, request: Request) -> Response:
    site, person, passage, draft, editing = writing
    log = site.opened.log
    if editing:
        _own(site.opened.state(), editing, person, passage.id)
    # Without a slot: a question that a newer one dropped would be saved unchecked.
    outcome = writing.asked("", _SECONDS_AT_SUBMIT)
    with site.writing:
        faults = writing.faults(outcome)
        if not faults:
            kind, subject = (events.EDITED, editing) if editing else (events.WRITTEN, passage.id)
            log.append(person, kind, subject, Written(draft.question, draft.spans, outcome.answer))
            saved = "unchecked" if outcome.answer is None and site.answerer.identity else "yes"
            return see(f"/passages/{passage.id}?saved={saved}")
    log.append(person, events.REFUSED, passage.id, Refused(draft.question, draft.spans, outcome.answer, tuple(faults)))
    return _page(writing, request, faults=list(faults.values()), outcome=outcome)

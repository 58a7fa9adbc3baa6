"""The list of passages, the instructions, and the page on which a person writes questions about one passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response

from wdw_study.collecting import questions as events
from wdw_study.collecting import rules
from wdw_study.collecting.passages import Passage, texts
from wdw_study.collecting.questions import AdversaryAnswer, Question, Refused, Written, passage_of
from wdw_study.collecting.rules import RULES, Draft
from wdw_study.collecting.scores import agrees, is_confirmed
from wdw_study.event_log import UNDONE
from wdw_study.web.access import IS_KNOWN, READER, Form, Person, field, is_nameless_owner, person_of, require, see
from wdw_study.web.marking import Site, form_spans, spans_of

MENU = (("Passages", "/"), ("Instructions", "/instructions"), ("Validate", "/validate"))
_LONGEST_QUESTION = 1000
_GROUPS = {"writing": events.WRITING, "validating": events.VALIDATING}


def router(site: Site) -> APIRouter:
    """The pages for writers."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/")
    def passages(request: Request) -> Response:
        if is_nameless_owner(request):
            return see("/owner")
        return _passages(site, request, person_of(request))

    @routes.get("/instructions")
    def instructions(request: Request, person: Person) -> Response:
        limits, has_model = site.opened.head.limits, site.answerer.exists
        return site.pages.render(request, "instructions.html.j2", limits=limits, has_model=has_model)

    @routes.get("/passages/{name}")
    def write(request: Request, person: Person, name: str, saved: str = "") -> Response:
        return _page(site, request, person, site.passage(name), Draft("", ()), saved)

    @routes.post("/passages/{name}")
    def submit(request: Request, person: Person, name: str, form: Form) -> Response:
        passage = site.passage(name)
        question = " ".join(field(form, "question")[:_LONGEST_QUESTION].split())
        return _submit(site, request, person, passage, Draft(question, spans_of(form, passage.text)))

    _changes(routes, site)
    return routes


def _changes(routes: APIRouter, site: Site) -> None:
    """Delete a question, and undo."""

    @routes.post("/questions/{name}/delete")
    def delete(person: Person, name: str) -> Response:
        question = site.opened.state().find(name)
        if question is None or question.writer != person:
            raise HTTPException(404, "You have no such question.")
        site.opened.log.append(person, events.DELETED, question.id)
        return see(f"/passages/{question.passage}?saved=deleted")

    @routes.post("/undo")
    def undo(person: Person, form: Form) -> Response:
        """Take back the person's last action of a group, about this passage if one is given, and return to its page."""
        group = field(form, "group")
        last = site.opened.state().last(person, _GROUPS.get(group, ()), field(form, "passage"))
        if last is None:
            raise HTTPException(422, "There is nothing to undo.")
        site.opened.log.append(person, UNDONE, last.subject, last.number)
        page = "/validate" if group == "validating" else f"/passages/{passage_of(last.subject)}"
        return see(f"{page}?saved=undone")


def _submit(site: Site, request: Request, person: str, passage: Passage, draft: Draft) -> Response:
    """Save a question, or show it again with the rules that it breaks."""
    answer = site.answerer.ask(passage.text, draft.question) if draft.question else None
    log = site.opened.log
    with site.writing:
        earlier = [question.written for question in site.opened.state().of(passage.id)]
        broken = rules.broken(draft, passage, earlier, site.opened.head.limits, answer.spans if answer else None)
        if not broken:
            log.append(person, events.WRITTEN, passage.id, Written(draft.question, draft.spans, answer))
            is_unchecked = answer is None and site.answerer.exists
            return see(f"/passages/{passage.id}?saved={'unchecked' if is_unchecked else 'yes'}")
    log.append(person, events.REFUSED, passage.id, Refused(draft.question, draft.spans, answer, tuple(broken)))
    return _page(site, request, person, passage, draft, faults=[RULES[name] for name in broken], answer=answer)


# ---- pages ---------------------------------------------------------------------------------------------------------------


def _passages(site: Site, request: Request, person: str) -> Response:
    everyones, mine, confirmed = Counter[str](), Counter[str](), Counter[str]()
    for question in site.opened.state().questions:
        everyones[question.passage] += 1
        if question.writer == person:
            mine[question.passage] += 1
            confirmed[question.passage] += is_confirmed(question, site.passage(question.passage).text)
    rows = [(passage, mine[passage.id], everyones[passage.id], confirmed[passage.id]) for passage in site.opened.items]
    is_known = request.session.pop(IS_KNOWN, False)
    return site.pages.render(request, "passages.html.j2", rows=rows, written=mine.total(), is_known=is_known)


def _page(
    site: Site,
    request: Request,
    person: str,
    passage: Passage,
    draft: Draft,
    saved: str = "",
    faults: Sequence[str] = (),
    answer: AdversaryAnswer | None = None,
) -> Response:
    state, passages = site.opened.state(), site.opened.items
    number = passages.index(passage)
    return site.pages.render(
        request,
        "write.html.j2",
        422 if faults else 200,
        passage=passage,
        number=number + 1,
        previous=passages[number - 1].id if number else "",
        following=passages[number + 1].id if number + 1 < len(passages) else "",
        question=draft.question,
        spans=form_spans(draft.spans, passage.text),
        answers="\n".join(filter(None, texts(passage.text, draft.spans))),
        saved=saved,
        faults=faults,
        answer=answer,
        mine=[_shown(question, passage) for question in state.of(passage.id) if question.writer == person],
        can_undo=state.last(person, events.WRITING, passage.id) is not None,
        has_model=site.answerer.exists,
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

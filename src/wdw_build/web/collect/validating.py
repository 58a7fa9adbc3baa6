"""The page on which a second person answers a question. She sees neither its answer nor who wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from wdw_build.annotation.questions.rules import RULES, of_spans
from wdw_build.annotation.questions.state import VALIDATED, VALIDATING, VERDICTS, Question, State, Validation, Verdict
from wdw_build.records import TokenSpan
from wdw_build.web.base import READER, require
from wdw_build.web.base.people import Form, Person
from wdw_build.web.collect.site import Site, address, after_skip, form_spans, skip_last, skipped, spans_of

_CHANGED = "The writer changed this question while you answered it. Read it again: this is how it stands now."


def router(site: Site) -> APIRouter:
    """The pages for validators."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/validate")
    def show(request: Request, person: Person, skip: str = "", saved: str = "") -> Response:
        return _next(site, request, person, skipped({"skip": skip}), saved)

    @routes.post("/validate")
    def validate(request: Request, person: Person, form: Form) -> Response:
        question = site.opened.state().find(str(form.get("question", "")))
        skip = skipped(form)
        if question is None:
            return _next(site, request, person, skip, "deleted")
        if question.writer == person:
            raise HTTPException(403, "You wrote this question; another person must validate it.")
        if str(form.get("version", "")) != str(question.version):
            return _page(site, request, person, question, skip=skip, faults=[_CHANGED])
        text = site.passage(question.passage).text
        verdict = str(form.get("verdict", ""))
        spans = spans_of(form, text) if verdict == "answerable" else ()
        faults = _faults(site, verdict, spans, text)
        if faults:
            return _page(site, request, person, question, verdict, spans, faults, skip)
        validation = Validation(question.version, cast(Verdict, verdict), spans)
        site.opened.log.append(person, VALIDATED, question.id, validation)
        return RedirectResponse(address("/validate", skip, saved="yes"), 303)

    return routes


def _next(site: Site, request: Request, person: str, skip: Sequence[str], saved: str) -> Response:
    waiting = skip_last(_waiting(site, site.opened.state(), person), skip)
    return _page(site, request, person, waiting[0] if waiting else None, skip=skip, saved=saved)


def _waiting(site: Site, state: State, person: str) -> list[Question]:
    """The questions of others that the person has not validated: those with the fewest validations first."""
    order = {passage.id: number for number, passage in enumerate(site.opened.passages)}
    waiting = [question for question in state.questions if person not in (question.writer, *question.validations)]
    return sorted(
        waiting,
        key=lambda question: (len(question.validations), order[question.passage], int(question.id.split("-")[1])),
    )


def _validated_earlier(state: State, person: str, question: Question) -> bool:
    """Whether the person validated the question before its writer changed it."""
    if person in question.validations:
        return False
    return any((event.kind, event.person, event.subject) == (VALIDATED, person, question.id) for event in state.events)


def _faults(site: Site, verdict: str, spans: tuple[TokenSpan, ...], text: str) -> list[str]:
    if verdict not in VERDICTS:
        return ["Choose a verdict."]
    limits = site.opened.collection.limits
    return [RULES[name] for name in of_spans(spans, text, limits)] if verdict == "answerable" else []


def _page(
    site: Site,
    request: Request,
    person: str,
    question: Question | None,
    verdict: str = "",
    spans: tuple[TokenSpan, ...] = (),
    faults: Sequence[str] = (),
    skip: Sequence[str] = (),
    saved: str = "",
) -> Response:
    state = site.opened.state()
    passage = site.passage(question.passage) if question else None
    return site.render(
        request,
        "validate.html.j2",
        person,
        422 if faults else 200,
        passage=passage,
        asked=question,
        spans=form_spans(spans, passage.text) if passage else "",
        verdict=verdict,
        verdicts=VERDICTS,
        faults=faults,
        saved=saved,
        skip=" ".join(skip),
        after_skip=after_skip("/validate", skip, question),
        changed=question is not None and _validated_earlier(state, person, question),
        left=len(_waiting(site, state, person)),
        done=sum(person in each.validations for each in state.questions),
        can_undo=state.last(person, VALIDATING) is not None,
    )

"""The page on which a second person answers a question, and the owner's page.

A validator sees neither the answer nor who wrote the question. The owner's page shows who did how much, the figures and the
refused attempts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.datastructures import FormData

from wdw_build.records import TokenSpan
from wdw_study.collecting import questions as states
from wdw_study.collecting.passages import texts
from wdw_study.collecting.questions import Question, State
from wdw_study.collecting.rules import RULES, of_spans
from wdw_study.collecting.scores import score, score_tables
from wdw_study.people import aside_of, people_of
from wdw_study.web.access import OWNER, READER, Form, Person, field, require, see
from wdw_study.web.marking import Site, form_spans, spans_of
from wdw_study.web.owner import PersonRow

OWNER_MENU = (("Progress", "/owner"),)
_MOST_REFUSED = 100


def router(site: Site) -> APIRouter:
    """The page for validating. ``after``: the question that a person passed over."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/validate")
    def show_to_validate(request: Request, person: Person, saved: str = "", after: str = "") -> Response:
        return _validate_page(site, request, person, _first(_waiting(site, person), after), saved=saved)

    @routes.post("/validate")
    def validate(request: Request, person: Person, form: Form) -> Response:
        return _validate(site, request, person, form)

    return routes


def _first(waiting: Sequence[Question], after: str) -> Question | None:
    """The question that follows the one with the id ``after``; the first one after the last, or if there is no such id."""
    ids = [question.id for question in waiting]
    place = ids.index(after) + 1 if after in ids else 0
    return waiting[place % len(waiting)] if waiting else None


# ---- validating ----------------------------------------------------------------------------------------------------------


def _validate(site: Site, request: Request, person: str, form: FormData) -> Response:
    """Save the validation of a form, or show its question again with what is missing."""
    question = site.opened.state().find(field(form, "question"))
    if question is None:
        return see("/validate?saved=deleted")
    if question.writer == person:
        raise HTTPException(403, "You wrote this question; another person must validate it.")
    text, chosen = site.passage(question.passage).text, field(form, "verdict")
    verdict = next((known for known in states.VERDICTS if known == chosen), None)
    if verdict is None:
        return _validate_page(site, request, person, question, chosen, faults=["Choose a verdict."])
    spans = spans_of(form, text) if verdict == "answerable" else ()
    broken = list(of_spans(spans, text, site.opened.head.limits)) if verdict == "answerable" else []
    if broken:
        return _validate_page(site, request, person, question, verdict, spans, [RULES[name] for name in broken])
    site.opened.log.append(person, states.VALIDATED, question.id, states.Validation(verdict, spans))
    return see("/validate?saved=yes")


def _validate_page(
    site: Site,
    request: Request,
    person: str,
    question: Question | None,
    verdict: str = "",
    spans: tuple[TokenSpan, ...] = (),
    faults: Sequence[str] = (),
    saved: str = "",
) -> Response:
    state, passage = site.opened.state(), site.passage(question.passage) if question else None
    return site.pages.render(
        request,
        "validate.html.j2",
        422 if faults else 200,
        passage=passage,
        asked=question,
        faults=faults,
        saved=saved,
        spans=form_spans(spans, passage.text) if passage else "",
        verdict=verdict,
        verdicts=states.VERDICTS,
        left=len(_waiting(site, person)),
        done=sum(person in known.validations for known in state.questions),
        can_undo=state.last(person, states.VALIDATING) is not None,
    )


def _waiting(site: Site, person: str) -> list[Question]:
    """The questions of others that the person has not validated: those with the fewest validations first."""
    waiting = (
        question
        for question in site.opened.counted().questions
        if person not in (question.writer, *question.validations)
    )
    return sorted(waiting, key=lambda question: len(question.validations))


# ---- the owner -----------------------------------------------------------------------------------------------------


def owner_router(site: Site) -> APIRouter:
    """The owner's page."""
    routes = APIRouter(dependencies=[Depends(require(OWNER))])

    @routes.get("/owner")
    def show(request: Request) -> Response:
        counted = site.opened.counted()
        text = {passage.id: passage.text for passage in site.opened.items}
        refused = [
            (attempt, texts(text[attempt.passage], attempt.refused.spans))
            for attempt in reversed(counted.refused[-_MOST_REFUSED:])
        ]
        return site.pages.render(
            request,
            "collection_progress.html.j2",
            collection=site.opened.head,
            people=list(_people(site.opened.state())),
            tables=score_tables(score(site.opened.head.name, counted, site.opened.items)),
            refused=refused,
            rules=RULES,
        )

    return routes


def _people(state: State) -> Iterator[PersonRow]:
    """Accepted questions, refused attempts and validations of everybody who signed in."""
    accepted = Counter(question.writer for question in state.questions)
    refused = Counter(attempt.writer for attempt in state.refused)
    validated = Counter(person for question in state.questions for person in question.validations)
    aside = aside_of(state.events)
    for name in sorted(people_of(state.events)):
        cells = (str(counts[name]) for counts in (accepted, refused, validated))
        yield PersonRow(name, name in aside, tuple(cells))

"""The pages on which people review questions: a second person answers a question, and people label what finding answers takes.

A validator sees neither the answer nor who wrote the question. The page for labels shows the answer, so it offers a person
only questions that she wrote or has validated, and makes her validation final. The owner's page shows who did how much, the
figures and the refused attempts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.datastructures import FormData

from wdw_build.api import uniform_hash
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
NONE = "none of these"
_MOST_REFUSED = 100
_FINAL = (
    "The page for labels has shown you the answer of this question, so that your validation cannot be changed any more."
)
_UNCLEAR = f"Tick the labels that apply, or “{NONE}” alone."


def router(site: Site) -> APIRouter:
    """The pages for validating and labelling. ``after``: the question that a person passed over."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/validate")
    def show_to_validate(request: Request, person: Person, saved: str = "", after: str = "") -> Response:
        return _validate_page(site, request, person, _first(_waiting(site, person), after), saved=saved)

    @routes.post("/validate")
    def validate(request: Request, person: Person, form: Form) -> Response:
        return _validate(site, request, person, form)

    @routes.get("/label")
    def show_to_label(request: Request, person: Person, saved: str = "", after: str = "") -> Response:
        return _label_page(site, request, person, _first(_to_label(site, person), after), saved=saved)

    @routes.post("/label")
    def label(request: Request, person: Person, form: Form) -> Response:
        return _label(site, request, person, form)

    return routes


def _first(waiting: Sequence[Question], after: str) -> Question | None:
    """The question that follows the one with the id ``after``; the first one after the last, or if there is no such id."""
    ids = [question.id for question in waiting]
    place = ids.index(after) + 1 if after in ids else 0
    return waiting[place % len(waiting)] if waiting else None


def _render(
    site: Site, request: Request, template: str, question: Question | None, faults: Sequence[str], **values: Any
) -> Response:
    passage = site.passage(question.passage) if question else None
    status = 422 if faults else 200
    return site.pages.render(request, template, status, passage=passage, asked=question, faults=faults, **values)


# ---- validating ----------------------------------------------------------------------------------------------------------


def _validate(site: Site, request: Request, person: str, form: FormData) -> Response:
    """Save the validation of a form, or show its question again with what is missing."""
    question = site.opened.state().find(field(form, "question"))
    if question is None:
        return see("/validate?saved=deleted")
    if question.writer == person:
        raise HTTPException(403, "You wrote this question; another person must validate it.")
    if not question.may_validate(person):
        raise HTTPException(409, _FINAL)
    text, given = site.passage(question.passage).text, field(form, "verdict")
    verdict = next((known for known in states.VERDICTS if known == given), None)
    if verdict is None:
        return _validate_page(site, request, person, question, given, faults=["Choose a verdict."])
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
    state = site.opened.state()
    return _render(
        site,
        request,
        "validate.html.j2",
        question,
        faults,
        saved=saved,
        spans=form_spans(spans, site.passage(question.passage).text) if question else "",
        verdict=verdict,
        verdicts=states.VERDICTS,
        left=len(_waiting(site, person)),
        done=sum(person in each.validations for each in state.questions),
        can_undo=state.last(person, states.VALIDATING) is not None,
    )


def _counted(site: Site) -> State:
    """The state without the people whom the owner put aside."""
    return site.opened.counted()


def _waiting(site: Site, person: str) -> list[Question]:
    """The questions of others that the person has not validated: those with the fewest validations first."""
    waiting = (each for each in _counted(site).questions if not each.shows_answer_to(person))
    return sorted(waiting, key=lambda each: len(each.validations))


# ---- labelling -----------------------------------------------------------------------------------------------------------


def _label(site: Site, request: Request, person: str, form: FormData) -> Response:
    """Save the labels of a form, or show its question again if they are unclear."""
    question = site.opened.state().find(field(form, "question"))
    if question is None:
        return see("/label?saved=deleted")
    if not question.shows_answer_to(person):
        raise HTTPException(403, "Validate this question first: labels are given with its answer in view.")
    given = {str(value) for value in form.getlist("phenomena")}
    phenomena = tuple(name for name in states.LABELS if name in given)
    if bool(phenomena) == (NONE in given):
        return _label_page(site, request, person, question, [_UNCLEAR])
    site.opened.log.append(person, states.LABELLED, question.id, phenomena)
    return see("/label?saved=yes")


def _label_page(
    site: Site, request: Request, person: str, question: Question | None, faults: Sequence[str] = (), saved: str = ""
) -> Response:
    state = site.opened.state()
    if question and question.may_validate(person):
        # Before the page is made: whoever sees the answer can no longer validate.
        site.opened.log.append(person, states.ANSWER_SHOWN, question.id)
    return _render(
        site,
        request,
        "label.html.j2",
        question,
        faults,
        saved=saved,
        answers=texts(site.passage(question.passage).text, question.written.spans) if question else (),
        labels=states.LABELS | {NONE: "nothing must be linked"},
        done=sum(person in each.labels for each in state.questions),
        total=len(state.questions),
        can_undo=state.last(person, states.LABELLING) is not None,
    )


def _to_label(site: Site, person: str) -> list[Question]:
    """The questions whose answer the person may see and has not labelled, in random order."""
    seed = site.opened.head.seed
    waiting = [each for each in _counted(site).questions if person not in each.labels and each.shows_answer_to(person)]
    return sorted(waiting, key=lambda each: uniform_hash(seed, "label", each.id))


# ---- the owner -----------------------------------------------------------------------------------------------------


def owner_router(site: Site) -> APIRouter:
    """The owner's page."""
    routes = APIRouter(dependencies=[Depends(require(OWNER))])

    @routes.get("/owner")
    def show(request: Request) -> Response:
        counted = _counted(site)
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
    """Accepted questions, refused attempts, validations and labelled questions of everybody who signed in."""
    accepted = Counter(question.writer for question in state.questions)
    refused = Counter(attempt.writer for attempt in state.refused)
    validated = Counter(person for question in state.questions for person in question.validations)
    labelled = Counter(person for question in state.questions for person in question.labels)
    aside = aside_of(state.events)
    for name in sorted(people_of(state.events)):
        cells = (str(counts[name]) for counts in (accepted, refused, validated, labelled))
        yield PersonRow(name, name in aside, tuple(cells))

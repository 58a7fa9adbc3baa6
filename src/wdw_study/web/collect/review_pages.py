"""The pages on which people review questions: a second person answers a question, and people label what finding answers takes.

A validator sees neither the answer nor who wrote the question. The page for labels shows the answer, so it offers a person
only questions that she wrote or has validated, and makes her validation final; it labels a sample of the questions, as in
QUOREF's Table 2. The owner's page shows who did how much, the statistics and the refused attempts, and sets the size of the
sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.datastructures import FormData

from wdw_build.core.hashing import uniform_hash
from wdw_build.records import TokenSpan
from wdw_build.views.marks import Mark, segments
from wdw_study.collection import question_state as states
from wdw_study.collection.passages import texts
from wdw_study.collection.question_rules import RULES, of_spans
from wdw_study.collection.question_scores import score
from wdw_study.collection.question_state import Question, State
from wdw_study.event_log import value_of
from wdw_study.people import people_of
from wdw_study.web.base import OWNER, READER, require
from wdw_study.web.base.access import PERSON, Form, Person, field, see
from wdw_study.web.collect.collect_site import Site, form_spans, spans_of

# QUOREF labelled 100 questions.
DEFAULT_SAMPLE = 100
NONE = "none of these"
_MOST_SKIPPED = 100
_MOST_REFUSED = 100
_MOST_SAMPLED = 100_000
# Who acts if the owner is not signed in; no person has a name in brackets.
_OWNER = "(owner)"
_CHANGED_ANSWER = "The writer changed this question while you answered it. Read it again: this is how it stands now."
_CHANGED_LABELS = "The writer changed this question while you labelled it. Your labels were not saved."
_FINAL = (
    "The page for labels has shown you the answer of this question, so that your validation cannot be changed any more."
)
_UNCLEAR = f"Tick the labels that apply, or “{NONE}” alone."


class _Review:
    """A person on one of the two pages, and the questions as they are now."""

    def __init__(self, site: Site, request: Request, person: str, fields: Mapping[str, Any]) -> None:
        self.site, self.person, self.state = site, person, site.opened.state()
        self._request, self._page = request, request.url.path
        # The ids of the questions that the person passed over, the latest last.
        self._skip = str(fields.get("skip", "")).split()[-_MOST_SKIPPED:]

    def first(self, waiting: Sequence[Question]) -> Question | None:
        """The first of the questions; those that the person passed over come last."""
        skip = self._skip
        return min(waiting, key=lambda each: skip.index(each.id) if each.id in skip else -1, default=None)

    def saved(self) -> Response:
        """The answer to a form that was saved: the page with the next question."""
        return see(self._address(self._skip, saved="yes"))

    def _address(self, skip: Sequence[str], **parameters: str) -> str:
        return f"{self._page}?{urlencode({**parameters, 'skip': ' '.join(skip)} if skip else parameters)}"

    def render(self, question: Question | None, faults: Sequence[str], **values: Any) -> Response:
        """The page with a question; None if none waits."""
        after_skip = [*(each for each in self._skip if each != question.id), question.id] if question else []
        return self.site.render(
            self._request,
            f"{self._page[1:]}.html.j2",
            self.person,
            422 if faults else 200,
            passage=self.site.passage(question.passage) if question else None,
            asked=question,
            faults=faults,
            skip=" ".join(self._skip),
            after_skip=self._address(after_skip) if question else "",
            **values,
        )


def router(site: Site) -> APIRouter:
    """The pages for validating and labelling."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/validate")
    def show_to_validate(request: Request, person: Person, saved: str = "") -> Response:
        return _validate_page(_Review(site, request, person, request.query_params), saved=saved)

    @routes.post("/validate")
    def validate(request: Request, person: Person, form: Form) -> Response:
        return _validate(_Review(site, request, person, form), form)

    @routes.get("/label")
    def show_to_label(request: Request, person: Person, saved: str = "") -> Response:
        return _label_page(_Review(site, request, person, request.query_params), saved=saved)

    @routes.post("/label")
    def label(request: Request, person: Person, form: Form) -> Response:
        return _label(_Review(site, request, person, form), form)

    return routes


# ---- validating ----------------------------------------------------------------------------------------------------------


def _validate(review: _Review, form: FormData) -> Response:
    """Save the validation of a form, or show its question again with what is missing."""
    site, person = review.site, review.person
    question = review.state.find(field(form, "question"))
    if question is None:
        return _validate_page(review, saved="deleted")
    if question.writer == person:
        raise HTTPException(403, "You wrote this question; another person must validate it.")
    if not question.may_validate(person):
        raise HTTPException(409, _FINAL)
    if field(form, "version") != str(question.version):
        return _validate_page(review, question, faults=[_CHANGED_ANSWER])
    text, given = site.passage(question.passage).text, field(form, "verdict")
    verdict = next((known for known in states.VERDICTS if known == given), None)
    if verdict is None:
        return _validate_page(review, question, given, faults=["Choose a verdict."])
    spans = spans_of(form, text) if verdict == "answerable" else ()
    broken = list(of_spans(spans, text, site.opened.collection.limits)) if verdict == "answerable" else []
    if broken:
        return _validate_page(review, question, verdict, spans, [RULES[name] for name in broken])
    site.opened.log.append(person, states.VALIDATED, question.id, states.Validation(question.version, verdict, spans))
    return review.saved()


def _validate_page(
    review: _Review,
    question: Question | None = None,
    verdict: str = "",
    spans: tuple[TokenSpan, ...] = (),
    faults: Sequence[str] = (),
    saved: str = "",
) -> Response:
    """The page with a question, by default the next one that waits for the person."""
    person, state = review.person, review.state
    waiting = _waiting(review)
    question = question or review.first(waiting)
    return review.render(
        question,
        faults,
        saved=saved,
        spans=form_spans(spans, review.site.passage(question.passage).text) if question else "",
        verdict=verdict,
        verdicts=states.VERDICTS,
        # Whether the person validated the question before its writer changed it.
        changed=question is not None
        and person not in question.validations
        and any(
            (event.kind, event.person, event.subject) == (states.VALIDATED, person, question.id)
            for event in state.events
        ),
        left=len(waiting),
        done=sum(person in each.validations for each in state.questions),
        can_undo=state.last(person, states.VALIDATING) is not None,
    )


def _waiting(review: _Review) -> list[Question]:
    """The questions of others that the person has not validated: those with the fewest validations first."""
    order = {passage.id: number for number, passage in enumerate(review.site.opened.passages)}
    return sorted(
        (
            each
            for each in review.state.without(review.state.aside).questions
            if not each.shows_answer_to(review.person)
        ),
        key=lambda each: (len(each.validations), order[each.passage], int(each.id.split("-")[1])),
    )


# ---- labelling -----------------------------------------------------------------------------------------------------------


def _label(review: _Review, form: FormData) -> Response:
    """Save the labels of a form, or show its question again if they are unclear."""
    question = review.state.find(field(form, "question"))
    if question is None:
        return _label_page(review, saved="deleted")
    if field(form, "version") != str(question.version):
        return _label_page(review, faults=[_CHANGED_LABELS])
    if not question.shows_answer_to(review.person):
        raise HTTPException(403, "Validate this question first: labels are given with its answer in view.")
    given = {str(value) for value in form.getlist("phenomena")}
    phenomena = tuple(name for name in states.LABELS if name in given)
    if bool(phenomena) == (NONE in given):
        return _label_page(review, question, [_UNCLEAR])
    review.site.opened.log.append(
        review.person, states.LABELLED, question.id, states.Labelling(question.version, phenomena)
    )
    return review.saved()


def _label_page(
    review: _Review, question: Question | None = None, faults: Sequence[str] = (), saved: str = ""
) -> Response:
    """The page with a question, by default the next one that the person has not labelled."""
    person, sampled = review.person, sample(review.site, review.state)
    waiting = [each for each in sampled if person not in each.labels]
    question = question or review.first([each for each in waiting if each.shows_answer_to(person)])
    if question and question.may_validate(person):
        # Before the page is made: whoever sees the answer can no longer validate.
        review.site.opened.log.append(person, states.ANSWER_SHOWN, question.id)
    text = review.site.passage(question.passage).text if question else ""
    spans = question.written.spans if question else ()
    return review.render(
        question,
        faults,
        saved=saved,
        pieces=segments(text, [Mark(*span, "answer") for span in spans]),
        answers=texts(text, spans),
        labels=states.LABELS | {NONE: "nothing must be linked"},
        done=len(sampled) - len(waiting),
        total=len(sampled),
        can_undo=review.state.last(person, states.LABELLING) is not None,
    )


def sample_size(state: State) -> int:
    """The size of the sample that the owner set last."""
    sizes: list[int] = [value_of(event, int) for event in state.events if event.kind == states.SAMPLED]
    return sizes[-1] if sizes else DEFAULT_SAMPLE


def sample(site: Site, state: State) -> list[Question]:
    """The questions to label, in random order; a larger sample contains the smaller one."""
    seed = site.opened.collection.seed
    questions = (question for question in state.questions if question.writer not in state.aside)
    in_order = sorted(questions, key=lambda question: (uniform_hash(seed, "label", question.id), question.id))
    return in_order[: sample_size(state)]


# ---- the owner -----------------------------------------------------------------------------------------------------


def owner_router(site: Site) -> APIRouter:
    """The owner's page."""
    routes = APIRouter(dependencies=[Depends(require(OWNER))])

    @routes.get("/progress")
    def show(request: Request) -> Response:
        state, counted = site.opened.state(), site.opened.counted()
        text = {passage.id: passage.text for passage in site.opened.passages}
        number = {passage.id: place for place, passage in enumerate(site.opened.passages, 1)}
        refused = [
            (number[attempt.passage], attempt, texts(text[attempt.passage], attempt.refused.spans))
            for attempt in reversed(counted.refused[-_MOST_REFUSED:])
        ]
        return site.render(
            request,
            "progress.html.j2",
            request.session.get(PERSON, ""),
            collection=site.opened.collection,
            people=_people(state),
            aside=state.aside,
            scored=score(site.opened.collection.name, counted, site.opened.passages),
            refused=refused,
            rules=RULES,
            sample=sample_size(state),
        )

    @routes.post("/progress")
    def set_sample(request: Request, form: Form) -> Response:
        size = field(form, "sample")
        if not size.isdecimal() or len(size) > len(str(_MOST_SAMPLED)) or not 1 <= int(size) <= _MOST_SAMPLED:
            raise HTTPException(422, f"The sample needs a size from 1 to {_MOST_SAMPLED}.")
        site.opened.log.append(request.session.get(PERSON, _OWNER), states.SAMPLED, "", int(size))
        return see("/progress")

    return routes


def _people(state: State) -> list[tuple[str, int, int, int, int]]:
    """(name, accepted questions, refused attempts, validations, labelled questions) of everybody who signed in."""
    accepted = Counter(question.writer for question in state.questions)
    refused = Counter(attempt.writer for attempt in state.refused)
    validated = Counter(person for question in state.questions for person in question.validations)
    labelled = Counter(person for question in state.questions for person in question.labels)
    return [
        (name, accepted[name], refused[name], validated[name], labelled[name])
        for name in sorted(people_of(state.events))
    ]

"""The owner's page: who did how much, the statistics, the refused attempts, and the size of the sample to label."""

from __future__ import annotations

from collections import Counter

from fastapi import APIRouter, Depends, HTTPException, Request, Response

from wdw_build.annotation.collection.passages import texts
from wdw_build.annotation.collection.question_rules import RULES
from wdw_build.annotation.collection.question_scores import score
from wdw_build.annotation.collection.question_state import SAMPLED, State
from wdw_build.annotation.event_log import SIGNED_IN
from wdw_build.web.base import OWNER, require
from wdw_build.web.base.access import PERSON, Form, field, see
from wdw_build.web.collect.collect_site import Site
from wdw_build.web.collect.review_pages import sample_size

_MOST_REFUSED = 100
_MOST_SAMPLED = 100_000
# Who acts if the owner is not signed in; no person has a name in brackets.
_OWNER = "(owner)"


def router(site: Site) -> APIRouter:
    """The owner's page."""
    routes = APIRouter(dependencies=[Depends(require(OWNER))])

    @routes.get("/progress")
    def show(request: Request) -> Response:
        state = site.opened.state()
        text = {passage.id: passage.text for passage in site.opened.passages}
        number = {passage.id: place for place, passage in enumerate(site.opened.passages, 1)}
        refused = [
            (number[attempt.passage], attempt, texts(text[attempt.passage], attempt.refused.spans))
            for attempt in reversed(state.refused[-_MOST_REFUSED:])
        ]
        return site.render(
            request,
            "progress.html.j2",
            request.session.get(PERSON, ""),
            collection=site.opened.collection,
            people=_people(state),
            scored=score(site.opened.collection.name, state, site.opened.passages),
            refused=refused,
            rules=RULES,
            sample=sample_size(state),
        )

    @routes.post("/progress")
    def set_sample(request: Request, form: Form) -> Response:
        size = field(form, "sample")
        if not size.isdecimal() or len(size) > len(str(_MOST_SAMPLED)) or not 1 <= int(size) <= _MOST_SAMPLED:
            raise HTTPException(422, f"The sample needs a size from 1 to {_MOST_SAMPLED}.")
        site.opened.log.append(request.session.get(PERSON, _OWNER), SAMPLED, "", int(size))
        return see("/progress")

    return routes


def _people(state: State) -> list[tuple[str, int, int, int, int]]:
    """(name, accepted questions, refused attempts, validations, labelled questions) of everybody who signed in."""
    names = [event.person for event in state.events if event.kind == SIGNED_IN]
    accepted = Counter(question.writer for question in state.questions)
    refused = Counter(attempt.writer for attempt in state.refused)
    validated = Counter(person for question in state.questions for person in question.validations)
    labelled = Counter(person for question in state.questions for person in question.labels)
    unique = dict.fromkeys(names)
    return [(name, accepted[name], refused[name], validated[name], labelled[name]) for name in sorted(unique)]

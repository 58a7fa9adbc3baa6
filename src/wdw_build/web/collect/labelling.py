"""The page on which people label what finding an answer takes, for a sample of the questions, as in QUOREF's Table 2.

The page shows the answer, so it offers a person only questions that she wrote or has validated.
"""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from wdw_build.annotation.event_log import value_of
from wdw_build.annotation.questions.spans import texts
from wdw_build.annotation.questions.state import LABELLED, LABELLING, LABELS, SAMPLED, Labelling, Question, State
from wdw_build.core.hashing import uniform_hash
from wdw_build.records import TokenSpan
from wdw_build.web.base import READER, require
from wdw_build.web.base.people import Form, Person
from wdw_build.web.collect.site import Site

# QUOREF labelled 100 questions.
DEFAULT_SAMPLE = 100


def router(site: Site) -> APIRouter:
    """The pages for labelling."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/label")
    def show(request: Request, person: Person) -> Response:
        state = site.opened.state()
        sampled = sample(site, state)
        waiting = [question for question in sampled if person not in question.labels]
        question = next((each for each in waiting if each.shows_answer_to(person)), None)
        passage = site.passage(question.passage) if question else None
        return site.render(
            request,
            "label.html.j2",
            person,
            passage=passage,
            pieces=list(_pieces(passage.text, question.written.spans)) if passage and question else [],
            asked=question,
            answers=texts(passage.text, question.written.spans) if passage and question else (),
            labels=LABELS,
            done=len(sampled) - len(waiting),
            total=len(sampled),
            can_undo=state.last(person, LABELLING) is not None,
        )

    @routes.post("/label")
    def label(person: Person, form: Form) -> Response:
        question = site.opened.state().find(str(form.get("question", "")))
        if question is None or str(form.get("version", "")) != str(question.version):
            raise HTTPException(422, "The question was changed or deleted meanwhile. Open the page Label again.")
        if not question.shows_answer_to(person):
            raise HTTPException(403, "Validate this question first: labels are given with its answer in view.")
        given = {str(value) for value in form.getlist("phenomena")}
        phenomena = tuple(name for name in LABELS if name in given)
        site.opened.log.append(person, LABELLED, question.id, Labelling(question.version, phenomena))
        return RedirectResponse("/label", 303)

    return routes


def sample_size(state: State) -> int:
    """The size of the sample that the owner set last."""
    sizes: list[int] = [value_of(event, int) for event in state.events if event.kind == SAMPLED]
    return sizes[-1] if sizes else DEFAULT_SAMPLE


def sample(site: Site, state: State) -> list[Question]:
    """The questions to label, in random order; a larger sample contains the smaller one."""
    seed = site.opened.collection.seed
    in_order = sorted(state.questions, key=lambda question: (uniform_hash(seed, "label", question.id), question.id))
    return in_order[: sample_size(state)]


def _pieces(text: str, spans: tuple[TokenSpan, ...]) -> Iterator[tuple[str, bool]]:
    """The text cut at the answers: each piece, and whether it is an answer."""
    position = 0
    for start, end in sorted(spans):
        yield text[position:start], False
        yield text[start:end], True
        position = end
    yield text[position:], False

"""The page on which people label what finding an answer takes, for a sample of the questions, as in QUOREF's Table 2.

The page shows the answer, so it offers a person only questions that she wrote or has validated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from wdw_build.annotation.event_log import value_of
from wdw_build.annotation.questions.spans import texts
from wdw_build.annotation.questions.state import LABELLED, LABELLING, LABELS, SAMPLED, Labelling, Question, State
from wdw_build.core.hashing import uniform_hash
from wdw_build.records import TokenSpan
from wdw_build.web.base import READER, require
from wdw_build.web.base.people import Form, Person
from wdw_build.web.collect.site import Site, address, after_skip, skip_last, skipped

# QUOREF labelled 100 questions.
DEFAULT_SAMPLE = 100
NONE = "none of these"
_CHANGED = "The writer changed this question while you labelled it. Your labels were not saved."
_UNCLEAR = f"Tick the labels that apply, or “{NONE}” alone."


def router(site: Site) -> APIRouter:
    """The pages for labelling."""
    routes = APIRouter(dependencies=[Depends(require(READER))])

    @routes.get("/label")
    def show(request: Request, person: Person, skip: str = "", saved: str = "") -> Response:
        return _page(site, request, person, skipped({"skip": skip}), saved)

    @routes.post("/label")
    def label(request: Request, person: Person, form: Form) -> Response:
        question, skip = site.opened.state().find(str(form.get("question", ""))), skipped(form)
        if question is None:
            return _page(site, request, person, skip, "deleted")
        if str(form.get("version", "")) != str(question.version):
            return _page(site, request, person, skip, faults=[_CHANGED])
        if not question.shows_answer_to(person):
            raise HTTPException(403, "Validate this question first: labels are given with its answer in view.")
        given = {str(value) for value in form.getlist("phenomena")}
        phenomena = tuple(name for name in LABELS if name in given)
        if bool(phenomena) == (NONE in given):
            return _page(site, request, person, skip, question=question, faults=[_UNCLEAR])
        site.opened.log.append(person, LABELLED, question.id, Labelling(question.version, phenomena))
        return RedirectResponse(address("/label", skip, saved="yes"), 303)

    return routes


def _page(
    site: Site,
    request: Request,
    person: str,
    skip: Sequence[str],
    saved: str = "",
    question: Question | None = None,
    faults: Sequence[str] = (),
) -> Response:
    """The page with a question, by default the next one that the person has not labelled."""
    state = site.opened.state()
    sampled = sample(site, state)
    waiting = [each for each in sampled if person not in each.labels]
    question = question or next(iter(skip_last([each for each in waiting if each.shows_answer_to(person)], skip)), None)
    passage = site.passage(question.passage) if question else None
    return site.render(
        request,
        "label.html.j2",
        person,
        422 if faults else 200,
        passage=passage,
        pieces=list(_pieces(passage.text, question.written.spans)) if passage and question else [],
        asked=question,
        answers=texts(passage.text, question.written.spans) if passage and question else (),
        labels=LABELS | {NONE: "nothing must be linked"},
        faults=faults,
        saved=saved,
        skip=" ".join(skip),
        after_skip=after_skip("/label", skip, question),
        done=len(sampled) - len(waiting),
        total=len(sampled),
        can_undo=state.last(person, LABELLING) is not None,
    )


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

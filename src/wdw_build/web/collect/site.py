"""Joins the pages of a collection to one application."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse
from starlette.datastructures import FormData

from wdw_build.annotation.questions.adversary import Answerer
from wdw_build.annotation.questions.collection import CollectionFolder
from wdw_build.annotation.questions.passages import Passage
from wdw_build.annotation.questions.spans import from_utf16, places, to_utf16, trimmed
from wdw_build.annotation.questions.state import Question
from wdw_build.records import TokenSpan
from wdw_build.web.base import OWNER, READER, Access, Listener, Pages, create_app

_TEMPLATES = Path(__file__).parent / "templates"
_MENU = (("Passages", "/"), ("Instructions", "/instructions"), ("Validate", "/validate"), ("Label", "/label"))
_MENUS = {READER: _MENU, OWNER: (*_MENU, ("Progress", "/progress"))}
_MOST_SPANS, _MOST_SKIPPED = 20, 100
# A span that is nowhere in the passage, which the rules refuse.
_NOWHERE = (0, 0)


@dataclass(frozen=True)
class Site:
    """What the pages share. ``writing`` is held from the check of a question to its event."""

    opened: CollectionFolder
    answerer: Answerer
    pages: Pages
    writing: threading.Lock = field(default_factory=threading.Lock)

    def render(self, request: Request, template: str, person: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page with the name of the person."""
        return self.pages.render(request, template, status, person=person, **values)

    def passage(self, name: str) -> Passage:
        """The passage with this id, or the page "Not found"."""
        passage = self.opened.passage(name)
        if passage is None:
            raise HTTPException(404, "There is no such passage.")
        return passage


def collect_app(opened: CollectionFolder, answerer: Answerer, access: Access, listener: Listener) -> FastAPI:
    """The application of a collection."""
    from wdw_build.web.base.people import sign_in_router
    from wdw_build.web.collect import labelling, progress, validating, writing

    pages = Pages(_TEMPLATES, scripts=[_TEMPLATES / "collect.js", _TEMPLATES / "collect.css"], menus=_MENUS)
    site = Site(opened, answerer, pages)
    routers = [sign_in_router(pages, opened.log)]
    routers += [module.router(site) for module in (writing, validating, labelling, progress)]
    return create_app(pages, routers, access, port=listener.port, loopback=listener.loopback)


def spans_of(form: FormData, text: str) -> tuple[TokenSpan, ...]:
    """The spans of a form: ``spans`` as UTF-16 offsets "3-9 15-20", and the first free place of each line of ``answers``.

    Each is trimmed, so that "Ines Dahl," is "Ines Dahl".
    """
    spans = [_marked(pair, text) for pair in str(form.get("spans", "")).split()[:_MOST_SPANS]]
    for line in str(form.get("answers", "")).splitlines()[:_MOST_SPANS]:
        if line.strip():
            found = (trimmed(text, place) for place in places(text, line))
            spans.append(next((place for place in found if place not in spans), _NOWHERE))
    return tuple(sorted(spans))


def _marked(pair: str, text: str) -> TokenSpan:
    start, _, end = pair.partition("-")
    try:
        return trimmed(text, (from_utf16(text, int(start)), from_utf16(text, int(end))))
    except ValueError:
        return _NOWHERE


def skipped(form: Mapping[str, Any]) -> list[str]:
    """The ids of the field ``skip``: the questions that a person passed over, the latest last."""
    return str(form.get("skip", "")).split()[-_MOST_SKIPPED:]


def skip_last(questions: Sequence[Question], ids: Sequence[str]) -> list[Question]:
    """The questions with those that were passed over at the end."""
    return sorted(questions, key=lambda question: ids.index(question.id) if question.id in ids else -1)


def address(page: str, skip: Sequence[str], **parameters: str) -> str:
    """The address of a page on which questions were passed over."""
    return f"{page}?{urlencode({**parameters, 'skip': ' '.join(skip)} if skip else parameters)}"


def after_skip(page: str, skip: Sequence[str], question: Question | None) -> str:
    """The address of a page after a person passes over a question; empty if there is none."""
    return address(page, [*(each for each in skip if each != question.id), question.id]) if question else ""


def form_spans(spans: tuple[TokenSpan, ...], text: str) -> str:
    """Spans as the field ``spans`` holds them."""
    return " ".join(
        f"{to_utf16(text, start)}-{to_utf16(text, end)}" for start, end in spans if (start, end) != _NOWHERE
    )

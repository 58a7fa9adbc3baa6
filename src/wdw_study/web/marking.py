"""What the pages of a collection share: the collection, the adversary, and the spans that people mark in a passage."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from fastapi import HTTPException
from starlette.datastructures import FormData

from wdw_build.records import TokenSpan
from wdw_study.collecting.collection import CollectionFolder
from wdw_study.collecting.passages import Passage, from_utf16, places, to_utf16, trimmed
from wdw_study.collecting.questions import Answerer
from wdw_study.web.access import field
from wdw_study.web.app import Pages

_MOST_SPANS = 20
# A span that is nowhere in the passage, which the rules refuse.
_NOWHERE = (0, 0)


@dataclass(frozen=True)
class Site:
    """What the pages share. ``writing`` is held from the check of a question to its event."""

    opened: CollectionFolder
    answerer: Answerer
    pages: Pages
    writing: threading.Lock = dataclass_field(default_factory=threading.Lock)

    def passage(self, name: str) -> Passage:
        """The passage with this id, or the page "Not found"."""
        passage = next((item for item in self.opened.items if item.id == name), None)
        if passage is None:
            raise HTTPException(404, "There is no such passage.")
        return passage


def spans_of(form: FormData, text: str) -> tuple[TokenSpan, ...]:
    """The spans of a form: ``spans`` as UTF-16 offsets "3-9 15-20", and the first free place of each line of ``answers``.

    Each is trimmed, so that "Ines Dahl," is "Ines Dahl".
    """
    spans = [_marked(pair, text) for pair in field(form, "spans").split()[:_MOST_SPANS]]
    for line in field(form, "answers").splitlines()[:_MOST_SPANS]:
        if line.strip():
            trimmed_places = (trimmed(text, place) for place in places(text, line))
            spans.append(next((place for place in trimmed_places if place not in spans), _NOWHERE))
    return tuple(sorted(spans))


def _marked(pair: str, text: str) -> TokenSpan:
    start, _, end = pair.partition("-")
    try:
        return trimmed(text, (from_utf16(text, int(start)), from_utf16(text, int(end))))
    except ValueError:
        return _NOWHERE


def form_spans(spans: tuple[TokenSpan, ...], text: str) -> str:
    """Spans in the form of the field ``spans``."""
    return " ".join(f"{to_utf16(text, span[0])}-{to_utf16(text, span[1])}" for span in spans if span != _NOWHERE)

"""Decides what kind of document a text is: a multinomial logistic model weighs its features (``features``).

``scripts/fit_document_kinds.py`` fits the weights to labelled documents (docs/development/document-kinds.md). The model knows
no other language than English: ``Language`` decides whether a text is English.
"""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from wdw_build.core.rounding import DECIMALS
from wdw_build.text.documents.features import Features, features

STORY = "story"
KINDS: Mapping[str, str] = {
    STORY: "a report, feature or comment in running text",
    "brief": "a caption, a blurb of a video or of pictures, or a report of one or two sentences",
    "running": "a running report: entries by time or day",
    "transcript": "an interview, a speech or a letter in full",
    "list": "a list, such as results, names or prices",
    "teasers": "a page of headlines or teasers of other texts",
    "none": "no article: an error, a question for consent, an advertisement, a page without its text",
    "language": "a text in another language than English",
}
"""The kinds of documents, and their meanings."""
# A document is a story unless the probability of that is lower.
LEAST_STORY = 0.2


class DocumentKind(NamedTuple):
    """The kind of a document, and its probability."""

    kind: str
    score: float


def kind_of(title: str, paragraphs: Sequence[str], dateline: str = "", source: str = "") -> DocumentKind:
    """The kind of an English document; ``dateline`` and ``source`` are those that the reader gives."""
    return judge(features(title, paragraphs, dateline, source), _weights())


def judge(read: Features, weights: Mapping[str, Mapping[str, float]]) -> DocumentKind:
    """The kind by these weights. The sums are exact to the last digit (``fsum``), so that they are the same everywhere."""
    totals = {
        kind: math.fsum(weight * read.get(name, 1.0) for name, weight in of_kind.items()) for kind, of_kind in weights.items()
    }
    highest = max(totals.values())
    parts = {kind: math.exp(total - highest) for kind, total in totals.items()}
    whole = math.fsum(parts.values())
    scores = {kind: round(part / whole, DECIMALS) for kind, part in parts.items()}
    kind = STORY if scores[STORY] >= LEAST_STORY else max((score, name) for name, score in scores.items() if name != STORY)[1]
    return DocumentKind(kind, scores[kind])


@functools.cache
def _weights() -> dict[str, dict[str, float]]:
    return tomllib.loads(files("wdw_build.text.documents").joinpath("kind_weights.toml").read_text(encoding="utf-8"))

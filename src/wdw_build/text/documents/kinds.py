"""Decides what kind of document a text is: a multinomial logistic model weighs its features (``features``).

``scripts/fit_document_kinds.py`` fits the weights to labelled documents (docs/development/document-kinds.md). The model knows
no other language than English: of a text with few function words, a ``LanguageDetector`` says whether it is English.
"""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import NamedTuple

from wdw_build.core.rounding import DECIMALS
from wdw_build.records import RawArticle
from wdw_build.text.documents.features import Features, features

STORY = "story"
KINDS: Mapping[str, str] = {
    STORY: "a report, feature or comment in running text",
    "brief": "a caption or a blurb, of a video, of pictures or of another page",
    "running": "a running report: entries by time or day",
    "transcript": "an interview, a speech or a letter in full",
    "list": "a list, such as results, names or prices",
    "teasers": "a page of headlines or teasers of other texts",
    "none": "no article: an error, a question for consent, an advertisement, a page without its text",
    "language": "a text in another language than English",
}
"""The kinds of documents, and their meanings."""
# Of 100 words of an English text, at least 31 are function words, of one in another language at most 21, of a list about 20.
# A table has too few words to say.
_ENGLISH, _FIGURES = 0.25, 0.2
# An English text is never lost: it must be as unlikely as this, and long enough for the detector.
_LEAST_ENGLISH, _FEWEST_CHARACTERS, _READ_FOR_LANGUAGE = 0.02, 60, 1000
# A document is a story unless the probability of that is lower.
LEAST_STORY = 0.2


class DocumentKind(NamedTuple):
    """The kind of a document, and its probability."""

    kind: str
    score: float


def kind_of(raw: RawArticle, english: Callable[[str], float]) -> DocumentKind:
    """The kind of an article; that which the reader gives, unless it is a story. An article without text stays a story.

    ``english`` returns the probability that a text is English.
    """
    text = " ".join(raw.paragraphs)[:_READ_FOR_LANGUAGE]
    if raw.kind != STORY or not text.strip():
        return DocumentKind(raw.kind, 1.0)
    read = features(raw.title, raw.paragraphs, raw.dateline, raw.source)
    may_be_foreign = (
        read["function words"] < _ENGLISH and read["figures"] < _FIGURES and len(text) >= _FEWEST_CHARACTERS
    )
    if may_be_foreign and (chance := english(text)) < _LEAST_ENGLISH:
        return DocumentKind("language", round(1 - chance, DECIMALS))
    return judge(read, read_weights())


def judge(read: Features, weights: Mapping[str, Mapping[str, float]]) -> DocumentKind:
    """The kind by these weights. The sums are exact to the last digit (``fsum``), so that they are the same everywhere."""
    totals = {
        kind: math.fsum(weight * read.get(name, 1.0) for name, weight in of_kind.items())
        for kind, of_kind in weights.items()
    }
    highest = max(totals.values())
    parts = {kind: math.exp(total - highest) for kind, total in totals.items()}
    whole = math.fsum(parts.values())
    scores = {kind: round(part / whole, DECIMALS) for kind, part in parts.items()}
    kind = (
        STORY
        if scores[STORY] >= LEAST_STORY
        else max((score, name) for name, score in scores.items() if name != STORY)[1]
    )
    return DocumentKind(kind, scores[kind])


@functools.cache
def read_weights() -> dict[str, dict[str, float]]:
    """The weights of the features for each kind."""
    return tomllib.loads(files("wdw_build.text.documents").joinpath("kind_weights.toml").read_text(encoding="utf-8"))

"""The event scorer that compares sentences by a sentence encoder, beside their words and dates.

A cascade: the encoder reads a candidate only if its shared words leave it a chance, and sentences of it only if its
lead does. Each step looks at one candidate alone, so that no score depends on the other candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wdw_build.adapters.events.articles import ReadArticle, ReadArticles, shared_words
from wdw_build.adapters.events.sentence_encoder import SentenceEncoder
from wdw_build.core.hashing import digest
from wdw_build.ports import ArticleText
from wdw_build.text.passages import same_event
from wdw_build.text.passages.same_event import (
    LEAD_SENTENCES,
    Features,
    Frequencies,
    TermVector,
    likelihood,
    term_vector,
)
from wdw_build.text.tokens import words

# Intercept, nearest, leads, articles, days: fitted by scripts/fit_same_event.py.
WEIGHTS = (-3.24, 1.42, 3.05, 6.66, -0.85)
NEAREST = 2
# A candidate with a lower score by its shared words alone keeps that score.
RULED_OUT = 0.1
# Where the score would stay below HOPELESS even with a sentence as near as HIGHEST, none is read, and the figure is
# USUAL: its mean over candidates that tell of something else. One candidate in a hundred has a nearer sentence.
HOPELESS, HIGHEST, USUAL = 0.4, 0.85, 0.4


class EncoderFeatures(NamedTuple):
    """The figures of the score.

    ``nearest``: cosine of the question and the sentence that is nearest to it; ``leads``: cosine of the two leads;
    ``articles`` and ``days`` as in ``same_event.Features``.
    """

    nearest: float
    leads: float
    articles: float
    days: float


class EncoderScorer:
    """``EventScorer`` by sentence vectors, shared words and days apart."""

    def __init__(self) -> None:
        self._articles, self._encoder = ReadArticles(), SentenceEncoder()

    @property
    def identity(self) -> str:
        """Name, version, weights, and the encoder's libraries and model."""
        settings = digest((WEIGHTS, same_event.WEIGHTS, NEAREST, RULED_OUT, HOPELESS, HIGHEST, USUAL))
        return f"encoder events 1, weights {settings[:16]}, {self._encoder.identity}"

    def figures(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[EncoderFeatures]:
        """What the score is made of, for each candidate, whatever the cascade would leave out."""
        asked, read = term_vector(words(question), self._articles.use(frequencies)), self._articles.get(own)
        found = []
        for candidate in map(self._articles.get, candidates):
            shared = shared_words(asked, read, candidate)
            nearest = self._nearest(question, asked, candidate)
            found.append(EncoderFeatures(nearest, self._leads(read, candidate), shared.articles, shared.days))
        return found

    def score(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[float]:
        """See ``EventScorer.score``."""
        asked, read = term_vector(words(question), self._articles.use(frequencies)), self._articles.get(own)
        return [round(self._score(question, asked, read, self._articles.get(one)), 4) for one in candidates]

    def _score(self, question: str, asked: TermVector, own: ReadArticle, candidate: ReadArticle) -> float:
        shared: Features = shared_words(asked, own, candidate)
        if (cheap := same_event.score(shared)) < RULED_OUT:
            return cheap
        known = EncoderFeatures(HIGHEST, self._leads(own, candidate), shared.articles, shared.days)
        if likelihood(WEIGHTS, known) < HOPELESS:
            return likelihood(WEIGHTS, known._replace(nearest=USUAL))
        return likelihood(WEIGHTS, known._replace(nearest=self._nearest(question, asked, candidate)))

    def _leads(self, own: ReadArticle, candidate: ReadArticle) -> float:
        one, other = _lead(own), _lead(candidate)
        return self._cosine(one, other) if one and other else 0.0

    def _nearest(self, question: str, asked: TermVector, candidate: ReadArticle) -> float:
        return max((self._cosine(question, one) for one in candidate.nearest(asked, NEAREST)), default=0.0)

    def _cosine(self, one: str, other: str) -> float:
        return float(self._encoder.vector(one) @ self._encoder.vector(other))


def _lead(article: ReadArticle) -> str:
    """Title and first sentences as one text."""
    return " ".join([article.text.title, *article.sentences[:LEAD_SENTENCES]]).strip()

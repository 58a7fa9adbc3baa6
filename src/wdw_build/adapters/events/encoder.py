"""The event scorer that compares sentences with a sentence encoder, besides words and dates.

The scorer is a cascade: the encoder reads a candidate's lead only if the shared words leave the candidate a chance, and its
sentences only if the lead does. Each step considers one candidate alone, so a score does not depend on the others.
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

# Intercept, nearest, leads, articles, days; fitted by scripts/fit_same_event.py.
WEIGHTS = (-3.24, 1.42, 3.05, 6.66, -0.85)
NEAREST = 2
# A candidate whose shared words alone give a lower score keeps that score.
RULED_OUT = 0.1
# If the score stays below HOPELESS even with ``nearest`` at HIGHEST, no sentence is read, and ``nearest`` is USUAL, the
# mean of candidates about other events. One candidate in a hundred has a higher ``nearest`` than HIGHEST.
HOPELESS, HIGHEST, USUAL = 0.4, 0.85, 0.4


class EncoderFeatures(NamedTuple):
    """The features of the score.

    ``nearest``: the cosine of the question and the sentence nearest to it. ``leads``: the cosine of the two leads.
    ``articles`` and ``days``: as in ``same_event.Features``.
    """

    nearest: float
    leads: float
    articles: float
    days: float


class EncoderScorer:
    """``EventScorer`` by sentence vectors, shared words and the days between articles."""

    def __init__(self) -> None:
        self._articles, self._encoder = ReadArticles(), SentenceEncoder()

    @property
    def identity(self) -> str:
        """Name, version and weights, and the libraries and model of the encoder."""
        settings = digest((WEIGHTS, same_event.WEIGHTS, NEAREST, RULED_OUT, HOPELESS, HIGHEST, USUAL))
        return f"encoder events 1, weights {settings[:16]}, {self._encoder.identity}"

    def figures(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[EncoderFeatures]:
        """All features of each candidate, including those that the cascade would skip."""
        terms, article = term_vector(words(question), self._articles.use(frequencies)), self._articles.get(own)
        rows = []
        for candidate in map(self._articles.get, candidates):
            shared = shared_words(terms, article, candidate)
            nearest = self._nearest(question, terms, candidate)
            rows.append(EncoderFeatures(nearest, self._leads(article, candidate), shared.articles, shared.days))
        return rows

    def score(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[float]:
        """See ``EventScorer.score``."""
        terms, article = term_vector(words(question), self._articles.use(frequencies)), self._articles.get(own)
        read = map(self._articles.get, candidates)
        return [round(self._score(question, terms, article, candidate), 4) for candidate in read]

    def _score(self, question: str, terms: TermVector, own: ReadArticle, candidate: ReadArticle) -> float:
        shared: Features = shared_words(terms, own, candidate)
        if (lexical_score := same_event.score(shared)) < RULED_OUT:
            return lexical_score
        known = EncoderFeatures(HIGHEST, self._leads(own, candidate), shared.articles, shared.days)
        if likelihood(WEIGHTS, known) < HOPELESS:
            return likelihood(WEIGHTS, known._replace(nearest=USUAL))
        return likelihood(WEIGHTS, known._replace(nearest=self._nearest(question, terms, candidate)))

    def _leads(self, own: ReadArticle, candidate: ReadArticle) -> float:
        own_lead, candidate_lead = _lead(own), _lead(candidate)
        return self._cosine(own_lead, candidate_lead) if own_lead and candidate_lead else 0.0

    def _nearest(self, question: str, terms: TermVector, candidate: ReadArticle) -> float:
        return max((self._cosine(question, sentence) for sentence in candidate.nearest(terms, NEAREST)), default=0.0)

    def _cosine(self, first: str, second: str) -> float:
        return float(self._encoder.vector(first) @ self._encoder.vector(second))


def _lead(article: ReadArticle) -> str:
    """The title and the first sentences as one text."""
    return " ".join([article.text.title, *article.sentences[:LEAD_SENTENCES]]).strip()

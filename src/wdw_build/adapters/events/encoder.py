"""The event scorer that compares sentences with a sentence encoder, besides words and dates.

The scorer is a cascade: the encoder reads a candidate's lead only if the shared words leave the candidate a chance, and its
sentences only if the lead does. Each step considers one candidate alone, so a score does not depend on the others.
"""

from __future__ import annotations

from typing import NamedTuple

from wdw_build.adapters.events.lexical import AskedQuestion, ReadArticle, TermScorer
from wdw_build.adapters.onnx_models import SentenceEncoder
from wdw_build.core.hashing import digest
from wdw_build.text.passages import same_event
from wdw_build.text.passages.same_event import LEAD_SENTENCES, likelihood

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


class EncoderScorer(TermScorer):
    """``EventScorer`` by sentence vectors, shared words and the days between articles."""

    weights = WEIGHTS

    def __init__(self) -> None:
        super().__init__()
        self._encoder = SentenceEncoder()

    @property
    def identity(self) -> str:
        """Name, version and weights, and the libraries and model of the encoder."""
        settings = digest((WEIGHTS, same_event.WEIGHTS, NEAREST, RULED_OUT, HOPELESS, HIGHEST, USUAL))
        return f"encoder events 1, weights {settings[:16]}, {self._encoder.identity}"

    def features(self, question: AskedQuestion, candidate: ReadArticle) -> EncoderFeatures:
        """All features of a candidate, including those that the cascade would skip."""
        shared = question.shared_words(candidate)
        nearest, leads = self._nearest(question, candidate), self._leads(question.own, candidate)
        return EncoderFeatures(nearest, leads, shared.articles, shared.days)

    def _likelihood(self, question: AskedQuestion, candidate: ReadArticle) -> float:
        shared = question.shared_words(candidate)
        if (lexical_score := same_event.score(shared)) < RULED_OUT:
            return lexical_score
        known = EncoderFeatures(HIGHEST, self._leads(question.own, candidate), shared.articles, shared.days)
        if likelihood(WEIGHTS, known) < HOPELESS:
            return likelihood(WEIGHTS, known._replace(nearest=USUAL))
        return likelihood(WEIGHTS, known._replace(nearest=self._nearest(question, candidate)))

    def _leads(self, own: ReadArticle, candidate: ReadArticle) -> float:
        own_lead, candidate_lead = _lead(own), _lead(candidate)
        return self._cosine(own_lead, candidate_lead) if own_lead and candidate_lead else 0.0

    def _nearest(self, question: AskedQuestion, candidate: ReadArticle) -> float:
        sentences = candidate.nearest(question.terms, NEAREST)
        return max((self._cosine(question.text, sentence) for sentence in sentences), default=0.0)

    def _cosine(self, first: str, second: str) -> float:
        return float(self._encoder.vector(first) @ self._encoder.vector(second))


def _lead(article: ReadArticle) -> str:
    """The title and the first sentences as one text."""
    return " ".join([article.text.title, *article.sentences[:LEAD_SENTENCES]]).strip()

"""Event scorers: whether a passage is about the event of a question, by words or by a sentence encoder.

``LexicalScorer`` compares only words (``text.same_event``), needs no model and is the cheapest. ``EncoderScorer`` also compares
the leads of the two articles with a sentence encoder, unless the shared words leave the candidate no chance. The leads of all
candidates are read together, but a score does not depend on other candidates. Cosines and scores are rounded
(``core.rounding``) before they are compared, so a score does not depend on the processor either.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from wdw_build.core.hashing import digest
from wdw_build.ports import ArticleText, EventQuestion, Preloaded, StoresResults, TextEncoder
from wdw_build.text.passages import same_event
from wdw_build.text.passages.evidence import rounded_cosines
from wdw_build.text.passages.same_event import (
    LEAD_SENTENCES,
    ArticleLead,
    Features,
    Frequencies,
    TermVector,
    features,
    likelihood,
    term_vector,
)
from wdw_build.text.tokens import words

_KEPT_ARTICLES = 1024
_KEPT_WEIGHTS = 1 << 17
# Sentences read of an article. Transcripts have thousands, but articles report events early.
_MOST_SENTENCES = 200


class ReadArticle:
    """An article with its term vectors. ``weight`` gives the inverse document frequency of a word."""

    def __init__(self, text: ArticleText, weight: Callable[[str], float]) -> None:
        self.text, self._weight = text, weight
        self.sentences = text.sentences[:_MOST_SENTENCES]

    @functools.cached_property
    def _words(self) -> ArticleLead:
        """The words of the title and of each sentence."""
        return ArticleLead(words(self.text.title), [words(sentence) for sentence in self.sentences])

    @functools.cached_property
    def lead_text(self) -> str:
        """The title and the first sentences as one text."""
        return " ".join([self.text.title, *self.sentences[:LEAD_SENTENCES]]).strip()

    @functools.cached_property
    def lead(self) -> TermVector:
        """The term vector of the title and the first sentences."""
        return term_vector(self._words.lead, self._weight)

    @functools.cached_property
    def start(self) -> TermVector:
        """The term vector of the first words."""
        return term_vector(self._words.start, self._weight)


class AskedQuestion:
    """The term vector of a question, and its article."""

    def __init__(self, text: str, own: ReadArticle, weight: Callable[[str], float]) -> None:
        self.own, self.terms = own, term_vector(words(text), weight)

    def shared_words(self, candidate: ReadArticle) -> Features:
        """The features of ``text.same_event``, from cached vectors."""
        days = candidate.text.day - self.own.text.day
        return features(self.terms, self.own.start, candidate.lead, candidate.start, days)


_Pair = tuple[AskedQuestion, ReadArticle]


class TermScorer(ABC):
    """``EventScorer`` by a logistic regression over features. Caches the term vectors of the most recent articles."""

    weights: ClassVar[tuple[float, ...]]

    def __init__(self) -> None:
        self._frequencies: Frequencies | None = None
        self._weight: Callable[[str], float] = lambda word: 0.0
        self._articles: OrderedDict[str, ReadArticle] = OrderedDict()

    @property
    @abstractmethod
    def identity(self) -> str:
        """See ``EventScorer.identity``."""

    @abstractmethod
    def features(self, question: AskedQuestion, candidate: ReadArticle) -> Any:
        """The features of a candidate, a named tuple in the order of ``weights``, of which the first is the intercept."""

    def figures(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[Any]:
        """All features of each candidate."""
        asked = self._asked(question, own, frequencies)
        return [self.features(asked, self._read(candidate)) for candidate in candidates]

    def score(self, questions: Sequence[EventQuestion], frequencies: Frequencies) -> list[list[float]]:
        """See ``EventScorer.score``."""
        pairs: list[_Pair] = []
        for question in questions:
            asked = self._asked(question.sentence, question.article, frequencies)
            pairs += ((asked, self._read(candidate)) for candidate in question.candidates)
        scores = iter(self._likelihoods(pairs))
        return [[next(scores) for _ in question.candidates] for question in questions]

    def _likelihoods(self, pairs: Sequence[_Pair]) -> list[float]:
        """The score of each pair of a question and a candidate."""
        return [likelihood(self.weights, self.features(question, candidate)) for question, candidate in pairs]

    def _asked(self, question: str, own: ArticleText, frequencies: Frequencies) -> AskedQuestion:
        if frequencies is not self._frequencies:
            self._frequencies, self._weight = frequencies, functools.lru_cache(_KEPT_WEIGHTS)(frequencies.weight)
            self._articles.clear()
        return AskedQuestion(question, self._read(own), self._weight)

    def _read(self, text: ArticleText) -> ReadArticle:
        article = self._articles.pop(text.id, None)
        # Articles of two corpora may have the same id, so the text is compared.
        if article is None or article.text != text:
            article = ReadArticle(text, self._weight)
        self._articles[text.id] = article
        if len(self._articles) > _KEPT_ARTICLES:
            self._articles.popitem(last=False)
        return article


class LexicalScorer(TermScorer):
    """``EventScorer`` by shared words and the days between articles."""

    weights = same_event.WEIGHTS

    @property
    def identity(self) -> str:
        """Name, version and weights."""
        return f"lexical events 3, weights {digest(same_event.WEIGHTS)[:16]}"

    def features(self, question: AskedQuestion, candidate: ReadArticle) -> Features:
        """The features of ``text.same_event``."""
        return question.shared_words(candidate)


# ---- sentence encoder ------------------------------------------------------------------------------------------------

# Intercept, leads, articles, days; fitted by scripts/fit_same_event.py.
ENCODER_WEIGHTS = (-2.87, 3.7, 6.95, -0.88)
# A candidate whose shared words alone give a lower score keeps that score.
RULED_OUT = 0.1


class EncoderFeatures(NamedTuple):
    """The features of the score. ``leads``: the cosine of the two leads. ``articles``, ``days``: as in ``same_event.Features``."""

    leads: float
    articles: float
    days: float


class EncoderScorer(TermScorer):
    """``EventScorer`` by vectors of leads, shared words and the days between articles."""

    weights = ENCODER_WEIGHTS

    def __init__(self, encoder: TextEncoder) -> None:
        super().__init__()
        self._encoder = encoder

    @property
    def identity(self) -> str:
        """Name, version and weights, and the libraries and model of the encoder."""
        settings = digest((ENCODER_WEIGHTS, same_event.WEIGHTS, RULED_OUT))
        return f"encoder events 3, weights {settings[:16]}, {self._encoder.identity}"

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        if isinstance(self._encoder, Preloaded):
            self._encoder.preload()

    def features(self, question: AskedQuestion, candidate: ReadArticle) -> EncoderFeatures:
        """The features of a candidate, also of one that its shared words rule out."""
        shared, (lead,) = question.shared_words(candidate), self._leads([(question, candidate)])
        return EncoderFeatures(lead, shared.articles, shared.days)

    def _likelihoods(self, pairs: Sequence[_Pair]) -> list[float]:
        shared = [question.shared_words(candidate) for question, candidate in pairs]
        scores = list(map(same_event.score, shared))
        possible = [number for number, score in enumerate(scores) if score >= RULED_OUT]
        for number, lead in zip(possible, self._leads([pairs[number] for number in possible]), strict=True):
            values = EncoderFeatures(lead, shared[number].articles, shared[number].days)
            scores[number] = likelihood(ENCODER_WEIGHTS, values)
        return scores

    def _leads(self, pairs: Sequence[_Pair]) -> list[float]:
        """The cosine of the leads of a question's article and a candidate; 0 if one is empty."""
        leads = [(question.own.lead_text, candidate.lead_text) for question, candidate in pairs]
        cosines = iter(rounded_cosines(self._encoder, [texts for texts in leads if all(texts)]))
        return [next(cosines) if all(texts) else 0.0 for texts in leads]

    def flush(self) -> None:
        """See ``StoresResults.flush``."""
        if isinstance(self._encoder, StoresResults):
            self._encoder.flush()

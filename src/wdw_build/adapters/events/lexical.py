"""The event scorer that compares only words (``text.same_event``), which needs no model and is the cheapest.

The scorers that also compare vectors are subclasses of the base class ``TermScorer``.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from wdw_build.core.hashing import digest
from wdw_build.ports import ArticleText
from wdw_build.text.passages.same_event import (
    WEIGHTS,
    ArticleLead,
    Features,
    Frequencies,
    TermVector,
    features,
    likelihood,
    similarity,
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
    def lead(self) -> TermVector:
        """The term vector of the title and the first sentences."""
        return term_vector(self._words.lead, self._weight)

    @functools.cached_property
    def start(self) -> TermVector:
        """The term vector of the first words."""
        return term_vector(self._words.start, self._weight)

    @functools.cached_property
    def _by_sentence(self) -> list[TermVector]:
        return [term_vector(sentence, self._weight) for sentence in self._words.sentences]

    def nearest(self, question: TermVector, count: int) -> list[str]:
        """The sentences most similar to the question by cosine; ties are in the order of the text."""
        near = [similarity(question, sentence) for sentence in self._by_sentence]
        order = sorted(range(len(near)), key=lambda number: (-near[number], number))
        return [self.sentences[number] for number in order[:count]]


class AskedQuestion:
    """A question with its term vector, and its article."""

    def __init__(self, text: str, own: ReadArticle, weight: Callable[[str], float]) -> None:
        self.text, self.own = text, own
        self.terms = term_vector(words(text), weight)

    def shared_words(self, candidate: ReadArticle) -> Features:
        """The features of ``text.same_event``, from cached vectors."""
        days = candidate.text.day - self.own.text.day
        return features(self.terms, self.own.start, candidate.lead, candidate.start, days)


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

    def score(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[float]:
        """See ``EventScorer.score``."""
        asked = self._asked(question, own, frequencies)
        return [round(self._likelihood(asked, self._read(candidate)), 4) for candidate in candidates]

    def _likelihood(self, question: AskedQuestion, candidate: ReadArticle) -> float:
        return likelihood(self.weights, self.features(question, candidate))

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

    weights = WEIGHTS

    @property
    def identity(self) -> str:
        """Name, version and weights."""
        return f"lexical events 2, weights {digest(WEIGHTS)[:16]}"

    def features(self, question: AskedQuestion, candidate: ReadArticle) -> Features:
        """The features of ``text.same_event``."""
        return question.shared_words(candidate)

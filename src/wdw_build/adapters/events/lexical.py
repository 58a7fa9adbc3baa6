"""The event scorer that compares only words (``text.same_event``). It needs no model and is the cheapest."""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.adapters.events.articles import ReadArticles, shared_words
from wdw_build.core.hashing import digest
from wdw_build.ports import ArticleText
from wdw_build.text.passages.same_event import WEIGHTS, Features, Frequencies, likelihood, term_vector
from wdw_build.text.tokens import words


class LexicalScorer:
    """``EventScorer`` by shared words and the days between articles."""

    def __init__(self) -> None:
        self._articles = ReadArticles()

    @property
    def identity(self) -> str:
        """Name, version and weights."""
        return f"lexical events 2, weights {digest(WEIGHTS)[:16]}"

    def figures(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[Features]:
        """The features of each candidate, from which its score is computed."""
        question_terms, article = term_vector(words(question), self._articles.use(frequencies)), self._articles.get(own)
        return [shared_words(question_terms, article, self._articles.get(candidate)) for candidate in candidates]

    def score(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[float]:
        """See ``EventScorer.score``."""
        rows = self.figures(question, own, candidates, frequencies)
        return [round(likelihood(WEIGHTS, row), 4) for row in rows]

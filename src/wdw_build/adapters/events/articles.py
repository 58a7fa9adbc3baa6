"""Term vectors of articles for the event scorers, computed when needed and cached for the most recent articles."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable

from wdw_build.ports import ArticleText
from wdw_build.text.passages.same_event import (
    ArticleLead,
    Features,
    Frequencies,
    TermVector,
    features,
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


class ReadArticles:
    """A cache of the most recent articles, for the document frequencies of one corpus."""

    def __init__(self) -> None:
        self._frequencies: Frequencies | None = None
        self._weight: Callable[[str], float] = lambda word: 0.0
        self._kept: OrderedDict[str, ReadArticle] = OrderedDict()

    def use(self, frequencies: Frequencies) -> Callable[[str], float]:
        """Use these frequencies from now on; return the function that gives the weight of a word."""
        if frequencies is not self._frequencies:
            self._frequencies, self._weight = frequencies, functools.lru_cache(_KEPT_WEIGHTS)(frequencies.weight)
            self._kept.clear()
        return self._weight

    def get(self, text: ArticleText) -> ReadArticle:
        """The article, from the cache if it is there."""
        kept = self._kept.pop(text.id, None)
        # Articles of two corpora may have the same id, so the text is compared.
        if kept is None or kept.text != text:
            kept = ReadArticle(text, self._weight)
        self._kept[text.id] = kept
        if len(self._kept) > _KEPT_ARTICLES:
            self._kept.popitem(last=False)
        return kept


def shared_words(question: TermVector, own: ReadArticle, candidate: ReadArticle) -> Features:
    """The features of ``text.same_event``, from cached vectors."""
    return features(question, own.start, candidate.lead, candidate.start, candidate.text.day - own.text.day)

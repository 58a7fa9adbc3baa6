"""Articles as event scorers read them: term vectors, made when first asked for and kept for the articles read last."""

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
# A transcript of a whole session has thousands of sentences; nobody tells of an event that late.
_MOST_SENTENCES = 200


class ReadArticle:
    """An article with its term vectors; ``weight`` is the inverse document frequency of a word."""

    def __init__(self, text: ArticleText, weight: Callable[[str], float]) -> None:
        self.text, self._weight = text, weight
        self.sentences = text.sentences[:_MOST_SENTENCES]

    @functools.cached_property
    def told(self) -> ArticleLead:
        """The words of the title and of each sentence."""
        return ArticleLead(words(self.text.title), [words(sentence) for sentence in self.sentences])

    @functools.cached_property
    def lead(self) -> TermVector:
        """The term vector of title and first sentences."""
        return term_vector(self.told.lead, self._weight)

    @functools.cached_property
    def start(self) -> TermVector:
        """The term vector of the first words."""
        return term_vector(self.told.start, self._weight)

    @functools.cached_property
    def _by_sentence(self) -> list[TermVector]:
        return [term_vector(sentence, self._weight) for sentence in self.told.sentences]

    def nearest(self, question: TermVector, count: int) -> list[str]:
        """The sentences that share most with the question, by cosine; equal ones in the order of the text."""
        near = [similarity(question, sentence) for sentence in self._by_sentence]
        order = sorted(range(len(near)), key=lambda number: (-near[number], number))
        return [self.sentences[number] for number in order[:count]]


class ReadArticles:
    """The articles read last, under one corpus's document frequencies."""

    def __init__(self) -> None:
        self._frequencies: Frequencies | None = None
        self._weight: Callable[[str], float] = lambda word: 0.0
        self._kept: OrderedDict[str, ReadArticle] = OrderedDict()

    def use(self, frequencies: Frequencies) -> Callable[[str], float]:
        """Read articles under these frequencies from now on; returns the weight of a word."""
        if frequencies is not self._frequencies:
            self._frequencies, self._weight = frequencies, functools.lru_cache(_KEPT_WEIGHTS)(frequencies.weight)
            self._kept.clear()
        return self._weight

    def get(self, text: ArticleText) -> ReadArticle:
        """The article, as it was read before if it is among the last."""
        kept = self._kept.pop(text.id, None)
        # The text is compared, since two corpora may use one id.
        if kept is None or kept.text != text:
            kept = ReadArticle(text, self._weight)
        self._kept[text.id] = kept
        if len(self._kept) > _KEPT_ARTICLES:
            self._kept.popitem(last=False)
        return kept


def shared_words(question: TermVector, own: ReadArticle, candidate: ReadArticle) -> Features:
    """The figures of ``text.same_event``, from vectors that are kept."""
    return features(question, own.start, candidate.lead, candidate.start, candidate.text.day - own.text.day)

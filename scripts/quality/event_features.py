"""Figures that may say whether a candidate tells of a question's event: those of the product, and those dropped.

Pure functions of texts, each figure the larger the likelier; ``docs/same_event.md`` has what each is worth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from wdw_build.records import Article, Question
from wdw_build.text.names import counting_words, name_words
from wdw_build.text.same_event import Features, Frequencies, Told, cosine, coverage, features
from wdw_build.text.tokens import sentences, words

K1, B = 0.9, 0.4  # the defaults of ``index``
_CAPITALISED = re.compile(r"(?<=\s)[A-ZÀ-Þ][^\W_]+")  # not the word that opens the sentence
# A figure of a question that has nothing to look for says nothing either way.
_NOTHING_TO_FIND = 0.5


@dataclass(frozen=True)
class Text:
    """An article, cut into words once."""

    article: Article
    sentences: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> list[str]:
        """All words, in order."""
        return [word for sentence in self.sentences for word in sentence]

    @property
    def told(self) -> Told:
        """What the product's score needs."""
        return Told(title=words(self.article.title), sentences=self.sentences)


def cut(article: Article) -> Text:
    """Cut an article as ``retrieve`` does."""
    return Text(article, tuple(tuple(words(sentence)) for sentence in sentences(article.text)))


def product(question: Question, own: Text, candidate: Text, frequencies: Frequencies) -> Features:
    """The features of the product's score."""
    days = (candidate.article.date - question.date).days
    return features(words(question.sentence), own.told, candidate.told, days, frequencies)


def measured(
    question: Question, own: Text, candidate: Text, frequencies: Frequencies, mean_words: float
) -> dict[str, float]:
    """Every figure, by name."""
    made = product(question, own, candidate, frequencies)
    asked = [word for word in words(question.sentence) if word not in words(question.name.text)]
    every = frozenset(candidate.words)
    first, second = ([word for part in candidate.sentences[:number] for word in part] for number in (1, 2))
    bm25 = _bm25(set(words(question.sentence)), candidate.words, frequencies, mean_words)
    return {
        "days apart (log)": -made.days,
        "coverage": coverage(asked, every, frequencies),
        "coverage, unweighted": len(set(asked) & every) / max(1, len(set(asked))),
        "coverage, best sentence": max((coverage(asked, set(s), frequencies) for s in candidate.sentences), default=0.0),
        "coverage, first two sentences": coverage(asked, set(second), frequencies),
        "coverage, first sentence": coverage(asked, set(first), frequencies),
        "BM25": bm25,
        "BM25 per query word": bm25 / max(1, len(words(question.sentence))),
        "other persons": _others(question, candidate),
        "capitalised words (places)": _capitalised(question, candidate, frequencies),
        "numbers": _share({word for word in asked if word[0].isdigit()}, every),
        "cosine, question and article": cosine(words(question.sentence), candidate.words, frequencies),
        "cosine, question and lead": cosine(words(question.sentence), candidate.told.lead, frequencies),
        "cosine, both articles": cosine(own.words, candidate.words, frequencies),
        "cosine, both leads": made.leads,
        "opening": made.opening,
    }


def _share(wanted: set[str], found: Iterable[str]) -> float:
    return len(wanted & set(found)) / len(wanted) if wanted else _NOTHING_TO_FIND


def _bm25(query: set[str], text: list[str], frequencies: Frequencies, mean_words: float) -> float:
    counts, length = Counter(text), K1 * (1 - B + B * len(text) / mean_words)
    return sum(frequencies.weight(word) * counts[word] / (counts[word] + length) for word in sorted(query))


def _names(text: str) -> set[str]:
    """The words of names: ``retrieve``'s test for another person of the question."""
    written = (part for word in text.split() for part in {word, *word.split("-")} if not part.islower())
    return {part for word in written for part in name_words(word)}


def _others(question: Question, candidate: Text) -> float:
    names = _names(candidate.article.text)
    found = [bool(counting_words(other.text) & names) for other in question.others]
    return sum(found) / len(found) if found else _NOTHING_TO_FIND


def _capitalised(question: Question, candidate: Text, frequencies: Frequencies) -> float:
    persons = {word for one in (question.name, *question.others) for word in counting_words(one.text)}
    wanted = {part for word in _CAPITALISED.findall(question.sentence) for part in name_words(word)} - persons
    return coverage(wanted, _names(candidate.article.text), frequencies) if wanted else _NOTHING_TO_FIND

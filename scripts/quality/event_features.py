"""Features of a candidate that the event scorers do not use; higher values mean the same event.

``scripts/fit_same_event.py --all-figures`` measures the AUC of each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set

from wdw_build.ports import ArticleText
from wdw_build.text.passages.same_event import ArticleLead, Frequencies, similarity, term_vector
from wdw_build.text.tokens import words

# The value of a feature that cannot be computed for a question.
_NOTHING_TO_FIND = 0.5


def measured(
    question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
) -> dict[str, float]:
    """The features of the first candidate, by name."""
    candidate = candidates[0]
    asked, mine, its = words(question), _told(own), _told(candidate)
    every = [word for sentence in its.sentences for word in sentence]
    opening = list(its.sentences[0]) if its.sentences else []
    return {
        "days apart": -float(abs(candidate.day - own.day)),
        "coverage of the question": coverage(asked, set(every), frequencies),
        "coverage, best sentence": max((coverage(asked, set(s), frequencies) for s in its.sentences), default=0.0),
        "coverage, lead": coverage(asked, set(its.lead), frequencies),
        "opening within the question": coverage(opening, set(asked), frequencies),
        "lead within own article": coverage(its.lead, {word for s in mine.sentences for word in s}, frequencies),
        "numbers shared": _share({word for word in asked if word[0].isdigit()}, set(every)),
        "cosine, best sentence": max((cosine(asked, s, frequencies) for s in its.sentences), default=0.0),
        "cosine, question and article": cosine(asked, every, frequencies),
        "cosine, both leads": cosine(mine.lead, its.lead, frequencies),
        "cosine, both titles": cosine(mine.title, its.title, frequencies),
        "cosine, both articles": cosine([word for s in mine.sentences for word in s], every, frequencies),
    }


def coverage(words: Iterable[str], within: Set[str], frequencies: Frequencies) -> float:
    """The share of the weight of the distinct words that ``within`` holds; 0 for no words."""
    distinct = set(words)
    # fsum is exact, so the result does not depend on the order of a set.
    total = math.fsum(map(frequencies.weight, distinct))
    return math.fsum(map(frequencies.weight, distinct & within)) / total if total else 0.0


def cosine(one: Iterable[str], other: Iterable[str], frequencies: Frequencies) -> float:
    """The cosine of the tf-idf vectors of two texts; 0 if either has no weight."""
    return similarity(term_vector(one, frequencies.weight), term_vector(other, frequencies.weight))


def _told(article: ArticleText) -> ArticleLead:
    return ArticleLead(words(article.title), [words(sentence) for sentence in article.sentences])


def _share(wanted: set[str], found: set[str]) -> float:
    return len(wanted & found) / len(wanted) if wanted else _NOTHING_TO_FIND

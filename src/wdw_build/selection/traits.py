"""Traits of problems: what suppression may prefer without being asked to, such as a kind of document.

The first alternative of each article stands for the problems before suppression, as in Table 2.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from wdw_build.records import Article, ProblemAlternatives

# Finds the article of ``ingest`` with an id.
FindArticle = Callable[[str], Any]
# The kinds of marks that a wire does not have.
_PAGE_TEXT = frozenset({"caption", "heading", "page", "comments"})


def article_traits(article: Article) -> dict[str, str]:
    """The traits of a document that ``ingest`` recorded."""
    has_page_text = any(mark.kind in _PAGE_TEXT for mark in article.marks)
    return {"source": article.source, "kind": article.kind, "page text removed": "yes" if has_page_text else "no"}


def trait_reader(find: FindArticle) -> Callable[[ProblemAlternatives, int], dict[str, str]]:
    """A function that returns trait -> value for one alternative of an article. Scores that were not computed are empty."""
    of_article = functools.cache(lambda name: article_traits(find(name)))

    def read(record: ProblemAlternatives, number: int) -> dict[str, str]:
        alternative = record.alternatives[number]
        passage = record.passages[alternative.passage]
        answer = passage.persons[alternative.choices[alternative.answer]]
        return {
            "choices": str(len(alternative.choices)),
            "mentions of the answer": doubling(len(answer.mentions)),
            "passage tokens": doubling(passage.tokens),
            "question tokens": doubling(len(record.question.tokens)),
            "days between question and passage": doubling(abs((passage.date - record.date).days)),
            "event score": tenth(passage.event_score),
            "evidence score": tenth(alternative.evidence_score),
            **{f"{trait} of the question": value for trait, value in of_article(record.id).items()},
            **{f"{trait} of the passage": value for trait, value in of_article(passage.article).items()},
        }

    return read


def doubling(number: int) -> str:
    """The band of a number: ``0``, ``1``, ``2 to 3``, ``4 to 7``, …, each twice as wide as the band before."""
    if number < 2:
        return str(number)
    low: int = 1 << (number.bit_length() - 1)
    return f"{low} to {2 * low - 1}"


def band(score: float | None) -> float | None:
    """The lower bound of a score's band: 0.0, 0.1, …, 0.9."""
    # Scores have at most four decimals; integer arithmetic puts 0.3 into the band from 0.3 despite floating point.
    return None if score is None else min(round(score * 10_000) // 1000, 9) / 10


def tenth(score: float | None) -> str:
    """``band`` as text; empty without a score."""
    return "" if score is None else str(band(score))

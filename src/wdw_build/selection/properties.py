"""Properties of problems by which selections are counted: the person of an answer, and traits.

Traits are what suppression may prefer without being asked to, such as a kind of document. The first alternative of each article
stands for the problems before suppression, as in Table 2.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from wdw_build.records import Article, ProblemAlternatives
from wdw_build.text.names.compare import compare, spelling_keys
from wdw_build.text.names.name import Words, parse

# Finds the article of ``ingest`` with an id.
FindArticle = Callable[[str], Any]
# The kinds of marks that a wire does not have.
_PAGE_TEXT = frozenset({"caption", "heading", "page", "comments"})


def persons(names: Mapping[str, int]) -> dict[str, str]:
    """Maps each name to the words of the most frequent name of the same person. ``names`` maps a name to its frequency.

    "Reagan", "President Reagan" and "Ronald Reagan" are one person. Two full names belong to one person if ``compare`` says so. A
    single word belongs to the most frequent person with this last word, else to the most frequent person whose name contains the
    word ("Chen" of "Chen Shui-bian").

    Equally frequent names are taken in alphabetical order, so the order of ``names`` has no effect.
    """
    counts, written = Counter[str](), dict[str, str]()
    for mention, count in sorted(names.items(), key=lambda item: (-item[1], item[0])):
        counts[parse(mention).key] += count
        written.setdefault(parse(mention).key, parse(mention).bare)
    person, by_last_word, by_word = dict[str, str](), dict[str, str](), dict[str, str]()
    by_key = defaultdict[Words, dict[str, None]](dict)
    # Single words come last.
    for key in sorted(counts, key=lambda key: (not parse(written[key]).is_full, -counts[key], key)):
        name = parse(written[key])
        if not name.is_full and not name.has_initials_alone:
            person[key] = by_last_word.get(name.family) or by_word.get(name.family) or name.bare
            continue
        keys = [*((given, name.family) for given in name.parts[:-1]), *spelling_keys(name)]
        similar = dict.fromkeys(other for words in keys for other in by_key[words])
        same = next((other for other in similar if compare(name.bare, other).is_one_person), None)
        if same is None:
            for words in keys:
                by_key[words][name.bare] = None
        person[key] = same or name.bare
        by_last_word.setdefault(name.family, person[key])
        for word in name.core:
            by_word.setdefault(word, person[key])
    return {mention: " ".join(parse(person[parse(mention).key]).words) for mention in names}


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

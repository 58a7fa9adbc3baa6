"""Weighs the persons of two taggers of names.

Each tagger errs on other names. A span that one of them calls a person is a candidate; a logistic model on both opinions
decides. A name that the first tagger alone calls a person, and that is refused, gets the kind that the second one gives it.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec

from wdw_build.core.rounding import DECIMALS
from wdw_build.records import PERSON, TaggedName, TokenSpan
from wdw_build.text.names.name import Words

# For the fields of ``Evidence``, after the intercept; fitted by scripts/fit_second_opinion.py.
WEIGHTS: tuple[float, ...] = (-2.14, 2.4, -0.33, 0.24, 3.97, -2.32, -6.66, -0.57)
# Lower than even odds, because the model of persons refuses names that are none, but finds no name that is lost here.
LEAST = 0.3
# Sentences of an article in which the second tagger reads a name. Further ones hardly change what becomes of the name.
ENOUGH = 2
# Keeps the logarithm of a probability finite.
_FLOOR = 1e-3


class Opinion(NamedTuple):
    """The second tagger's view of each word of a sentence.

    ``begins`` and ``inside``: the probability that the word is the first or a later word of a person's name. ``tags``: the
    most probable tag (O, B-PERSON, I-PERSON, B-ORG …). ``first``, ``last``, ``within``: what the word adds to the log odds that a
    span is a person's name, as its first word, as its last one, and (on average over the span) as any of its words. ``given``: the
    log odds that the word alone is a given name and no family name. The last four are 0 for a word without a capital, which does
    not count.
    """

    begins: Sequence[float]
    inside: Sequence[float]
    tags: Sequence[str]
    first: Sequence[float]
    last: Sequence[float]
    within: Sequence[float]
    given: Sequence[float]

    def log_odds(self, span: TokenSpan) -> float:
        """The log odds that a span is a person's name."""
        words = [word for word in range(*span) if self.within[word]]
        if not words:
            return 0.0
        within = math.fsum(self.within[word] for word in words) / len(words)
        return round(self.first[words[0]] + self.last[words[-1]] + within, DECIMALS)


class Evidence(NamedTuple):
    """What the two taggers say of a span, as numbers.

    ``first`` and ``second``: whether the tagger has this person. ``lowest``: the logarithm of the lowest probability of the
    span's words. ``begins``: the probability that the first word begins a person's name. ``before``, ``after``: the
    probability that the neighbouring word belongs to the name. ``single``: whether the span is one word.
    """

    first: float
    second: float
    lowest: float
    begins: float
    before: float
    after: float
    single: float


def tagged_spans(tags: Sequence[str]) -> list[tuple[str, int, int]]:
    """The names of BIO tags as (kind, start, end), in order; an I without its beginning starts a name."""
    spans: list[tuple[str, int, int]] = []
    open_kind, start = "", 0
    for position, tag in enumerate([*tags, "O"]):
        place, _, kind = tag.partition("-")
        if open_kind and not (place == "I" and kind == open_kind):
            spans.append((open_kind, start, position))
            open_kind = ""
        if kind and not open_kind:
            open_kind, start = kind, position
    return spans


def evidence(
    span: TokenSpan, first: Collection[TokenSpan], second: Collection[TokenSpan], opinion: Opinion
) -> Evidence:
    """The evidence on a span of a sentence; ``first`` and ``second`` are the two taggers' persons."""
    start, end = span
    inside = [opinion.begins[word] + opinion.inside[word] for word in range(start, end)]
    return Evidence(
        first=span in first,
        second=span in second,
        lowest=math.log(min(inside) + _FLOOR),
        begins=opinion.begins[start],
        before=opinion.begins[start - 1] + opinion.inside[start - 1] if start else 0.0,
        after=opinion.inside[end] if end < len(opinion.inside) else 0.0,
        single=end - start == 1,
    )


def probability(values: Evidence) -> float:
    """The probability that the span is a person's name, rounded so that it does not depend on the processor."""
    intercept, *weights = WEIGHTS
    total = intercept + sum(weight * value for weight, value in zip(weights, values, strict=True))
    return round(1 / (1 + math.exp(-total)), DECIMALS)


def candidates(names: Sequence[TaggedName], opinion: Opinion) -> dict[TokenSpan, Evidence]:
    """The evidence on each span that a tagger calls a person."""
    second = {(start, end) for kind, start, end in tagged_spans(opinion.tags) if kind == PERSON}
    first = {(name.start, name.end) for name in names if name.kind == PERSON}
    return {span: evidence(span, first, second, opinion) for span in sorted(first | second)}


def weigh(names: Sequence[TaggedName], opinion: Opinion) -> list[TaggedName]:
    """The names of a sentence by both opinions, in order. Of persons that overlap, the most probable one counts."""
    likely = {span: probability(evidence) for span, evidence in candidates(names, opinion).items()}
    persons: list[TokenSpan] = []
    for span in sorted(likely, key=lambda span: (-likely[span], span)):
        if likely[span] >= LEAST and not any(overlap(span, person) for person in persons):
            persons.append(span)
    weighed = [
        TaggedName(
            start,
            end,
            PERSON,
            likely[start, end],
            opinion.log_odds((start, end)),
            opinion.given[start] if end - start == 1 else 0.0,
        )
        for start, end in persons
    ]
    weighed += _free((name for name in names if name.kind != PERSON), weighed)
    refused = [(name.start, name.end) for name in names if name.kind == PERSON]
    renamed = (
        TaggedName(start, end, kind)
        for kind, start, end in tagged_spans(opinion.tags)
        if kind != PERSON and any(overlap((start, end), span) for span in refused)
    )
    weighed += _free(renamed, weighed)
    return sorted(weighed, key=lambda name: (name.start, name.end))


def _free(names: Iterable[TaggedName], others: Sequence[TaggedName]) -> list[TaggedName]:
    """The names that overlap none of ``others``."""
    return [
        name for name in names if not any(overlap((name.start, name.end), (other.start, other.end)) for other in others)
    ]


class SentenceNames(NamedTuple):
    """The words of a sentence, and the names in it by the first tagger."""

    words: Sequence[str]
    names: list[TaggedName]

    def words_of(self, name: TaggedName) -> Words:
        """The words of a name of the sentence."""
        return tuple(self.words[name.start : name.end])

    @property
    def persons(self) -> set[Words]:
        """The words of each person."""
        return {self.words_of(name) for name in self.names if name.kind == PERSON}


def weigh_articles(
    articles: Sequence[Sequence[SentenceNames]], ask: Callable[[Sequence[Sequence[str]]], list[Opinion]]
) -> list[list[list[TaggedName]]]:
    """The names of each sentence of each article by both opinions, in order.

    ``ask`` returns the second tagger's opinion on each of several sentences. This tagger reads a sentence in which the first
    tagger finds a person whose name, in these words, it has read fewer than ``ENOUGH`` times in the article. In the other
    sentences, a name is a person if it was one in at least half of the sentences read. Which sentences are read depends on the
    first tagger alone, so the second one reads those of all articles at once.
    """
    are_read = [_are_read(article) for article in articles]
    sentences = [
        sentence.words
        for article, flags in zip(articles, are_read, strict=True)
        for sentence in itertools.compress(article, flags)
    ]
    opinions = iter(ask(sentences) if sentences else [])
    return [
        _weighed(article, [next(opinions) if flag else None for flag in flags])
        for article, flags in zip(articles, are_read, strict=True)
    ]


def _are_read(article: Sequence[SentenceNames]) -> list[bool]:
    """Whether the second tagger reads each sentence of an article."""
    times_read = Counter[Words]()
    flags = list[bool]()
    for sentence in article:
        persons = sentence.persons
        is_read = any(times_read[person] < ENOUGH for person in persons)
        flags.append(is_read)
        if is_read:
            times_read.update(persons)
    return flags


def _weighed(article: Sequence[SentenceNames], opinions: Sequence[Opinion | None]) -> list[list[TaggedName]]:
    """The names of the sentences of an article; the opinion on a sentence is None if the second tagger did not read it."""
    times_read, confirmed = Counter[Words](), Counter[Words]()
    latest: dict[Words, TaggedName] = {}
    result = []
    for sentence, opinion in zip(article, opinions, strict=True):
        names = list[TaggedName]()
        if opinion is not None:
            names = weigh(sentence.names, opinion)
            persons = [(sentence.words_of(name), name) for name in names if name.kind == PERSON]
            times_read.update(sentence.persons)
            confirmed.update(words for words, _ in persons)
            latest.update(persons)
        else:
            for name in sentence.names:
                words = sentence.words_of(name)
                if name.kind != PERSON:
                    names.append(name)
                elif 2 * confirmed[words] >= times_read[words]:
                    known = latest.get(words, name)
                    names.append(msgspec.structs.replace(known, start=name.start, end=name.end))
        result.append(names)
    return result


def overlap(span: TokenSpan, other: TokenSpan) -> bool:
    """Whether two spans share a token."""
    return span[0] < other[1] and other[0] < span[1]

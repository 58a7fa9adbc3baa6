"""What articles offer for selection, from the records of ``dedup`` and ``adversary``, and the terms on which it is kept."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wdw_build.core.hashing import uniform_hash
from wdw_build.records import BaselinePredictions, ProblemAlternatives
from wdw_build.selection.properties import FindArticle, persons, trait_reader
from wdw_build.selection.settings import SuppressConfig

NONE = -1
# The baselines whose scores rank the persons of a passage by first mention and by number of mentions.
RANKINGS = ("first-person", "most-frequent")


@dataclass(frozen=True)
class Limits:
    """The maximum number of problems with one passage, of one event, and with one answer; 0: no limit.

    Two problems with the same answer are of the same event if they share an article, as question or as passage. The relation
    is not transitive: otherwise chains of articles would join a year of news about one person into one event. An ``answer``
    below 1 is a share of the kept problems; ``floor`` problems are then always allowed: a share of few would allow none.
    """

    passage: int
    event: int
    answer: float
    floor: int = 10

    def most(self, problems: int) -> int:
        """The maximum number of problems with one answer if ``problems`` problems are kept."""
        if not self.answer:
            return problems
        if self.answer >= 1:
            return int(self.answer)
        return max(self.floor, math.floor(Fraction(str(self.answer)) * problems))


@dataclass(frozen=True)
class Offers:
    """The alternatives of all articles; the alternatives of an article are adjacent, in order of preference.

    n alternatives, A articles. Two articles should not have the same draw: their order would decide between them.
    """

    article: NDArray[np.int64]
    """(n,) number of the article, 0..A-1, nondecreasing"""
    choices: NDArray[np.int64]
    """(n,) number of choices"""
    solved: NDArray[np.int8]
    """(n, systems) 1: the system is right, 0: wrong"""
    ranks: NDArray[np.int8]
    """(n, rankings) place of the answer, from 0, among the choices by each ranking"""
    event: NDArray[np.float64]
    """(n,) event score in [0, 1]; 0 without a scorer"""
    evidence: NDArray[np.float64]
    """(n,) evidence score in [0, 1]; 0 if it was not computed"""
    draw: NDArray[np.float64]
    """(A,) a hash of seed and article in [0, 1), the only source of randomness"""
    day: NDArray[np.int64]
    """(A,) the day of the article's question (proleptic Gregorian ordinal)"""
    passage: NDArray[np.int64]
    """(n,) number of the passage's article"""
    question: NDArray[np.int64]
    """(n,) number of the question's article, in the same numbering as ``passage``"""
    person: NDArray[np.int64]
    """(n,) number of the answer"""
    traits: NDArray[np.int64]
    """(n, traits) number of the value of each trait; without columns if traits were not read"""


@dataclass(frozen=True)
class Terms:
    """Bounds, caps and objective of a selection."""

    bound: str | float
    """``chance``, or the largest accuracy k of a system"""
    by_choices: bool
    """a bound for each number of choices separately, else one for all"""
    event_weight: float
    """an alternative is worth 1 + event_weight * event score + evidence_weight * evidence score"""
    evidence_weight: float
    limits: Limits
    apart_from: int | None
    """Two problems may not share an article, one's question being the other's passage, if the later question is of this day
    or later; None: they may."""
    max_enrichment: float | None = None
    """the largest share of each trait, divided by its share before suppression (see ``selection.enrichment``); None: no bound"""

    @property
    def two_sided(self) -> bool:
        """Whether a system's accuracy is bounded from below too, and the answer's place by each ranking is uniform."""
        return self.bound == "chance" and self.by_choices

    def allowed(self, choices: int) -> Fraction:
        """The part of a problem with this number of choices that a system may solve."""
        chance = Fraction(1, choices)
        if isinstance(self.bound, str):
            return chance
        bound = Fraction(self.bound).limit_denominator(1000)
        # With few choices, guessing reaches more than the bound.
        return max(bound, chance) if self.by_choices else bound


# ---- from records ----------------------------------------------------------------------------------------------------


@dataclass
class Offered:
    """The offers with what the numbers stand for: article and alternative of each offer."""

    ids: list[str]
    alternatives: list[tuple[int, int]]
    """Number of the article, and number of the alternative among those of its record, for each offer."""
    systems: tuple[str, ...]
    """The baselines and adversaries, in the order of the columns of ``Offers.solved``; empty without articles."""
    offers: Offers
    traits: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Trait -> the values that the numbers in its column of ``Offers.traits`` stand for."""

    def chosen(self, chosen: NDArray[np.int64]) -> dict[str, int]:
        """Id -> number of the alternative, for a result of ``choose``."""
        return {self.ids[article]: self.alternatives[offer][1] for article, offer in enumerate(chosen) if offer >= 0}

    def add_column(self, system: str, solved: Sequence[bool]) -> None:
        """Add a system; ``solved`` says for each offer whether the system is right."""
        column = np.array(solved, dtype=np.int8)[:, None]
        self.systems = (*self.systems, system)
        self.offers = replace(self.offers, solved=np.hstack([self.offers.solved, column]))

    def add_traits(self, find: Callable[[str], Any], find_article: FindArticle) -> None:
        """Add all traits. The functions return the record of ``dedup``, and that of ``ingest``, with an id."""
        traits_of = trait_reader(find_article)
        rows, columns = list[dict[str, str]](), []
        for article, pairs in itertools.groupby(self.alternatives, key=lambda pair: pair[0]):
            record = find(self.ids[article])
            rows += [traits_of(record, number) for _, number in pairs]
        for trait in rows[0] if rows else ():
            values, column = np.unique([row[trait] for row in rows], return_inverse=True)
            self.traits[trait] = tuple(values.tolist())
            columns.append(column)
        if columns:
            self.offers = replace(self.offers, traits=np.column_stack(columns))


def rank_of_answer(predictions: BaselinePredictions, ranking: str) -> int:
    """The place of the answer, from 0, among the choices by falling score; equal scores keep the order of the choices."""
    scores = predictions.scores[ranking]
    answer = scores[predictions.answer]
    return sum(score > answer for score in scores) + sum(score == answer for score in scores[: predictions.answer])


def read_offers(find: Callable[[str], Any], predictions: Iterable[BaselinePredictions], seed: int) -> Offered:
    """The offers of all articles, without traits.

    ``predictions``: records of ``baselines`` or ``adversary``. ``find`` returns the record of ``dedup`` with an id.
    """
    ids, days, answers, names = list[str](), list[int](), list[str](), Counter[str]()
    systems: tuple[str, ...] = ()
    alternatives = list[tuple[int, int]]()
    # For each offer: number of choices, places of the answer, passage, question; then the columns of the systems.
    rows, scores = list[tuple[int, ...]](), list[tuple[float, float]]()
    # Article -> its number.
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    for article in predictions:
        record: ProblemAlternatives = find(article.id)
        for number, (alternative, predicted) in enumerate(zip(record.alternatives, article.each(), strict=True)):
            passage = record.passages[alternative.passage]
            choices = [passage.persons[index].name for index in alternative.choices]
            names.update(choices)
            answers.append(choices[alternative.answer])
            alternatives.append((len(ids), number))
            places = (rank_of_answer(predicted, ranking) for ranking in RANKINGS)
            solved = (guess == predicted.answer for guess in predicted.guesses.values())
            rows.append((len(choices), *places, numbers[passage.article], numbers[record.id], *solved))
            scores.append((passage.event_score or 0.0, alternative.evidence_score or 0.0))
        systems = tuple(article.guesses)
        ids.append(record.id)
        days.append(record.date.toordinal())
    events, evidence = np.array(scores, dtype=np.float64).reshape(-1, 2).T
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), -1 if rows else 5)
    # Forms of one person's name have one number.
    person_of = persons(names)
    offers = Offers(
        article=np.array([article for article, _ in alternatives], dtype=np.int64),
        choices=columns[:, 0].copy(),
        solved=columns[:, 5:].astype(np.int8),
        ranks=columns[:, 1:3].astype(np.int8),
        event=events,
        evidence=evidence,
        draw=np.array([uniform_hash(seed, "suppress", name) for name in ids]),
        day=np.array(days, dtype=np.int64),
        passage=columns[:, 3].copy(),
        question=columns[:, 4].copy(),
        person=np.unique([person_of[name] for name in answers], return_inverse=True)[1],
        traits=np.zeros((len(rows), 0), dtype=np.int64),
    )
    return Offered(ids, alternatives, systems, offers)


def terms_of(config: SuppressConfig, bound: str | float, apart_from: int | None) -> Terms:
    """The terms of one level of suppression."""
    limits = Limits(config.max_per_passage, config.max_per_event, config.max_per_answer)
    weights = config.event_weight, config.evidence_weight
    return Terms(bound, config.bounds == "by_choices", *weights, limits, apart_from, config.max_enrichment)

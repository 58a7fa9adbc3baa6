"""What articles offer for selection, from the records of the stages ``dedup`` and ``adversary``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from wdw_build.core.config.settings import SuppressConfig
from wdw_build.core.hashing import uniform_hash
from wdw_build.records import BaselinePredictions, ProblemAlternatives
from wdw_build.selection.offers import Limits, Offers, Terms
from wdw_build.text.names.people import persons

# The baselines whose scores rank the persons of a passage by first mention and by number of mentions.
RANKINGS = ("first-person", "most-frequent")


@dataclass
class Offered:
    """The offers with what the numbers stand for: article and alternative of each offer."""

    ids: list[str] = field(default_factory=list)
    alternatives: list[tuple[int, int]] = field(default_factory=list)
    """Number of the article, and number of the alternative among those of its record, for each offer."""
    offers: Offers = field(init=False)

    def chosen(self, chosen: npt.NDArray[np.int64]) -> dict[str, int]:
        """Id -> number of the alternative, for a result of ``choose``."""
        return {self.ids[article]: self.alternatives[offer][1] for article, offer in enumerate(chosen) if offer >= 0}

    def add_column(self, solved: Sequence[int]) -> None:
        """Add a system; ``solved`` has 1, 0 or -1 for each offer (see ``Offers.solved``)."""
        column = np.array(solved, dtype=np.int8)[:, None]
        self.offers = replace(self.offers, solved=np.hstack([self.offers.solved, column]))


def rank_of_answer(predictions: BaselinePredictions, ranking: str) -> int:
    """The place of the answer, from 0, among the choices by falling score; equal scores keep the order of the choices."""
    scores = predictions.scores[ranking]
    answer = scores[predictions.answer]
    return sum(score > answer for score in scores) + sum(score == answer for score in scores[: predictions.answer])


def offered(
    records: Iterable[tuple[ProblemAlternatives, BaselinePredictions, frozenset[int], frozenset[str]]], seed: int
) -> Offered:
    """The offers of all articles.

    For each article: its alternatives, the predictions for them, the numbers of the alternatives that may not be selected,
    and the systems whose bound does not count the article.
    """
    result, names, people = Offered(), Counter[str](), list[str]()
    numbers: dict[str, int] = {}
    rows: list[tuple[int, int, int, float]] = []
    passages: list[tuple[int, int]] = []
    solved: list[list[int]] = []
    draws: list[float] = []
    for record, predictions, excluded, unbounded in records:
        article = len(result.ids)
        result.ids.append(record.id)
        draws.append(uniform_hash(seed, "suppress", record.id))
        question = numbers.setdefault(record.id, len(numbers))
        for number, (alternative, predicted) in enumerate(zip(record.alternatives, predictions.each(), strict=True)):
            if number in excluded:
                continue
            passage = record.passages[alternative.passage]
            choices = [passage.persons[index].name for index in alternative.choices]
            names.update(choices)
            people.append(choices[alternative.answer])
            result.alternatives.append((article, number))
            places = [rank_of_answer(predicted, ranking) for ranking in RANKINGS]
            rows.append((len(choices), places[0], places[1], passage.event_score or 0.0))
            passages.append((numbers.setdefault(passage.article, len(numbers)), question))
            solved.append(
                [
                    -1 if name in unbounded else int(guess == predicted.answer)
                    for name, guess in predicted.guesses.items()
                ]
            )
    result.offers = _arrays(result, rows, passages, solved, draws, _people(people, names))
    return result


def _people(answers: Sequence[str], names: Counter[str]) -> list[int]:
    """A number for the person of each answer; forms of one person's name have one number."""
    person_of, numbers = persons(names), dict[str, int]()
    return [numbers.setdefault(person_of[name], len(numbers)) for name in answers]


def _arrays(
    result: Offered,
    rows: Sequence[tuple[int, int, int, float]],
    passages: Sequence[tuple[int, int]],
    solved: Sequence[Sequence[int]],
    draws: Sequence[float],
    people: Sequence[int],
) -> Offers:
    columns = np.array(rows, dtype=np.float64).reshape(-1, 4)
    articles = np.array(passages, dtype=np.int64).reshape(-1, 2)
    return Offers(
        article=np.array([article for article, _ in result.alternatives], dtype=np.int64),
        choices=columns[:, 0].astype(np.int64),
        solved=np.array(solved, dtype=np.int8).reshape(len(rows), -1),
        ranks=columns[:, 1:3].astype(np.int8),
        event=columns[:, 3].copy(),
        draw=np.array(draws, dtype=np.float64),
        passage=articles[:, 0].copy(),
        question=articles[:, 1].copy(),
        person=np.array(people, dtype=np.int64),
    )


def terms_of(config: SuppressConfig, bound: str | float) -> Terms:
    """The terms of one level of suppression."""
    by_choices = config.bounds == "by_choices"
    return Terms(
        bound=bound,
        by_choices=by_choices,
        uniform_ranks=by_choices and bound == "chance",
        event_weight=config.event_weight,
        limits=Limits(config.max_per_passage, config.max_per_event, config.max_per_answer, config.min_answer_cap),
    )

"""Counts bounds, places of answers, the cap on answers and traits on selected problems, independently of the program that selected.

A bound compares how often a system is right with what is allowed, in problems. Bounds at chance hold from both sides, for
each number of choices; others from above. A relaxed bound that the strict problems alone exceed allows what they have.

The cap on answers counts the forms of a person's name together, by the names of all choices (see ``selection.properties``).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from wdw_build.records import AdversaryPredictions, BoundCount, Problem, SuppressionDecision
from wdw_build.selection import properties
from wdw_build.selection.enrichment import most_allowed
from wdw_build.selection.offers import RANKINGS, rank_of_answer, terms_of
from wdw_build.selection.properties import FindArticle, trait_reader
from wdw_build.selection.settings import SuppressConfig

STRICT, RELAXED = "strict", "relaxed"
_RANKINGS = ("first mention", "number of mentions")
_SLACK, _PLACE_SLACK = 0.5, 1.0
_EPSILON = 1e-3
_DECIMALS = 4

# Finds the record with an id.
Find = Callable[[str], Any]
# For each row, by its name: whether a problem counts, and the share of a problem that may.
_Rows = dict[str, list[tuple[bool, float]]]


class Selected(NamedTuple):
    """A selected problem.

    ``cell``: a digit for each baseline and adversary: 1 if the system solves the problem, else 0.
    ``places``: the place of the answer, from 0, by first mention and by number of mentions. ``person``: the answer, under
    the words that stand for all forms of the name (see ``selection.properties``).
    """

    id: str
    strict: bool
    cell: str
    choices: int
    places: tuple[int, ...]
    passage: str
    person: str


class TraitCounts(NamedTuple):
    """The traits (see ``selection.properties``) that ``suppress.max_enrichment`` limits; none if it is null.

    ``before``: how many of the ``problems`` before suppression have each (trait, value): the first alternative of each article.
    ``selected``: id of a selected problem -> trait -> value.
    """

    problems: int = 0
    before: Mapping[tuple[str, str], int] = {}
    selected: Mapping[str, Mapping[str, str]] = {}


@dataclass(frozen=True)
class Recount:
    """The selected problems, with the settings and the systems (the columns of the cells) that bound them.

    ``omitted``: problems that were left out after the selection. They do not count, but a relaxed bound still allows what the
    strict problems had when they were selected.
    """

    config: SuppressConfig
    systems: tuple[str, ...]
    selected: Sequence[Selected]
    omitted: Set[str] = frozenset()
    trait_counts: TraitCounts = field(default_factory=TraitCounts)

    def strict_bounds(self) -> Iterator[BoundCount]:
        """Each system on the strict problems."""
        bound = self.config.strict
        rows = self._bound_rows(self._of(STRICT), bound)
        return _counts(STRICT, self._is_two_sided(bound), _SLACK, rows, {})

    def relaxed_bounds(self) -> Iterator[BoundCount]:
        """Each system on all selected problems."""
        bound = self.config.relaxed
        rows, already = (self._bound_rows(problems, bound) for problems in (self._of(RELAXED), self._strict))
        return _counts(RELAXED, self._is_two_sided(bound), _SLACK, rows, already)

    def places(self) -> Iterator[BoundCount]:
        """Each place of the answer, by either ranking, on the levels whose bound holds from both sides."""
        for level, bound, already in (
            (STRICT, self.config.strict, list[Selected]()),
            (RELAXED, self.config.relaxed, self._strict),
        ):
            if self._is_two_sided(bound):
                yield from _counts(level, True, _PLACE_SLACK, _place_rows(self._of(level)), _place_rows(already))

    def answers(self) -> Iterator[BoundCount]:
        """Each answer, if ``suppress.max_per_answer`` limits it."""
        remaining = self._of(RELAXED)
        if not self.config.max_per_answer:
            return
        most = terms_of(self.config, self.config.strict, None).limits.most(len(remaining))
        for person, count in sorted(Counter(problem.person for problem in remaining).items()):
            yield _bound_count(RELAXED, f"the answer {person}", len(remaining), count, None, most)

    def traits(self) -> Iterator[BoundCount]:
        """Each value of each trait on both levels, if ``suppress.max_enrichment`` limits it."""
        yield from _counts(STRICT, False, _SLACK, self._trait_rows(self._of(STRICT)), {})
        rows, already = (self._trait_rows(problems) for problems in (self._of(RELAXED), self._strict))
        yield from _counts(RELAXED, False, _SLACK, rows, already)

    def all_counts(self) -> Iterator[BoundCount]:
        """The systems, the places, the answers and the traits."""
        return chain(self.strict_bounds(), self.relaxed_bounds(), self.places(), self.answers(), self.traits())

    @property
    def _strict(self) -> list[Selected]:
        """The strict problems as they were selected."""
        return [problem for problem in self.selected if problem.strict]

    def _of(self, level: str) -> list[Selected]:
        """The problems of a level that were not left out."""
        return [
            problem
            for problem in self.selected
            if (problem.strict or level == RELAXED) and problem.id not in self.omitted
        ]

    def _is_two_sided(self, bound: float | str) -> bool:
        return self.config.bounds == "by_choices" and isinstance(bound, str)

    def _bound_rows(self, problems: Iterable[Selected], bound: float | str) -> _Rows:
        """A row for each system, or for each system and number of choices."""
        by_choices, rows = self.config.bounds == "by_choices", _Rows()
        for problem in problems:
            chance = 1.0 / problem.choices
            # A bound for one number of choices is not below chance.
            allowed = chance if isinstance(bound, str) else max(bound, chance) if by_choices else bound
            for name, digit in zip(self.systems, problem.cell, strict=True):
                row = f"{name}, {problem.choices} choices" if by_choices else name
                rows.setdefault(row, []).append((digit == "1", allowed))
        return rows

    def _trait_rows(self, problems: Sequence[Selected]) -> _Rows:
        """A row for each bounded value of each trait."""
        rows, factor, counts = _Rows(), self.config.max_enrichment, self.trait_counts
        if factor is None:
            return rows
        for (trait, value), count in sorted(counts.before.items()):
            share = most_allowed(factor, count, counts.problems)
            if share < 1:
                name = f"{trait}: {value or '(none)'}"
                rows[name] = [(counts.selected[problem.id][trait] == value, float(share)) for problem in problems]
        return rows


def _counts(level: str, is_two_sided: bool, slack: float, rows: _Rows, already: _Rows) -> Iterator[BoundCount]:
    """``already``: the rows of the strict problems, which may have exceeded these bounds already."""
    for name, row in rows.items():
        count, allowed = _sums(row)
        strict_count, strict_allowed = _sums(already.get(name, []))
        excess = strict_count - strict_allowed
        low = allowed + min(-slack, excess) if is_two_sided else None
        yield _bound_count(level, name, len(row), count, low, allowed + max(slack, excess))


def _bound_count(level: str, name: str, problems: int, count: int, low: float | None, high: float) -> BoundCount:
    low = None if low is None else round(low, _DECIMALS)
    high = round(high, _DECIMALS)
    above, below = count - high, count - (count if low is None else low)
    excess = above if above > _EPSILON else below if below < -_EPSILON else 0.0
    return BoundCount(
        level=level, name=name, problems=problems, count=count, low=low, high=high, excess=round(excess, _DECIMALS)
    )


def _place_rows(problems: Iterable[Selected]) -> _Rows:
    """A row for each ranking, number of choices and place."""
    rows: defaultdict[str, list[tuple[bool, float]]] = defaultdict(list)
    for problem in problems:
        for ranking, answer_place in zip(_RANKINGS, problem.places, strict=True):
            for place in range(problem.choices):
                row = f"place {place + 1} of {problem.choices} by {ranking}"
                rows[row].append((place == answer_place, 1.0 / problem.choices))
    return rows


def _sums(row: list[tuple[bool, float]]) -> tuple[int, float]:
    return sum(counts for counts, _ in row), math.fsum(allowed for _, allowed in row)


# ---- from records ----------------------------------------------------------------------------------------------------


def selected_problems(
    decisions: Mapping[str, SuppressionDecision],
    problems: Iterable[Problem],
    predictions: Callable[[], Iterable[AdversaryPredictions]],
    find: Find,
) -> list[Selected]:
    """The selected problems, as the stored predictions show them.

    ``predictions`` reads the records of ``adversary``, and ``find`` returns the record of ``dedup`` with an id.
    """
    answers = {
        problem.id: (problem.passage.article, problem.choices[problem.answer].name)
        for problem in problems
        if problem.id in decisions
    }
    persons, selected = _persons(predictions(), find), []
    for record in predictions():
        decision = decisions.get(record.id)
        if decision is None or record.id not in answers:
            continue
        predicted = record.of(decision.alternative)
        cell = "".join(str(int(guess == predicted.answer)) for guess in predicted.guesses.values())
        places = tuple(rank_of_answer(predicted, ranking) for ranking in RANKINGS)
        passage, answer = answers[record.id]
        person = persons.get(answer, answer)
        selected.append(Selected(record.id, decision.strict, cell, predicted.choices, places, passage, person))
    return selected


def count_traits(
    config: SuppressConfig,
    decisions: Mapping[str, SuppressionDecision],
    predictions: Iterable[AdversaryPredictions],
    find: Find,
    find_article: FindArticle,
) -> TraitCounts:
    """The traits that are limited. The functions return the record of ``dedup``, and that of ``ingest``, with an id."""
    if config.max_enrichment is None:
        return TraitCounts()
    traits_of, before, selected, problems = trait_reader(find_article), Counter[tuple[str, str]](), {}, 0
    for predicted in predictions:
        record = find(predicted.id)
        before.update(traits_of(record, 0).items())
        problems += 1
        if decision := decisions.get(predicted.id):
            selected[predicted.id] = traits_of(record, decision.alternative)
    return TraitCounts(problems, before, selected)


def _persons(predictions: Iterable[AdversaryPredictions], find: Find) -> dict[str, str]:
    """The person of each name among the choices of all alternatives."""
    names = Counter[str]()
    for predicted in predictions:
        record = find(predicted.id)
        for alternative in record.alternatives if record else ():
            persons = record.passages[alternative.passage].persons
            names.update(persons[index].name for index in alternative.choices)
    return properties.persons(names)

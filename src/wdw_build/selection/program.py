"""Chooses at most one alternative per article, so that the kept problems meet bounds and caps and are as many as possible.

Each step solves the linear relaxation of the integer program. An alternative that the relaxation leaves out, and whose reduced
cost says that it is worth clearly less than what is chosen, is closed; one that it takes entirely, and that is worth clearly
more than it costs, is kept. The integer program decides on the few alternatives between them. A large set is divided
by the articles' days into parts that are solved one after the other: each part goes on with the sums of the parts before, so
that no row exceeds its slack in the whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from wdw_build.ports import IntegerProgram, Relaxation, Solver
from wdw_build.selection.groups import Groups, build_groups
from wdw_build.selection.offers import NONE, Offers, Terms
from wdw_build.selection.rows import Rows, build_rows

__all__ = ["choose", "excesses", "relaxed_number"]

# Articles that are solved together.
PART = 2000
# Parts that are solved to estimate the number of problems of a whole set.
_MOST_PARTS = 5
# An alternative is decided by the relaxation if its reduced cost, in problems, exceeds the first number. So many alternatives
# are open at most, those with the smallest reduced costs.
_DECIDED, _MOST_OPEN = 0.2, 800
_WHOLE = 1e-6
# A result below this share of the relaxation's optimum is tried again, with all alternatives open.
_COLLAPSED = 0.9
# Scores of an event differ by a thousandth for no reason that matters. In steps as coarse as this one, such a difference
# hardly ever changes the objective, so that it changes no more than a few of the problems.
_EVENT_DECIMALS = 1
# What an alternative loses for each place behind the article's first, and what an article loses for a late draw.
_PER_POSITION, _PER_DRAW = 1e-4, 1e-5

Ints = NDArray[np.int64]


def choose(offers: Offers, terms: Terms, solver: Solver, kept: Ints | None = None, part: int = PART) -> Ints:
    """(A,) the index of the chosen alternative of each article, -1 for none.

    ``kept``: (A,) alternatives that must be chosen, -1 for none: the strict level inside the relaxed one. Rows and caps that
    these alternatives break alone are loosened to what these alternatives have. ``part``: the most articles that are solved
    together. The result does not depend on the order of the articles.
    """
    chosen = np.full(len(offers.draw), NONE, dtype=np.int64) if kept is None else kept.astype(np.int64, copy=True)
    if not len(offers.article):
        return chosen
    selection = _Selection(offers, terms, build_rows(offers, terms), build_groups(offers, terms), solver)
    for articles in _parts(offers, chosen, part):
        selection.extend(chosen, articles)
    return chosen


def _parts(offers: Offers, chosen: Ints, size: int) -> Iterator[Ints]:
    """The articles that are free to choose, by day and draw, in parts of equal size."""
    free = np.flatnonzero((chosen == NONE) & (np.bincount(offers.article, minlength=len(chosen)) > 0))
    ordered = free[np.lexsort((offers.draw[free], offers.day[free]))]
    yield from np.array_split(ordered, max(1, -(-len(ordered) // size)))


@dataclass(frozen=True)
class _Selection:
    """One selection: its offers and terms, what they imply, and the solver."""

    offers: Offers
    terms: Terms
    rows: Rows
    groups: Groups
    solver: Solver

    def extend(self, chosen: Ints, articles: Ints) -> None:
        """Add the best alternatives of these articles to ``chosen``."""
        kept = chosen[chosen >= 0]
        limit = self.terms.limits.most(len(kept) + len(articles))
        while True:
            program, source, relaxed, limit = self.relaxed(kept, articles, limit)
            picked = source[_solve(program, relaxed, self.solver)]
            allowed = self._answers(kept, len(kept) + len(picked))
            if not self.terms.limits.answer or self._most_with_one_answer(np.append(kept, picked)) <= allowed:
                chosen[self.offers.article[picked]] = picked
                return
            limit = min(limit - 1, allowed)

    def relaxed(self, kept: Ints, articles: Ints, limit: int) -> tuple[IntegerProgram, Ints, Relaxation, int]:
        """The program of these articles, the alternatives of its variables, its relaxation, and the limit of an answer.

        The limit is at most ``limit``, and a share of what the relaxation keeps.
        """
        while True:
            program, source = self._program(kept, articles, limit)
            relaxed = self.solver.relax(program)
            possible = self._answers(kept, len(kept) + math.ceil(relaxed.values.sum() - _WHOLE))
            if possible >= limit or not self.terms.limits.answer:
                return program, source, relaxed, limit
            limit = possible

    def _answers(self, kept: Ints, number: int) -> int:
        """The most alternatives with one answer, if so many are kept in all; never less than ``kept`` has."""
        return max(self.terms.limits.most(number), self._most_with_one_answer(kept))

    def _most_with_one_answer(self, alternatives: Ints) -> int:
        return int(np.unique(self.offers.person[alternatives], return_counts=True)[1].max(initial=0))

    def _program(self, kept: Ints, articles: Ints, answers: int) -> tuple[IntegerProgram, Ints]:
        """The program of these articles after what is kept, and the alternatives that its variables stand for."""
        offers, rows, groups = self.offers, self.rows, self.groups
        first = np.searchsorted(offers.article, articles)
        last = np.searchsorted(offers.article, articles, side="right")
        source = np.concatenate([np.arange(*ends) for ends in zip(first, last, strict=True)] or [first])
        room = np.maximum(groups.with_answers(answers) - groups.used(kept), 0)
        members = groups.members[source]
        possible = (members @ (room == 0).astype(np.int64)) == 0
        source, members = source[possible], members[possible]
        open_groups = np.flatnonzero(np.bincount(members.indices, minlength=len(room)) > room)
        in_group = members.T.tocsr()[open_groups]
        # The numbers of groups depend on the order of the articles, and among equal solutions the solver's on that of the rows.
        starts, numbers, reasons = in_group.indptr, in_group.indices, groups.reason[open_groups]
        order = sorted(
            range(len(open_groups)), key=lambda row: (reasons[row], numbers[starts[row] : starts[row + 1]].tolist())
        )
        open_groups, in_group = open_groups[order], in_group[order]
        sums = rows.sums(kept)
        matrix = vstack([csr_array(rows.matrix[rows.kind[source]].T), in_group]).tocsr()
        program = IntegerProgram(
            objective=self._weights(source),
            matrix=csr_array(matrix, dtype=np.float64),
            # What is kept may have broken the rows already.
            low=np.append(np.minimum(rows.low - sums, 0.0), np.full(len(open_groups), -np.inf)),
            high=np.append(np.maximum(rows.high - sums, 0.0), room[open_groups]),
        )
        return program, source

    def _weights(self, source: Ints) -> NDArray[np.float64]:
        """What each alternative adds to the objective."""
        offers = self.offers
        article = offers.article[source]
        weight = 1.0 + self.terms.event_weight * np.round(offers.event[source], _EVENT_DECIMALS)
        behind = source - np.searchsorted(offers.article, article)
        return np.asarray(weight - _PER_POSITION * behind - _PER_DRAW * offers.draw[article])


def _solve(program: IntegerProgram, relaxed: Relaxation, solver: Solver) -> NDArray[np.bool_]:
    """The variables that are 1, in a solution near the relaxation's optimum; no variable is, if nothing else is found."""
    best = np.zeros(len(program.objective), dtype=bool)
    worth = np.abs(relaxed.reduced_costs)
    for decided, most_open in ((_DECIDED, _MOST_OPEN), (np.inf, len(best))):
        is_whole = (relaxed.values < _WHOLE) | (relaxed.values > 1 - _WHOLE)
        # Fractional variables first, then by what a change costs; the sort is stable.
        order = np.argsort(np.where(is_whole, worth, -1.0), kind="stable")
        is_open = np.zeros(len(best), dtype=bool)
        is_open[order[:most_open]] = True
        is_open &= ~is_whole | (worth <= decided)
        found = (relaxed.values > 0.5) & ~is_open
        solution = solver.solve_integer(_restricted(program, is_open, found))
        if solution is not None:
            found[is_open] = solution
            if program.objective @ found > program.objective @ best:
                best = found
        if program.objective @ best >= _COLLAPSED * relaxed.optimum:
            break
    return best


def _restricted(program: IntegerProgram, is_open: NDArray[np.bool_], ones: NDArray[np.bool_]) -> IntegerProgram:
    """The program of the open variables, if all others are 1 or 0 as ``ones`` says."""
    fixed = program.matrix @ ones.astype(np.float64)
    return replace(
        program,
        objective=program.objective[is_open],
        matrix=csr_array(program.matrix[:, is_open]),
        low=program.low - fixed,
        high=program.high - fixed,
    )


def relaxed_number(offers: Offers, terms: Terms, solver: Solver, part: int = PART) -> float:
    """About how many problems a choice keeps: the sum of the linear relaxations of the parts.

    Each part has the whole slack of each row, because fewer articles balance each other less often. Of more than five parts,
    five at equal distances stand for all.
    """
    if not len(offers.article):
        return 0.0
    parts = list(_parts(offers, np.full(len(offers.draw), NONE), part))
    selection = _Selection(offers, terms, build_rows(offers, terms), build_groups(offers, terms), solver)
    solved = np.linspace(0, len(parts) - 1, min(len(parts), _MOST_PARTS)).round().astype(int).tolist()
    nothing = np.zeros(0, dtype=np.int64)
    kept = sum(
        float(selection.relaxed(nothing, parts[number], terms.limits.most(len(parts[number])))[2].values.sum())
        for number in solved
    )
    return kept * len(parts) / len(solved)


def excesses(offers: Offers, terms: Terms, chosen: Ints) -> Mapping[str, tuple[float, float]]:
    """What the chosen alternatives exceed each row by, in problems, and the slack of the row.

    For rows that are bounded from above and below, the excess is that on the worse side, so that a row is met if and only if
    its excess is at most its slack.
    """
    rows = build_rows(offers, terms)
    sums = rows.sums(chosen[chosen >= 0])
    worse = np.where(np.isfinite(rows.low), np.abs(sums), sums)
    return {
        name: (float(excess / unit), float(slack))
        for name, excess, unit, slack in zip(rows.names, worse, rows.unit, rows.slack, strict=True)
    }

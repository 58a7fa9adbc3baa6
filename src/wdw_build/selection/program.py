"""Chooses at most one alternative per article, so that the kept problems meet bounds and caps and are as many as possible.

The linear relaxation of the integer program comes first. An alternative that it leaves out, and whose reduced cost says that
it is worth clearly less than what is chosen, is closed; one that it takes entirely, and that is worth clearly more than it
costs, is kept. The integer program decides on the few alternatives between them. A large set is divided by the articles' days
into parts that are solved one after the other: each part goes on with the sums of the parts before, so that no row exceeds
its slack in the whole.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from wdw_build.ports import IntegerProgram, Relaxation, Solver
from wdw_build.selection.constraints import build_groups, build_rows
from wdw_build.selection.offers import NONE, Offers, Terms

# Articles that are solved together.
PART = 2000
# Parts that are solved to estimate the number of problems of a whole set.
_MOST_PARTS = 5
# An alternative is decided by the relaxation if its reduced cost, in problems, exceeds the first number. So many alternatives
# are open at most, those with the smallest reduced costs.
_DECIDED, _MOST_OPEN = 0.1, 800
_WHOLE = 1e-6
# A result below this share of the relaxation's optimum is tried again, with all alternatives open.
_COLLAPSED = 0.9
# Scores differ by a thousandth for no reason that matters. In steps as coarse as this one, such a difference
# hardly ever changes the objective, so that it changes no more than a few of the problems.
_SCORE_DECIMALS = 1
# What an alternative loses for each place behind the article's first, and what an article loses for a late draw.
_PER_POSITION, _PER_DRAW = 1e-4, 1e-5

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
# The upper bounds of a program's rows, if so many of its articles are kept: the cap on an answer may be a share of them.
_Highs = Callable[[int], Floats]


def choose(offers: Offers, terms: Terms, solver: Solver, required: Ints | None = None, part: int = PART) -> Ints:
    """(A,) the index of the chosen alternative of each article, -1 for none.

    ``required``: (A,) alternatives that must be chosen, -1 for none: the strict level inside the relaxed one. Rows and caps that
    these alternatives break alone are loosened to what these alternatives have. ``part``: the most articles that are solved
    together. The result does not depend on the order of the articles.
    """
    chosen = (
        np.full(len(offers.draw), NONE, dtype=np.int64) if required is None else required.astype(np.int64, copy=True)
    )
    if len(offers.article):
        selection = _Selection(offers, terms, solver)
        for articles in _parts(offers, chosen, part):
            picked = selection.picked(chosen[chosen >= 0], articles)
            chosen[offers.article[picked]] = picked
    return chosen


def relaxed_number(offers: Offers, terms: Terms, solver: Solver) -> float:
    """About how many problems a choice keeps: the sum of ``relaxed_weights``."""
    return float(relaxed_weights(offers, terms, solver).sum())


def relaxed_weights(offers: Offers, terms: Terms, solver: Solver) -> Floats:
    """(n,) about how often each alternative is kept, from the linear relaxations of the parts.

    Each part has the whole slack of each row, because fewer articles balance each other less often. Of more than five parts,
    at most five at equal distances stand for all: their alternatives count accordingly more.
    """
    weights = np.zeros(len(offers.article))
    if not len(weights):
        return weights
    selection, nothing = _Selection(offers, terms, solver), np.zeros(0, dtype=np.int64)
    parts = _parts(offers, np.full(len(offers.draw), NONE), PART)
    solved = parts[:: math.ceil(len(parts) / _MOST_PARTS)]
    for articles in solved:
        source, relaxed = selection.relaxed(nothing, articles)
        weights[source] = relaxed.values * len(parts) / len(solved)
    return weights


def _parts(offers: Offers, chosen: Ints, size: int) -> list[Ints]:
    """The articles that are free to choose, by day and draw, in parts of equal size."""
    free = np.flatnonzero((chosen == NONE) & (np.bincount(offers.article, minlength=len(chosen)) > 0))
    ordered = free[np.lexsort((offers.draw[free], offers.day[free]))]
    return np.array_split(ordered, -(-len(ordered) // size)) if len(ordered) else []


class _Selection:
    """One selection: its offers and terms, what they imply, and the solver."""

    def __init__(self, offers: Offers, terms: Terms, solver: Solver) -> None:
        self._offers, self._terms, self._solver = offers, terms, solver
        self._rows, self._groups = build_rows(offers, terms), build_groups(offers, terms)

    def relaxed(self, selected: Ints, articles: Ints) -> tuple[Ints, Relaxation]:
        """The alternatives of these articles, and the relaxation of the program after what is kept."""
        program, source, highs = self._program(selected, articles)
        return source, self._relaxed(program, highs, len(articles))[1]

    def picked(self, selected: Ints, articles: Ints) -> Ints:
        """The best alternatives of these articles after what is kept."""
        program, source, highs = self._program(selected, articles)
        number = len(articles)
        while True:
            program, relaxed = self._relaxed(program, highs, number)
            values = _solve(program, relaxed, self._solver)
            number = int(values.sum())
            if (program.matrix @ values <= highs(number) + _WHOLE).all():
                return source[values]

    def _relaxed(self, program: IntegerProgram, highs: _Highs, number: int) -> tuple[IntegerProgram, Relaxation]:
        """The program and its relaxation, with the bounds for at most ``number`` articles, or as many as the relaxation keeps."""
        relaxed = None
        while True:
            program = replace(program, high=highs(number))
            if relaxed is None or (program.matrix @ relaxed.values > program.high + _WHOLE).any():
                relaxed = self._solver.relax(program)
            reached = math.ceil(relaxed.values.sum() - _WHOLE)
            if reached >= number:
                return program, relaxed
            number = reached

    def _program(self, selected: Ints, articles: Ints) -> tuple[IntegerProgram, Ints, _Highs]:
        """The program of these articles, the alternatives that its variables stand for, and the upper bounds of its rows."""
        offers, rows, groups, limits = self._offers, self._rows, self._groups, self._terms.limits
        first, last = (np.searchsorted(offers.article, articles, side) for side in ("left", "right"))
        source = np.concatenate([np.arange(*ends) for ends in zip(first, last, strict=True)])
        members, used, sums = groups.members[source], groups.used(selected), rows.sums(selected)
        numbers = np.flatnonzero(np.bincount(members.indices, minlength=len(used)) > groups.limit - used)
        in_group = members.T.tocsr()[numbers]
        # The numbers of groups depend on the order of the articles, and among equal solutions the solver's on that of the rows.
        in_order = [in_group.indices[slice(*ends)].tolist() for ends in itertools.pairwise(in_group.indptr)]
        order = sorted(range(len(numbers)), key=lambda row: (groups.reason[numbers[row]], in_order[row]))
        numbers, in_group = numbers[order], in_group[order]

        def highs(number: int) -> Floats:
            room = groups.limits(limits.most(len(selected) + number)) - used
            # What is kept may have broken the rows already.
            return np.maximum(np.append(rows.high - sums, room[numbers]), 0.0)

        matrix = vstack([csr_array(rows.matrix[rows.kind[source]].T), in_group])
        program = IntegerProgram(
            objective=self._weights(source),
            matrix=csr_array(matrix, dtype=np.float64),
            low=np.append(np.minimum(rows.low - sums, 0.0), np.full(len(numbers), -np.inf)),
            high=highs(len(articles)),
        )
        return program, source, highs

    def _weights(self, source: Ints) -> Floats:
        """What each alternative adds to the objective."""
        offers = self._offers
        article = offers.article[source]
        weight = 1.0 + self._terms.event_weight * np.round(offers.event[source], _SCORE_DECIMALS)
        weight += self._terms.evidence_weight * np.round(offers.evidence[source], _SCORE_DECIMALS)
        behind = source - np.searchsorted(offers.article, article)
        return np.asarray(weight - _PER_POSITION * behind - _PER_DRAW * offers.draw[article])


def _solve(program: IntegerProgram, relaxed: Relaxation, solver: Solver) -> NDArray[np.bool_]:
    """The variables that are 1, in a solution near the relaxation's optimum; no variable is, if nothing else is found."""
    best = np.zeros(len(program.objective), dtype=bool)
    is_whole = (relaxed.values < _WHOLE) | (relaxed.values > 1 - _WHOLE)
    # Fractional variables first, then by what a change costs; the sort is stable.
    worth = np.where(is_whole, np.abs(relaxed.reduced_costs), -1.0)
    order = np.argsort(worth, kind="stable")
    for decided, most_open in ((_DECIDED, _MOST_OPEN), (np.inf, len(best))):
        fixed = (relaxed.values > 1 / 2).astype(np.int8)
        fixed[order[:most_open][worth[order[:most_open]] <= decided]] = -1
        values = solver.solve_integer(program, fixed)
        if values is not None and program.objective @ values > program.objective @ best:
            best = values
        if program.objective @ best >= _COLLAPSED * relaxed.optimum:
            break
    return best


def excesses(offers: Offers, terms: Terms, chosen: Ints) -> Mapping[str, tuple[float, float]]:
    """What the chosen alternatives exceed each row by, in problems, and the slack of the row.

    For rows that are bounded from above and below, the excess is that on the worse side, so that a row is met if and only if
    its excess is at most its slack.
    """
    rows = build_rows(offers, terms)
    sums = rows.sums(chosen[chosen >= 0])
    worse = np.where(np.isfinite(rows.low), np.abs(sums), sums)
    excess = zip((worse / rows.unit).tolist(), rows.slack.tolist(), strict=True)
    return dict(zip(rows.names, excess, strict=True))

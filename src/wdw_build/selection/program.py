"""Chooses at most one alternative per article, so that the kept problems meet bounds and caps and are as many as possible."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from threadpoolctl import threadpool_limits

from wdw_build.selection.approximate import SAMPLE, Choice, approximate, meet_rows
from wdw_build.selection.instance import Instance, build_instance, build_rows
from wdw_build.selection.integer_program import IntegerProgram, IntegerSolver
from wdw_build.selection.offers import NONE, Offers, Terms, capped_groups

__all__ = ["Offers", "Terms", "choose", "excesses"]

# A better choice keeps at most this share more.
GAP = 0.005
# Up to this number of alternatives, after equal ones are omitted, the integer program is solved.
EXACT_UP_TO = 1000


def choose(
    offers: Offers,
    terms: Terms,
    solver: IntegerSolver,
    kept: NDArray[np.int64] | None = None,
    exact_up_to: int = EXACT_UP_TO,
) -> NDArray[np.int64]:
    """(A,) the index of the chosen alternative of each article, -1 for none.

    ``kept``: (A,) alternatives that must be chosen, -1 for none: the strict level inside the relaxed one. Rows and caps that
    these alternatives break alone are loosened to what these alternatives have. Sets with more than ``exact_up_to``
    alternatives are solved by prices. The result does not depend on the order of the articles.
    """
    kept = np.full(len(offers.draw), NONE, dtype=np.int64) if kept is None else kept
    if not len(offers.article):
        return kept.copy()
    rows = build_rows(offers, terms)
    limit = terms.limits.most(len(offers.draw))
    draft: Choice | None = None
    large = len(offers.draw) > SAMPLE
    # BLAS with several threads adds in another order, and is slower on matrices as small as these.
    with threadpool_limits(1, user_api="blas"):
        while True:
            instance = build_instance(offers, terms, rows, capped_groups(offers, terms.limits, limit), kept)
            draft = approximate(instance, draft if large else None)
            # In a large set, the draft keeps nearly what the choice keeps, and the search would only cost time.
            allowed = _answer_limit(offers, terms, kept, _with_kept(offers, instance, draft.current, kept))
            if allowed is None or not large:
                current = meet_rows(instance, draft)
                if len(instance.weight) <= exact_up_to:
                    current = _exact(instance, current, solver)
                chosen = _with_kept(offers, instance, current, kept)
                allowed = _answer_limit(offers, terms, kept, chosen)
                if allowed is None:
                    return chosen
            limit = min(limit - 1, allowed)


def _exact(instance: Instance, feasible: NDArray[np.int64], solver: IntegerSolver) -> NDArray[np.int64]:
    """(B,) the best choice up to the gap, at least as good as ``feasible``: the alternative of each article, -1 for none."""
    current = np.full(len(instance.draw), NONE, dtype=np.int64)
    if not len(current):
        return current
    values = solver.solve_integer(integer_program(instance, feasible))
    chosen = np.flatnonzero(values)
    current[instance.article[chosen]] = chosen
    return current


def integer_program(instance: Instance, feasible: NDArray[np.int64]) -> IntegerProgram:
    """The program: at most one alternative per article, the rows, and the caps."""
    alternatives = len(instance.weight)
    each = np.arange(alternatives)
    one = csr_matrix((np.ones(alternatives), (instance.article, each)), shape=(len(instance.draw), alternatives))
    several = np.diff(instance.starts) > 1
    rows = csr_matrix(instance.matrix.T[:, instance.kind])
    width = instance.groups.shape[1]
    capped = csr_matrix(
        (np.ones(alternatives * width), (instance.groups.ravel(), np.repeat(each, width))),
        shape=(len(instance.room), alternatives),
    )[:-1]
    matrix = csr_matrix(vstack([one[several], rows, capped]))
    matrix.sum_duplicates()
    alone = np.ones(int(several.sum()))
    start = np.zeros(alternatives, dtype=bool)
    start[feasible[feasible >= 0]] = True
    return IntegerProgram(
        objective=instance.weight,
        starts=matrix.indptr.astype(np.int64),
        columns=matrix.indices.astype(np.int64),
        values=matrix.data.astype(np.float64),
        low=np.concatenate([np.full(len(alone), -np.inf), instance.low, np.full(capped.shape[0], -np.inf)]),
        high=np.concatenate([alone, instance.high, instance.room[:-1]]),
        feasible=start,
        gap=GAP,
    )


def _answer_limit(offers: Offers, terms: Terms, kept: NDArray[np.int64], chosen: NDArray[np.int64]) -> int | None:
    """The most alternatives with one answer that the chosen ones allow; None if they are within it.

    A share refers to the number of chosen alternatives, which depends on the limit.
    """
    allowed = max(terms.limits.most(int((chosen >= 0).sum())), _most_with_one_answer(offers, kept))
    return None if not terms.limits.answer or _most_with_one_answer(offers, chosen) <= allowed else allowed


def _with_kept(
    offers: Offers, instance: Instance, current: NDArray[np.int64], kept: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The choice in the numbering of the offers, with the kept alternatives."""
    sources = instance.source[current[current >= 0]]
    chosen = kept.astype(np.int64, copy=True)
    chosen[offers.article[sources]] = sources
    return chosen


def _most_with_one_answer(offers: Offers, chosen: NDArray[np.int64]) -> int:
    return int(np.unique(offers.person[chosen[chosen >= 0]], return_counts=True)[1].max(initial=0))


def excesses(offers: Offers, terms: Terms, chosen: NDArray[np.int64]) -> Mapping[str, tuple[float, float]]:
    """What the chosen alternatives exceed each row by, in problems, and the slack of the row.

    For rows that are bounded from above and below, the excess is that on the worse side, so that a row is met if and only if
    its excess is at most its slack.
    """
    rows = build_rows(offers, terms)
    sums = rows.sums(chosen[chosen >= 0])
    worse = np.where(np.isfinite(rows.low), np.abs(sums), sums)
    return {
        name: (float(excess), float(slack)) for name, excess, slack in zip(rows.names, worse, rows.high, strict=True)
    }

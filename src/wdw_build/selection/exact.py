"""The solver for small sets: an integer program."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from wdw_build.selection.instance import Instance
from wdw_build.selection.integer_program import IntegerProgram, IntegerSolver
from wdw_build.selection.offers import NONE

# A better choice keeps at most this share more.
GAP = 0.005


def exact(instance: Instance, feasible: NDArray[np.int64], solver: IntegerSolver) -> NDArray[np.int64]:
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

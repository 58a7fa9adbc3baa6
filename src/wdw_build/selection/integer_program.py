"""Integer programs over yes-or-no variables, and the solver that the selection asks for.

The module does not import NumPy, because the module of the ports imports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class IntegerProgram:
    """Maximise objective . x so that low <= row . x <= high for every row, with every x either 0 or 1.

    The rows are stored in compressed form: row r has ``values[starts[r]:starts[r + 1]]`` at these ``columns``.
    ``feasible`` meets all rows; the answer is at least as good. ``gap``: the solver may stop when no solution can be better
    than the answer by more than this share of the answer.
    """

    objective: NDArray[np.float64]
    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    feasible: NDArray[np.bool_]
    gap: float


class IntegerSolver(Protocol):
    """A solver of integer programs."""

    def solve_integer(self, program: IntegerProgram) -> NDArray[np.bool_]:
        """The variables that are 1. The answer does not depend on the clock."""
        ...

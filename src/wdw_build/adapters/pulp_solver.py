"""Integer programs with the solver HiGHS: relaxations through SciPy, integer programs through PuLP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wdw_build.core.installed import installed_version
from wdw_build.ports import IntegerProgram, Relaxation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION = 3
# Sums over whole values that differ do so by far more.
_ROW_TOLERANCE = 1e-6
# Limits of the search. They count steps, not seconds, so that the answer does not depend on the machine.
_LIMITS = {"mip_rel_gap": 0.005, "mip_max_nodes": 100}


class PulpSolver:
    """``Solver`` on HiGHS."""

    @property
    def identity(self) -> str:
        """The versions of PuLP, HiGHS and SciPy."""
        pulp, highs, scipy = (installed_version(name, "suppression") for name in ("pulp", "highspy", "scipy"))
        return f"pulp {VERSION}, {pulp}, HiGHS {highs}, SciPy {scipy}"

    def relax(self, program: IntegerProgram) -> Relaxation:
        """See ``Solver.relax``, by the dual simplex method."""
        import numpy as np
        from scipy.optimize import linprog
        from scipy.sparse import vstack

        if not len(program.objective):
            nothing = np.zeros(0)
            return Relaxation(0.0, nothing, nothing)
        below = np.isfinite(program.low)
        found = linprog(
            -program.objective,
            A_ub=vstack([program.matrix, -program.matrix[below]]),
            b_ub=np.concatenate([program.high, -program.low[below]]),
            bounds=(0, 1),
            method="highs-ds",
        )
        return Relaxation(-found.fun, found.x, -np.abs(found.lower.marginals + found.upper.marginals))

    def solve_integer(self, program: IntegerProgram) -> NDArray[np.bool_] | None:
        """See ``Solver.solve_integer``. The search ends at a gap of 0.5% or after 100 nodes."""
        import numpy as np
        import pulp

        if not len(program.objective):
            nothing = np.zeros(0, dtype=bool)
            return nothing if _meets(program, nothing) else None
        problem = pulp.LpProblem("selection", pulp.LpMaximize)
        variables = [problem.add_variable(f"x{number}", 0, 1, pulp.LpInteger) for number in range(len(program.objective))]
        problem += pulp.lpDot(program.objective.tolist(), variables)
        for row in range(len(program.low)):
            begin, end = program.matrix.indptr[row : row + 2]
            if begin == end:
                continue
            columns = program.matrix.indices[begin:end].tolist()
            total = pulp.lpDot(program.matrix.data[begin:end].tolist(), [variables[column] for column in columns])
            problem += total <= program.high[row]
            if np.isfinite(program.low[row]):
                problem += total >= program.low[row]
        # PuLP's own ``solve`` does not know the state in which HiGHS ends at a limit of nodes.
        solver = pulp.HiGHS(msg=False, threads=1, **_LIMITS)
        solver.createAndConfigureSolver(problem)
        solver.buildSolverModel(problem)
        problem.solverModel.run()
        values = np.array(problem.solverModel.getSolution().col_value)
        if len(values) != len(variables):
            return None
        found = values[[variable.index for variable in variables]] > 1 / 2
        return found if _meets(program, found) else None


def _meets(program: IntegerProgram, values: NDArray[np.bool_]) -> bool:
    """Whether whole values meet every row; HiGHS rounds values that are whole up to its tolerance."""
    sums = program.matrix @ values
    return bool((sums <= program.high + _ROW_TOLERANCE).all() and (sums >= program.low - _ROW_TOLERANCE).all())

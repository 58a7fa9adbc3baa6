"""Integer programs with the solver HiGHS: their relaxations directly, the programs of the open variables through PuLP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wdw_build.core.installed import installed_version
from wdw_build.ports import IntegerProgram, Relaxation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION = 5
# Sums over whole values that differ do so by far more.
_ROW_TOLERANCE = 1e-6
# Limits count steps, not seconds, so that the answer does not depend on the machine. A restart and the heuristic took
# half of the time on programs of web news, and seldom found a better solution.
_SEARCH = {
    "mip_rel_gap": 0.005,
    "mip_max_nodes": 100,
    "mip_allow_restart": False,
    "mip_heuristic_run_rens": False,
}


class PulpSolver:
    """``Solver`` on HiGHS."""

    @property
    def identity(self) -> str:
        """The versions of PuLP and HiGHS."""
        pulp, highs = (installed_version(name, "suppression") for name in ("pulp", "highspy"))
        return f"pulp {VERSION}, {pulp}, HiGHS {highs}"

    def relax(self, program: IntegerProgram) -> Relaxation:
        """See ``Solver.relax``."""
        import highspy
        import numpy as np

        lp = highspy.HighsLp()
        lp.num_row_, lp.num_col_ = program.matrix.shape
        lp.sense_, lp.col_cost_ = highspy.ObjSense.kMaximize, program.objective
        lp.col_lower_, lp.col_upper_ = np.zeros(lp.num_col_), np.ones(lp.num_col_)
        lp.row_lower_, lp.row_upper_ = program.low, program.high
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_, lp.a_matrix_.index_ = program.matrix.indptr, program.matrix.indices
        lp.a_matrix_.value_ = program.matrix.data
        model = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy types no constructor
        model.setOptionValue("output_flag", False)
        model.setOptionValue("threads", 1)
        model.passModel(lp)
        model.run()
        solution = model.getSolution()
        optimum = model.getInfo().objective_function_value
        return Relaxation(optimum, np.array(solution.col_value), -np.abs(np.array(solution.col_dual)))

    def solve_integer(self, program: IntegerProgram, fixed: NDArray[np.int8]) -> NDArray[np.bool_] | None:
        """See ``Solver.solve_integer``. The search ends at a gap of 0.5% or after 100 nodes."""
        import numpy as np
        import pulp

        chosen = fixed == 1
        open_columns = np.flatnonzero(fixed < 0)
        if not len(open_columns):
            return chosen if _meets(program, chosen) else None
        used = program.matrix @ chosen
        problem = pulp.LpProblem("selection", pulp.LpMaximize)
        variables = [problem.add_variable(f"x{column}", 0, 1, pulp.LpInteger) for column in open_columns.tolist()]
        problem += pulp.LpAffineExpression(zip(variables, program.objective[open_columns].tolist(), strict=True))
        matrix = program.matrix[:, open_columns]
        for row, (low, high) in enumerate(zip(program.low - used, program.high - used, strict=True)):
            begin, end = matrix.indptr[row : row + 2]
            if begin == end:
                continue
            columns, weights = matrix.indices[begin:end].tolist(), matrix.data[begin:end].tolist()
            total = pulp.LpAffineExpression(zip([variables[column] for column in columns], weights, strict=True))
            problem += total <= high
            if np.isfinite(low):
                problem += total >= low
        # PuLP's own ``solve`` does not know the state in which HiGHS ends at a limit of nodes.
        solver = pulp.HiGHS(msg=False, threads=1, **_SEARCH)
        solver.createAndConfigureSolver(problem)
        solver.buildSolverModel(problem)
        # The gap is a share of the whole objective. HiGHS minimises its negative.
        problem.solverModel.changeObjectiveOffset(-float(program.objective @ chosen))
        problem.solverModel.run()
        values = np.array(problem.solverModel.getSolution().col_value)
        if len(values) != len(variables):
            return None
        # HiGHS rounds values that are whole up to its tolerance, and returns values even if it finds no solution.
        chosen[open_columns] = values[[variable.index for variable in variables]] > 1 / 2
        return chosen if _meets(program, chosen) else None


def _meets(program: IntegerProgram, values: NDArray[np.bool_]) -> bool:
    """Whether whole values meet every row."""
    sums = program.matrix @ values
    return bool(((sums <= program.high + _ROW_TOLERANCE) & (sums >= program.low - _ROW_TOLERANCE)).all())

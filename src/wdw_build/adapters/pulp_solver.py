"""Linear programs with PuLP and the HiGHS solver; integer programs with HiGHS alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wdw_build.core.installed import installed_version
from wdw_build.errors import CorpusError
from wdw_build.ports import LinearProgram
from wdw_build.selection.integer_program import IntegerProgram

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION = 2
# The smallest tolerance that HiGHS accepts. The tie-breaking terms are smaller than its default, 1e-7.
_TOLERANCE = 1e-10
# Further digits of a solution vary between solvers and machines.
_SIGNIFICANT_DIGITS = 8
# Sums over whole values that differ do so by far more.
_ROW_TOLERANCE = 1e-6
# Limits of the search in integer programs. They count steps, not seconds, so that the answer does not depend on the machine.
_NODES, _NODES_WITHOUT_PROGRESS = 500, 100


class PulpSolver:
    """``Solver`` on PuLP and HiGHS."""

    @property
    def identity(self) -> str:
        """The versions of PuLP and of HiGHS."""
        pulp, highs = (installed_version(name, "suppression") for name in ("pulp", "highspy"))
        return f"pulp {VERSION}, {pulp}, HiGHS {highs}"

    def solve(self, program: LinearProgram) -> dict[str, float]:
        """See ``Solver.solve``. The values have 8 significant digits."""
        import pulp

        highs = pulp.HiGHS(
            msg=False, threads=1, primal_feasibility_tolerance=_TOLERANCE, dual_feasibility_tolerance=_TOLERANCE
        )
        problem = pulp.LpProblem("suppression", pulp.LpMaximize)
        variables = {name: problem.add_variable(name, *bounds) for name, bounds in program.bounds.items()}
        problem += pulp.lpSum(weight * variables[name] for name, weight in program.objective.items())
        for name, (row, bound) in program.rows.items():
            problem += pulp.lpSum(weight * variables[key] for key, weight in row.items()) <= bound, name
        status = pulp.LpStatus[problem.solve(highs)]
        if status != "Optimal":
            raise CorpusError(
                f"the linear program is {status.lower()}", hint="raise suppress.strict or suppress.relaxed"
            )
        # PuLP gives no value to a variable that neither the objective nor a row names. Any value is optimal; the bound is used.
        values = {
            name: program.bounds[name][0] if variable.value() is None else variable.value()
            for name, variable in variables.items()
        }
        return {name: float(f"{value:.{_SIGNIFICANT_DIGITS}g}") for name, value in values.items()}

    def solve_integer(self, program: IntegerProgram) -> NDArray[np.bool_]:
        """See ``IntegerSolver.solve_integer``. The search ends at the gap or after a fixed number of nodes."""
        import highspy
        import numpy as np

        highs = highspy.Highs()  # type: ignore[no-untyped-call]  # declares no types
        options = {
            "output_flag": False,
            "threads": 1,
            "mip_rel_gap": program.gap,
            "mip_max_nodes": _NODES,
            "mip_max_stall_nodes": _NODES_WITHOUT_PROGRESS,
        }
        for name, value in options.items():
            highs.setOptionValue(name, value)
        highs.passModel(_model(program))
        start = highspy.HighsSolution()
        start.col_value = program.feasible.astype(np.float64)
        highs.setSolution(start)
        highs.run()
        found = np.array(highs.getSolution().col_value) > 1 / 2
        return found if len(found) and _meets(program, found) else program.feasible


def _model(program: IntegerProgram) -> Any:
    """The program as HiGHS takes it. HiGHS minimises."""
    import highspy
    import numpy as np

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.objective), len(program.low)
    model.col_cost_ = -program.objective
    model.col_lower_, model.col_upper_ = np.zeros(model.num_col_), np.ones(model.num_col_)
    model.row_lower_, model.row_upper_ = program.low, program.high
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = program.starts.astype(np.int32)
    model.a_matrix_.index_ = program.columns.astype(np.int32)
    model.a_matrix_.value_ = program.values
    model.integrality_ = [highspy.HighsVarType.kInteger] * model.num_col_
    return model


def _meets(program: IntegerProgram, values: NDArray[np.bool_]) -> bool:
    """Whether whole values meet every row; HiGHS rounds values that are whole up to its tolerance."""
    import numpy as np

    used = np.append(np.cumsum(program.values * values[program.columns]), 0.0)
    sums = used[program.starts[1:] - 1] - used[program.starts[:-1] - 1]
    return bool((sums <= program.high + _ROW_TOLERANCE).all() and (sums >= program.low - _ROW_TOLERANCE).all())

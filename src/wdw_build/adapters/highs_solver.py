"""Relaxations and integer programs with the solver HiGHS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wdw_build.core.installed import installed_version
from wdw_build.ports import IntegerProgram, Relaxation

if TYPE_CHECKING:
    import highspy
    import numpy as np
    from numpy.typing import NDArray

VERSION = 4
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


class HighsSolver:
    """``Solver`` on HiGHS."""

    @property
    def identity(self) -> str:
        """The version of HiGHS."""
        return f"highs {VERSION}, HiGHS {installed_version('highspy', 'suppression')}"

    def relax(self, program: IntegerProgram) -> Relaxation:
        """See ``Solver.relax``."""
        import numpy as np

        model = _model(program, np.zeros(len(program.objective)), np.ones(len(program.objective)))
        model.run()
        solution = model.getSolution()
        optimum = model.getInfo().objective_function_value
        return Relaxation(optimum, np.array(solution.col_value), -np.abs(np.array(solution.col_dual)))

    def solve_integer(self, program: IntegerProgram, fixed: NDArray[np.int8]) -> NDArray[np.bool_] | None:
        """See ``Solver.solve_integer``. The search ends at a gap of 0.5% or after 100 nodes."""
        import highspy
        import numpy as np

        model = _model(program, fixed == 1, fixed != 0)
        variables = np.arange(len(fixed), dtype=np.int32)
        model.changeColsIntegrality(len(variables), variables, np.full(len(fixed), highspy.HighsVarType.kInteger))
        for name, value in _SEARCH.items():
            model.setOptionValue(name, value)
        model.run()
        found = np.array(model.getSolution().col_value) > 1 / 2
        # HiGHS rounds values that are whole up to its tolerance, and returns values even if it finds no solution.
        return found if len(found) == len(fixed) and _meets(program, fixed, found) else None


def _model(program: IntegerProgram, lower: NDArray[np.generic], upper: NDArray[np.generic]) -> highspy.Highs:
    """The program in HiGHS, without the condition that values are whole."""
    import highspy

    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = program.matrix.shape
    lp.sense_, lp.col_cost_ = highspy.ObjSense.kMaximize, program.objective
    lp.col_lower_, lp.col_upper_ = lower.astype(float), upper.astype(float)
    lp.row_lower_, lp.row_upper_ = program.low, program.high
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = program.matrix.indptr, program.matrix.indices
    lp.a_matrix_.value_ = program.matrix.data
    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    model.passModel(lp)
    return model


def _meets(program: IntegerProgram, fixed: NDArray[np.int8], values: NDArray[np.bool_]) -> bool:
    """Whether whole values meet every row, and fixed variables have their values."""
    sums = program.matrix @ values
    meets_rows = (sums <= program.high + _ROW_TOLERANCE) & (sums >= program.low - _ROW_TOLERANCE)
    return bool(meets_rows.all() and ((fixed < 0) | (fixed == values)).all())

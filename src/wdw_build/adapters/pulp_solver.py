"""Linear programs with PuLP and the HiGHS solver."""

from __future__ import annotations

from wdw_build.core.installed import installed_version
from wdw_build.errors import CorpusError
from wdw_build.ports import LinearProgram

VERSION = 2
# The smallest tolerance that HiGHS accepts. The tie-breaking terms are smaller than its default, 1e-7.
_TOLERANCE = 1e-10
# Further digits of a solution vary between solvers and machines.
_SIGNIFICANT_DIGITS = 8


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

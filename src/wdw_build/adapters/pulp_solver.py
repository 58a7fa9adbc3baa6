"""Linear programmes with PuLP and the CBC solver that it brings."""

from __future__ import annotations

import importlib.metadata
from typing import Any

from wdw_build.errors import CorpusError, MissingResourceError
from wdw_build.ports import LinearProgram

VERSION = 1


def find_solver() -> Any:
    """PuLP's own CBC, silent and on one thread. Raises ``MissingResourceError`` if it does not run here."""
    import pulp

    solver = pulp.PULP_CBC_CMD(msg=False, threads=1)
    if not solver.available():
        raise MissingResourceError("PuLP's CBC solver does not run here", hint="pip install --force-reinstall pulp")
    return solver


class PulpSolver:
    """``Solver`` on PuLP."""

    @property
    def identity(self) -> str:
        """PuLP's version and the solver."""
        return f"pulp {VERSION}, {importlib.metadata.version('pulp')}, CBC"

    def solve(self, programme: LinearProgram) -> dict[str, float]:
        """See ``Solver.solve``."""
        import pulp

        solver = find_solver()
        problem = pulp.LpProblem("suppression", pulp.LpMaximize)
        variables = {name: problem.add_variable(name, *bounds) for name, bounds in programme.bounds.items()}
        problem += pulp.lpSum(weight * variables[name] for name, weight in programme.objective.items())
        for name, (row, bound) in programme.rows.items():
            problem += pulp.lpSum(weight * variables[key] for key, weight in row.items()) <= bound, name
        status = pulp.LpStatus[problem.solve(solver)]
        if status != "Optimal":
            raise CorpusError(
                f"the linear programme is {status.lower()}", hint="raise suppress.strict or suppress.relaxed"
            )
        # A variable that no row and no objective names has no value: its lower bound will do.
        lows = {name: low for name, (low, _) in programme.bounds.items()}
        values = {name: variable.value() for name, variable in variables.items()}
        return {name: float(lows[name] if value is None else value) for name, value in values.items()}

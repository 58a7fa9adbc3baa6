"""All solvers: the optimum of programs solved by hand, and of random programs compared with SciPy's."""

import importlib.metadata

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from support import fakes, interpreter
from wdw_build.errors import CorpusError, MissingResourceError
from wdw_build.ports import LinearProgram
from wdw_build.selection.integer_program import IntegerProgram
from wdw_build.stages.suppress.keep_rates import Cell, linear_program

REAL = pytest.param("real", marks=pytest.mark.real)


@pytest.fixture(scope="module", params=["fake", REAL])
def solver(request):
    if request.param == "fake":
        return fakes.FractionSolver()
    from wdw_build.adapters.pulp_solver import PulpSolver

    return PulpSolver()


def value(asked, found):
    return sum(weight * found[name] for name, weight in asked.objective.items())


def test_two_variables_at_a_corner(solver):
    """max 3x + 2y, x + y <= 4, x + 3y <= 6, 0 <= x <= 3, 0 <= y <= 9: the corner (3, 1), worth 11."""
    asked = LinearProgram(
        {"x": 3.0, "y": 2.0},
        {"sum": ({"x": 1.0, "y": 1.0}, 4.0), "slope": ({"x": 1.0, "y": 3.0}, 6.0)},
        {"x": (0.0, 3.0), "y": (0.0, 9.0)},
    )
    assert solver.solve(asked) == pytest.approx({"x": 3.0, "y": 1.0})


def test_a_program_with_bounds_only_is_solved(solver):
    asked = LinearProgram({"x": 1.0, "y": -1.0}, {}, {"x": (0.25, 0.75), "y": (0.5, 1.0)})
    assert solver.solve(asked) == pytest.approx({"x": 0.75, "y": 0.5})


def test_a_lower_bound_that_only_the_first_phase_can_meet(solver):
    """x + y <= 1 with x at least 0.6: y gets the rest."""
    asked = LinearProgram(
        {"x": 1.0, "y": 2.0}, {"sum": ({"x": 1.0, "y": 1.0}, 1.0)}, {"x": (0.6, 1.0), "y": (0.0, 1.0)}
    )
    assert solver.solve(asked) == pytest.approx({"x": 0.6, "y": 0.4})


def test_a_row_that_asks_for_more_than_nothing(solver):
    """-x - y <= -1 is x + y >= 1; y is cheaper."""
    asked = LinearProgram(
        {"x": -2.0, "y": -1.0}, {"least": ({"x": -1.0, "y": -1.0}, -1.0)}, {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    )
    assert solver.solve(asked) == pytest.approx({"x": 0.0, "y": 1.0})


def test_the_paper_s_program_by_hand(solver):
    """Ten solved and ten unsolved problems of two choices, bound 1/4: all unsolved and a third of the solved are kept.

    10 a <= (10 a + 10) / 4, so a = 1/3.
    """
    counts = {Cell("1", 2): 10, Cell("0", 2): 10}
    found = solver.solve(linear_program(counts, 0.25, {}))
    assert found == pytest.approx({"a_1_2": 1 / 3, "a_0_2": 1.0}, abs=1e-6)


def test_chance_as_the_bound_by_hand(solver):
    """Bound chance, 12 solved of two choices and 4 unsolved of four: 12 a <= 12 a / 2 + 4 / 4, so a = 1/6."""
    counts = {Cell("1", 2): 12, Cell("0", 4): 4}
    found = solver.solve(linear_program(counts, "chance", {}))
    assert found == pytest.approx({"a_1_2": 1 / 6, "a_0_4": 1.0}, abs=1e-6)


@pytest.mark.parametrize(
    "asked",
    [
        LinearProgram({"x": 1.0}, {"no": ({"x": 1.0}, 0.2)}, {"x": (0.5, 1.0)}),
        LinearProgram({"x": 1.0}, {"no": ({"x": -1.0}, -2.0)}, {"x": (0.0, 1.0)}),
        LinearProgram(
            {"x": 1.0, "y": 1.0},
            {"low": ({"x": 1.0, "y": 1.0}, 0.5), "high": ({"x": -1.0, "y": -1.0}, -0.6)},
            {"x": (0.0, 1.0), "y": (0.0, 1.0)},
        ),
    ],
)
def test_an_infeasible_program_is_the_corpus_s_fault(solver, asked):
    with pytest.raises(CorpusError, match="infeasible"):
        solver.solve(asked)


def test_every_variable_has_a_value_even_if_nothing_asks_for_it(solver):
    asked = LinearProgram({"x": 1.0}, {"row": ({"x": 1.0}, 1.0)}, {"x": (0.0, 1.0), "idle": (0.5, 0.5)})
    assert solver.solve(asked) == pytest.approx({"x": 1.0, "idle": 0.5})


NUMBERS = st.integers(-4, 4).map(float)


@st.composite
def programs(draw):
    names = [f"v{number}" for number in range(draw(st.integers(1, 4)))]
    objective = {name: draw(NUMBERS) for name in names}
    rows = {
        f"r{number}": ({name: draw(NUMBERS) for name in names}, float(draw(st.integers(-2, 6))))
        for number in range(draw(st.integers(0, 3)))
    }
    bounds = {}
    for name in names:
        low = draw(st.sampled_from([0.0, 0.0, 0.25, 0.5]))
        bounds[name] = (low, draw(st.sampled_from([1.0, 2.0, low])))
    return LinearProgram(objective, rows, bounds)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=programs())
def test_the_optimum_is_scipy_s(solver, asked):
    names = list(asked.bounds)
    expected = linprog(
        [-asked.objective[name] for name in names],
        A_ub=[[row[name] for name in names] for row, _ in asked.rows.values()] or None,
        b_ub=[bound for _, bound in asked.rows.values()] or None,
        bounds=[asked.bounds[name] for name in names],
    )
    if expected.status == 2:
        with pytest.raises(CorpusError):
            solver.solve(asked)
        return
    found = solver.solve(asked)
    assert value(asked, found) == pytest.approx(-expected.fun, abs=1e-6)
    for row, bound in asked.rows.values():
        assert sum(weight * found[name] for name, weight in row.items()) <= bound + 1e-6
    assert all(low - 1e-9 <= found[name] <= high + 1e-9 for name, (low, high) in asked.bounds.items())


@pytest.mark.parametrize(("earlier", "later"), [("1101", "1110"), ("0111", "1011")])
def test_a_tie_goes_to_the_cell_that_sorts_earlier(solver, earlier, later):
    """24 unsolved problems of four choices leave room for 8 that a baseline solves; it does not matter which."""
    counts = {Cell("0000", 4): 24, Cell(earlier, 4): 6, Cell(later, 4): 6}
    found = solver.solve(linear_program(counts, "chance", {}))
    assert (found[f"a_{earlier}_4"], found[f"a_{later}_4"]) == pytest.approx((1.0, 1 / 3), abs=1e-6)


CELLS = [Cell(f"{solved:04b}", choices) for solved in range(16) for choices in (2, 3, 4, 5)]


@pytest.mark.real
@settings(max_examples=25, deadline=None)
@given(
    counts=st.dictionaries(st.sampled_from(CELLS), st.integers(1, 9), min_size=1, max_size=20),
    bound=st.sampled_from(["chance", 0.3, 0.5]),
)
def test_suppression_has_one_optimum_and_every_solver_finds_it(counts, bound):
    """The objective settles ties, not the path that a solver takes."""
    from wdw_build.adapters.pulp_solver import PulpSolver

    asked = linear_program(counts, bound, {})
    assert PulpSolver().solve(asked) == pytest.approx(fakes.FractionSolver().solve(asked), rel=1e-7, abs=1e-9)


@pytest.mark.real
def test_the_identity_is_known_without_loading_the_library():
    code = "from wdw_build.adapters.pulp_solver import PulpSolver\nassert 'HiGHS' in PulpSolver().identity"
    assert interpreter.heavy_imports(code) == []


def test_a_missing_solver_is_reported_with_the_command_that_installs_it(monkeypatch):
    from wdw_build.adapters.pulp_solver import PulpSolver

    def version(package):
        if package == "highspy":
            raise importlib.metadata.PackageNotFoundError(package)
        return "1"

    monkeypatch.setattr(importlib.metadata, "version", version)
    with pytest.raises(MissingResourceError, match="highspy is not installed; suppression needs it") as caught:
        _ = PulpSolver().identity
    assert caught.value.hint == "pip install 'highspy>=1.10'"


def integer_program(objective, rows, low, high):
    rows = np.array(rows, dtype=float).reshape(len(low), len(objective))
    return IntegerProgram(
        objective=np.array(objective, dtype=float),
        starts=np.arange(len(low) + 1) * len(objective),
        columns=np.tile(np.arange(len(objective)), len(low)),
        values=rows.ravel(),
        low=np.array(low, dtype=float),
        high=np.array(high, dtype=float),
        feasible=np.zeros(len(objective), dtype=bool),
        gap=0.0,
    )


def test_an_integer_program_by_hand(solver):
    """max 5a + 4b + 3c with 2a + 3b + c <= 5: half of b would do, but whole ones are a and b, worth 9."""
    asked = integer_program([5, 4, 3], [[2, 3, 1]], [-np.inf], [5])
    assert solver.solve_integer(asked).tolist() == [True, True, False]


def test_an_integer_program_without_rows_takes_what_is_worth_something(solver):
    assert solver.solve_integer(integer_program([1, -1], [], [], [])).tolist() == [True, False]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), size=st.integers(1, 6), rows=st.integers(0, 3))
def test_no_choice_is_better_than_that_of_the_integer_program(solver, data, size, rows):
    numbers = st.integers(-4, 4)
    objective = data.draw(st.lists(numbers, min_size=size, max_size=size))
    matrix = [data.draw(st.lists(numbers, min_size=size, max_size=size)) for _ in range(rows)]
    limits = data.draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
    asked = integer_program(objective, matrix, [-limit for limit in limits], limits)
    found = solver.solve_integer(asked)
    every = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    sums = every @ np.array(matrix, dtype=int).reshape(rows, size).T
    best = (every[(np.abs(sums) <= limits).all(axis=1)] @ np.array(objective)).max()
    assert np.array(objective) @ found == best
    assert (np.abs(np.array(matrix, dtype=int).reshape(rows, size) @ found) <= limits).all()

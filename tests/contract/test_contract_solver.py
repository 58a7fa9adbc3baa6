"""All solvers: relaxations and integer programs solved by hand, and random programs compared with all choices."""

import importlib.metadata

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import csr_array

from support import fakes, interpreter
from wdw_build.adapters.pulp_solver import PulpSolver
from wdw_build.errors import MissingResourceError
from wdw_build.ports import IntegerProgram

MANY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module", params=[fakes.ScipySolver, pytest.param(PulpSolver, marks=pytest.mark.real)])
def solver(request):
    return request.param()


def program(objective, rows, low, high):
    return IntegerProgram(
        objective=np.array(objective, dtype=float),
        matrix=csr_array(np.array(rows, dtype=float).reshape(len(low), len(objective))),
        low=np.array(low, dtype=float),
        high=np.array(high, dtype=float),
    )


def solved(solver, asked, *fixed):
    """The solution of the integer program, in a list; ``fixed``: the value of each variable, -1 for a free one."""
    found = solver.solve_integer(asked, np.array(fixed or [-1] * len(asked.objective), dtype=np.int8))
    return None if found is None else found.tolist()


# max 5a + 4b + 3c with 2a + 3b + c <= 5
BY_HAND = program([5, 4, 3], [[2, 3, 1]], [-np.inf], [5])


# ---- relaxations -----------------------------------------------------------------------------------------------------


def test_a_relaxation_by_hand(solver):
    """a and c entirely, and 2/3 of b. A unit of room is worth 4/3.

    Moving a from 1 inwards loses 5 - 2 * 4/3, moving c 3 - 4/3; b costs nothing.
    """
    found = solver.relax(BY_HAND)
    assert found.optimum == pytest.approx(5 + 8 / 3 + 3)
    assert found.values == pytest.approx([1, 2 / 3, 1])
    assert found.reduced_costs == pytest.approx([-7 / 3, 0, -5 / 3])


def test_a_lower_bound_of_a_row_holds_in_a_relaxation(solver):
    """max 2a - b with -0.5 <= b - a: a whole a needs half of b."""
    found = solver.relax(program([2, -1], [[-1, 1]], [-0.5], [9]))
    assert found.values == pytest.approx([1, 1 / 2])
    assert found.optimum == pytest.approx(1.5)


def test_a_relaxation_without_variables_is_worth_nothing(solver):
    found = solver.relax(program([], [[]], [-np.inf], [1]))
    assert (found.optimum, found.values.tolist(), found.reduced_costs.tolist()) == (0, [], [])


@st.composite
def programs(draw):
    size, rows = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    numbers = st.integers(-4, 4)
    limits = draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
    low = [draw(st.sampled_from([-limit, -np.inf])) for limit in limits]
    matrix = [draw(st.lists(numbers, min_size=size, max_size=size)) for _ in range(rows)]
    # Every problem is worth something.
    return program(draw(st.lists(numbers.filter(bool), min_size=size, max_size=size)), matrix, low, limits)


def optimum(asked, fixed=None):
    """The optimum of the relaxation by another method; ``fixed``: a variable and its value. None if there is none."""
    rows, below = asked.matrix.toarray(), np.isfinite(asked.low)
    bounds = [(0, 1)] * len(asked.objective)
    if fixed:
        bounds[fixed[0]] = (fixed[1], fixed[1])
    limits = np.concatenate([asked.high, -asked.low[below]])
    found = linprog(-asked.objective, np.vstack([rows, -rows[below]]), limits, bounds=bounds, method="highs-ipm")
    return None if found.x is None else -found.fun


@MANY
@given(asked=programs())
def test_a_relaxation_is_optimal_and_a_move_loses_at_least_the_reduced_cost(solver, asked):
    found = solver.relax(asked)
    assert found.optimum == pytest.approx(optimum(asked), abs=1e-6)
    assert asked.objective @ found.values == pytest.approx(found.optimum, abs=1e-6)
    assert (np.abs(found.values - 0.5) <= 0.5 + 1e-9).all()
    sums = asked.matrix @ found.values
    assert (sums <= asked.high + 1e-6).all()
    assert (sums >= asked.low - 1e-6).all()
    assert (found.reduced_costs <= 1e-9).all()
    for number, (value, cost) in enumerate(zip(found.values, found.reduced_costs, strict=True)):
        assert cost == pytest.approx(0, abs=1e-6) or min(value, 1 - value) < 1e-6
        other = optimum(asked, (number, 1 - round(value)))
        assert other is None or min(value, 1 - value) > 1e-6 or other <= found.optimum + cost + 1e-6


# ---- integer programs ------------------------------------------------------------------------------------------------


def test_an_integer_program_by_hand(solver):
    """Half of b would do, but whole ones are a and b, worth 9."""
    assert solved(solver, BY_HAND) == [True, True, False]


def test_an_integer_program_without_rows_takes_what_is_worth_something(solver):
    assert solved(solver, program([1, -1], [], [], [])) == [True, False]


def test_an_integer_program_without_variables_has_a_solution_if_its_rows_allow_nothing(solver):
    assert solved(solver, program([], [[]], [0], [0])) == []
    assert solved(solver, program([], [[]], [-np.inf], [-1])) is None


def test_fixed_variables_keep_their_values(solver):
    """With c, a is left; without a, b and c are."""
    assert solved(solver, BY_HAND, -1, -1, 1) == [True, False, True]
    assert solved(solver, BY_HAND, 0, -1, -1) == [False, True, True]
    assert solved(solver, BY_HAND, 1, 1, 1) is None


def test_a_program_that_no_whole_values_meet_has_no_solution(solver):
    assert solved(solver, program([1], [[2]], [1], [1])) is None


@MANY
@given(asked=programs())
def test_no_choice_is_better_than_that_of_the_integer_program(solver, asked):
    found = solved(solver, asked)
    every = (np.arange(2 ** len(asked.objective))[:, None] >> np.arange(len(asked.objective))) & 1
    sums = every @ asked.matrix.toarray().T
    best = (every[((sums <= asked.high) & (sums >= asked.low)).all(axis=1)] @ asked.objective).max()
    assert asked.objective @ found == best
    sums = asked.matrix @ found
    assert ((sums <= asked.high) & (sums >= asked.low)).all()


# ---- the adapter -----------------------------------------------------------------------------------------------------


@pytest.mark.real
def test_a_search_that_ends_at_its_limit_of_nodes_returns_what_it_found():
    """Sixty weights that differ by little fill a row in very many ways."""
    rng = np.random.default_rng(0)
    weights = rng.integers(1000, 2000, (6, 60))
    asked = program(weights.sum(axis=0) + rng.integers(0, 9, 60), weights, [-np.inf] * 6, weights.sum(axis=1) // 2)
    solver = PulpSolver()
    found = solved(solver, asked)
    assert (asked.matrix @ found <= asked.high).all()
    assert asked.objective @ found >= 0.95 * solver.relax(asked).optimum
    assert solved(solver, asked) == found


@pytest.mark.real
def test_the_identity_is_known_without_loading_the_library():
    code = "from wdw_build.adapters.pulp_solver import PulpSolver\nassert 'HiGHS' in PulpSolver().identity"
    assert interpreter.heavy_imports(code) == []


def test_a_missing_solver_is_reported_with_the_command_that_installs_it(monkeypatch):
    def version(package):
        if package == "highspy":
            raise importlib.metadata.PackageNotFoundError(package)
        return "1"

    monkeypatch.setattr(importlib.metadata, "version", version)
    with pytest.raises(MissingResourceError, match="highspy is not installed; suppression needs it") as caught:
        _ = PulpSolver().identity
    assert caught.value.hint == "pip install 'highspy>=1.10'"

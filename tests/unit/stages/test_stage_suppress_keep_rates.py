"""Suppression's arithmetic, by hand: cells, the program's rows and bounds, the repair of rounding."""

import pytest
from wdw_build.stages.suppress.keep_rates import Cell, Entry, allowance, count, linear_program, select

from wdw_build.ports import LinearProgram

SOLVED, UNSOLVED = Cell("1", 2), Cell("0", 2)


def entries(*cells_and_draws):
    return [Entry(f"p{number}", cell, draw) for number, (cell, draw) in enumerate(cells_and_draws)]


@pytest.mark.parametrize(
    ("bound", "choices", "expected"),
    [("chance", 2, 1 / 2), ("chance", 5, 1 / 5), (0.4, 2, 0.4), (0.4, 5, 0.4), (1, 3, 1.0), (0.0, 2, 0.0)],
)
def test_a_kept_problem_allows_its_chance_or_the_fixed_bound(bound, choices, expected):
    assert allowance(bound, choices) == expected


def test_cells_are_counted_by_pattern_and_number_of_choices():
    found = count(entries((SOLVED, 0.1), (Cell("1", 3), 0.2), (SOLVED, 0.9), (UNSOLVED, 0.5)))
    assert found == {SOLVED: 2, Cell("1", 3): 1, UNSOLVED: 1}


COUNTS = {Cell("10", 2): 6, Cell("11", 4): 3, Cell("00", 5): 10}


def test_a_row_is_what_a_baseline_solves_less_what_it_may():
    rows = linear_program(COUNTS, "chance", {}).rows
    assert rows == {
        "baseline_0": (pytest.approx({"a_10_2": 6 * (1 - 1 / 2), "a_11_4": 3 * (1 - 1 / 4), "a_00_5": -10 / 5}), 0.0),
        "baseline_1": (pytest.approx({"a_10_2": 6 * (0 - 1 / 2), "a_11_4": 3 * (1 - 1 / 4), "a_00_5": -10 / 5}), 0.0),
    }


def test_a_fixed_bound_does_not_depend_on_the_number_of_choices():
    rows = linear_program(COUNTS, 0.4, {}).rows
    assert rows["baseline_1"] == (pytest.approx({"a_10_2": -2.4, "a_11_4": 1.8, "a_00_5": -4.0}), 0.0)


def test_the_objective_is_the_number_kept_and_ties_go_to_cells_that_fewer_solve():
    objective = linear_program(COUNTS, "chance", {}).objective
    assert objective == pytest.approx({"a_10_2": 6, "a_11_4": 3, "a_00_5": 10}, rel=1e-4)
    each = {cell: objective[cell.name] / COUNTS[cell] for cell in COUNTS}
    assert each[Cell("00", 5)] > each[Cell("10", 2)] > each[Cell("11", 4)]


def test_rates_lie_between_those_of_the_nested_level_and_one():
    bounds = linear_program(COUNTS, 0.5, {Cell("10", 2): 0.25, Cell("00", 5): 1.0 + 1e-9}).bounds
    assert bounds == {"a_10_2": (0.25, 1.0), "a_11_4": (0.0, 1.0), "a_00_5": (1.0, 1.0)}


def test_the_program_does_not_depend_on_the_order_of_the_counts():
    turned = dict(reversed(list(COUNTS.items())))
    assert list(linear_program(turned, "chance", {}).objective) == list(linear_program(COUNTS, "chance", {}).objective)


def test_no_cells_give_an_empty_program():
    assert linear_program({}, "chance", {}) == LinearProgram({}, {}, {})


def test_a_problem_is_kept_if_its_draw_is_below_its_cells_rate():
    found = select(entries((UNSOLVED, 0.2), (UNSOLVED, 0.9)), {UNSOLVED: 0.0}, "chance", frozenset())
    assert found == frozenset()
    found = select(entries((UNSOLVED, 0.2), (UNSOLVED, 0.9)), {UNSOLVED: 1.0}, "chance", frozenset())
    assert found == {"p0", "p1"}


def test_the_latest_draws_of_the_solved_are_dropped_until_half_a_problem_is_left_over():
    """Four solved and one unsolved at chance 1/2: 4 over 5/2 is 1.5; without one 3 over 2 is 1; then 2 over 3/2."""
    problems = entries((SOLVED, 0.4), (SOLVED, 0.1), (SOLVED, 0.3), (SOLVED, 0.2), (UNSOLVED, 0.5))
    assert select(problems, {SOLVED: 1.0, UNSOLVED: 1.0}, "chance", frozenset()) == {"p1", "p3", "p4"}


def test_what_still_fits_is_filled_in_nearest_misses_first():
    """Three unsolved allow 3/2: the draws keep no solved one, and up to four fit: 4 over (3 + 4)/2 is half a problem."""
    misses = [(SOLVED, draw) for draw in (0.9, 0.5, 0.7, 0.6, 0.8)]
    problems = entries(*misses, (UNSOLVED, 0.1), (UNSOLVED, 0.2), (UNSOLVED, 0.3))
    found = select(problems, {SOLVED: 0.1, UNSOLVED: 1.0}, "chance", frozenset())
    assert found == {"p1", "p2", "p3", "p4", "p5", "p6", "p7"}


def test_a_cell_of_rate_zero_is_never_filled_in():
    found = select(entries((SOLVED, 0.0), (UNSOLVED, 0.5)), {SOLVED: 0.0, UNSOLVED: 1.0}, "chance", frozenset())
    assert found == {"p1"}


def test_the_worst_baseline_is_repaired_first():
    both, first = Cell("11", 2), Cell("10", 2)
    problems = entries((both, 0.9), (first, 0.1), (first, 0.2))
    # The first baseline is 1.5 over, the second 0.5 under: what the first solves goes, latest draw first.
    assert select(problems, {both: 1.0, first: 1.0}, "chance", frozenset()) == {"p1"}


def test_nested_problems_stay_and_are_not_counted_out():
    problems = entries((SOLVED, 0.9), (SOLVED, 0.1), (UNSOLVED, 0.5))
    assert select(problems, {SOLVED: 1.0, UNSOLVED: 1.0}, 0.3, frozenset({"p0"})) >= {"p0", "p2"}
    assert "p1" not in select(problems, {SOLVED: 1.0, UNSOLVED: 1.0}, 0.3, frozenset({"p0"}))


def test_an_empty_input_gives_an_empty_output():
    assert select([], {}, "chance", frozenset()) == frozenset()


@pytest.mark.real
@pytest.mark.parametrize(
    ("counts", "bound", "expected"),
    [
        # 10 (1 - k) a <= 4 k b with k = .5: b = 1, a = .4
        ({SOLVED: 10, UNSOLVED: 4}, 0.5, {SOLVED: 0.4, UNSOLVED: 1.0}),
        ({SOLVED: 10, UNSOLVED: 4}, "chance", {SOLVED: 0.4, UNSOLVED: 1.0}),
        # chance of four choices: 10 * 3/4 a <= 6 * 1/4, a = .2
        ({Cell("1", 4): 10, Cell("0", 4): 6}, "chance", {Cell("1", 4): 0.2, Cell("0", 4): 1.0}),
        # nothing to hold down
        ({SOLVED: 3, UNSOLVED: 4}, "chance", {SOLVED: 1.0, UNSOLVED: 1.0}),
        # no unsolved problem: nothing may be kept
        ({SOLVED: 3}, 0.4, {SOLVED: 0.0}),
        # two baselines, one problem of each kind: both at 1/2
        ({Cell("10", 2): 1, Cell("01", 2): 1}, "chance", {Cell("10", 2): 1.0, Cell("01", 2): 1.0}),
    ],
)
def test_the_real_solver_finds_the_rates_that_were_worked_out_by_hand(counts, bound, expected):
    from wdw_build.adapters.pulp_solver import PulpSolver

    values = PulpSolver().solve(linear_program(counts, bound, {}))
    assert {cell: values[cell.name] for cell in counts} == pytest.approx(expected, abs=1e-6)


@pytest.mark.real
def test_the_real_solvers_relaxed_rates_are_at_least_the_strict_ones_and_keep_every_row():
    from wdw_build.adapters.pulp_solver import PulpSolver
    from wdw_build.ports import LinearProgram

    counts = {
        Cell(f"{pattern:04b}", choices): (pattern * 7 + choices * 5) % 23 + 1
        for pattern in range(16)
        for choices in (2, 3, 4, 5)
    }
    least, kept = {}, []
    for bound in ("chance", 0.5):
        made = linear_program(counts, bound, least)
        values = PulpSolver().solve(LinearProgram(*made))
        for row, most in made.rows.values():
            assert sum(weight * values[name] for name, weight in row.items()) <= most + 1e-6
        for name, (low, high) in made.bounds.items():
            assert low - 1e-6 <= values[name] <= high + 1e-6
        least = {cell: values[cell.name] for cell in counts}
        kept.append(sum(number * values[cell.name] for cell, number in counts.items()))
    assert 0 < kept[0] < kept[1] <= sum(counts.values())

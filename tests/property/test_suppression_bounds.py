"""The paper's case: pooled bounds, and one alternative for each article. No bound is exceeded by more than half a problem."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from support.fakes import ScipySolver
from support.offers import given_offers, terms
from wdw_build.selection.program import choose, excesses

WIDTH = 3
SOLVER = ScipySolver()
CELLS = st.tuples(st.lists(st.sampled_from([0, 1]), min_size=WIDTH, max_size=WIDTH), st.integers(2, 5))
CELL_LISTS = st.lists(CELLS, max_size=40)
NUMBERS = st.one_of(st.sampled_from([0.0, 0.25, 0.3, 0.4, 0.5, 1.0]), st.integers(0, 1000).map(lambda n: n / 1000))
BOUNDS = st.one_of(st.just("chance"), NUMBERS)
MANY = settings(max_examples=25)


def offers(cells):
    return given_offers(*((number, choices, solved, [0]) for number, (solved, choices) in enumerate(cells)))


def asked(bound):
    return terms(bound=bound, by_choices=False)


def excess(cells, kept, bound):
    """How far each system is over its bound on these problems, exactly."""
    chosen = [cells[number] for number in kept]
    allowed = [Fraction(1, choices) if bound == "chance" else Fraction(str(bound)) for _, choices in chosen]
    return [sum(solved[at] - most for (solved, _), most in zip(chosen, allowed, strict=True)) for at in range(WIDTH)]


def within(cells, kept, bound):
    return all(over <= Fraction(1, 2) for over in excess(cells, kept, bound))


def kept_of(chosen):
    return np.flatnonzero(chosen >= 0).tolist()


@MANY
@given(CELL_LISTS.filter(bool), BOUNDS)
def test_no_bound_is_broken_by_more_than_half_a_problem(cells, bound):
    kept = kept_of(choose(offers(cells), asked(bound), SOLVER))
    assert within(cells, kept, bound)
    # Not one more problem fits.
    assert not any(within(cells, [*kept, other], bound) for other in set(range(len(cells))) - set(kept))


def most_kept(cells, bound):
    """The largest number of problems within the bound: counts of each cell, by SciPy's integer program."""
    counts = Counter((tuple(solved), choices) for solved, choices in cells)
    allowed = [1 / choices if bound == "chance" else bound for _, choices in counts]
    excess = [[solved[at] - most for (solved, _), most in zip(counts, allowed, strict=True)] for at in range(WIDTH)]
    bounds, rows = Bounds(0, np.array(list(counts.values()))), LinearConstraint(excess, -np.inf, 0.5 + 1e-9)
    return -milp(-np.ones(len(counts)), integrality=1, bounds=bounds, constraints=rows).fun


@MANY
@given(CELL_LISTS.filter(bool), BOUNDS)
def test_as_many_problems_are_kept_as_a_program_of_whole_numbers_for_each_cell_keeps(cells, bound):
    kept = kept_of(choose(offers(cells), asked(bound), SOLVER))
    assert len(kept) == round(most_kept(cells, bound))


@MANY
@given(CELL_LISTS.filter(bool), BOUNDS)
def test_what_is_said_of_a_row_is_its_exact_excess(cells, bound):
    everything = np.arange(len(cells))
    found = excesses(offers(cells), asked(bound), everything)
    expected = excess(cells, everything.tolist(), bound)
    assert [value for value, _ in found.values()] == [float(over) for over in expected]

"""Whatever the problems, the rates and the bounds: what is kept breaks no bound by more than half a problem."""

from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from support.fakes import FractionSolver
from wdw_build.core.config.settings import SuppressConfig
from wdw_build.errors import ConfigError
from wdw_build.stages.suppress import by_rates
from wdw_build.stages.suppress.keep_rates import UNBOUNDED, Cell, Entry, allowance, count, linear_program, select

WIDTH = 3
CELLS = st.builds(Cell, st.text("01-", min_size=WIDTH, max_size=WIDTH), st.integers(2, 5))
ENTRIES = st.lists(st.tuples(CELLS, st.floats(0, 1, exclude_max=True)), max_size=40).map(
    lambda drawn: [Entry(f"p{number:02}", cell, draw) for number, (cell, draw) in enumerate(drawn)]
)
BOUNDS = st.one_of(st.just("chance"), st.sampled_from([0.0, 0.25, 0.3, 0.4, 0.5, 1.0]), st.floats(0, 1))
RATES = st.one_of(st.just(0.0), st.just(1.0), st.floats(0, 1))


@st.composite
def problems(draw):
    """Problems, and rates for their cells at two levels, the relaxed ones no lower."""
    entries = draw(ENTRIES)
    cells = sorted(count(entries))
    strict = {cell: draw(RATES) for cell in cells}
    return entries, strict, {cell: max(strict[cell], draw(RATES)) for cell in cells}


def excess(entries, kept, bound):
    """How far each baseline is over its bound, exactly."""
    cells = [entry.cell for entry in entries if entry.id in kept]
    allowed = {cell: Fraction(1, cell.choices) if bound == "chance" else Fraction(str(bound)) for cell in cells}
    return [
        sum(int(cell.pattern[number]) - allowed[cell] for cell in cells if cell.pattern[number] != UNBOUNDED)
        for number in range(WIDTH)
    ]


def within(entries, kept, bound):
    return all(over <= Fraction(1, 2) for over in excess(entries, kept, bound))


@settings(deadline=None)
@given(problems(), BOUNDS)
def test_no_bound_is_broken_by_more_than_half_a_problem(drawn, bound):
    entries, rates, _ = drawn
    kept = select(entries, rates, bound, frozenset())
    assert kept <= {entry.id for entry in entries}
    assert within(entries, kept, bound)


@settings(deadline=None)
@given(problems(), st.sampled_from([("chance", "chance"), ("chance", 0.5), (0.3, 0.4), (0.4, 1.0), (0.0, 0.0)]))
def test_strict_stays_within_relaxed_and_relaxed_keeps_its_bound(drawn, bounds):
    entries, strict_rates, relaxed_rates = drawn
    strict = select(entries, strict_rates, bounds[0], frozenset())
    relaxed = select(entries, relaxed_rates, bounds[1], strict)
    assert strict <= relaxed
    assert within(entries, relaxed, bounds[1])


@settings(deadline=None)
@given(ENTRIES, BOUNDS, BOUNDS)
def test_the_programs_of_both_levels_keep_every_pair_of_bounds_or_the_pair_is_refused(
    entries, strict_bound, relaxed_bound
):
    try:
        config = SuppressConfig(strict=strict_bound, relaxed=relaxed_bound, bounds="pooled")
        strict, relaxed = by_rates(config, entries, FractionSolver())
    except ConfigError:
        return
    assert within(entries, strict.kept, strict_bound)
    assert set(strict.kept) <= set(relaxed.kept)
    assert within(entries, relaxed.kept, relaxed_bound)


@settings(deadline=None)
@given(problems(), BOUNDS, st.randoms())
def test_the_outcome_is_the_same_again_and_in_any_order(drawn, bound, random):
    entries, rates, _ = drawn
    kept = select(entries, rates, bound, frozenset())
    assert select(list(entries), dict(rates), bound, frozenset()) == kept
    assert select(random.sample(entries, len(entries)), rates, bound, frozenset()) == kept


def test_exactly_half_a_problem_over_fits_in_any_order():
    """With floats, halves, thirds and tenths sum to just over or under a half as the order has it: one in 25 fell."""
    random = Random(1)
    for bound in ("chance", 0.4, 0.3) * 50:
        cells = [Cell(random.choice(["10", "01", "11", "00"]), random.randint(2, 5)) for _ in range(20)]
        entries = [Entry(f"p{number:02}", cell, random.random()) for number, cell in enumerate(cells)]
        rates = {cell: random.choice([0.3, 0.7, 1.0]) for cell in sorted(set(cells))}
        kept = select(entries, rates, bound, frozenset())
        assert all(select(random.sample(entries, 20), rates, bound, frozenset()) == kept for _ in range(3))


@settings(deadline=None)
@given(problems(), BOUNDS)
def test_a_cell_of_rate_zero_gives_nothing_and_with_room_for_all_everything_is_kept(drawn, bound):
    entries, rates, _ = drawn
    cells = {entry.id: entry.cell for entry in entries}
    assert all(rates[cells[kept]] > 0 for kept in select(entries, rates, bound, frozenset()))
    assert select(entries, dict.fromkeys(rates, 1.0), 1.0, frozenset()) == set(cells)


@settings(deadline=None)
@given(problems(), BOUNDS)
def test_nothing_is_dropped_where_the_draws_break_no_bound(drawn, bound):
    entries, rates, _ = drawn
    drawn_ids = {entry.id for entry in entries if entry.draw < rates[entry.cell]}
    kept = select(entries, rates, bound, frozenset())
    assert not all(over <= Fraction(1, 2) for over in excess(entries, drawn_ids, bound)) or drawn_ids <= kept


@settings(deadline=None)
@given(ENTRIES, BOUNDS)
def test_a_row_at_rate_one_is_the_excess_of_keeping_everything(entries, bound):
    rows = linear_program(count(entries), bound, {}).rows
    expected = excess(entries, {entry.id for entry in entries}, bound)
    for number, (row, most) in enumerate(rows.values()):
        assert abs(sum(row.values()) - most - float(expected[number])) < 1e-9
    assert len(rows) == (WIDTH if entries else 0)


@settings(deadline=None)
@given(BOUNDS, st.integers(2, 5))
def test_an_allowance_is_a_share_of_one_problem(bound, choices):
    assert 0.0 <= allowance(bound, choices) <= 1.0

"""The two solvers: held to all choices of tiny sets, to each other, and to what must not change a choice."""

import itertools
from collections import Counter

import numpy as np
import pytest

from support import fakes
from support.offers import LIMITS, NO_LIMITS, in_order, random_offers, terms
from wdw_build.selection import approximate as prices_solver
from wdw_build.selection import program
from wdw_build.selection.offers import Limits, Offers
from wdw_build.selection.program import choose, excesses

SOLVER = fakes.FractionSolver()
ALL, NOTHING = 10**9, 0
NUMBERS = Limits(1, 1, 2.0, 0)


def worth(offers, asked, chosen):
    kept = chosen[chosen >= 0]
    return len(kept) + asked.event_weight * offers.event[kept].sum()


def within_caps(offers, limits, chosen):
    kept = chosen[chosen >= 0]
    passages = Counter(offers.passage[kept].tolist())
    answers = Counter(offers.person[kept].tolist())
    events = Counter(
        (article, person)
        for asked, read, person in zip(offers.question[kept], offers.passage[kept], offers.person[kept], strict=True)
        for article in {int(asked), int(read)}
    )
    most = limits.most(len(kept))
    return all(
        not limit or max(groups.values(), default=0) <= limit
        for limit, groups in ((limits.passage, passages), (limits.event, events), (most * bool(limits.answer), answers))
    )


def meets(offers, asked, chosen):
    rows = excesses(offers, asked, chosen).values()
    return all(excess <= slack + 1e-6 for excess, slack in rows) and within_caps(offers, asked.limits, chosen)


def best(offers, asked):
    """The greatest worth of all choices that meet rows and caps."""
    options = [[-1, *np.flatnonzero(offers.article == article)] for article in range(len(offers.draw))]
    choices = (np.array(choice) for choice in itertools.product(*options))
    return max(worth(offers, asked, chosen) for chosen in choices if meets(offers, asked, chosen))


@pytest.mark.parametrize("limits", [NO_LIMITS, NUMBERS])
@pytest.mark.parametrize(
    "changes", [{}, {"by_choices": False, "uniform_ranks": False}, {"bound": 0.4, "uniform_ranks": False}]
)
@pytest.mark.parametrize("seed", range(4))
def test_no_choice_of_a_tiny_set_is_better_than_the_integer_program_s(seed, changes, limits):
    offers = random_offers(6, seed, most=4, passages=4, people=3)
    asked = terms(limits=limits, event_weight=1.0, **changes)
    chosen = choose(offers, asked, SOLVER, exact_up_to=ALL)
    assert meets(offers, asked, chosen)
    # Worths within the gap of the program, and within the terms that decide between equals, count as equal.
    assert worth(offers, asked, chosen) >= best(offers, asked) * 0.995 - 0.01


# With and without limits, and three weights.
@pytest.mark.parametrize("seed", range(6))
def test_prices_keep_nearly_what_the_integer_program_keeps(seed):
    limits = LIMITS if seed % 2 else NO_LIMITS
    offers, asked = random_offers(120, seed, most=8), terms(limits=limits, event_weight=float(seed % 3))
    ours, other = (choose(offers, asked, _highs(), exact_up_to=size) for size in (NOTHING, ALL))
    assert meets(offers, asked, ours)
    assert meets(offers, asked, other)
    assert worth(offers, asked, ours) >= 0.97 * worth(offers, asked, other)


def _highs():
    from wdw_build.adapters.pulp_solver import PulpSolver

    return PulpSolver()


def test_rounds_of_fewer_articles_keep_nearly_what_one_search_keeps(monkeypatch):
    offers, asked = random_offers(1500, 1, most=6), terms(limits=Limits(2, 1, 10.0, 0))
    whole = choose(offers, asked, SOLVER, exact_up_to=NOTHING)
    monkeypatch.setattr(prices_solver, "SAMPLE", 500)
    monkeypatch.setattr(program, "SAMPLE", 500)
    monkeypatch.setattr(prices_solver, "_SEARCHED", 200)
    chosen = choose(offers, asked, SOLVER, exact_up_to=NOTHING)
    assert meets(offers, asked, chosen)
    assert (chosen >= 0).sum() >= 0.95 * (whole >= 0).sum()


def test_a_share_of_answers_in_a_large_set_is_met(monkeypatch):
    monkeypatch.setattr(prices_solver, "SAMPLE", 500)
    monkeypatch.setattr(program, "SAMPLE", 500)
    offers, asked = random_offers(1000, 2, most=4), terms(limits=LIMITS)
    assert meets(offers, asked, choose(offers, asked, SOLVER, exact_up_to=NOTHING))


@pytest.mark.parametrize("size", [NOTHING, ALL])
def test_a_choice_does_not_depend_on_the_order_of_the_articles(size):
    offers, asked = random_offers(60, 3, most=6), terms(limits=LIMITS, event_weight=1.0)
    order = np.random.default_rng(0).permutation(60)
    at, other = in_order(offers, order)
    chosen = choose(offers, asked, _highs(), exact_up_to=size)
    moved = choose(other, asked, _highs(), exact_up_to=size)
    assert chosen[order].tolist() == [at[index] if index >= 0 else -1 for index in moved]
    assert choose(offers, asked, _highs(), exact_up_to=size).tobytes() == chosen.tobytes()


@pytest.mark.parametrize("size", [NOTHING, ALL])
def test_the_relaxed_level_contains_the_strict_one(size):
    offers, strict = random_offers(80, 5, most=6), terms(limits=LIMITS)
    kept = choose(offers, strict, SOLVER, exact_up_to=size)
    relaxed = terms(bound=0.5, uniform_ranks=False, limits=LIMITS)
    chosen = choose(offers, relaxed, SOLVER, kept, exact_up_to=size)
    assert (chosen[kept >= 0] == kept[kept >= 0]).all()
    assert (chosen >= 0).sum() > (kept >= 0).sum()
    assert meets(offers, relaxed, chosen)


@pytest.mark.parametrize("size", [NOTHING, ALL])
def test_a_row_that_the_kept_alternatives_break_is_loosened_to_what_they_have(size):
    offers = random_offers(80, 7, most=5)
    _, first = np.unique(offers.article, return_index=True)
    kept = np.full(80, -1)
    right = [index for index in first if offers.solved[index, 0] == 1][:10]
    kept[offers.article[right]] = right
    asked = terms(uniform_ranks=False)
    alone, chosen = excesses(offers, asked, kept), choose(offers, asked, SOLVER, kept, exact_up_to=size)
    assert max(excess - slack for excess, slack in alone.values()) > 1
    for name, (excess, slack) in excesses(offers, asked, chosen).items():
        assert excess <= max(slack, alone[name][0]) + 1e-6
    assert (chosen[kept >= 0] == kept[kept >= 0]).all()


def test_the_better_of_two_equal_alternatives_and_of_two_equal_articles_is_chosen():
    """Two alternatives are equal in all rows; of two articles, one fits under the cap."""
    offers = Offers(
        article=np.array([0, 0, 1]),
        choices=np.array([2, 2, 2]),
        solved=np.array([[-1], [-1], [-1]], dtype=np.int8),
        ranks=np.zeros((3, 0), dtype=np.int8),
        event=np.zeros(3),
        draw=np.array([0.9, 0.1]),
        passage=np.array([5, 5, 5]),
        question=np.array([0, 0, 1]),
        person=np.array([0, 0, 0]),
    )
    asked = terms(uniform_ranks=False)
    assert choose(offers, asked, SOLVER, exact_up_to=ALL).tolist() == [0, 2]
    capped = terms(uniform_ranks=False, limits=Limits(1, 0, 0.0, 0))
    assert choose(offers, capped, SOLVER, exact_up_to=ALL).tolist() == [-1, 2]


@pytest.mark.parametrize("size", [NOTHING, ALL])
def test_articles_without_alternatives_have_none(size):
    offers = random_offers(0, 0)
    assert choose(offers, terms(), SOLVER, exact_up_to=size).tolist() == []
    nothing = random_offers(4, 0, most=0)
    assert choose(nothing, terms(limits=LIMITS), SOLVER, exact_up_to=size).tolist() == [-1] * 4
    assert set(excesses(nothing, terms(), np.full(4, -1))) == set()

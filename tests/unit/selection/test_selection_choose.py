"""The choice of alternatives: held to all choices of tiny sets, to sets worked out by hand, and to what must not change it."""

import datetime as dt
import itertools
from collections import Counter

import msgspec
import numpy as np
import pytest

from support import fakes
from support.offers import LIMITS, NO_LIMITS, given_offers, in_order, meets, random_offers, sharing, terms
from wdw_build.selection.levels import choose_strict
from wdw_build.selection.offers import Limits
from wdw_build.selection.program import choose, excesses, relaxed_number
from wdw_build.selection.settings import SplitConfig, SuppressConfig

SOLVER = fakes.ScipySolver()
NUMBERS = Limits(1, 1, 2.0, 0)
POOLED = {"by_choices": False}
# The search ends at this gap.
GAP = 0.005


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.real)])
def solver(request):
    if request.param == "fake":
        return SOLVER
    from wdw_build.adapters.pulp_solver import PulpSolver

    return PulpSolver()


def unbounded(*articles, **columns):
    """Alternatives of these articles, with two choices and without systems and places, so that nothing bounds them."""
    return given_offers(*((article, 2, [], []) for article in articles), **columns)


def worth(offers, asked, chosen):
    kept = chosen[chosen >= 0]
    return len(kept) + asked.event_weight * offers.event[kept].round(1).sum()


def best(offers, asked):
    """The greatest worth of all choices that meet rows and caps."""
    options = [[-1, *np.flatnonzero(offers.article == article)] for article in range(len(offers.draw))]
    choices = np.array(list(itertools.product(*options)))
    # The last worth is that of no alternative, -1.
    worths = np.append(1 + asked.event_weight * offers.event.round(1), 0)[choices].sum(axis=1)
    greatest_first = choices[np.argsort(-worths, kind="stable")]
    return next(worth(offers, asked, chosen) for chosen in greatest_first if meets(offers, asked, chosen))


# ---- as many as possible ---------------------------------------------------------------------------------------------


LIMITED = [(NO_LIMITS, None), (NUMBERS, None), (NO_LIMITS, 0), (NO_LIMITS, 6), (NUMBERS, 6)]


@pytest.mark.parametrize(("limits", "apart_from"), LIMITED)
@pytest.mark.parametrize("changes", [{}, POOLED, {"bound": 0.4}])
@pytest.mark.parametrize("seed", range(2))
def test_no_choice_of_a_tiny_set_is_better(seed, changes, limits, apart_from):
    offers = random_offers(6, seed, most=4, passages=6, people=3)
    asked = terms(limits=limits, event_weight=1.0, apart_from=apart_from, **changes)
    chosen = choose(offers, asked, SOLVER)
    assert meets(offers, asked, chosen)
    # Worths within the terms that decide between equals count as equal.
    assert worth(offers, asked, chosen) >= best(offers, asked) * (1 - GAP) - 0.01


@pytest.mark.parametrize("seed", range(2))
def test_a_choice_keeps_nearly_the_relaxation_s_number(seed, solver):
    limits = LIMITS if seed % 2 else NO_LIMITS
    offers, asked = random_offers(200, seed, most=6), terms(limits=limits, apart_from=6)
    chosen = choose(offers, asked, solver)
    assert meets(offers, asked, chosen)
    most = relaxed_number(offers, asked, solver)
    assert 0.97 * most <= (chosen >= 0).sum() <= most + 1


@pytest.mark.real
def test_parts_of_fewer_articles_keep_nearly_what_one_program_keeps():
    from wdw_build.adapters.pulp_solver import PulpSolver

    offers, asked = random_offers(1200, 1, most=6), terms(limits=Limits(2, 0, 0.0, 0))
    whole, chosen = choose(offers, asked, PulpSolver()), choose(offers, asked, PulpSolver(), part=400)
    assert meets(offers, asked, whole)
    assert meets(offers, asked, chosen)
    assert (chosen >= 0).sum() >= 0.95 * (whole >= 0).sum()


# ---- by hand ---------------------------------------------------------------------------------------------------------


def alike(*cells):
    """Offers of (number of articles, choices, solved): each has one alternative, with the answer in the last place."""
    kinds = [(choices, solved) for number, choices, solved in cells for _ in range(number)]
    return given_offers(*((at, choices, solved, []) for at, (choices, solved) in enumerate(kinds)))


def kept_of(offers, chosen):
    """Number kept of each number of choices, by whether the first system solves them."""
    kept = chosen[chosen >= 0]
    return Counter(zip(offers.choices[kept].tolist(), offers.solved[kept, 0].tolist(), strict=True))


def test_the_paper_s_program_by_hand(solver):
    """Pooled at chance: n of 12 solved with two choices, 4 unsolved with four: n <= n/2 + 4/4 + 1/2, so n = 3.

    The paper's linear program has no slack and keeps a sixth of the twelve, two.
    """
    offers = alike((12, 2, [1]), (4, 4, [0]))
    assert kept_of(offers, choose(offers, terms(**POOLED), solver)) == {(2, 1): 3, (4, 0): 4}


def test_by_choices_a_system_solves_neither_too_many_nor_too_few(solver):
    """Two choices: one solved, four not: |1 - n/2| <= 1/2 with n - 1 unsolved gives two of these."""
    offers = alike((1, 2, [1]), (4, 2, [0]))
    assert kept_of(offers, choose(offers, terms(), solver)) == {(2, 1): 1, (2, 0): 2}


def test_of_two_equal_alternatives_the_first_is_chosen_and_of_two_equal_articles_the_earlier_draw(solver):
    offers = unbounded(0, 0, 1, draw=[0.9, 0.1], passage=[5, 5, 5], person=[0, 0, 0])
    assert choose(offers, terms(), solver).tolist() == [0, 2]
    assert choose(offers, terms(limits=Limits(1, 0, 0.0, 0)), solver).tolist() == [-1, 2]


def test_an_event_score_counts_in_steps_of_a_tenth(solver):
    """A thousandth between two alternatives does not change the choice, a fifth does."""
    for second, expected in ((0.701, 0), (0.9, 1)):
        assert choose(unbounded(0, 0, event=[0.7, second]), terms(event_weight=1.0), solver).tolist() == [expected]


# ---- articles that two problems share --------------------------------------------------------------------------------

# The passage of problem n + 1 is the article of question n, one problem a day.
CHAIN = {"passage": [99, 0, 1, 2, 3], "day": [1, 2, 3, 4, 5], "draw": [0.1, 0.9, 0.2, 0.8, 0.3]}


APART = [
    (None, [0, 1, 2, 3, 4]),
    (0, [0, 2, 4]),
    # 2 and 3, and 3 and 4 exclude each other; 4 has an earlier draw than 3.
    (4, [0, 1, 2, 4]),
    (5, [0, 1, 2, 4]),
    (6, [0, 1, 2, 3, 4]),
]


@pytest.mark.parametrize(("apart_from", "expected"), APART)
def test_pairs_are_apart_if_the_later_question_is_of_the_day_or_later(apart_from, expected):
    chosen = choose(unbounded(*range(5), **CHAIN), terms(apart_from=apart_from), SOLVER)
    assert np.flatnonzero(chosen >= 0).tolist() == expected


def test_another_passage_avoids_a_shared_article():
    assert choose(unbounded(0, 1, 1, passage=[99, 0, 98]), terms(apart_from=0), SOLVER).tolist() == [0, 2]


# ---- the strict level and the split ----------------------------------------------------------------------------------


# No bounds and no caps.
NO_CAPS = {"max_per_passage": 0, "max_per_event": 0, "max_per_answer": 0.0}
WITHIN_SPLIT = SuppressConfig(strict=1.0, relaxed=1.0, shared_articles="within-split", **NO_CAPS)


def pairs_by_day(days):
    """For each day, two articles of which the second reads the first."""
    articles = range(2 * days)
    passage = [1000 if number % 2 == 0 else number - 1 for number in articles]
    return unbounded(*articles, passage=passage, day=[1 + number // 2 for number in articles])


def held_out(offers, chosen, number):
    """The first day of the latest ``number`` strict problems."""
    return sorted(offers.day[chosen >= 0].tolist())[-number]


def test_within_splits_held_out_problems_share_no_article_and_training_problems_may():
    """20 problems, of which 4 are held out; the first guess leaves room for 5, of the last three days.

    These days keep one problem each, so 3 of the 17 that are left, and the 3 held out are those of these days.
    """
    offers, split = pairs_by_day(10), SplitConfig(held_out=4, max_share=0.2)
    chosen, asked = choose_strict(offers, WITHIN_SPLIT, split, SOLVER)
    assert asked.apart_from == 8
    assert np.bincount(offers.day[chosen >= 0])[1:].tolist() == [2] * 7 + [1] * 3
    assert held_out(offers, chosen, 3) == 8
    assert not sharing(offers, chosen, 8)


def test_the_boundary_moves_to_earlier_days_until_no_held_out_problem_shares():
    """Few strict problems of the latest days are left, so the held-out problems are of earlier days than was guessed.

    Of the ten latest days, all problems have one passage, of which a cap leaves one problem.
    """
    offers = pairs_by_day(20)
    late = offers.day[offers.article] > 10
    offers.passage[late] = 2000
    offers.passage[~late & (offers.passage == 1000)] = np.arange(3000, 3010)
    config = msgspec.structs.replace(WITHIN_SPLIT, max_per_passage=1)
    chosen, asked = choose_strict(offers, config, SplitConfig(held_out=6, max_share=0.5), SOLVER)
    first = held_out(offers, chosen, 6)
    assert first <= 10 < 17
    assert asked.apart_from <= first
    assert not sharing(offers, chosen, first)


def test_with_periods_the_held_out_days_are_given():
    offers = pairs_by_day(10)
    split = SplitConfig(validation_from=dt.date(1, 1, 5), test_from=dt.date(1, 1, 8))
    chosen, asked = choose_strict(offers, WITHIN_SPLIT, split, SOLVER)
    assert asked.apart_from == 5
    assert np.bincount(offers.day[chosen >= 0])[1:].tolist() == [2] * 4 + [1] * 6


def test_without_strict_problems_the_boundary_is_found_all_the_same():
    solved = given_offers(*((number, 2, [1], [0]) for number in range(6)), day=[1, 2, 3, 4, 5, 6])
    config = SuppressConfig(strict=0.0, relaxed=1.0, bounds="pooled")
    assert (choose_strict(solved, config, SplitConfig(), SOLVER)[0] == -1).all()


# ---- a restricted program that fails ---------------------------------------------------------------------------------


class Failing(fakes.ScipySolver):
    """Answers the first integer program with what ``answer`` makes of it."""

    def __init__(self, answer):
        super().__init__()
        self._answer = answer

    def solve_integer(self, program, fixed):
        found = super().solve_integer(program, fixed)
        return self._answer(found) if len(self.asked) == 1 else found


@pytest.mark.parametrize("answer", [lambda found: None, np.zeros_like], ids=["none", "nothing"])
def test_a_program_whose_first_answer_fails_is_solved_again_with_all_alternatives_open(answer):
    offers, asked = random_offers(150, 4, most=8), terms()
    solver, usual = Failing(answer), fakes.ScipySolver()
    expected, chosen = choose(offers, asked, usual), choose(offers, asked, solver)
    assert len(usual.asked) == 1
    assert usual.asked[0] < len(offers.article)
    assert solver.asked == [*usual.asked, len(offers.article)]
    assert meets(offers, asked, chosen)
    assert (chosen >= 0).sum() >= (expected >= 0).sum() - 1


def test_without_any_answer_nothing_is_chosen():
    class Never(fakes.ScipySolver):
        def solve_integer(self, program, fixed):
            return None

    assert (choose(random_offers(20, 1), terms(), Never()) == -1).all()


# ---- what must not change a choice -----------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [20, 2000])
def test_a_choice_does_not_depend_on_the_order_of_the_articles(part, solver):
    offers, asked = random_offers(60, 3, most=6), terms(limits=LIMITS, event_weight=1.0, apart_from=5)
    order = np.random.default_rng(0).permutation(60)
    at, other = in_order(offers, order)
    chosen, moved = (choose(given, asked, solver, part=part) for given in (offers, other))
    assert chosen[order].tolist() == [at[index] if index >= 0 else -1 for index in moved]
    assert choose(offers, asked, solver, part=part).tobytes() == chosen.tobytes()


# ---- the relaxed level -----------------------------------------------------------------------------------------------


# ---- empty sets ------------------------------------------------------------------------------------------------------


def test_articles_without_alternatives_have_none(solver):
    assert choose(random_offers(0, 0), terms(), solver).tolist() == []
    nothing = random_offers(4, 0, most=0)
    assert choose(nothing, terms(limits=LIMITS), solver).tolist() == [-1] * 4
    assert set(excesses(nothing, terms(), np.full(4, -1))) == set()
    assert relaxed_number(nothing, terms(), solver) == 0


def test_kept_alternatives_that_fill_every_cap_leave_nothing_to_choose(solver):
    offers, kept = unbounded(0, 1, 2, passage=[7, 7, 7]), np.array([0, -1, -1])
    assert choose(offers, terms(limits=Limits(1, 0, 0.0, 0)), solver, kept).tolist() == [0, -1, -1]

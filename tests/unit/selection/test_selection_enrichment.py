"""Traits: their values, their shares before suppression and among the strict problems, and the bound on the shares."""

from dataclasses import replace
from fractions import Fraction

import msgspec
import numpy as np
import pytest

from support import fakes, make
from support.offers import given_offers, random_offers, terms
from wdw_build.core.dataset_size import wilson
from wdw_build.records import Mark
from wdw_build.selection.constraints import build_rows
from wdw_build.selection.enrichment import bounded_traits, most_allowed, trait_shares
from wdw_build.selection.offers import Offered
from wdw_build.selection.program import choose, excesses
from wdw_build.selection.properties import doubling, trait_reader

SOLVER = fakes.ScipySolver()


def offers_with(values, solved):
    """Articles with one alternative of two choices each; ``values``: the value of their only trait."""
    lines = [(number, 2, [right], [number % 2, number % 2]) for number, right in enumerate(solved)]
    return given_offers(*lines, traits=[[value] for value in values])


# 40 captions that the system gets wrong, and 60 stories that it solves.
ODD = offers_with([0] * 40 + [1] * 60, [0] * 40 + [1] * 60)


def chosen_values(offers, chosen):
    return offers.traits[chosen[chosen >= 0], 0]


# ---- traits ----------------------------------------------------------------------------------------------------------


BANDS = [(0, "0"), (1, "1"), (2, "2 to 3"), (3, "2 to 3"), (4, "4 to 7"), (511, "256 to 511")]


@pytest.mark.parametrize(("number", "band"), BANDS)
def test_each_band_is_twice_as_wide_as_the_band_before(number, band):
    assert doubling(number) == band


def test_a_problem_has_the_traits_of_both_articles_and_of_the_pair():
    record = make.alternatives(make.met("q", ["Ann Lee", "Bo Lee"], article_id="p", passage_date=make.day(3)))
    mark = Mark(kind="page", text="Share this", paragraph=0, start=0, end=10, by="source")
    cleaned = msgspec.structs.replace(make.article("p", "It rained.", source="EB"), marks=(mark,))
    articles = {"q": make.article("q", "It rained.", source=""), "p": cleaned}
    assert trait_reader(articles.__getitem__)(record, 0) == {
        "choices": "2",
        "mentions of the answer": "1",
        "passage tokens": "4 to 7",
        "question tokens": "8 to 15",
        "days between question and passage": "2 to 3",
        "event score": "",
        "evidence score": "",
        "source of the question": "",
        "kind of the question": "story",
        "page text removed of the question": "no",
        "source of the passage": "EB",
        "kind of the passage": "story",
        "page text removed of the passage": "yes",
    }


# ---- shares ----------------------------------------------------------------------------------------------------------


def shares(offers, chosen):
    count = len(offers.article)
    found = Offered(list(map(str, range(count))), [(at, 0) for at in range(count)], (), offers, {"kind": ("a", "b")})
    return trait_shares(found, np.array(chosen))


def test_the_shares_of_a_trait_are_compared_by_their_ratio():
    """40% of 100 problems are of the first value, and 30 of the 50 that are kept: 1.5 times as many."""
    chosen = np.where(np.arange(100) % 100 < 30, np.arange(100), -1)
    chosen[50:70] = np.arange(50, 70)
    first, second = shares(ODD, chosen)
    assert (first.trait, first.value, first.problems, first.strict, first.ratio) == ("kind", "a", 40, 30, 1.5)
    assert (second.value, second.problems, second.strict, second.ratio) == ("b", 60, 20, 0.667)
    # Half of the problems are kept: 99 problems tell as much as 50 of an endless number. Two values are compared.
    low, high = wilson(0.6 * 99, 99, 0.975)
    assert (first.low, first.high) == (round(low / 0.4, 3), round(high / 0.4, 3))
    assert first.differs
    assert second.differs


def test_a_difference_that_chance_explains_is_none():
    chosen = np.full(100, -1)
    chosen[[0, 1, 2, 50, 51, 52]] = [0, 1, 2, 50, 51, 52]
    assert not any(share.differs for share in shares(ODD, chosen))


def test_a_trait_of_few_problems_is_not_compared_and_one_without_problems_has_no_ratio():
    few = offers_with([0] * 19 + [1] * 81, [0] * 100)
    chosen = np.where(np.arange(100) < 19, np.arange(100), -1)
    assert [share.differs for share in shares(few, chosen)] == [False, True]
    (_, second) = shares(offers_with([0] * 100, [0] * 100), chosen)
    assert (second.problems, second.ratio, second.low, second.high) == (0, None, None, None)
    assert {share.ratio for share in shares(few, np.full(100, -1))} == {None}


def test_if_all_problems_are_kept_the_ratio_is_1():
    assert {(share.ratio, share.low, share.high) for share in shares(ODD, np.arange(100))} == {(1.0, 1.0, 1.0)}


# ---- the bound -------------------------------------------------------------------------------------------------------


def test_the_bound_is_the_factor_times_the_share_before_suppression():
    assert most_allowed(1.5, 40, 100) == Fraction(3, 5)
    assert most_allowed(1.5, 20, 100) == Fraction(3, 10)
    # Too few problems, and a share that no selection exceeds.
    assert most_allowed(1.5, 19, 100) == 1
    assert most_allowed(2.0, 60, 100) == 1
    assert list(bounded_traits(ODD, 1.5)) == [(0, 0, Fraction(3, 5)), (0, 1, Fraction(9, 10))]


def test_only_first_alternatives_count_before_suppression():
    lines = ((number // 2, 2, [0], [0, 0]) for number in range(80))
    offers = given_offers(*lines, traits=[[0], [1]] * 40)
    assert list(bounded_traits(offers, 1.0)) == []
    assert list(bounded_traits(replace(offers, traits=1 - offers.traits), 1.0)) == []
    halves = replace(offers, traits=offers.article[:, None] % 2)
    assert list(bounded_traits(halves, 1.2)) == [(0, 0, Fraction(3, 5)), (0, 1, Fraction(3, 5))]


def test_a_row_counts_what_exceeds_the_share_in_whole_units_from_above_only():
    rows = build_rows(ODD, terms(max_enrichment=1.5))
    number = rows.names.index("trait 0, value 0")
    assert (rows.unit[number], rows.low[number], rows.high[number], rows.slack[number]) == (5, -np.inf, 2, 0.5)
    assert rows.sums(np.array([0, 1, 50]))[number] == 2 + 2 - 3
    system = rows.names.index("system 0, 2 choices")
    assert rows.low[system] == -rows.high[system]


@pytest.mark.parametrize("by_choices", [True, False])
def test_a_selection_keeps_to_the_bound_and_without_it_does_not(by_choices):
    """The system is wrong in all captions, and the bound on accuracies is for them alone: at most a half are solved."""
    values = chosen_values(ODD, choose(ODD, terms(by_choices=by_choices), SOLVER))
    kept = chosen_values(ODD, choose(ODD, terms(by_choices=by_choices, max_enrichment=1.1), SOLVER))
    assert (values == 0).mean() > 0.45
    assert (kept == 0).sum() <= 0.44 * len(kept) + 0.5
    assert 0 < len(kept) < len(values)


@pytest.mark.parametrize("part", [60, 2000])
def test_the_bound_holds_in_parts_for_both_levels(part):
    offers = random_offers(300, 4, most=4)
    levels = terms(max_enrichment=1.02), terms(bound=0.5, max_enrichment=1.02)
    strict = choose(offers, levels[0], SOLVER, part=part)
    relaxed = choose(offers, levels[1], SOLVER, strict, part=part)
    assert (relaxed[strict >= 0] == strict[strict >= 0]).all()
    for chosen, level in zip((strict, relaxed), levels, strict=True):
        found = excesses(offers, level, chosen)
        assert {"trait 0, value 0", "trait 0, value 1"} <= set(found)
        assert all(excess <= slack + 1e-6 for excess, slack in found.values())


@pytest.mark.real
def test_the_bound_holds_with_the_real_solver():
    from wdw_build.adapters.pulp_solver import PulpSolver

    offers, asked = random_offers(400, 5, most=6), terms(max_enrichment=1.02, event_weight=1.0)
    chosen = choose(offers, asked, PulpSolver())
    assert all(excess <= slack + 1e-6 for excess, slack in excesses(offers, asked, chosen).values())
    assert (chosen == choose(offers, asked, PulpSolver())).all()

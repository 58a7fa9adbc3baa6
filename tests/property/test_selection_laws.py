"""No row and no cap is exceeded, whatever the offers, the terms and the solver."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support import fakes
from support.offers import meets, random_offers, terms
from wdw_build.selection.constraints import EVENT, SHARED, cap_reasons
from wdw_build.selection.offers import Limits
from wdw_build.selection.program import choose, excesses

SOLVER = fakes.ScipySolver()
WEIGHTS, PARTS = st.sampled_from([0.0, 2.0]), st.sampled_from([7, 2000])
SEEDS, APART, FACTORS = st.integers(0, 1000), st.sampled_from([None, 0, 5, 8, 11]), st.sampled_from([None, 1.0, 1.3])
BOUNDS = st.sampled_from([{}, {"by_choices": False}, {"bound": 0.3}, {"bound": 0.5, "by_choices": False}])
LIMITS = st.builds(Limits, st.integers(0, 3), st.integers(0, 2), st.sampled_from([0, 0.1, 0.3, 2.0]), st.integers(1, 4))


@settings(max_examples=20)
@given(st.integers(0, 60), SEEDS, BOUNDS, LIMITS, WEIGHTS, APART, PARTS, FACTORS)
@example(60, 1, {}, Limits(0, 1, 0.0, 1), 0.0, None, 2000, None)
def test_rows_and_caps_are_met(articles, seed, changes, limits, weight, apart_from, part, enrichment):
    offers = random_offers(articles, seed, most=5, passages=12, people=8)
    asked = terms(limits=limits, event_weight=weight, apart_from=apart_from, max_enrichment=enrichment, **changes)
    chosen = choose(offers, asked, SOLVER, part=part)
    assert (offers.article[chosen[chosen >= 0]] == np.flatnonzero(chosen >= 0)).all()
    assert meets(offers, asked, chosen)
    reasons = cap_reasons(offers, asked, chosen)
    assert not any(chosen[article] >= 0 for article in reasons)
    assert limits.event or EVENT not in reasons.values()
    assert apart_from is not None or SHARED not in reasons.values()


@settings(max_examples=10)
@given(st.integers(0, 25), SEEDS, BOUNDS, st.sampled_from([9, 2000]))
def test_what_the_relaxed_level_adds_breaks_no_row_further(articles, seed, changes, part):
    """The strict level has other bounds, so that it may break rows of the relaxed level."""
    offers = random_offers(articles, seed, most=4, passages=20, people=8)
    kept = choose(offers, terms(bound=0.6), SOLVER)
    relaxed = terms(apart_from=5, limits=Limits(2, 1, 3.0, 0), **changes)
    chosen = choose(offers, relaxed, SOLVER, kept, part=part)
    assert (chosen[kept >= 0] == kept[kept >= 0]).all()
    alone = excesses(offers, relaxed, kept)
    for name, (excess, slack) in excesses(offers, relaxed, chosen).items():
        assert excess <= max(slack, alone[name][0]) + 1e-6

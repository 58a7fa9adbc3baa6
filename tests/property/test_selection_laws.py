"""No row and no cap is exceeded, whatever the offers, the terms and the solver."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from support import fakes
from support.offers import random_offers, terms
from wdw_build.selection.constraints import EVENT, SHARED, cap_reasons
from wdw_build.selection.offers import Limits
from wdw_build.selection.program import choose, excesses

SOLVER = fakes.ScipySolver()
SEEDS, APART, FACTORS = st.integers(0, 1000), st.sampled_from([None, 0, 5, 8, 11]), st.sampled_from([None, 1.0, 1.3])
BOUNDS = st.sampled_from([{}, {"by_choices": False}, {"bound": 0.3}, {"bound": 0.5, "by_choices": False}])
LIMITS = st.builds(Limits, st.integers(0, 3), st.integers(0, 2), st.sampled_from([0, 0.1, 0.3, 2.0]), st.integers(1, 4))


@settings(max_examples=20)
@given(
    st.integers(0, 60), SEEDS, BOUNDS, LIMITS, st.sampled_from([0.0, 2.0]), APART, st.sampled_from([7, 2000]), FACTORS
)
def test_rows_and_caps_are_met(articles, seed, changes, limits, weight, apart_from, part, enrichment):
    offers = random_offers(articles, seed, most=5, passages=12, people=8)
    asked = terms(limits=limits, event_weight=weight, apart_from=apart_from, max_enrichment=enrichment, **changes)
    chosen = choose(offers, asked, SOLVER, part=part)
    kept = chosen[chosen >= 0]
    assert (offers.article[kept] == np.flatnonzero(chosen >= 0)).all()
    assert all(excess <= slack + 1e-6 for excess, slack in excesses(offers, asked, chosen).values())
    assert not limits.passage or np.bincount(offers.passage[kept]).max(initial=0) <= limits.passage
    assert np.bincount(offers.person[kept]).max(initial=0) <= limits.most(len(kept))
    events = [
        (article, person)
        for asked_of, read, person in zip(offers.question[kept], offers.passage[kept], offers.person[kept], strict=True)
        for article in {int(asked_of), int(read)}
    ]
    assert not limits.event or all(events.count(event) <= limits.event for event in events)
    days = dict(zip(offers.question[kept].tolist(), offers.day[offers.article[kept]].tolist(), strict=True))
    for question, read in zip(offers.question[kept].tolist(), offers.passage[kept].tolist(), strict=True):
        if apart_from is not None and read != question and read in days:
            assert max(days[question], days[read]) < apart_from
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

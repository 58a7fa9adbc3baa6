"""No row and no cap is exceeded, whatever the offers, the terms and the solver."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from support import fakes
from support.offers import random_offers, terms
from wdw_build.selection.offers import EVENT, Limits, cap_reasons
from wdw_build.selection.program import choose, excesses

BOUNDS = st.sampled_from(
    [
        {},
        {"uniform_ranks": False},
        {"by_choices": False, "uniform_ranks": False},
        {"bound": 0.3, "uniform_ranks": False},
        {"bound": 0.5, "by_choices": False, "uniform_ranks": False},
    ]
)
LIMITS = st.builds(
    Limits, st.integers(0, 3), st.integers(0, 2), st.sampled_from([0.0, 0.1, 0.3, 2.0]), st.integers(1, 4)
)


@settings(max_examples=40, deadline=None)
@given(
    articles=st.integers(0, 40),
    seed=st.integers(0, 1000),
    changes=BOUNDS,
    limits=LIMITS,
    weight=st.sampled_from([0.0, 2.0]),
    size=st.sampled_from([0, 10**9]),
)
def test_rows_and_caps_are_met(articles, seed, changes, limits, weight, size):
    offers = random_offers(articles, seed, most=5, passages=12, people=8)
    asked = terms(limits=limits, event_weight=weight, **changes)
    chosen = choose(offers, asked, fakes.FractionSolver(), exact_up_to=size)
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
    reasons = cap_reasons(offers, asked, chosen)
    assert not any(chosen[article] >= 0 for article in reasons)
    assert limits.event or EVENT not in reasons.values()

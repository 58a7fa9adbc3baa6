"""Folds: whole events, nearly equal sizes, whatever the order; common persons join no events."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.reading.fitting import event_folds, problem_events
from wdw_build.text.passages.connections import EventEvidence

EVENTS = st.dictionaries(st.text("ab", min_size=1, max_size=4), st.sampled_from("vwxyz"), max_size=30)


@given(EVENTS, st.integers(2, 5), st.integers(0, 3), st.randoms())
def test_an_event_is_in_one_fold_and_the_order_has_no_effect(events, count, seed, rng):
    folds = event_folds(events, count, seed)
    shuffled = list(events.items())
    rng.shuffle(shuffled)
    assert event_folds(dict(shuffled), count, seed) == folds
    assert len({(event, folds[problem]) for problem, event in events.items()}) == len(set(events.values()))


def test_single_problems_are_spread_evenly_and_another_seed_draws_anew():
    events = {f"p{number}": f"p{number}" for number in range(22)}
    sizes = Counter(event_folds(events, 5, 0).values())
    assert sorted(sizes.values()) == [4, 4, 4, 5, 5]
    assert event_folds(events, 5, 0) != event_folds(events, 5, 1)


def test_two_common_persons_do_not_make_one_event_and_two_rare_ones_do():
    def problem(number, *persons):
        return EventEvidence(f"p{number:02}", 0, (f"p{number:02}", f"a{number}"), tuple(sorted(persons)))

    problems = [problem(number, "king", "queen", f"x{number}") for number in range(40)]
    problems += [problem(50, "fox", "hill"), problem(51, "fox", "hill", "king")]
    random.Random(0).shuffle(problems)
    events = problem_events(problems)
    assert len(set(events.values())) == 41
    assert events["p50"] == events["p51"]

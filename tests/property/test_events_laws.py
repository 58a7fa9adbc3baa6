"""Laws of events: look-ups find what a comparison of all pairs finds; order changes nothing."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text.passages.connections import Connections, EventEvidence, events

PERSONS = st.sets(st.sampled_from("abcde"), max_size=3)
LOTS = st.lists(st.tuples(st.integers(0, 12), st.sampled_from("pqrstuvw"), PERSONS), max_size=9)
DAYS = st.integers(0, 3)


def made(drawn):
    return [
        EventEvidence(f"n{n}", day, (f"n{n}", read), tuple(sorted(who))) for n, (day, read, who) in enumerate(drawn)
    ]


def connected(one, other, days):
    shared = len(set(one.persons) & set(other.persons))
    return bool(set(one.articles) & set(other.articles)) or (shared >= 2 and abs(one.day - other.day) <= days)


@given(LOTS, DAYS)
def test_connections_equal_those_found_by_comparing_all_pairs(drawn, days):
    problems = made(drawn)
    connections = Connections(days)
    for one in problems:
        connections.add(one)
    for one in problems:
        expected = {other.id for other in problems if connected(one, other, days)}
        assert {other for other, _ in connections.find(one)} == expected


@given(LOTS, DAYS, st.randoms())
def test_events_are_the_components_of_the_connections_in_any_order(drawn, days, random):
    problems = made(drawn)
    groups = {one.id: {one.id} for one in problems}
    for one, other in combinations(problems, 2):
        if connected(one, other, days) and groups[one.id] is not groups[other.id]:
            groups[one.id] |= groups[other.id]
            for name in groups[one.id]:
                groups[name] = groups[one.id]
    random.shuffle(problems)
    assert events(problems, days) == {name: min(group) for name, group in groups.items()}

"""Caps on passages, events and answers: none is broken, nothing is dropped without need, and order changes nothing."""

from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.similarity.caps import ANSWER, EVENT, PASSAGE, Entries, Limits, drops

PEOPLE = [f"{given} {family}" for given in ("Ann", "Bob", "Eve") for family in ("Ames", "Beck", "Cole")]


def problem(at, passage, answer):
    choices = [SimpleNamespace(name=answer), SimpleNamespace(name="Zoe Zane")]
    return SimpleNamespace(id=f"q{at}", passage=SimpleNamespace(article=passage), choices=choices, answer=0)


# A passage may be the question's article of another problem.
ARTICLES = st.one_of(st.integers(0, 8).map("p{}".format), st.integers(0, 30).map("q{}".format))
PROBLEMS = st.lists(st.tuples(ARTICLES, st.sampled_from([*PEOPLE, *PEOPLE[:1] * 12])), max_size=40).map(
    lambda found: [problem(at, *one) for at, one in enumerate(found)]
)
LIMITS = st.builds(
    Limits,
    passage=st.integers(0, 3),
    event=st.integers(0, 2),
    floor=st.integers(1, 4),
    answer=st.one_of(st.just(0.0), st.integers(1, 4).map(float), st.sampled_from([0.05, 0.1, 0.25, 0.3, 0.5, 0.9])),
)


def run(problems, limits, order=None):
    """The dropped problems by id; ``order``: positions in the list, the first is kept first."""
    entries = Entries()
    for one in problems:
        entries.add(one)
    order = range(len(problems)) if order is None else order
    found = drops(order, entries.groups(), limits)
    return {
        problems[at].id: (why.reason, problems[why.other].id if why.other >= 0 else "") for at, why in found.items()
    }


def answer(one):
    return one.choices[0].name


def articles(one):
    return {one.id, one.passage.article}


@settings(deadline=None, max_examples=300)
@given(PROBLEMS, LIMITS)
def test_what_is_kept_breaks_no_cap(problems, limits):
    dropped = run(problems, limits)
    kept = [one for one in problems if one.id not in dropped]
    passages = Counter(one.passage.article for one in kept)
    events = Counter((article, answer(one)) for one in kept for article in articles(one))
    answers = Counter(map(answer, kept))
    assert not limits.passage or max(passages.values(), default=0) <= limits.passage
    assert not limits.event or max(events.values(), default=0) <= limits.event
    if 0 < limits.answer < 1:
        share = max(answers.values(), default=0)
        assert share <= limits.floor or Fraction(share) <= Fraction(str(limits.answer)) * len(kept)
    assert not limits.answer >= 1 or max(answers.values(), default=0) <= limits.answer


@settings(deadline=None, max_examples=300)
@given(PROBLEMS, LIMITS)
def test_every_dropped_problem_met_a_full_cap(problems, limits):
    dropped = run(problems, limits)
    kept = {one.id: one for one in problems if one.id not in dropped}
    for one in problems:
        reason, other = dropped.get(one.id, ("", ""))
        if reason == PASSAGE:
            assert sum(each.passage.article == one.passage.article for each in kept.values()) == limits.passage
        elif reason == EVENT:
            assert answer(kept[other]) == answer(one)
            assert articles(kept[other]) & articles(one)
        elif reason == ANSWER:
            least = limits.answer if limits.answer >= 1 else limits.floor
            assert sum(answer(each) == answer(one) for each in kept.values()) >= least
        else:
            assert one.id in kept


@settings(deadline=None)
@given(PROBLEMS, LIMITS, st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(problems, limits, draw):
    ranks = {one.id: draw.random() for one in problems}

    def ranked(some):
        return sorted(range(len(some)), key=lambda at: ranks[some[at].id])

    shuffled = problems[:]
    draw.shuffle(shuffled)
    assert run(shuffled, limits, ranked(shuffled)) == run(problems, limits, ranked(problems))


@given(PROBLEMS)
def test_without_limits_nothing_is_dropped(problems):
    assert not Limits(0, 0, 0.0, 1)
    assert run(problems, Limits(0, 0, 0.0, 1)) == {}


@settings(deadline=None, max_examples=50)
@given(PROBLEMS, LIMITS, st.integers(0, 40))
def test_entries_that_were_written_in_parts_and_joined_drop_the_same(tmp_path_factory, problems, limits, cut):
    joined = Entries()
    for part in (problems[:cut], problems[cut:]):
        entries, folder = Entries(), tmp_path_factory.mktemp("part")
        for each in part:
            entries.add(each)
        entries.write(folder)
        joined.extend(folder)
    found = drops(range(len(problems)), joined.groups(), limits)
    names = {
        problems[at].id: (why.reason, problems[why.other].id if why.other >= 0 else "") for at, why in found.items()
    }
    assert names == run(problems, limits)


def test_the_first_in_the_order_are_kept():
    problems = [problem(at, "p", PEOPLE[at]) for at in range(4)]
    assert run(problems, Limits(2, 0, 0.0, 1), [3, 1, 0, 2]) == {"q0": (PASSAGE, ""), "q2": (PASSAGE, "")}


def test_an_event_counts_once_per_answer_whether_its_article_is_question_or_passage():
    chain = [
        problem(0, "p", PEOPLE[0]),
        problem(1, "q0", PEOPLE[0]),
        problem(2, "p", PEOPLE[0]),
        problem(3, "p", PEOPLE[1]),
    ]
    assert run(chain, Limits(0, 1, 0.0, 1)) == {"q1": (EVENT, "q0"), "q2": (EVENT, "q0")}


@pytest.mark.parametrize(
    ("answered", "others", "share", "kept"), [(40, 60, 0.25, 20), (40, 60, 0.2, 15), (25, 5, 0.1, 10)]
)
def test_a_share_is_of_what_is_kept_and_a_floor_saves_small_sets(answered, others, share, kept):
    names = ["Ronald Reagan"] * answered + [f"Given{at} Family{at}" for at in range(others)]
    problems = [problem(at, f"p{at}", name) for at, name in enumerate(names)]
    dropped = run(problems, Limits(0, 0, share, 10))
    assert answered - len(dropped) == kept
    assert set(dropped.values()) <= {(ANSWER, "")}

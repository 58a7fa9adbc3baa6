"""What people said is a function of the events: the last change that was not undone counts."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.errors import CorpusError
from wdw_study.event_log import Event
from wdw_study.judging.judgements import adjudications_of, judgements_of, person_judgements, standing_changes

CHANGES = st.one_of(
    st.tuples(st.just("answered"), st.one_of(st.none(), st.integers(0, 4))),
    st.tuples(st.just("labelled"), st.sampled_from([[], ["named"], ["nominal", "multiple"]])),
    st.tuples(st.just("faults"), st.sampled_from([[], ["two-answers"], ["given-away", "broken-text"]])),
    st.tuples(st.just("noted"), st.text(max_size=5)),
)
LOOKS = st.tuples(st.sampled_from(["shown", "signed-in"]), st.none())
STEPS = st.lists(st.tuples(st.sampled_from(["q1", "q2"]), st.one_of(CHANGES, LOOKS)), max_size=25)


def event(number, kind, subject="q1", value=None, person="Eve"):
    return Event(number, number, person, kind, subject, msgspec.Raw(msgspec.json.encode(value)))


def events_of(steps, person="Eve"):
    return [event(number, kind, subject, value, person) for number, (subject, (kind, value)) in enumerate(steps, 1)]


def undone(events):
    """The events followed by the undo of the last change that stands, as the page does it."""
    last = standing_changes(events)[-1]
    return [*events, event(events[-1].number + 1, "undone", last.subject, last.number)]


# ---- changes and undo ------------------------------------------------------------------------------------------------


def test_the_last_change_of_each_kind_counts():
    events = [
        event(1, "answered", value=1),
        event(2, "faults", value=["two-answers"]),
        event(3, "answered", value=None),
        event(4, "noted", value="odd"),
        event(5, "faults", "q2", ["given-away"]),
    ]
    first, second = judgements_of(events)
    assert (first.answer, first.answered, first.faults, first.note) == (None, True, ("two-answers",), "odd")
    assert (second.problem, second.answered, second.faults) == ("q2", False, ("given-away",))


def test_no_label_is_no_answer():
    assert not person_judgements("Eve", [event(1, "labelled", value=[])])["q1"].answered
    assert person_judgements("Eve", [event(1, "labelled", value=["named"])])["q1"].answered


@given(STEPS)
def test_undoing_every_change_gives_the_empty_state(steps):
    events = events_of(steps)
    for _ in standing_changes(events):
        events = undone(events)
    assert standing_changes(events) == []
    assert judgements_of(events) == []


@given(STEPS, CHANGES)
def test_undo_gives_the_state_before_the_last_change(steps, change):
    events = events_of(steps)
    changed = [*events, event(len(events) + 1, change[0], "q1", change[1])]
    assert person_judgements("Eve", undone(changed)) == person_judgements("Eve", events)


@given(STEPS, STEPS, st.randoms(use_true_random=False))
def test_how_the_events_of_two_people_fall_between_each_other_does_not_matter(first, second, random):
    mine, yours = events_of(first, "Eve"), events_of(second, "Fay")
    turns = [iter(mine)] * len(mine) + [iter(yours)] * len(yours)
    random.shuffle(turns)
    assert judgements_of([next(turn) for turn in turns]) == [*judgements_of(mine), *judgements_of(yours)]


def test_of_several_adjudications_the_last_one_counts():
    values = [{"answer": 1, "faults": [], "note": ""}, {"answer": None, "faults": ["two-answers"], "note": "both"}]
    events = [event(number, "adjudicated", "q1", value, "Olga") for number, value in enumerate(values, 1)]
    (decided,) = adjudications_of(events)
    assert (decided.person, decided.answer, decided.faults, decided.note) == ("Olga", None, ("two-answers",), "both")
    assert judgements_of(events) == []


def test_a_value_of_another_form_is_said_with_its_event():
    with pytest.raises(CorpusError, match=r"event 7 \(answered\): Expected `int \| null`, got `str`"):
        judgements_of([event(7, "answered", value="x")])

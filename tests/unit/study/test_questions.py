"""Questions follow from events; undo takes back one action of one person; a validation is blind."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.collected import HARBOUR, PASSAGES, collection_folder, span, write
from wdw_study.collecting.questions import DELETED, VALIDATED, WRITING, WRITTEN, Validation, Written, state_of
from wdw_study.collecting.scores import is_confirmed
from wdw_study.event_log import UNDONE, Event

PASSAGE = PASSAGES[0]


@pytest.fixture
def opened(tmp_path):
    return collection_folder(tmp_path)


def validate(opened, person, name, *answers, verdict="answerable"):
    spans = tuple(span(HARBOUR, answer) for answer in answers)
    opened.log.append(person, VALIDATED, name, Validation(verdict, spans))


def confirmed(opened, name):
    return is_confirmed(opened.state().find(name), HARBOUR)


def test_a_question_is_confirmed_when_more_validators_agree_than_object(opened):
    name = write(opened, "Ada", PASSAGE, "Who spoke?", "Tomas Reik")
    assert not confirmed(opened, name)
    validate(opened, "Bo", name, "deputy Tomas Reik")  # F1 is 0.8
    assert confirmed(opened, name)
    validate(opened, "Cy", name, verdict="ambiguous")
    assert not confirmed(opened, name)
    validate(opened, "Di", name, "Jonas")
    validate(opened, "Ed", name, "Tomas Reik")
    validate(opened, "Cy", name, "Tomas Reik")
    assert confirmed(opened, name)


def test_undo_restores_what_was_deleted_with_its_validations(opened):
    name = write(opened, "Ada", PASSAGE, "Who spoke?", "Tomas Reik")
    validate(opened, "Bo", name, "Tomas Reik")
    deleted = opened.log.append("Ada", DELETED, name)
    assert opened.state().questions == ()
    opened.log.append("Ada", UNDONE, name, deleted.number)
    assert opened.state().find(name).written.question == "Who spoke?"
    assert confirmed(opened, name)


ACTIONS = st.lists(st.tuples(st.sampled_from(["Ada", "Bo"]), st.sampled_from(["write", "delete", "undo"])), max_size=25)


def shown(state):
    return [(question.id, question.writer, question.written.question) for question in state.questions]


@settings(deadline=None, max_examples=60)
@given(ACTIONS)
def test_undo_gives_the_state_before_the_persons_last_action(actions):
    """With one person acting at the end, undo is the inverse of each action, however the events were mixed before."""
    events, number = [], 0

    def append(person, kind, subject, value=None):
        events.append(Event(len(events) + 1, 0.0, person, kind, subject, msgspec.Raw(msgspec.json.encode(value))))

    for person, action in actions:
        state = state_of(events)
        before = shown(state)
        own = [question for question in state.questions if question.writer == person]
        number += 1
        if action == "undo":
            last = state.last(person, WRITING)
            if last is not None:
                append(person, UNDONE, last.subject, last.number)
            continue
        if action == "write":
            append(person, WRITTEN, "harbour", Written(f"Question {number}?", ((0, 4),), None))
        elif own:
            append(person, DELETED, own[0].id)
        else:
            continue
        done = events[-1]
        assert shown(state_of(events)) != before
        undone = Event(len(events) + 1, 0.0, person, UNDONE, done.subject, msgspec.Raw(b"%d" % done.number))
        assert shown(state_of([*events, undone])) == before

"""The names of people: who may use which, whose work counts, and what is deleted."""

import pytest

from wdw_build.errors import UsageError
from wdw_study.event_log import EventLog
from wdw_study.people import aside_of, count_events, forget, people_of, put_aside, sign_in


@pytest.fixture
def log(tmp_path):
    return EventLog(tmp_path / "events.sqlite")


def test_case_and_forms_of_letters_are_one_name_and_a_visitor_is_told_whether_it_was_used_before(log):
    assert [sign_in(log, name) for name in ("Ann", " ann ", "ＡＮＮ")] == [("Ann", False), ("Ann", True), ("Ann", True)]
    assert people_of(log.events()) == ["Ann"]


def test_whoever_is_put_aside_does_not_count_until_she_counts_again(log):
    for name in ("Ann", "Bo"):
        sign_in(log, name)
    put_aside(log, "ann", aside=True)
    assert aside_of(log.events()) == {"Ann"}
    put_aside(log, "Ann", aside=False)
    assert aside_of(log.events()) == set()
    with pytest.raises(UsageError, match="nobody is called 'Cy'"):
        put_aside(log, "Cy", aside=True)


def test_what_a_person_did_is_deleted_from_the_file_and_the_events_keep_their_numbers(log):
    for name in ("Ann", "Bo"):
        sign_in(log, name)
        log.append(name, "noted", "q1", f"the words of {name}")
    put_aside(log, "Ann", aside=True)
    assert count_events(log, "ann") == ("Ann", 2)
    forget(log, "Ann")
    assert [event.number for event in log.events()] == [1, 2, 3, 4, 5]
    assert people_of(log.events()) == ["Bo"]
    stored = b"".join(path.read_bytes() for path in log.path.parent.glob("events.sqlite*"))
    assert b"the words of Ann" not in stored
    assert b"the words of Bo" in stored

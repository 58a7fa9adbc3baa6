"""A name belongs to whoever signed in under it first, also when several people come at the same time."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from wdw_build.errors import UsageError
from wdw_study import people
from wdw_study.event_log import EventLog
from wdw_study.people import SIGNED_IN, people_of, sign_in


@pytest.fixture
def log(tmp_path):
    return EventLog(tmp_path / "events.sqlite")


def sign_in_together(log, monkeypatch, *visitors):
    """Both visitors find the name free before one of them takes it; returns the passphrases that were let in, and errors."""
    together = threading.Barrier(len(visitors))
    hashed = people._hash

    def slow(passphrase, salt):
        if not any(event.kind == SIGNED_IN for event in log.events()):
            together.wait(10)
        return hashed(passphrase, salt)

    monkeypatch.setattr(people, "_hash", slow)

    def visit(name, passphrase):
        try:
            return sign_in(log, name, passphrase).name
        except UsageError as error:
            return error.message

    with ThreadPoolExecutor(len(visitors)) as pool:
        return list(pool.map(visit, *zip(*visitors, strict=True)))


def test_of_two_first_sign_ins_with_different_passphrases_one_wins_and_the_other_is_told(log, monkeypatch):
    said = sorted(sign_in_together(log, monkeypatch, ("Ann", "one"), ("Ann", "two")))
    assert said[0] == "Ann"
    assert said[1].startswith("the name Ann is taken")
    assert len(log.events()) == 1


def test_two_first_sign_ins_in_other_letters_are_one_name(log, monkeypatch):
    said = sign_in_together(log, monkeypatch, ("Ann", "one"), ("ANN", "two"))
    assert sum("is taken" in each for each in said) == 1
    assert len(people_of(log.events())) == 1


def test_a_visitor_is_told_whether_the_name_was_used_before(log):
    assert [sign_in(log, "Ann", "").is_known for _ in range(2)] == [False, True]

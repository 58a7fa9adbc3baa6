"""The journal of a shard: a record that kills is found after three tries, and deaths from outside blame no record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.core.tasks.quarantine import Journal

RECORDS = 6


class Killed(BaseException):
    """Stands for SIGKILL: what the journal writes after it is taken back."""


def process(path, killers, killed_at):
    """One process on the shard; returns the quarantined records, or None if it was killed.

    A killer kills its process. ``killed_at``: this process is killed from outside before its so-many-th attempt of a
    record, the first of which also loads the models; None: it is not.
    """
    attempts = 0

    def attempt(record):
        nonlocal attempts
        if attempts == killed_at or record in killers:
            before.append(path.read_bytes())
            raise Killed
        attempts += 1

    before = []
    try:
        with Journal(path, "shard", lambda _: None).trying(lambda: range(RECORDS), attempt) as quarantined:
            for record in range(RECORDS):
                if record not in quarantined:
                    attempt(record)
            return quarantined
    except Killed:
        path.write_bytes(before[-1])
        return None


def run(path, killers, deaths=()):
    """Processes until one is done; returns the quarantined records and the number of processes."""
    deaths, count = list(deaths), 1
    while (quarantined := process(path, killers, deaths.pop(0) if deaths else None)) is None:
        count += 1
        assert count < 60
    return quarantined, count


@given(st.frozensets(st.integers(0, RECORDS - 1), max_size=2))
def test_the_killers_are_found_and_no_other_record(tmp_path_factory, killers):
    path = tmp_path_factory.mktemp("journal") / "shard"
    assert run(path, killers)[0] == killers


@pytest.mark.parametrize("killer", [0, 3, RECORDS - 1])
def test_a_killer_is_tried_three_times(tmp_path, killer):
    assert run(tmp_path / "shard", {killer}) == ({killer}, 4)


@pytest.mark.parametrize("deaths", [(2, 0), (0, 0, 0), (2, 0, 0), (5, 3, 0, 0)])
def test_processes_killed_from_outside_while_they_load_models_blame_no_record(tmp_path, deaths):
    assert run(tmp_path / "shard", set(), deaths)[0] == set()


@pytest.mark.parametrize("deaths", [(2, 3, 4, 1), (0, 3, 4, 1), (2, 3, 4, 1, 0)])
def test_once_a_suspect_has_passed_a_single_death_alone_blames_no_record(tmp_path, deaths):
    """The third process clears the suspect and is killed at the next record, and the fourth one at this record alone."""
    assert run(tmp_path / "shard", set(), deaths)[0] == set()


def test_once_a_suspect_has_passed_a_killer_is_still_found(tmp_path):
    assert run(tmp_path / "shard", {5}, (2, 3, 4))[0] == {5}


def test_an_error_of_the_stage_is_no_death(tmp_path):
    with (
        pytest.raises(ValueError, match="wrong"),
        Journal(tmp_path / "shard", "", lambda _: None).trying(lambda: range(RECORDS), print),
    ):
        raise ValueError("wrong")
    assert run(tmp_path / "shard", set()) == (set(), 1)

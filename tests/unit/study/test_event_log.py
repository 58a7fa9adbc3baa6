"""The log of events keeps what was appended, whoever appends at the same time and whatever kills the process."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from wdw_build.errors import CorpusError
from wdw_study import event_log
from wdw_study.event_log import EventLog

SOURCE = Path(__file__).parents[3] / "src"
# Appends an event, begins another one, and is killed before it commits.
KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from wdw_study.event_log import EventLog
EventLog(Path(sys.argv[1])).append("Eve", "answered", "q1", 0)
connection = sqlite3.connect(sys.argv[1])
connection.execute("INSERT INTO events (time, person, kind, subject, value) VALUES (1, 'Eve', 'answered', 'q2', '0')")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sheet" / "events.sqlite"


def test_events_come_back_in_order_also_those_of_one_person(path):
    log = EventLog(path, clock=lambda: 1.23456)
    appended = [log.append(person, "noted", "q1", f"Note “{n}”\x00") for n, person in enumerate(("Eve", "Bob", "Eve"))]
    assert EventLog(path).events() == appended
    assert [event.number for event in log.events("Eve")] == [1, 3]
    assert (appended[0].time, msgspec.json.decode(appended[0].value)) == (1.235, "Note “0”\x00")


def test_many_may_append_at_the_same_time(path):
    start = threading.Barrier(4)

    def append(person):
        # All find that there is no log yet.
        start.wait(10)
        return [EventLog(path).append(person, "answered", "q", n).number for n in range(20)]

    with ThreadPoolExecutor(4) as pool:
        numbers = list(pool.map(append, ["Ann", "Bob", "Cy", "Dan"]))
    assert sorted(number for own in numbers for number in own) == list(range(1, 81))
    assert all(own == sorted(own) for own in numbers)
    assert [msgspec.json.decode(event.value) for event in EventLog(path).events("Cy")] == list(range(20))


def test_many_may_begin_a_log_at_the_same_time(tmp_path):
    """SQLite does not wait for others that switch to the write-ahead log: without care, one in seventeen logs is locked."""
    start = threading.Barrier(4)

    def begin(path):
        start.wait(10)
        return EventLog(path).append("Ann", "answered", "q").number

    with ThreadPoolExecutor(4) as pool:
        for number in range(20):
            assert sorted(pool.map(begin, [tmp_path / str(number) / "events.sqlite"] * 4)) == [1, 2, 3, 4]


def test_a_killed_process_leaves_the_appended_event_and_nothing_of_the_unfinished_one(path):
    command = [sys.executable, "-c", KILLED, str(path)]
    killed = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(SOURCE)}, check=False)
    assert killed.returncode == -signal.SIGKILL
    log = EventLog(path)
    log.append("Eve", "answered", "q3", 0)
    assert [event.subject for event in log.events()] == ["q1", "q3"]


def test_a_new_log_is_the_users_alone_is_written_ahead_and_leaves_one_file(path):
    EventLog(path).append("Eve", "signed-in")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_locked_or_damaged_log_is_a_message_that_names_it(path, monkeypatch):
    monkeypatch.setattr(event_log, "_SECONDS_TO_WAIT", 0.1)
    log = EventLog(path)
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CorpusError, match=r"events\.sqlite: database is locked"):
        log.append("Eve", "answered", "q1", 0)
    other.close()
    path.write_bytes(b"no database " * 100)
    with pytest.raises(CorpusError, match=r"events\.sqlite: file is not a database"):
        log.events()

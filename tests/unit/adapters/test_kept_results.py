"""What models computed: written once, shared by processes, and never an answer from a damaged file."""

import errno
import functools
import multiprocessing
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.adapters.kept_results import KeptResults
from wdw_build.errors import DamagedOutputError


@settings(max_examples=30)
@given(st.lists(st.tuples(st.binary(max_size=3), st.binary(max_size=3)), max_size=30), st.booleans())
def test_the_first_result_of_a_key_is_kept(tmp_path_factory, results, network):
    path = tmp_path_factory.mktemp("kept") / "results"
    for result in results:
        writer = KeptResults(path, network=network)
        writer.add([result])
        assert writer.find(result[0]) == result[1]
        writer.flush()
    first = dict(reversed(results))
    for key in {*first, b"none"}:
        assert KeptResults(path, network=network).find(key) == first.get(key)


def _fill(path, number):
    results = KeptResults(path)
    for value in range(300):
        results.add([(b"%d-%d" % (number, value), b"x")])
        results.flush()


def test_several_processes_write_into_one_file(tmp_path):
    with multiprocessing.get_context("fork").Pool(3) as writers:
        writers.starmap(_fill, [(tmp_path / "kept", number) for number in range(3)])
    kept = KeptResults(tmp_path / "kept")
    assert all(kept.find(b"%d-%d" % (number, value)) == b"x" for number in range(3) for value in range(300))


@pytest.mark.parametrize("content", [b"nothing that SQLite knows" * 100, b"SQLite format 3\0" + b"\xff" * 8000])
def test_a_damaged_file_is_an_error_that_says_to_delete_it(tmp_path, content):
    path = tmp_path / "kept"
    path.write_bytes(content)
    with pytest.raises(DamagedOutputError, match=str(path)) as caught:
        KeptResults(path).find(b"a")
    assert "delete the file" in caught.value.hint


def test_a_file_that_cannot_be_written_is_no_full_disk(tmp_path):
    writer = KeptResults(tmp_path / "kept")
    writer.add([(b"a", b"1")])
    writer.flush()
    writer._open().execute("DROP TABLE results")
    writer.add([(b"b", b"1")])
    with pytest.raises(OSError, match="no such table") as caught:
        writer.flush()
    assert caught.value.errno == errno.EIO


def test_a_full_disk_is_one(tmp_path):
    writer = KeptResults(tmp_path / "kept")
    writer._open().execute("PRAGMA max_page_count = 2")
    writer.add([(b"a", bytes(100_000))])
    with pytest.raises(OSError, match="full") as caught:
        writer.flush()
    assert caught.value.errno == errno.ENOSPC


def test_no_log_is_left_beside_the_file_when_the_processes_that_used_it_have_ended(tmp_path):
    for number in range(2):
        worker = multiprocessing.get_context("fork").Process(target=_fill, args=(tmp_path / "kept", number))
        worker.start()
        worker.join()
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_process_that_creates_the_file_together_with_another_one_tries_again(tmp_path, monkeypatch):
    """SQLite does not wait for a process that changes the journal of the same new file: it fails at once."""
    failures = ["database is locked"] * 3

    class Contended(sqlite3.Connection):
        def executescript(self, script):
            if not failures:
                return super().executescript(script)
            error = sqlite3.OperationalError(failures.pop())
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error

    monkeypatch.setattr(sqlite3, "connect", functools.partial(sqlite3.connect, factory=Contended))
    results = KeptResults(tmp_path / "kept")
    results.add([(b"key", b"result")])
    results.flush()
    assert not failures
    assert KeptResults(tmp_path / "kept").find(b"key") == b"result"

"""SQLite files that are written once: the errors of the system, and rows with the same key."""

import errno
import sqlite3
from pathlib import Path

import pytest

from wdw_build.core.store.sqlite_file import EntriesFile, write_entries

COLUMNS = "key TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL"


@pytest.mark.parametrize(("path", "number"), [("/dev/full", errno.ENOSPC), ("/proc/none/file", errno.ENOENT)])
def test_a_file_that_cannot_be_written_is_the_error_of_the_system_with_its_path(path, number):
    with pytest.raises(OSError, match=path) as caught:
        write_entries(Path(path), COLUMNS, [("a", 1)])
    assert (caught.value.errno, caught.value.filename) == (number, path)


def test_of_rows_with_the_same_key_the_first_is_kept_and_rows_are_read_in_any_order(tmp_path):
    assert write_entries(tmp_path / "file", COLUMNS, [("b", 1), ("a", 2), ("b", 3)]) == 2
    file = EntriesFile(tmp_path / "file")
    assert file.count() == 2
    assert list(file.select("SELECT * FROM entries ORDER BY key")) == [("a", 2), ("b", 1)]


def test_a_name_with_signs_of_an_address_is_the_name_of_a_file(tmp_path):
    path = tmp_path / "a?b#c%20 d"
    write_entries(path, COLUMNS, [("a", 1)])
    assert EntriesFile(path).count() == 1


@pytest.mark.parametrize("content", [None, b"", b"garbage"])
def test_a_file_that_is_missing_or_of_another_form_is_an_error_and_is_not_made(tmp_path, content):
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(sqlite3.DatabaseError):
        EntriesFile(path).count()
    assert path.exists() == (content is not None)


def test_a_file_that_a_killed_process_left_is_replaced(tmp_path):
    path = tmp_path / "keys"
    for rows in ([("a", 1), ("b", 2)], [("c", 3)]):
        write_entries(path, "name TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL", rows)
    assert list(EntriesFile(path).select("SELECT * FROM entries")) == [("c", 3)]

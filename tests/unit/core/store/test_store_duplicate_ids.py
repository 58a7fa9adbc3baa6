"""Ids met before: exactly those that were added, whatever they look like, and no file is left."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.core.store.duplicate_ids import duplicate_ids

IDS = st.lists(st.text(max_size=6), max_size=30)


@settings(deadline=None)
@given(IDS)
def test_an_id_is_there_once_it_was_added_and_not_before(ids):
    with tempfile.TemporaryDirectory() as folder, duplicate_ids(Path(folder)) as seen:
        known = set()
        for name in ids:
            assert (name in seen) == (name in known)
            if name not in known:
                seen.add(name)
                known.add(name)
        assert seen.count == len(known)


def test_ids_that_python_alone_can_write_and_ids_that_sql_would_take_for_one_are_told_apart(tmp_path):
    with duplicate_ids(tmp_path) as seen:
        for name in ("\ud800", "1", "a", "é"):
            assert name not in seen
            seen.add(name)
        assert not [name for name in ("\ud801", "01", "1.0", "A", "a\0", "e\u0301") if name in seen]


def test_nothing_is_left_in_the_folder(tmp_path):
    with duplicate_ids(tmp_path) as seen:
        seen.add("a")
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())

"""Duplicate ids: the set holds exactly the ids that were added, and leaves no file."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.core.store.duplicate_ids import duplicate_ids

IDS = st.lists(st.text(max_size=6), max_size=30)


@settings(deadline=None)
@given(IDS)
def test_the_set_holds_an_id_from_the_moment_it_is_added(ids):
    with tempfile.TemporaryDirectory() as folder, duplicate_ids(Path(folder)) as seen:
        known = set()
        for name in ids:
            assert (name in seen) == (name in known)
            if name not in known:
                seen.add(name)
                known.add(name)
        assert seen.count == len(known)


def test_lone_surrogates_and_ids_that_sql_might_compare_as_equal_are_distinct(tmp_path):
    with duplicate_ids(tmp_path) as seen:
        for name in ("\ud800", "1", "a", "é"):
            assert name not in seen
            seen.add(name)
        assert not [name for name in ("\ud801", "01", "1.0", "A", "a\0", "e\u0301") if name in seen]


def test_the_temporary_file_is_removed(tmp_path):
    with duplicate_ids(tmp_path) as seen:
        seen.add("a")
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())

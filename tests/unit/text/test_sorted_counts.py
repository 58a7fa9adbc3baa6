"""Sums of counts in sorted files."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.text import counts
from wdw_build.text.counts import summed_counts, write_counts

KEYS = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=4)


@settings(max_examples=60)
@given(st.lists(st.dictionaries(KEYS, st.integers(0, 10**12), max_size=6), max_size=9), st.integers(2, 4))
def test_the_sum_of_files_is_the_sum_of_their_counts_however_many_are_open_at_a_time(tmp_path_factory, tables, at_once):
    folder = tmp_path_factory.mktemp("counts")
    paths = [folder / f"{number}.counts" for number in range(len(tables))]
    for path, table in zip(paths, tables, strict=True):
        write_counts(path, table)
    total = Counter()
    for table in tables:
        total.update(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "_AT_ONCE", at_once)
        assert list(summed_counts(paths, folder)) == sorted(total.items())
    assert sorted(folder.iterdir()) == paths

"""Marked text: no character is lost."""

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.views.blocks import Mark, find_name, segments


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5))
def test_marks_lose_nothing(whole, spans):
    cut = segments(whole, [Mark(start, end, "person") for start, end in spans])
    assert "".join(segment.text for segment in cut) == whole


def test_of_overlapping_marks_the_first_counts_and_of_these_the_longest():
    marks = [Mark(4, 7, "late"), Mark(2, 5, "long"), Mark(2, 4, "short"), Mark(7, 9, "outside")]
    assert [(one.text, one.kind) for one in segments("abcdefg", marks)] == [("ab", ""), ("cde", "long"), ("fg", "")]


def test_a_name_is_marked_where_it_is_a_word_of_its_own():
    assert find_name("Ann met Anna and Ann.", "Ann") == [(0, 3), (17, 20)]
    assert find_name("Ann", "") == []

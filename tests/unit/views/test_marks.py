"""Marked text: no character is lost, and phrases are found as words whatever stands between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.views.marks import Mark, excerpt, find_name, find_phrase, find_words, segments


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5))
def test_marks_lose_nothing(whole, spans):
    cut = segments(whole, [Mark(start, end, "person") for start, end in spans])
    assert "".join(segment.text for segment in cut) == whole


def test_of_overlapping_marks_the_first_counts_and_of_these_the_longest():
    marks = [Mark(4, 7, "late"), Mark(2, 5, "long"), Mark(2, 4, "short"), Mark(7, 9, "outside")]
    assert [(one.text, one.kind) for one in segments("abcdefg", marks)] == [("ab", ""), ("cde", "long"), ("fg", "")]


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60))))
def test_an_excerpt_of_a_short_text_is_the_text(whole, spans):
    cut = excerpt(whole, [Mark(start, end, "evidence") for start, end in spans])
    assert "".join(segment.text for segment in cut) == whole


def test_a_long_text_is_cut_around_its_first_mark():
    whole = "a " * 500 + "MARK" + " b" * 500
    cut = excerpt(whole, [Mark(*span, "evidence") for span in find_phrase(whole, "mark")], length=300)
    assert [segment.text for segment in cut if segment.kind == "evidence"] == ["MARK"]
    assert len("".join(segment.text for segment in cut)) < 310
    assert (cut[0].text, cut[-1].text) == ("… ", " …")


@pytest.mark.parametrize(
    ("whole", "phrase", "marked"),
    [
        ("Sens. Alan Cranston (D-Cal.) said", "Alan Cranston ( D - Cal .", ["Alan Cranston (D-Cal"]),
        ("He KEPT Books for the firm", "kept books for the", ["KEPT Books for the"]),
        ("Sandvik and Sand", "sand", ["Sand"]),
        ("nothing", "...", []),
    ],
)
def test_the_words_of_a_phrase_are_found_whatever_stands_between(whole, phrase, marked):
    assert [whole[start:end] for start, end in find_phrase(whole, phrase)] == marked


def test_neighbouring_shared_words_are_one_stretch():
    whole = "The ferry, Island Pearl, sank."
    assert [whole[a:b] for a, b in find_words(whole, {"ferry", "island", "sank"})] == ["ferry, Island", "sank"]


def test_a_name_is_marked_where_it_is_a_word_of_its_own():
    assert find_name("Ann met Anna and Ann.", "Ann") == [(0, 3), (17, 20)]
    assert find_name("Ann", "") == []

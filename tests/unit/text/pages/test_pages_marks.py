"""marks: spans that finders report are cut, and keep their kinds and their places in the whole text."""

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text.pages.marks import CREDIT, HEADING, PAGE, MarkedSpan, MarkedText

TEXT = ["By Ann Ames", "Read more. The ferry sank. Follow us.", " ", "Eve Eden left."]


def test_a_part_keeps_its_place_when_earlier_marks_are_gone():
    text = MarkedText(TEXT)
    text.mark([MarkedSpan(0, 0, 11, CREDIT), MarkedSpan(1, 0, 10, PAGE)])
    assert text.paragraphs == ["The ferry sank. Follow us.", "Eve Eden left."]
    text.mark([MarkedSpan(0, 16, 26, PAGE, "source")])
    assert text.paragraphs == ["The ferry sank.", "Eve Eden left."]
    last = text.marks[-1]
    assert (last.kind, last.by, last.text) == (PAGE, "source", "Follow us.")
    assert TEXT[last.paragraph][last.start : last.end] == "Follow us."


def test_what_stands_around_a_part_is_joined_by_a_space():
    text = MarkedText(["She left. Ferry lost He slept."])
    text.mark([MarkedSpan(0, 9, 21, HEADING)])
    assert text.paragraphs == ["She left. He slept."]


def test_what_closes_a_word_follows_it_without_a_space_and_later_marks_keep_their_places():
    text = MarkedText(["Mayor Ames Ann AmesFive facts MORE’s plan failed (he said ad ), and Read on. she left."])
    text.mark([MarkedSpan(0, 10, 34, HEADING), MarkedSpan(0, 57, 60, PAGE)])
    assert text.paragraphs == ["Mayor Ames’s plan failed (he said), and Read on. she left."]
    start = text.paragraphs[0].index("Read")
    text.mark([MarkedSpan(0, start, start + 8, PAGE)])
    assert (text.paragraphs, text.marks[-1].text) == (["Mayor Ames’s plan failed (he said), and she left."], "Read on.")


WORDS = st.lists(st.sampled_from(["a", "bb", "ccc", "Dd.", ",", "’s"]), min_size=1, max_size=8).map(" ".join)


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(st.tuples(*[st.integers(0, 30)] * 3), max_size=6))
def test_every_word_is_left_or_marked_and_every_mark_is_the_text_at_its_place(paragraphs, cuts):
    text = MarkedText(paragraphs)
    for number, start, size in cuts:
        if number < len(text.paragraphs):
            length = len(text.paragraphs[number])
            text.mark([MarkedSpan(number, min(start, length), min(start + size, length), PAGE)])
    left, marked = "".join(text.paragraphs), "".join(mark.text for mark in text.marks)
    assert sorted(left.replace(" ", "") + marked.replace(" ", "")) == sorted("".join(paragraphs).replace(" ", ""))
    assert all(mark.start <= mark.end <= len(paragraphs[mark.paragraph]) for mark in text.marks)

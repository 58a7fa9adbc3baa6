"""Whatever the paragraph: dateline and rest are the paragraph, and the rest is never without words."""

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text.pages.datelines import split_dateline, split_opening

PLACES = st.sampled_from("LONDON|NEW YORK|Port Ansel|ST. LOUIS|U.S.|Smith|He||ÉVIAN|(|A-B".split("|"))
REGIONS = st.sampled_from(["", ", Va.", ", West Bank", ", N.Y.", ",", ", who came late"])
DATES = st.sampled_from(["", ", April 3", " Feb 26", ", 3 May 2003", ", Tuesday, Oct. 5", ", March 99", ", April"])
AGENCIES = st.sampled_from(["", " (AP)", " (Altus)", " (Agence France-Presse)", " ()", " (R", " (see below)"])
DASHES = st.sampled_from([" - ", " -- ", "--", " _ ", "—", " – ", "-", " - - ", ""])
RESTS = st.sampled_from('The president spoke.|the mayor - said||...|WAR ENDS|"Yes," he said.|\n|1 of 2'.split("|"))
WIRE = st.builds(lambda *parts: "".join(parts), PLACES, REGIONS, DATES, AGENCIES, DASHES, RESTS)


@given(st.one_of(st.text(), WIRE))
def test_the_parts_are_the_paragraph_and_the_rest_has_words(paragraph):
    dateline, rest = split_dateline(paragraph)
    assert dateline + rest == paragraph
    assert not dateline or any(map(str.isalnum, rest))
    assert not dateline or not dateline[-1].isalnum()


NOTES = st.sampled_from(
    "|(Corrects name) |(The Dec. 1 story was refiled (again)) |UPDATE 2-|WATCH: |By Ann Ames |(By Ann Ames)|"
    "Story highlights Ames wins |11/19/16, 3:14 PM CET |(|BREAKING".split("|")
)


@given(st.lists(NOTES, max_size=3), st.one_of(st.text(), WIRE), NOTES, RESTS)
def test_what_stands_before_the_first_sentence_and_the_rest_are_the_paragraph(notes, wire, after, rest):
    paragraph = "".join([*notes, wire, after, rest])
    opening, found = split_opening(paragraph)
    assert opening + found == paragraph
    assert not opening or any(map(str.isalnum, found))


@given(WIRE)
def test_words_behind_a_full_dateline_never_matter(rest):
    head = "LONDON, England, April 3 (AFP) - "
    expected = (head, rest.lstrip(" ")) if any(map(str.isalnum, rest)) else ("", head + rest)
    dateline, found = split_dateline(head + rest)
    assert (dateline.rstrip(" -—–_"), found.lstrip(" -—–_")) == (expected[0].rstrip(" -"), expected[1].lstrip(" -—–_"))

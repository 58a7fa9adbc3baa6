"""openings: what a page puts before the first sentence is removed, and the story stays whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import cutting
from wdw_build.text.pages.cleaning import OPENING

STORY = "Ferry workers stopped work on Monday."


def cut(*paragraphs):
    return cutting.cut(paragraphs, *OPENING)


OPENINGS = [
    "Ferry lost at sea Owner says weather is to blame Monday 3 May 2010 10.15 BST",
    "Thursday, May 27, 2010; 4:21 PM",
    "Page last updated at 06:56 GMT, Tuesday, 8 November 2011",
    "11/19/16, 3:14 PM CET",
    "A ferry at Tarn. Photograph: Ann Ames/AFP/Getty Images",
    "A ferry leaves Tarn. (AP Photo/Ann Ames)",
    "A ferry leaves Tarn. (By Ann Ames -- The Ledger Post)",
    "TARN | Wed Sep 21, 2011 6:06 am EDT TARN (Reuters) -",
    "NEW: the ferry is found NEW: nobody is hurt Tarn (CNN) --",
    "By Ann Ames TARN (Reuters) -",
]


@pytest.mark.parametrize("opening", OPENINGS)
def test_everything_up_to_the_last_mark_goes(opening):
    assert cut(f"{opening} {STORY}", "More.") == ([STORY, "More."], [opening])


def test_a_mark_in_a_later_paragraph_takes_the_paragraphs_before_it():
    captions = ["June 4: A ferry at Tarn.", "Waves reach the pier."]
    assert cut(*captions, f"AP {STORY}", "More.") == ([STORY, "More."], [*captions, "AP"])
    assert cut(*captions, f"TARN (AP) -- {STORY}")[0] == [f"TARN (AP) -- {STORY}"]


def test_captions_and_headlines_without_full_stop_before_a_story_go():
    captions, story = ["Ann Ames (left) with Bob Beck", "Says the ferry is safe"], [STORY, "More came.", "“All left.”"]
    assert cut(*captions, *story) == (story, captions)
    assert cut(*captions, *story, "No stop")[1] == [], "of four paragraphs, one has no full stop"
    assert cut(*captions, *story[:2])[1] == [], "the story is short"
    assert cut("The owner said on", "monday that it sank.", *story)[1] == [], "a sentence goes on"
    assert cut("The owner said,", *story)[1] == []


STORIES = [
    [STORY, "It was Monday, May 3, 2010, and raining."],
    [STORY, "Photograph: Ann Ames/Getty Images", "More."],
    [STORY, "x" * 700, f"AP {STORY}"],
    [f"TARN (HP) _ {STORY}", f"PORT ANSEL _ {STORY}", f"TARN, Marenza _ {STORY}"],
    ["AP officials said so."],
    ["By Monday Ann Ames had left."],
    ["By Ann Ames Bob Beck has left."],
    ["(Ann Ames, 40, has left.) The mayor stayed."],
    ["Ann Ames told CNN that the ferry sank."],
    ["She was in The Thick of It."],
    ['Ann Ames, the "Moneyless" Mark Boyle said, left.'],
    ['Ann Ames left. It was "bad" The owner stayed.'],
    ["Ann Ames arrived. Ferry lost The owner left."],
    [],
]


@pytest.mark.parametrize("paragraphs", STORIES)
def test_a_story_without_an_opening_stays_whole(paragraphs):
    assert cut(*paragraphs) == (paragraphs, [])


PARTS = "Ferry lost at sea/The owner left./Monday 3 May 2010 10.15 BST/(AP)/AP/(CNN) --/By Ann Ames/|/".split("/")
PIECES = st.sampled_from([STORY, *PARTS])


@given(st.lists(st.lists(PIECES, max_size=5).map(" ".join), max_size=5))
def test_nothing_is_lost_and_the_order_stays(paragraphs):
    story, removed = cut(*paragraphs)
    found, given = (" ".join(texts).split() for texts in ([*removed, *story], paragraphs))
    assert [word for word in found if word != "|"] == [word for word in given if word != "|"]

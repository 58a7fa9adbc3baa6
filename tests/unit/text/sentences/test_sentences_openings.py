"""openings: what a page puts before the first sentence is removed, and the story stays whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import cutting
from wdw_build.text.sentences.boilerplate import Boilerplate, BoilerplateCounter, learned
from wdw_build.text.sentences.cleaning import OPENING
from wdw_build.text.sentences.openings import marks, recurring_lines

STORY = "Ferry workers stopped work on Monday."
NONE = Boilerplate()


def cut(*paragraphs, title="", boilerplate=NONE):
    return cutting.cut(paragraphs, *OPENING, title=title, source="Ledger", boilerplate=boilerplate)


def learn(*texts):
    """The boilerplate of articles of the Ledger with these paragraphs."""
    counter = BoilerplateCounter()
    for text in texts:
        counter.add("Ledger", text, [(mark.kind, text[mark.paragraph][mark.end :]) for mark in marks(text)])
    return learned(sorted(counter.counts.items()))


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


def test_the_title_at_the_start_of_the_text_goes():
    assert cut(f"Ferry “lost” at sea: {STORY}", title="Ferry 'lost' at sea")[0] == [STORY]
    assert cut("Ferry lost at sea on Monday.", title="Ferry lost at sea")[1] == []
    assert cut("Ferry lost at sea", STORY, title="Ferry lost at sea")[0] == [STORY]


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


def test_the_words_of_the_source_after_a_stamp_go_with_it():
    stamp = "8 May 2010 Last updated at 12:54 GMT"
    texts = ([f"{stamp} Help {name} met envoy {name}."] for name in "Ann Bob Cid Dee Eve Fay Gus".split())
    boilerplate = learn(*texts)
    assert cut(f"{stamp} Help {STORY}", boilerplate=boilerplate) == ([STORY], [f"{stamp} Help"])


NOTICE = "Send us your pictures and your views today."


@pytest.fixture(scope="module")
def notices():
    return learn(*([f"Envoy {number} left.", NOTICE] for number in range(10)))


RECURRING = [
    ([NOTICE, STORY], [STORY]),
    ([f"{NOTICE} {STORY}"], [STORY]),
    ([f"{STORY} {NOTICE}"], [STORY]),
    ([STORY, NOTICE, "More."], [STORY, "More."]),
    (["Friday, January 4, 2019", STORY], [STORY]),
    ([f"She wrote: {NOTICE}"], [f"She wrote: {NOTICE}"]),
]


@pytest.mark.parametrize(("paragraphs", "story"), RECURRING)
def test_recurring_lines_and_dates_of_their_own_go(notices, paragraphs, story):
    kept, removed = cutting.cut(paragraphs, recurring_lines, source="Ledger", boilerplate=notices)
    assert [text.strip() for text in kept] == story
    assert sorted(" ".join([*kept, *removed]).split()) == sorted(" ".join(paragraphs).split())


PARTS = "Ferry lost at sea/The owner left./Monday 3 May 2010 10.15 BST/(AP)/AP/(CNN) --/By Ann Ames/|/".split("/")
PIECES = st.sampled_from([STORY, *PARTS])


@given(st.lists(st.lists(PIECES, max_size=5).map(" ".join), max_size=5), st.sampled_from(["", "Ferry lost at sea"]))
def test_nothing_is_lost_and_the_order_stays(paragraphs, title):
    story, removed = cut(*paragraphs, title=title)
    found, given = (" ".join(texts).split() for texts in ([*removed, *story], paragraphs))
    assert [word for word in found if word != "|"] == [word for word in given if word != "|"]


TIMES = [("10.42 GMT", True), ("9:05 p.m.", True), ("69.32", False), ("12.30", False)]


@pytest.mark.parametrize(("line", "is_cut"), TIMES)
def test_a_time_is_cut_as_a_paragraph_if_it_cannot_be_another_number(line: str, is_cut: bool) -> None:
    story, cut = cutting.cut([line, STORY], recurring_lines)
    assert (story, cut) == (([STORY], [line]) if is_cut else ([line, STORY], []))

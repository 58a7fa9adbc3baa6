"""exact_forms: text of the page between sentences is cut; text of the story that looks like it stays."""

import pytest

from support import cutting
from support.tables import rows
from wdw_build.text.pages.exact_forms import cards, repeated, with_comments
from wdw_build.text.pages.marks import MarkedSpan

QUOTATION = "The ferry should never have left the harbour in such a storm"
BEFORE = ["The ferry sank in the bay on Monday.", "Police came by boat from Tarn.", "Nobody was hurt."]
COMMENTS = "Add a comment below."


def cut_comments(*paragraphs, header):
    spans = [MarkedSpan(header, 0, len(COMMENTS), "page")]
    return [span.paragraph for span in with_comments(paragraphs, spans) if span.kind == "comments"]


def test_everything_after_page_text_about_comments_is_cut():
    after = ["I never liked that ferry!!", "Me neither."]
    assert cut_comments(*BEFORE, COMMENTS, *after, header=3) == [3, 4, 5]


def test_a_story_that_goes_on_after_page_text_about_comments_stays():
    after = [f"The ferry company said on Monday that ship {number} was safe." for number in range(10)]
    assert cut_comments(*BEFORE, COMMENTS, *after, header=3) == []


def test_comments_have_no_more_words_than_the_story_before_them():
    after = [f"I never liked ferry {number}!!" for number in range(10)]
    assert cut_comments(*BEFORE, COMMENTS, *after, header=3) == []
    assert cut_comments(*BEFORE * 4, COMMENTS, *after, header=12) == list(range(12, 23))


def test_page_text_about_comments_above_the_story_is_cut_alone():
    assert cut_comments(COMMENTS, *BEFORE, header=0) == []


REPEATED = [
    ([QUOTATION, f"She spoke at noon. {QUOTATION}, she said."], [QUOTATION]),
    ([f"{QUOTATION}.", f"{QUOTATION}."], [f"{QUOTATION}."]),
    ([f"“{QUOTATION},” she wrote.", f"{QUOTATION.upper()}!"], [f"{QUOTATION.upper()}!"]),
    ([f"“{QUOTATION},” she said.", f"“{QUOTATION}.” — Mayor Ann Ames"], [f"“{QUOTATION}.” — Mayor Ann Ames"]),
    ([f"{QUOTATION}, or never", f"“{QUOTATION}.” He was late - Ames."], []),
    (["It was late.", "It was late.", f"{QUOTATION}, or never have left it", f"Not that {QUOTATION}."], []),
]


@pytest.mark.parametrize(("paragraphs", "removed"), REPEATED)
def test_of_words_that_another_paragraph_repeats_the_longer_or_the_later_one_stays(paragraphs, removed):
    kept, found = cutting.cut(paragraphs, repeated)
    assert (found, len(kept)) == (removed, len(paragraphs) - len(removed))


# A sentence, and the card that is cut from it.
CARDS = """
Mayor Ames Ann Lee AmesFerry is lost in storm MORE left on Monday. | Ann Lee AmesFerry is lost in storm MORE
Mayor Ames Ann Lee AmesFerry is lost in storm MORE’s coat was lost. | Ann Lee AmesFerry is lost in storm MORE
It was Mayor Ames Ann (Annie) Lee AmesFerry is lost? It sank. MORE then. | Ann (Annie) Lee AmesFerry is lost? It sank. MORE
It was seen by Bo Ames Jr. Ann Lee AmesMORE on Monday. | Ann Lee AmesMORE
“No, said Ann AmesAnn Lee AmesFerry is lost in storm MORE | Ann Lee AmesFerry is lost in storm MORE
"""


@pytest.mark.parametrize(("sentence", "card"), rows(CARDS))
def test_a_card_about_a_person_is_cut_and_the_name_before_it_is_kept(sentence, card):
    left, _ = cutting.cut([sentence], cards)
    assert left == [sentence.replace(f" {card}", "").replace(card, "")]


def test_without_the_name_that_is_said_again_or_more_there_is_no_card():
    for sentence in ("Mayor Ames met Ann Lee AmesFerry MORE often.", "Mayor Ames Ann Lee AmesFerry is lost."):
        assert cutting.cut([sentence], cards)[0] == [sentence]

"""page_text: text of the page between sentences is cut; text of the story that looks like it stays."""

import itertools

import pytest

from support import cutting
from support.tables import rows
from wdw_build.text.sentences.boilerplate import Boilerplate, BoilerplateCounter, learned
from wdw_build.text.sentences.page_text import cards, page_signs, page_text, repeated

TITLE = "Mayor of Tarn resigns after ferry inquiry"
QUOTATION = "The ferry should never have left the harbour in such a storm"
COMMENTS = "Views in the comments are not ours."
STARTS = ["The", "A", "In", "But", "Kim", "Police", "He", "They", "Ann", "After", "Nobody", "When"]
BEFORE = ["The ferry sank.", "Police came.", "Nobody was hurt."]
COMMENTED = [[*BEFORE, f"Envoy {number} left.", COMMENTS] for number in range(12)]


def corpus(*texts: list[str], titles: tuple[str, ...] = ()) -> Boilerplate:
    """The boilerplate of articles of the Ledger with these paragraphs, and of articles with these titles."""
    counter = BoilerplateCounter()
    for paragraphs, title in itertools.zip_longest(texts, titles, fillvalue=None):
        lines, labels = page_signs(paragraphs or [])
        counter.add("Ledger", paragraphs or [], labels, title or "", lines)
    return learned(sorted(counter.counts.items()), sorted(counter.titles.items()))


def stories(line: str) -> list[list[str]]:
    """Twelve stories with the line between two sentences."""
    return [[f"Envoy {at} spoke in Tarn. {line} {start} envoy left by ferry {at}."] for at, start in enumerate(STARTS)]


def cut(*paragraphs: str, boilerplate: Boilerplate) -> tuple[list[str], list[str]]:
    return cutting.cut(paragraphs, page_text, source="Ledger", boilerplate=boilerplate)


def test_a_title_before_many_names_is_no_label():
    names = ["Ames", "Pool", "Reed", "Stone", "Hale", "Marsh", "Brook", "Field", "Wood", "Lake", "Ford", "Hill"]
    boilerplate = corpus(*([f"Envoys met. District Court Judge {name} ruled on {name} Street."] for name in names))
    assert not boilerplate.has_labels("Ledger")


PAGE = ["Story Continued Below", "Follow our reporters on the ferry page.", "Please share this with your friends."]


@pytest.mark.parametrize("line", PAGE)
def test_a_recurring_label_or_sentence_about_the_page_is_cut_wherever_it_occurs(line):
    story, removed = cut(f"She left. {line} The ferry sank.", boilerplate=corpus(*stories(line)))
    assert (story, removed) == (["She left. The ferry sank."], [line])


def test_a_sentence_that_invites_visitors_is_cut_with_another_end():
    lines = (stories(f"Please share this with friends of ferry {number}.")[number] for number in range(len(STARTS)))
    line = "Please share this with anyone in Tarn."
    assert cut(f"She left. {line}", boilerplate=corpus(*lines)) == (["She left."], [line])


NEWS = [
    "The ministry declined to comment.",  # news
    "Nobody knew whether you could swim?",  # a question of an interview
    "“Please follow our rules,” he said.",  # a quotation
]


@pytest.mark.parametrize("line", NEWS)
def test_a_recurring_sentence_of_news_stays(line):
    text = f"She left. {line} The ferry sank."
    assert cut(text, boilerplate=corpus(*stories(line))) == ([text], [])


@pytest.mark.parametrize("label", ["", "RELATED: ", "READ ALSO: "])
def test_the_title_of_another_article_is_cut_between_sentences_with_its_label(label):
    story, removed = cut(f"She left. {label}{TITLE} The ferry sank.", boilerplate=corpus(titles=(TITLE,)))
    assert (story, removed) == (["She left. The ferry sank."], [f"{label}{TITLE}"])


def test_a_paragraph_that_is_a_title_is_cut_with_its_label():
    related = f"Related {TITLE}"
    assert cut("She left.", related, boilerplate=corpus(titles=(TITLE,))) == (["She left."], [related])


WORDS_OF_TITLE = [
    f"She left. {TITLE}, officials said.",  # the sentence goes on
    f"She left. {TITLE}.",  # a sentence
    f"She read the story “{TITLE}” The ferry sank.",  # quoted
    f"She left. {TITLE} and his deputy.",
]


@pytest.mark.parametrize("text", WORDS_OF_TITLE)
def test_a_sentence_with_the_words_of_a_title_stays(text):
    assert cut(text, boilerplate=corpus(titles=(TITLE,))) == ([text], [])


def test_a_short_title_is_not_looked_for():
    assert corpus(titles=("Mayor of Tarn resigns",)).titles == b""


def test_everything_after_a_recurring_line_about_comments_is_cut():
    after = ["I never liked that ferry!!", "Me neither."]
    assert cut(*BEFORE, COMMENTS, *after, boilerplate=corpus(*COMMENTED)) == (BEFORE, [COMMENTS, *after])


def test_a_story_that_goes_on_after_a_line_about_comments_stays():
    after = [f"The ferry company said on Monday that ship {number} was safe." for number in range(10)]
    assert cut(*BEFORE, COMMENTS, *after, boilerplate=corpus(*COMMENTED)) == ([*BEFORE, *after], [COMMENTS])


def test_a_line_about_comments_above_the_story_is_cut_alone():
    boilerplate = corpus(*([COMMENTS, *BEFORE, f"Envoy {number} left."] for number in range(12)))
    assert cut(COMMENTS, *BEFORE, boilerplate=boilerplate) == (BEFORE, [COMMENTS])


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
    kept, found = cutting.cut(paragraphs, repeated, source="Ledger", boilerplate=Boilerplate())
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
    left, _ = cutting.cut([sentence], cards, source="Ledger", boilerplate=corpus())
    assert left == [sentence.replace(f" {card}", "").replace(card, "")]


def test_without_the_name_that_is_said_again_or_more_there_is_no_card():
    for sentence in ("Mayor Ames met Ann Lee AmesFerry MORE often.", "Mayor Ames Ann Lee AmesFerry is lost."):
        assert cutting.cut([sentence], cards, source="Ledger", boilerplate=corpus())[0] == [sentence]

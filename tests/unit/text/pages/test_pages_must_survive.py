"""Sentences of news with real titles, names and places, from which nothing may be cut and which no rule may refuse."""

import pytest

from support.cutting import cut
from support.marked import marked
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.records import Joined
from wdw_build.text.pages.cleaning import OPENING
from wdw_build.text.pages.credits import credits
from wdw_build.text.pages.datelines import split_opening
from wdw_build.text.pages.exact_forms import cards
from wdw_build.text.pages.joined_lines import joined_spans, lines_to_read
from wdw_build.text.pages.tagged_lines import Reading, scores_of
from wdw_build.text.sentences.refusals import lost_boundary, refusal

_SENTENCES = (
    "Actress Olivia de Havilland, the last surviving star of Gone With the Wind, died on Sunday.",
    "Their eldest daughter An disappeared on the way to school, Michel Bourlet said on Monday.",
    "The 19-year old An who ran the shop told Ann Ames about it on Monday.",
    "Joseph Campbell wrote The Hero With a Thousand Faces in New York in 1949.",
    "The rapper, Also Known As the Doctor, was sentenced in Los Angeles on Monday.",
    "A peace agreement can be reached by September 2000, Prime Minister Ehud Barak told President Clinton on Monday.",
    "All rights reserved for women must be restored, Shirin Ebadi told a crowd in Oslo on Friday.",
    "I-95 in Virginia was closed on Monday, Governor Ralph Northam said.",
    "Elizabeth I of England was praised by Helen Mirren at the museum on Tuesday.",
    "Phase I trials of the vaccine began on Monday, Anthony Fauci said.",
    "So You Think You Can Dance judge Nigel Lythgoe left the show on Friday.",
    "Images from AP Television showed President Assad greeting soldiers in Homs on Sunday.",
    "Harrisburg (PA) Mayor Linda Thompson said on Monday that the city cannot pay.",
    "Two officers, Const. Ann Ames and Lieut. Bo Beck, met Comdr. Cy Cole on Monday.",
)
_RELATIVES = (
    "President [Clinton] and his wife, [Hillary Rodham Clinton], left for Oslo on Monday.",
    "[Trump]'s daughter [Ivanka Trump] spoke in Berlin on Tuesday.",
    "Gov. [Bush] said on Monday that his brother [Jeb Bush] would help.",
)


@pytest.mark.parametrize("sentence", _SENTENCES)
def test_nothing_is_cut_from_a_plain_sentence_of_news_and_no_rule_refuses_it(sentence: str) -> None:
    paragraphs = [sentence, "He gave no reason."]
    assert cut(paragraphs, *OPENING, cards, credits) == (paragraphs, [])
    assert split_opening(sentence) == ("", sentence)
    assert refusal(sentence, ()) == ("", "")


@pytest.mark.real
@pytest.mark.parametrize("joined", [Joined(), Joined(openings=0.2, articles=0.4)])
def test_no_sentence_of_news_is_page_text_or_read_as_two_not_even_of_a_source_that_often_runs_on(
    joined: Joined,
) -> None:
    tagger = PageTagger()
    lines = [list(lines_to_read([sentence], joined)) for sentence in _SENTENCES]
    assert not any(joined_spans(lines, tagger.starts, tagger.probabilities))
    readings = [Reading([sentence, "He gave no reason."], "", gate=-100) for sentence in _SENTENCES]
    read = zip(readings, scores_of(readings, tagger.probabilities), strict=True)
    assert not any(reading.spans(scores) for reading, scores in read)
    words = [sentence.split() for sentence in _SENTENCES]
    assert list(map(lost_boundary, words, tagger.starts(words))) == [""] * len(words)


def test_a_name_in_capitals_before_the_same_name_with_its_title_is_no_place() -> None:
    text = "OBAMA - President Obama signed the bill on Monday."
    assert split_opening(text) == ("", text)


@pytest.mark.parametrize("text", _RELATIVES)
def test_a_relative_with_the_same_family_name_shows_no_joined_sentence(text: str) -> None:
    assert refusal(*marked(text)) == ("", "")


def test_a_headline_that_names_the_person_of_the_sentence_is_still_refused() -> None:
    assert refusal(*marked("[Pool] quits board [Ann Pool] resigned on Monday."))[0] == "joins-sentences"

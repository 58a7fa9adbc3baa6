"""PageTagger: the trained network and its fake."""

from __future__ import annotations

import pytest

from support.fakes import FakePageTagger
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.text.pages.tagged_lines import KINDS, PARAGRAPH
from wdw_build.text.sentences.boundaries import is_start

STORY = [PARAGRAPH, *"The president told reporters in Tarn on Monday that two ships were lost .".split()]
NOTICE = [PARAGRAPH, *"CLICK HERE TO SIGN UP FOR OUR NEWSLETTER".split()]


@pytest.fixture(scope="module", params=[FakePageTagger, PageTagger])
def tagger(request):
    return request.param()


# Each probability is rounded to one decimal.
SUM_OF_ROUNDED = 0.05 * len(KINDS)


def test_every_word_has_the_probabilities_of_all_kinds(tagger):
    for words, scores in zip([STORY, NOTICE], tagger.probabilities([STORY, NOTICE]), strict=True):
        assert [len(of_word) for of_word in scores] == [len(KINDS)] * len(words)
        assert [sum(of_word) for of_word in scores] == pytest.approx([1] * len(words), abs=SUM_OF_ROUNDED)


def test_a_sentence_of_news_is_story_and_a_notice_is_not(tagger):
    story, notice = tagger.probabilities([STORY, NOTICE])
    assert min(of_word[0] for of_word in story[1:]) > 0.5
    assert max(of_word[0] for of_word in notice[1:]) < 0.5


def test_a_text_has_the_same_scores_alone_and_among_others(tagger):
    assert tagger.probabilities([STORY]) == tagger.probabilities([NOTICE, STORY, NOTICE])[1:2]


STARTS = [
    ("The owner says the sea is calm", "The ferry left the harbour of Tarn on Monday ."),
    ("The bear cubs play at the Tarn zoo", "A new law protects bears and their cubs from hunters ."),
]


@pytest.mark.parametrize(("before", "sentence"), STARTS)
def test_a_sentence_starts_after_a_caption_without_a_full_stop_and_nowhere_else(tagger, before, sentence):
    words = f"{before} {sentence}".split()
    (starts,) = tagger.starts([words])
    assert len(starts) == len(words)
    likely = [at for at, odds in enumerate(starts) if odds > 0 and is_start(words, at)]
    assert likely == [len(before.split())]


@pytest.mark.real
def test_a_name_may_start_a_sentence_and_a_clause_that_follows_without_a_comma_does_not():
    caption = "Fans sing outside the family home in Tarn"
    texts = [f"{caption} Karl Ames died on Friday at the age of 50 .", "The judge said Karl Ames died on Friday ."]
    (joined, whole) = PageTagger().starts([text.split() for text in texts])
    assert joined[8] > 0
    assert max(whole[3:]) < 0


def test_no_text_has_no_scores(tagger):
    assert tagger.probabilities([]) == tagger.starts([]) == []

"""The event score: its figures by hand, and what it must think of plain cases."""

import math

import pytest

from wdw_build.text.passages import same_event
from wdw_build.text.passages.same_event import ArticleLead, Features, Frequencies, similarity, term_vector

# "the" stands in every one of 100 articles, "ferry" in 10, a word that is not listed in one.
CORPUS = Frequencies(articles=100, counts={"the": 100, "ferry": 10})
THE, FERRY, RARE = (math.log(1 + (100 - count + 0.5) / (count + 0.5)) for count in (100, 10, 1))


@pytest.mark.parametrize(("word", "weight"), [("the", THE), ("ferry", FERRY), ("dyke", RARE)])
def test_a_rarer_word_is_heavier(word, weight):
    assert CORPUS.weight(word) == pytest.approx(weight)
    assert 0 < THE < FERRY < RARE


COUNTS = [({}, 5, 5), ({"w": 2}, 5, 5), ({"w": 9}, 5, 9), ({"w": 200}, 1, 100)]


@pytest.mark.parametrize(("counts", "least", "same_as"), COUNTS)
def test_no_word_counts_for_less_than_the_least_or_for_more_than_all(counts, least, same_as):
    found = Frequencies(articles=100, counts=counts, least=least).weight("w")
    assert found == Frequencies(articles=100, counts={"w": same_as}).weight("w")


COSINES = [
    ("ferry dyke", "dyke ferry", 1.0),
    ("ferry", "dyke", 0.0),
    ("", "dyke", 0.0),
    ("ferry dyke", "ferry", FERRY / math.hypot(FERRY, RARE)),
    ("ferry ferry dyke", "ferry", FERRY * (1 + math.log(2)) / math.hypot(FERRY * (1 + math.log(2)), RARE)),
]


@pytest.mark.parametrize(("one", "other", "expected"), COSINES)
def test_the_cosine_is_of_vectors_with_logarithmic_counts(one, other, expected):
    vectors = [term_vector(text.split(), CORPUS.weight) for text in (one, other)]
    assert similarity(*vectors) == pytest.approx(expected)


def told(title, *sentences):
    return ArticleLead(title=title.split(), sentences=[sentence.split() for sentence in sentences])


def test_the_lead_is_the_title_and_three_sentences_and_the_start_the_first_words_of_title_and_text_together():
    assert told("t", "a b", "c", "d", "e").lead == ["t", "a", "b", "c", "d"]
    assert told("t u", "a b", "c").start == ["t", "u", "a", "b", "c"]
    assert told("t", "a " * same_event.START_WORDS).start == ["t", *["a"] * (same_event.START_WORDS - 1)]
    assert (told("").lead, told("").start) == ([], [])


QUESTION = "captain blames owner for the leaking ferry door".split()
OWN = told("captain blames owner", "captain blames owner for the leaking ferry door", "61 people drowned")
SAME = told("owner blamed", "the leaking ferry door was known to the owner, the captain said", "61 people drowned")


def test_the_features_are_the_question_within_the_lead_the_two_articles_and_the_logarithm_of_the_days():
    vectors = [term_vector(text, CORPUS.weight) for text in (QUESTION, OWN.start, SAME.lead, SAME.start)]
    found = same_event.features(*vectors, -3)
    assert found.asked == similarity(vectors[0], vectors[2])
    assert found.articles == similarity(vectors[1], vectors[3])
    assert found.days == math.log(4)
    assert found == same_event.features(*vectors, 3)


def test_the_score_is_a_logistic_of_intercept_asked_articles_and_days():
    intercept, asked, articles, days = same_event.WEIGHTS
    for features in (Features(asked=0.0, articles=0.0, days=0.0), Features(asked=0.2, articles=0.5, days=math.log(2))):
        weighed = intercept + asked * features.asked + articles * features.articles + days * features.days
        assert same_event.score(features) == pytest.approx(1 / (1 + math.exp(-weighed)), abs=5.1e-4)

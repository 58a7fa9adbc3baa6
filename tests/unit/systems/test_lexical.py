"""Word overlap, sliding window and distance against cases counted by hand and against the definitions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.reading import reading_problem
from wdw_bench.systems import lexical
from wdw_build.core.section import Section
from wdw_build.reading.matching import best_sentence_overlaps, best_windows, distances
from wdw_build.reading.words import PassageWords, ProblemWords, bag, cosine
from wdw_build.text.lexicon import STOP_WORDS


def words(question, passage, *choices):
    """Words of a problem whose texts are given in normal form, sentences apart by a full stop."""
    return ProblemWords(
        question.split(), PassageWords([s.split() for s in passage.split(".")]), [choice.split() for choice in choices]
    )


def ic(count):
    return math.log(1 + 1 / count)


TWO_SENTENCES = words("won gold", "fox won gold today. lee won", "fox", "lee")
NOTHING, EMPTY = (ProblemWords(["won"], PassageWords(sentences), [["fox"]]) for sentences in ([], [[]]))


def test_word_overlap_sliding_window_and_distance_are_those_counted_by_hand():
    # {fox, won, gold} shares 3 words with the first sentence of 4; {lee, won, gold} shares 2 with either sentence.
    assert best_sentence_overlaps(TWO_SENTENCES) == pytest.approx([3 / math.sqrt(12), 2 / math.sqrt(6)])
    assert best_sentence_overlaps(NOTHING) == pytest.approx([0.0])
    # S = {fox, won}: windows of two words. C(won) = 2, C(fox) = 1. "fox said" has only fox; "won won" has won twice.
    assert best_windows(words("won", "fox said. won won", "fox")) == pytest.approx([max(ic(1), 2 * ic(2))])
    # S = {fox, won}, not three words: no window of two holds fox and both others.
    assert best_windows(words("fox won", "fox x won", "fox")) == pytest.approx([ic(1)])
    # A window longer than the passage.
    assert best_windows(words("a b c d", "fox a", "fox")) == pytest.approx([2 * ic(1)])
    assert best_windows(EMPTY) == pytest.approx([0.0])
    # |P| = 6: gold at 5; fox at 0 and 3, lee at 4.
    assert distances(words("gold", "fox x y fox lee gold", "fox", "lee")) == pytest.approx([2 / 5, 1 / 5])


def test_distance_without_a_match_is_one():
    passage = "the fox won gold"
    assert distances(words("bronze", passage, "fox")) == [1.0]  # no word of the question in the passage
    assert distances(words("gold", passage, "lee")) == [1.0]  # no word of the choice in the passage
    assert distances(words("the", passage, "fox")) == [1.0]  # only a stop word of the question
    assert distances(words("gold", passage, "the")) == [1.0]  # only a stop word of the choice
    assert distances(words("fox", passage, "fox")) == [1.0]  # the choice's only word is the question's


def prediction(entry, settings):
    (predicted,) = entry.make(settings).choose([PROBLEM])
    return predicted


PROBLEM = reading_problem("XXX took the medal .", "Lee took a train. Ann Fox won the medal.", ["Lee", "Ann Fox"])


def test_sliding_window_with_distance_subtracts_the_weighted_distance():
    windows = prediction(lexical.SLIDING_WINDOW, Section()).scores
    nearness = prediction(lexical.DISTANCE, lexical.DistanceSettings()).scores
    both = prediction(lexical.SLIDING_WINDOW_DISTANCE, lexical.WindowDistanceSettings(weight=2.0)).scores
    assert both == pytest.approx([window + 2 * near for window, near in zip(windows, nearness, strict=True)])


def test_distance_prefers_the_nearer_choice():
    # Lee stands beside "took" (1/8), Ann Fox two words from "medal" and from nothing nearer (3/8).
    found = prediction(lexical.DISTANCE, lexical.DistanceSettings())
    assert found.scores == pytest.approx((-1 / 8, -3 / 8))
    assert found.first_choice == 0


def test_sums_that_differ_only_by_rounding_tie_for_the_first_choice():
    (tied,) = lexical.LexicalSystem(lambda words: [0.3, 0.1 + 0.2]).choose([PROBLEM])
    assert tied.first_choice == 0


TEXT = st.lists(st.sampled_from(["the", "of", "a1", "b1", "c1", "d1", "e1", "f1"]), max_size=25)


@st.composite
def problems(draw):
    choices = draw(st.lists(TEXT.filter(lambda text: len(text) < 4), min_size=1, max_size=3))
    return ProblemWords(draw(TEXT)[:8], PassageWords(draw(st.lists(TEXT, max_size=3))), choices)


def defined_window(passage, question, choice):
    """Algorithm 1, written out: windows may run over the end of the passage."""
    searched = set(question) | set(choice)
    windows = [passage[start : start + len(searched)] for start in range(len(passage))]
    sums = [sum(ic(passage.count(word)) for word in window if word in searched) for window in windows]
    return max(sums, default=0.0)


def defined_distance(passage, question, choice, combine):
    """Algorithm 2, written out."""
    asked = {word for word in question if word in passage and word not in STOP_WORDS}
    named = {word for word in choice if word in passage and word not in question and word not in STOP_WORDS}
    if not asked or not named:
        return 1.0
    places = list(enumerate(passage))
    nearest = [min(abs(i - j) for i, p in places for j, r in places if p == q and r in named) for q in asked]
    return combine(nearest) / (len(passage) - 1)


@given(problems())
def test_word_overlap_is_the_cosine_of_the_definition(given_words):
    sentences = [bag(sentence) for sentence in given_words.passage.sentences]
    filled = [bag(choice + given_words.question) for choice in given_words.choices]
    expected = [max((cosine(one, sentence) for sentence in sentences), default=0.0) for one in filled]
    assert best_sentence_overlaps(given_words) == expected


@given(problems())
def test_best_windows_are_those_of_the_definition(given_words):
    expected = [defined_window(given_words.passage.all, given_words.question, choice) for choice in given_words.choices]
    assert best_windows(given_words) == pytest.approx(expected)


@given(problems(), st.sampled_from([("least", min), ("mean", lambda found: sum(found) / len(found))]))
def test_distances_are_those_of_the_definition(given_words, combination):
    name, combine = combination
    passage, question = given_words.passage.all, given_words.question
    expected = [defined_distance(passage, question, choice, combine) for choice in given_words.choices]
    assert distances(given_words, name) == pytest.approx(expected)

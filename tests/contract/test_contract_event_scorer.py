"""``EventScorer``: a score in [0, 1] for each candidate, that depends on the question and that candidate alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fakes
from wdw_build.ports import ArticleText
from wdw_build.text.same_event import Frequencies

QUESTION = "Mayor Ann Ames told Bob Beck on Monday that the old bridge must close ."
FREQUENCIES = Frequencies(articles=50, counts={"the": 50, "bridge": 3, "ames": 2, "on": 40})


def article(name, *sentences, day=100, title="Bridge to close"):
    return ArticleText(name, day, title, sentences)


OWN = article("q", QUESTION, "Trucks will go round by Selm.")
SAME = article("same", "The old bridge must close, Ann Ames told Bob Beck.", "Trucks go round by Selm.", day=101)
OTHER = article("other", "A singer called Ann Ames came to town.", title="Songs", day=112)
EMPTY = article("empty", title="")


@pytest.fixture(scope="module", params=["fake", "lexical"])
def scorer(request):
    if request.param == "fake":
        return fakes.FakeEventScorer()
    from wdw_build.adapters.events.lexical import LexicalScorer

    return LexicalScorer()


def test_the_article_about_the_event_has_the_higher_score(scorer):
    same, other = scorer.score(QUESTION, OWN, [SAME, OTHER], FREQUENCIES)
    assert same > other


def test_scores_lie_between_0_and_1_and_have_four_decimals(scorer):
    found = scorer.score(QUESTION, OWN, [SAME, OTHER, EMPTY, OWN], FREQUENCIES)
    assert all(0.0 <= one <= 1.0 and round(one, 4) == one for one in found)


def test_no_candidates_have_no_scores(scorer):
    assert scorer.score(QUESTION, OWN, [], FREQUENCIES) == []


@given(st.permutations([SAME, OTHER, EMPTY, OWN]), st.integers(0, 4))
def test_a_score_does_not_depend_on_the_other_candidates_or_their_order(scorer, candidates, count):
    alone = {one.id: scorer.score(QUESTION, OWN, [one], FREQUENCIES)[0] for one in candidates[:count]}
    assert scorer.score(QUESTION, OWN, candidates[:count], FREQUENCIES) == [*alone.values()]


def test_the_identity_is_a_sentence(scorer):
    assert scorer.identity

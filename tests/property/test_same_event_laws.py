"""Laws of the event score."""

from hypothesis import given
from hypothesis import strategies as st

from support.make import event_figures
from wdw_build.text.passages.same_event import ArticleLead, Features, Frequencies, score, similarity, term_vector

WORDS = st.lists(st.sampled_from("abcdefg"), max_size=12)
FREQUENCIES = st.builds(
    Frequencies,
    articles=st.integers(0, 50),
    counts=st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 50)),
    least=st.integers(1, 5),
)
TOLD = st.builds(ArticleLead, title=WORDS, sentences=st.lists(WORDS, max_size=5))
SHARE = st.floats(0.0, 1.0)
FEATURES = st.builds(Features, asked=SHARE, articles=SHARE, days=st.floats(0.0, 3.0))


@given(WORDS, WORDS, FREQUENCIES)
def test_the_cosine_is_symmetric_to_the_last_digit_and_nought_without_a_shared_word(one, other, frequencies):
    def vector(words):
        return term_vector(words, frequencies.weight)

    found = similarity(vector(one), vector(other))
    assert found == similarity(vector(other), vector(one)) == similarity(vector(one[::-1]), vector(other[::-1]))
    assert 0.0 <= found <= 1.0
    if not set(one) & set(other):
        assert found == 0.0


@given(WORDS, TOLD, TOLD, st.integers(-14, 14), FREQUENCIES)
def test_any_two_articles_have_a_score_between_0_and_1(question, own, candidate, days, frequencies):
    # Rounded: 1 for texts that are equal.
    assert 0.0 < score(event_figures(question, own, candidate, days, frequencies)) <= 1.0


@given(FEATURES, SHARE)
def test_more_in_common_never_lowers_the_score_and_more_days_never_raise_it(found, more):
    assert score(found._replace(asked=max(found.asked, more))) >= score(found)
    assert score(found._replace(articles=max(found.articles, more))) >= score(found)
    assert score(found._replace(days=found.days + more)) <= score(found)

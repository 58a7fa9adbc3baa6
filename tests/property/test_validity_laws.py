"""The tests of a candidate, which take short cuts, give what the plain definitions give."""

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support import make
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.text.passages.passage_text import PassageText, holds_run, share_of, side_runs
from wdw_build.text.passages.validity import SentenceTests, Validity
from wdw_build.text.settings import RetrieveConfig
from wdw_build.text.tokens import words

PLAIN = RetrieveConfig()


def passage_text(name, text, options=PLAIN):
    return PassageText(make.article(name, text or "."), options, PunktSplitter().sentences)


def reprint_share(one, other):
    """The share of the smaller set of n-grams that the other set contains; 0 if either set is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def plainly_refused(question, text, options):
    """The tests of sentences one after the other, as in Algorithm 2."""
    bag = Counter(words(question.sentence))
    sides = side_runs(words(question.left), words(question.right))
    for sentence in map(words, text.raw_sentences):
        share = share_of(sentence, bag)
        if len(sentence) >= (5 if options.ignore_short_sentences else 1) and share > options.max_sentence_overlap:
            return "sentence-overlap", f"{share:.2f}: {' '.join(sentence)[:200]}"
        for rule, run in zip(("left-context", "right-context"), sides, strict=True):
            if run and holds_run(sentence, run):
                return rule, " ".join(run)
    return None


SIDE = st.lists(st.sampled_from(["a", "b", "cc"]), max_size=6)
TEXT = st.lists(st.lists(st.sampled_from(["Ann", "Bob", "a", "b", "cc", "."]), max_size=9).map(" ".join), max_size=5)


@given(SIDE, SIDE, TEXT.map("\n\n".join), st.sampled_from([(0.0, False), (0.5, False), (0.78, True), (1.0, False)]))
@example(["a"], [], "a a a", (0.5, False))
def test_a_candidate_is_refused_by_the_first_sentence_that_breaks_a_rule(left, right, text, overlap):
    drawn = {"max_sentence_overlap": overlap[0], "ignore_short_sentences": overlap[1]}
    options = RetrieveConfig(min_passage_words=0, require_other_person=False, refuse_tables=False, **drawn)
    sentence = " ".join([*left, "Ann Ames", *right, "met Bob Beck ."])
    question = make.question("q", sentence, "Ann Ames", others=["Bob Beck"])
    own, passage = passage_text("q", "a b cc a b cc a b a b. " * 3, options), passage_text("p", text, options)
    expected = plainly_refused(question, passage, options)
    if expected is None:
        share = reprint_share(own.grams(), passage.grams())
        expected = ("reprint", f"{share:.2f} of the 8-grams") if share >= 0.3 else ("", "")
    shared = SentenceTests(question.sentence, own, options)
    first, second = (Validity(question, own, options, shared).refusal(passage) for _ in range(2))
    assert first == second == Validity(question, own, options).refusal(passage) == expected


@given(st.lists(st.sampled_from("ab"), max_size=30), st.lists(st.sampled_from("ab"), max_size=30))
def test_the_share_of_grams_is_the_same_with_the_quick_look_at_parts(one, other):
    own, passage = passage_text("p", " ".join(one)), passage_text("p", " ".join(other))
    assert SentenceTests("", own, PLAIN).reprint_share(passage) == reprint_share(own.grams(), passage.grams())


TRUSTED = [("Beck", True), ("O'Hara", True), ("Ki-moon", False), ("b\ud800x", False)]


@pytest.mark.parametrize(("word", "trusted"), TRUSTED)
def test_a_search_is_believed_about_words_that_cannot_be_written_as_two(word, trusted):
    question = make.question("q", f"Ann Ames met {word} .", "Ann Ames", others=[word])
    own, passage = passage_text("q", "Nobody is named."), passage_text("p", "Nobody is named.")
    validity = Validity(question, own, PLAIN)
    assert validity.refusal(passage)[0] == "no-other-person"
    assert (validity.refusal(passage, has_other_word=True)[0] != "no-other-person") is trusted

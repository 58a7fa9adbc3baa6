"""The joins are exact: against brute force they never miss and never invent, whatever the threshold."""

from collections import Counter
from fractions import Fraction

from hypothesis import example, given, settings
from hypothesis import strategies as st

from wdw_build.text.joins import DuplicateFinder, SentenceFinder, elements, frequencies

BAGS = st.lists(st.sampled_from("abcdefgh"), max_size=12)
MANY = st.lists(BAGS, max_size=12)
NAMED = [Fraction(number, 100) for number in (1, 10, 25, 30, 50, 60, 70, 75, 78, 80, 90, 99, 100)]
SHARES = st.one_of(
    st.sampled_from(NAMED),
    st.integers(1, 12).flatmap(lambda below: st.integers(1, below).map(lambda above: Fraction(above, below))),
)


def overlap(one, other):
    return sum((Counter(one) & Counter(other)).values())


def is_duplicate(one, other, threshold):
    smaller = min(len(one), len(other))
    return smaller > 0 and overlap(one, other) >= threshold * smaller


@settings(deadline=None)
@given(MANY, SHARES, st.booleans())
@example([list("abcde"), list("abcdx")], Fraction(4, 5), True)
@example([list("abcdefg") + list("xyz"), list("abcdefg") + list("uvw")], Fraction(7, 10), True)
def test_what_is_kept_and_why_the_rest_is_not_is_what_brute_force_says(bags, threshold, counted):
    finder = DuplicateFinder(float(threshold), frequencies(bags if counted else []))
    kept = []
    for number, bag in enumerate(bags):
        expected = next((name for name, other in kept if is_duplicate(bag, other, threshold)), None)
        assert finder.find(bag) == expected
        if expected is None:
            finder.keep(str(number), bag)
            kept.append((str(number), bag))


@settings(deadline=None)
@given(MANY, BAGS, SHARES)
def test_with_everything_kept_the_first_of_all_originals_is_found(bags, new, threshold):
    finder = DuplicateFinder(float(threshold), frequencies([*bags, new]))
    for number, bag in enumerate(bags):
        finder.keep(str(number), bag)
    expected = next((str(number) for number, bag in enumerate(bags) if is_duplicate(new, bag, threshold)), None)
    assert finder.find(new) == expected


@settings(deadline=None)
@given(MANY, BAGS, st.one_of(SHARES, st.just(Fraction(0))))
@example([list("abcdefg")], list("abcdefghi"), Fraction(78, 100))
@example([list("abcd")], list("abcde"), Fraction(4, 5))
def test_a_sentence_matches_if_some_bag_holds_more_than_the_share_of_it(bags, sentence, share):
    expected = any(overlap(sentence, bag) > share * len(sentence) for bag in bags)
    assert SentenceFinder(float(share), bags).matches(sentence) is expected


@settings(deadline=None)
@given(BAGS, BAGS)
def test_bags_as_sets_have_the_bags_intersections(one, other):
    assert len(set(elements(one))) == len(one)
    assert len(set(elements(one)) & set(elements(other))) == overlap(one, other)


@settings(deadline=None)
@given(MANY, SHARES, st.randoms())
def test_the_order_of_a_bags_words_does_not_matter(bags, threshold, random):
    shuffled = [random.sample(bag, len(bag)) for bag in bags]
    found = []
    for some in (bags, shuffled):
        finder = DuplicateFinder(float(threshold), frequencies(bags))
        outcome = []
        for number, bag in enumerate(some):
            outcome.append(finder.find(bag))
            finder.keep(str(number), bag)
        found.append(outcome)
    assert found[0] == found[1]

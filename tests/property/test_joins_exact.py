"""The joins are exact: against brute force they never miss and never invent, whatever the threshold."""

from collections import Counter
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from support.joins import bags_of, duplicates
from wdw_build.similarity.bags import joined, read_bags, write_bags
from wdw_build.similarity.joins import SentenceFinder

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


@given(MANY, SHARES, st.randoms(), st.integers(1, 5))
@example([list("abcde"), list("abcdx")], Fraction(4, 5), None, 1)
@example([list("abcdefg") + list("xyz"), list("abcdefg") + list("uvw")], Fraction(7, 10), None, 3)
def test_what_is_kept_and_why_the_rest_is_not_is_what_brute_force_says(bags, threshold, random, parts):
    order = list(range(len(bags)))
    if random:
        random.shuffle(order)
    expected, kept = {}, []
    for number in order:
        original = next((other for other in kept if is_duplicate(bags[number], bags[other], threshold)), None)
        if original is None:
            kept.append(number)
        else:
            expected[number] = original
    assert duplicates(bags_of(bags), float(threshold), order, parts) == expected


@given(MANY, MANY, st.one_of(SHARES, st.just(Fraction(0))))
@example([list("abcdefg")], [list("abcdefghi")], Fraction(78, 100))
@example([list("abcd")], [list("abcde")], Fraction(4, 5))
def test_a_sentence_matches_if_some_bag_holds_more_than_the_share_of_it(bags, sentences, share):
    finder = SentenceFinder(float(share), bags_of(bags))
    asked = finder.sentences()
    for sentence in sentences:
        asked.add(sentence)
    expected = [any(overlap(sentence, bag) > share * len(sentence) for bag in bags) for sentence in sentences]
    assert finder.matches(asked).tolist() == expected


@given(MANY, MANY, SHARES)
def test_bags_that_were_written_in_parts_and_joined_are_those_of_one(tmp_path_factory, some, others, threshold):
    parts = []
    for bags in (some, others):
        parts.append(tmp_path_factory.mktemp("part"))
        write_bags(parts[-1], bags_of(bags))
    order = range(len(some) + len(others))
    one = duplicates(bags_of([*some, *others]), float(threshold), order)
    assert duplicates(joined(map(read_bags, parts)), float(threshold), order, 2) == one

"""Laws of the name rules, over names built from every kind of part and, where they hold for any text, over that."""

import itertools

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from wdw_build.text.names import matching as names

TITLES = st.sampled_from(["", "President ", "Mrs. ", "former Prime Minister ", "Gen. "])
PARTS = st.sampled_from(
    "John Mary Smith Ki-moon O'Brien O’Brien MÜLLER Wałęsa al-Assad Assad van de la J. J.P. W Bush Jones Judge King MacDonald "
    "Mac “Magic” Zoë Ban".split()
)
SUFFIXES = st.sampled_from(["", " Jr.", ", Jr.", " III"])
NAMES = st.builds(
    lambda title, parts, suffix: title + " ".join(parts) + suffix,
    TITLES,
    st.lists(PARTS, min_size=1, max_size=4),
    SUFFIXES,
)


@settings(deadline=None)
@given(NAMES)
def test_a_name_with_an_identifying_token_is_a_form_of_itself(name):
    assert names.is_form_of(name, name) is bool(names.identifying_tokens(name))


@settings(deadline=None)
@given(NAMES, NAMES)
def test_sameness_and_sharing_are_symmetric_and_sameness_is_the_narrower(one, other):
    assert names.same_person(one, other) is names.same_person(other, one)
    assert names.shares_word(one, other) is names.shares_word(other, one)
    assert not names.same_person(one, other) or names.shares_word(one, other)


@st.composite
def thinned(draw):
    """Three names, each of some words of the one after it."""
    longest = draw(st.lists(PARTS, min_size=1, max_size=6))
    middle = [word for word in longest if draw(st.booleans())]
    return " ".join(word for word in middle if draw(st.booleans())), " ".join(middle), " ".join(longest)


@settings(deadline=None)
@given(thinned())
def test_being_a_form_of_a_name_is_transitive(chain):
    short, middle, long = chain
    if names.is_form_of(short, middle) and names.is_form_of(middle, long):
        assert names.is_form_of(short, long)


@settings(deadline=None)
@given(thinned())
def test_some_words_of_a_name_in_its_order_are_a_form_of_it(chain):
    few, _, long = chain
    # "King John" alone is John: a title at the front is off, which the long name may still hold behind another word.
    assume(names.identifying_tokens(few) <= names.identifying_tokens(long))
    assert names.is_form_of(few, long) is bool(names.identifying_tokens(few))


@settings(deadline=None)
@given(NAMES, st.sampled_from([str.upper, str.lower, str.title, lambda name: f"  {name.replace(' ', '  ')}\n"]))
def test_case_and_spaces_do_not_matter(name, change):
    assert names.name_words(change(name)) == names.name_words(name)


@settings(deadline=None)
@given(NAMES, st.sampled_from(["'s", "’s", "'", "’", ",", ";", "'s,"]))
def test_a_possessive_or_a_comma_after_a_name_does_not_matter(name, after):
    assert names.identifying_tokens(name + after) == names.identifying_tokens(name)
    assert names.normalise_name(name + after) == names.normalise_name(name)


@settings(deadline=None)
@given(NAMES, st.sampled_from(["President", "Mr.", "Sen.", "former"]))
def test_a_title_before_a_name_does_not_matter(name, title):
    assert names.name_words(f"{title} {name}") == names.name_words(name)
    assert names.without_titles(f"{title} {name}") == names.without_titles(name)


@settings(deadline=None)
@given(NAMES)
def test_the_bare_name_has_the_words_of_the_name(name):
    assert names.name_words(names.without_titles(name)) == names.name_words(name)


@settings(deadline=None)
@given(NAMES)
def test_the_last_name_stands_in_the_name_and_counts_if_anything_does(name):
    last = names.last_name(name)
    assert last in name
    assert names.identifying_tokens(last) <= names.identifying_tokens(name) or not names.identifying_tokens(name)
    assert names.identifying_tokens(last) or not names.identifying_tokens(name)


@settings(deadline=None)
@given(st.text())
@example("Smith's,")
@example("' '")
def test_cleaning_twice_is_cleaning_once(text):
    once = names.normalise_name(text)
    assert names.normalise_name(once) == once
    assert once in " ".join(text.split())


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_a_name_and_only_identifying_tokens_identify(text):
    assert names.identifying_tokens(text) <= set(names.name_words(text))
    assert all(names.is_identifying(word) for word in names.identifying_sequence(text))
    assert isinstance(names.last_name(text) + names.without_titles(text) + names.normalise_name(text), str)


@settings(deadline=None)
@given(st.text("abc", max_size=4), st.text("abc", max_size=6))
def test_subsequences_equal_the_combinations(short, long):
    assert names.is_subsequence(short, long) is (tuple(short) in set(itertools.combinations(long, len(short))))


@settings(deadline=None)
@given(st.one_of(st.text(), st.lists(NAMES).map(" ".join)))
@example("ǅ. İstanbul’s Strauß-Łęcki, æther")
def test_a_word_of_a_name_stands_in_the_folded_text_letter_by_letter(text):
    """What ``retrieve`` relies on where it refuses an article without cutting it into words."""
    folded = names.fold_text(text)
    assert all(part in folded for word in text.split() for part in names.name_words(word))

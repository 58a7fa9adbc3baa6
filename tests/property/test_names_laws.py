"""Laws of the name rules, over names built from every kind of part and, where they hold for any text, over that."""

from hypothesis import assume, example, given
from hypothesis import strategies as st

from wdw_build.text.names import name as names
from wdw_build.text.names.compare import Relation, compare, family_keys, spelling_keys
from wdw_build.text.names.name import parse

TITLES = st.sampled_from(["", "President ", "Mrs. ", "former Prime Minister ", "Gen. "])
PARTS = st.sampled_from(
    "John Mary Smith Ki-moon O'Brien O’Brien MÜLLER Wałęsa al-Assad Assad van de la J. J.P. W Bush Jones Judge King MacDonald "
    "Mac “Magic” Zoë Ban".split()
)
WORDS = st.lists(PARTS, min_size=1, max_size=4).map(" ".join)
NAMES = st.tuples(TITLES, WORDS, st.sampled_from(["", " Jr.", ", Jr.", " III"])).map("".join)


@given(NAMES)
def test_a_name_with_an_identifying_word_is_the_same_as_itself(name):
    assert (compare(name, name).relation is Relation.SAME) is bool(parse(name).core)


TURNED = {Relation.FORM: Relation.FULLER, Relation.FULLER: Relation.FORM}


@given(NAMES, NAMES)
def test_a_comparison_turned_around_says_the_same_from_the_other_side(one, other):
    found, turned = compare(one, other), compare(other, one)
    assert turned.relation is TURNED.get(found.relation, found.relation)
    assert turned.why == found.why


@given(NAMES, NAMES)
def test_names_with_one_key_and_only_they_are_the_same(one, other):
    if parse(one).core and parse(other).core:
        assert (compare(one, other).relation is Relation.SAME) is (parse(one).key == parse(other).key)


@given(NAMES, NAMES)
def test_sharing_a_word_is_symmetric_and_relatives_and_namesakes_share_one(one, other):
    first, second = parse(one), parse(other)
    assert first.shares_word(second) is second.shares_word(first)
    assert compare(one, other).relation is not Relation.NAMESAKE or first.shares_word(second)


GIVEN = "Ranil Dmitri Dmitry Muhammad Mohammed Bill William Shamantha Shramantha".split()
FAMILIES = "Wickremesinghe Wickramasinghe Wikramasinghe Gunwardana Gunawardena Greespan Greenspan Crowley".split()
MIDDLES = st.sampled_from(["", "", " Kumar", " Kumara", " J.", " de"])
SPELLINGS = st.tuples(st.sampled_from(GIVEN), MIDDLES, st.sampled_from(FAMILIES).map(" {}".format)).map("".join)


@given(SPELLINGS, SPELLINGS)
@example("Woong-Bae Rha", "Rha Woong Bae")
@example("Ida DelMoro", "Ida Del Moro")
@example("Jude Shramantha Jayamaha", "Shamantha Jude Anthony Jayamaha")
@example("Ajay Misra", "Ajay Mishra Teni")
def test_other_spellings_of_a_full_name_have_a_key_in_common(one, other):
    if compare(one, other).relation is Relation.MISSPELLING:
        assert set(spelling_keys(parse(one))) & set(spelling_keys(parse(other)))


@given(NAMES, NAMES)
def test_names_of_one_person_have_a_key_of_an_article_in_common(one, other):
    first, second = parse(one), parse(other)
    if compare(one, other).is_one_person and first.is_within(second):
        assert set(family_keys(first)) & set(family_keys(second))


@st.composite
def thinned(draw):
    """Three names, each of some words of the one after it."""
    longest = draw(st.lists(PARTS, min_size=1, max_size=6))
    middle = [word for word in longest if draw(st.booleans())]
    return " ".join(word for word in middle if draw(st.booleans())), " ".join(middle), " ".join(longest)


@given(thinned())
def test_being_a_form_of_a_name_is_transitive(chain):
    short, middle, long = chain
    if parse(short).is_within(parse(middle)) and parse(middle).is_within(parse(long)):
        assert parse(short).is_within(parse(long))


@given(thinned())
def test_some_words_of_a_name_in_its_order_are_a_form_of_it(chain):
    few, _, long = chain
    # "King John" alone is John: a title at the front is off, which the long name may still hold behind another word.
    assume(set(parse(few).core) <= set(parse(long).core))
    assert parse(few).is_within(parse(long)) is bool(parse(few).core)


@given(NAMES, st.sampled_from([str.upper, str.lower, str.title, lambda name: f"  {name.replace(' ', '  ')}\n"]))
def test_case_and_spaces_do_not_matter(name, change):
    assert parse(change(name)).words == parse(name).words


@given(NAMES, st.sampled_from(["'s", "’s", "'", "’", ",", ";", "'s,"]))
def test_a_possessive_or_a_comma_after_a_name_does_not_matter(name, after):
    assert set(parse(name + after).core) == set(parse(name).core)
    assert names.clean(name + after) == names.clean(name)


@given(NAMES, st.sampled_from(["President", "Mr.", "Sen.", "former"]))
def test_a_title_before_a_name_does_not_matter(name, title):
    assert parse(f"{title} {name}").words == parse(name).words
    assert parse(f"{title} {name}").bare == parse(name).bare


@given(NAMES)
def test_the_last_name_stands_in_the_name_and_counts_if_anything_does(name):
    last = parse(name).last
    assert last in name
    assert set(parse(last).core) <= set(parse(name).core) or not set(parse(name).core)
    assert set(parse(last).core) or not set(parse(name).core)


@given(st.text())
@example("Smith's,")
@example("' '")
def test_cleaning_twice_is_cleaning_once(text):
    once = names.clean(text)
    assert names.clean(once) == once
    assert once in " ".join(text.split())


@given(st.text())
def test_any_text_can_be_a_name_and_only_identifying_tokens_identify(text):
    assert set(parse(text).core) <= set(parse(text).words)
    assert all(names.is_identifying(word) for word in parse(text).core)
    assert isinstance(parse(text).last + parse(text).bare + names.clean(text), str)


@given(st.one_of(st.text(), st.lists(NAMES).map(" ".join)))
@example("ǅ. İstanbul’s Strauß-Łęcki, æther")
def test_a_word_of_a_name_stands_in_the_folded_text_letter_by_letter(text):
    """What ``retrieve`` relies on where it refuses an article without cutting it into words."""
    folded = names.fold_text(text)
    assert all(part in folded for word in text.split() for part in parse(word).words)

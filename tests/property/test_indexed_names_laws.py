"""The indexed rules for names equal the plain ones, on articles with many mentions, hyphens, possessives and accents."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from support import plain_names as plain
from wdw_build.records import Mention
from wdw_build.text.names.beside import ArticleWords
from wdw_build.text.names.persons import group, without_other_forms

TOKENS = st.sampled_from(
    "Ann Zoë Élodie Lee Harvey Oswald Oswalt Jae-sung al-Assad Al Gore O'Brien J. J.P. Mr. Senator Jr. de la van will "
    "lee harvey élodie Smith's Smith Smithson McSmith _Smith Smith_x 50 42nd and said “Bill” \" ’s - — İnci ﬁn straße x".split()
)
SPACES = st.sampled_from([" ", " ", " ", ", ", "-", "\n\n", ". ", "’", " and ", "", "_"])
TEXTS = st.lists(st.tuples(TOKENS, SPACES), max_size=40).map(lambda parts: "".join(itertools.chain(*parts)))
NAMES = st.lists(TOKENS, min_size=1, max_size=4).map(" ".join)
SURFACES = NAMES | TOKENS | TEXTS.map(lambda text: text[3:12])
LETTERS = st.text("abcé", min_size=5, max_size=8).map(str.capitalize)


@given(TEXTS, SURFACES)
def test_the_places_of_a_name_are_those_of_a_search_through_the_text(text, name):
    assert list(ArticleWords(text).find(name)) == plain.places(text, name)


@given(TEXTS, st.lists(SURFACES, min_size=1, max_size=30))
def test_words_in_lower_case_are_those_of_a_search(text, names):
    words = ArticleWords(text)
    for name in names:
        assert words.has_word(name.lower()) == bool(plain.places(text, name.lower(), barred=("'", "’")))


def mentions_of(names):
    """Mentions of names, one after the other."""
    ends = list(itertools.accumulate((len(name) + 2 for name in names), initial=0))
    return [Mention(start=at, end=at + len(name), text=name) for at, name in zip(ends, names, strict=False)]


@given(st.lists(NAMES, max_size=25))
def test_groups_equal_those_of_comparing_every_mention_with_every_full_name(names):
    mentions = mentions_of(names)
    assert group(mentions) == plain.group(mentions)


@given(st.lists(st.tuples(st.sampled_from(["Ann", "Bernard", "Bernhard", "Bern"]), LETTERS).map(" ".join), max_size=12))
def test_misspellings_equal_those_of_comparing_every_two_persons(names):
    entities = group(mentions_of(names))
    text = "  ".join(names)
    assert without_other_forms(entities, text) == plain.without_misspellings(entities, text)

"""What an article's text says of a name: the words before it, its lower-case form, and other mentions."""

import pytest

from wdw_build.text.names.article_names import ArticleNames


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("He met Ludwig Beethoven there.", ("Ludwig",)),
        ("He met Ludwig van Beethoven there.", ("Ludwig",)),
        ("Then Ludwig de la Beethoven left.", ("Ludwig",)),
        ("He met “Ludwig Beethoven there.", ("Ludwig",)),
        ("Bashar al-Beethoven left.", ("Bashar",)),
        ("He met J. Beethoven there.", ("J.",)),
        ("He met U.S. Beethoven there.", ("U.S.",)),
        ("Mr. Beethoven left.", ("Mr.",)),
        ("He met Prof. Beethoven there.", ()),
        ("He met Smith. Beethoven came.", ()),
        ("He met Ann's Beethoven there.", ()),
        ("He met Ann, Beethoven there.", ()),
        ("Ann and Beethoven left.", ()),
        ("The Beethoven left.", ("The",)),
        ("Of Beethoven nothing was heard.", ("Of",)),
        ("He met Ann\n\nBeethoven came.", ()),
        ("the Beethoven house", ()),
        ("van Beethoven left.", ()),
        ("Beethoven left.", ()),
        ("Ann Beethoven and Bob Beethoven left, Ann Beethoven said.", ("Ann", "Bob")),
    ],
)
def test_the_word_before_a_name_is_a_capitalised_one_of_the_same_sentence_and_phrase(text, before):
    assert ArticleNames(text).words_before("Beethoven") == before


def test_a_name_begins_with_another_only_if_that_is_written_as_often():
    twice = ["Lee Harvey Oswald Heidi"] * 2
    assert ArticleNames("", ["Lee Harvey Oswald", *twice]).begins_with_another("Lee Harvey Oswald Heidi") == ""
    assert ArticleNames("", ["Lee Harvey Oswald"] * 2 + twice).begins_with_another("Lee Harvey Oswald Heidi") != ""


@pytest.mark.parametrize(
    ("text", "titled"),
    [
        ("analyst Michael Lewis said", True),
        ("Mr. Michael Lewis said", True),
        ("Gen. J. R. Michael Lewis said", True),
        ("vice-president Michael Lewis said", True),
        ("broker Michael Lewis fell", False),
        ("when Michael Lewis said", False),
        ("(Mr. Michael Lewis said", False),
    ],
)
def test_a_title_or_a_role_directly_before_a_name_makes_it_titled(text, titled):
    assert ArticleNames(text).is_titled("Michael Lewis") is titled

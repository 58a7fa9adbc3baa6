"""The word lists: lists within lists, patterns of words, the words of dates, and what lists have in common."""

import re
from collections import Counter

import pytest

from wdw_build.text import lexicon
from wdw_build.text.lexicon import alternatives, forms, phrases, word_list, words_in_order


@pytest.fixture
def lists(monkeypatch):
    def use(**found):
        monkeypatch.setattr(lexicon, "_LISTS", found)

    return use


def test_a_list_has_the_words_of_the_lists_that_it_names_in_order(lists):
    lists(days="monday\ntuesday", soon="today @days @unknown", all="@soon now")
    assert words_in_order("all") == ("today", "monday", "tuesday", "@unknown", "now")
    assert word_list("all") == {"today", "monday", "tuesday", "@unknown", "now"}


def test_phrases_have_spaces_and_those_of_other_lists(lists):
    lists(wires="AP,\nUnited  Press", owners="@wires, Getty Images, @, twitter @us")
    assert phrases("owners") == ("AP", "United Press", "Getty Images", "@", "twitter @us")


def test_a_pattern_of_a_table_has_the_phrases_of_a_list_that_it_names(lists):
    lists(wires="AP, A.P.", credits=[{"words": 3, "pattern": r"(?:by|via) @wires\W*$|\S*@\S+ @ann"}])
    ((most, pattern),) = forms("credits")
    assert (most, pattern.pattern) == (3, r"(?:by|via) (?:A\.P\.|AP)\W*$|\S*@\S+ @ann")


def test_of_alternatives_the_longest_matches():
    assert re.match(alternatives(["Getty", "AP", "Getty Images"]), "Getty Images")[0] == "Getty Images"


@pytest.mark.parametrize("text", ["March", "Mar.", "Sept.", "Sep", "May", "June", "Jun."])
def test_a_month_may_be_short(text):
    assert re.fullmatch(lexicon.MONTH, text)
    assert bool(re.fullmatch(lexicon.MONTH_NAME, text)) == (text.lower() in lexicon.MONTHS)


SHORT = [("Tues.", True), ("Thursday", True), ("Wed", True), ("Thuday", False)]


@pytest.mark.parametrize(("text", "is_weekday"), SHORT)
def test_a_weekday_may_be_short(text, is_weekday):
    assert bool(re.fullmatch(lexicon.WEEKDAY, text)) == is_weekday


@pytest.mark.parametrize("name", ["titles_never_last", "heads", "partial_titles", "titles_without_office"])
def test_a_list_of_some_titles_has_only_titles(name):
    assert word_list(name) <= word_list("titles")


def test_a_list_has_no_word_twice_and_none_of_a_list_that_it_names():
    for name, text in lexicon._LISTS.items():
        if isinstance(text, str) and "," not in text:
            own = [word for word in text.split() if not word.startswith("@")]
            named = {word for part in text.split() if part.startswith("@") for word in words_in_order(part[1:])}
            assert len(own) == len(set(own) - named), (name, named.intersection(own), Counter(own).most_common(2))

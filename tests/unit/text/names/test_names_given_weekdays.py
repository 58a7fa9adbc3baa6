"""Weekdays that are given names."""

import pytest

from wdw_build.text.names.mention_repair import with_weekday

WEEKDAYS = [
    ("The activist Sunday Igboho left", "", True),
    ("Chief Sunday Igboho left", "", True),
    ("Sunday Igboho left", "Police seek Sunday Igboho.", True),
    ("Sunday Igboho left", "", False),
    ("Sunday Igboho left", "Police said on Sunday Igboho left.", False),
    ("On Sunday Igboho left", "Sunday Igboho slept.", False),
    ("Tuesday Igboho left", "Tuesday Igboho slept.", False),
    ("Igboho left", "", False),
]


@pytest.mark.parametrize(("sentence", "more", "widened"), WEEKDAYS)
def test_a_weekday_before_a_name_is_its_given_name_where_the_article_shows_it(sentence, more, widened):
    words = sentence.split()
    place = words.index("Igboho")
    assert with_weekday(words, (place, place + 1), f"{sentence} . {more}") == (place - widened, place + 1)

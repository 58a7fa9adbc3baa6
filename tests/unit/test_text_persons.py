"""Mentions that are no persons, and lone words with and without support."""

import pytest

from wdw_build.text.persons import refusal

SUPPORT = "John Smith spoke."
REFUSED = [
    # (case, name, before, after, words of the reason)
    ("party and state", "D - Maine", "", "", "two names in one"),
    ("party and state in one word", "R-Kan.", "(", ")", "a lone word"),
    ("party and state without stop", "D-Mich", "Riegle", "", "a lone word"),
    ("an act of two names", "Gramm - Rudman", "", "", "two names in one"),
    ("firm with and", "Duff and Phelps", "", "", "two names in one"),
    ("firm with ampersand", "Johnson & Johnson", "", "", "two names in one"),
    ("firm by its last word", "Hughes Tool Co", "", "", "organisation or place (Co)"),
    ("firm by its last word with a stop", "Baker Hughes Inc.", "", "", "organisation or place (Inc.)"),
    ("firm by the word after", "Baker Hughes", "", "Inc.", "organisation or place (Inc.)"),
    ("firm by the word after, with comma", "Salomon", "", "Bros,", "organisation or place"),
    ("brothers", "Lehman Brothers", "", "", "organisation or place (Brothers)"),
    ("a house", "White House", "", "", "organisation or place (House)"),
    ("a throne", "Chrysanthemum Throne", "", "", "organisation or place (Throne)"),
    ("a university", "Duke University", "", "", "organisation or place (University)"),
    ("a street", "Wall Street", "", "'s", "organisation or place (Street)"),
    ("a chamber alone, though named in full", "Senate", "the", "", "organisation or place (Senate)"),
    ("a digit", "Apollo 13", "", "", "a digit"),
    ("an acronym", "UAL", "", "", "an acronym"),
    ("an acronym with ampersand", "AT&T", "", "", "an acronym"),
    ("a day", "Friday", "", "", "no name"),
    ("a day after a title", "Friday", "President", "", "no name"),
    ("a month", "April", "", "", "no name"),
    ("a party member", "Democrat", "", "", "no name"),
    ("a pronoun", "He", "", "", "no name"),
    ("a title alone", "President", "", "", "no name"),
    ("lower case", "former chief", "", "", "no capital letter"),
    ("initials alone", "J. P.", "", "", "no word of a name"),
    ("particle alone", "Van", "", "", "no word of a name"),
    ("no letter", "--", "", "", "no word of a name"),
    ("nothing", "", "", "", "no word of a name"),
    ("a lone word", "Reebok", "", "", "a lone word"),
]


@pytest.mark.parametrize(("name", "before", "after", "why"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_a_mention_that_is_no_person_is_refused_with_its_reason(name, before, after, why):
    assert why in refusal(name, before, after, f"{SUPPORT} The U.S. Senate sat.")


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("John Smith", "", ""),
        ("Ban Ki-moon", "", ""),
        ("Park Geun-hye", "", ""),
        ("Osama bin Laden", "", ""),
        ("JOHN SMITH", "", ""),
        ("J. P. Morgan", "", "'s"),
        ("Smith", "Mr.", ""),
        ("Kohl", "Chancellor", "'s"),
        ("BUSH", "President", ""),
        ("Zoë", "Queen", ""),
    ],
)
def test_a_full_name_or_a_lone_word_after_a_title_is_a_person(name, before, after):
    assert refusal(name, before, after, "") == ""


SUPPORTED = [
    # (case, lone word, article, supported)
    ("given name before", "Smith", "It was John Smith who spoke.", True),
    ("at a paragraph's start", "Smith", "It ended.\n\nJohn Smith spoke.", True),
    ("at the text's start", "Smith", "John Smith spoke.", True),
    ("after a title with a stop", "Dole", "It was Sen. Bob Dole who spoke.", True),
    ("after an initial", "Smith", "It was J. Edgar Smith who spoke.", True),
    ("middle initial", "Kennedy", "It was John F. Kennedy who spoke.", True),
    ("a title counts as the longer name", "Reagan", "Then President Reagan spoke.", True),
    ("particles between", "Beethoven", "By Ludwig van Beethoven.", True),
    ("particle joined by a hyphen", "Assad", "It was Bashar al-Assad.", True),
    ("particle with a capital", "Basri", "It was Anwar Al-Basri.", True),
    ("possessive", "Bush's", "It was George Bush.", True),
    ("possessive of a name in s", "Dukakis's", "It was Michael Dukakis.", True),
    ("bare possessive", "Dukakis'", "It was Michael Dukakis.", True),
    ("an accent", "Müller", "It was Gerd Müller.", True),
    ("only a sentence's first word before", "Smith", "It ended. Then Smith spoke.", False),
    ("only a quotation's end before", "Smith", 'He said "no." Then Smith spoke.', False),
    ("only a preposition with a capital", "Lebanon", "In Lebanon it ended.", False),
    ("only Mr. elsewhere", "Smith", "It was Mr. Smith who spoke.", False),
    ("part of another word", "Smith", "It was John Smithson who spoke.", False),
    ("other case", "Bush", "It was Burning bush.", False),
    ("organisation named after it", "Drexel", "It was bought by Drexel Burnham.", False),
    ("nothing", "Smith", "", False),
]


@pytest.mark.parametrize(("word", "article", "supported"), [c[1:] for c in SUPPORTED], ids=[c[0] for c in SUPPORTED])
def test_a_lone_word_needs_a_longer_name_in_the_article(word, article, supported):
    assert refusal(word, "said", "today", article) == ("" if supported else "a lone word")


@pytest.mark.parametrize(
    ("name", "before", "article", "why"),
    [
        ("Anger", "U.S.", "U.S. Anger over the tax grew.", "a lone word"),
        ("Steele", "J.R.", "J.R. Steele spoke.", ""),
        ("James Capel", "of", "Ann Poole is an analyst with James Capel.", "an employer (analyst with)"),
        ("James Capel", "said", "James Capel, an analyst, spoke.", ""),
        ("Drexel Burnham", "brokerage", "the brokerage Drexel Burnham", "the name of a thing (brokerage)"),
        ("Bob Beck", "broker", "broker Bob Beck", ""),
        ("Joseph Banda", "vessel,", "the master of the vessel, Joseph Banda", ""),
    ],
)
def test_a_firm_that_people_work_for_and_a_country_before_a_word_are_seen(name, before, article, why):
    assert refusal(name, before, "", article) == why

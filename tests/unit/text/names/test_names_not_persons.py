"""Mentions that are no persons, and lone words with and without support."""

import pytest

from wdw_build.text.names import not_persons
from wdw_build.text.names.article_names import ArticleNames
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence


def refusal(name, before, after, text, mentions=(), evidence=NO_EVIDENCE):
    """The refusal of a mention in a text; ``mentions``: the other names that are tagged as persons."""
    return not_persons.refusal(name, before, after, ArticleNames(text, [*mentions, name]), evidence)


SUPPORT = "John Smith spoke."
REFUSED = [
    # (case, name, before, after, words of the reason)
    ("party and state", "D - Maine", "", "", "two names in one"),
    ("party and state in one word", "R-Kan.", "(", ")", "a lone word"),
    ("party and state without stop", "D-Mich", "Riegle", "", "a lone word"),
    ("an act of two names", "Gramm - Rudman", "", "", "two names in one"),
    ("firm with and", "Duff and Phelps", "", "", "two names in one"),
    ("firm with ampersand", "Johnson & Johnson", "", "", "two names in one"),
    ("a court's first words", "George Supreme", "", "Court", "no word of a name (Supreme)"),
    ("firm by its last word", "Hughes Tool Co", "", "", "organisation or place (Co)"),
    ("firm by its last word with a stop", "Baker Hughes Inc.", "", "", "organisation or place (Inc.)"),
    ("firm by the word after", "Baker Hughes", "", "Inc.", "organisation or place (Inc.)"),
    ("firm by the word after, with comma", "Salomon", "", "Bros,", "organisation or place"),
    ("brothers", "Lehman Brothers", "", "", "organisation or place (Brothers)"),
    ("a throne", "Chrysanthemum Throne", "", "", "organisation or place (Throne)"),
    ("a university", "Duke University", "", "", "organisation or place (University)"),
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
    ("a domain", "Agencja Wyborcza.pl", "", "", "a web address or handle"),
    ("a case", "Smith v. Baker", "", "ruling", "two names in one"),
    ("a shop", "Smith Cutlery", "from", "in", "organisation or place (Cutlery)"),
    ("a newspaper", "Rodong Sinmun", "", "", "organisation or place (Sinmun)"),
    ("a brigade", "Liwa al-Tawheed", "from", "", "the name of a body"),
    ("an outlet", "Arabiya al-Hadath", "Al", "TV", "the name of a body"),
    ("a nickname", "Cool", "'Captain", "'", "a nickname"),
    ("a nickname with its title", "Captain Cool", "“", "”", "a nickname"),
    ("a festival", "Durga Puja", "", "", "no word of a name (Puja)"),
    ("a tower", "Burj Khalifa", "", "", "before a name (Burj)"),
    ("a car", "Mahindra Thar", "", "", "no word of a name (Thar)"),
    ("a label", "Hide Caption", "", "1", "no word of a name (Caption)"),
    ("a team", "Toro Rosso", "for", "in", "a byword"),
    ("an event", "Roland Garros", "former", "champion", "a byword"),
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
        ("John Smith.he", "", ""),
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
    ("particles between", "Beethoven", "By Karl van Beethoven.", True),
    ("particle joined by a hyphen", "Assad", "It was Hassan al-Assad.", True),
    ("particle with a capital", "Basri", "It was Hassan Al-Basri.", True),
    ("possessive", "Bush's", "It was George Bush.", True),
    ("possessive of a name in s", "Dukakis's", "It was Michael Dukakis.", True),
    ("bare possessive", "Dukakis'", "It was Michael Dukakis.", True),
    ("an accent", "Müller", "It was Karl Müller.", True),
    ("an age after the longer name", "Wreszinsky", "It was Dzintars Wreszinsky, 45, of Riga.", True),
    ("a role after the longer name", "Wreszinsky", "It was Dzintars Wreszinsky, the club's manager.", True),
    ("Mr. elsewhere", "Smith", "It was Mr. Smith who spoke.", True),
    ("a first word that is no given name", "Wreszinsky", "It was Dzintars Wreszinsky.", False),
    ("a branch of government", "Yuan", "The Judicial Yuan met the Legislative Yuan.", False),
    ("an order", "Cordon", "He was given the Order of Brilliant Star with Grand Cordon.", False),
    ("a group", "Watch", "It was sued by Judicial Watch.", False),
    ("a law", "Election", "It broke the Presidential Election and Recall Law.", False),
    ("a storm", "Harvey", "It was after Hurricane Harvey.", False),
    ("a country's initials", "Soybeans", "They were U.S. Soybeans.", False),
    ("two names that are the same", "Johnson", "It was bought by Johnson and Johnson.", False),
    ("only a sentence's first word before", "Smith", "It ended. Then Smith spoke.", False),
    ("only a quotation's end before", "Smith", 'He said "no." Then Smith spoke.', False),
    ("only a preposition with a capital", "Lebanon", "In Lebanon it ended.", False),
    ("part of another word", "Smith", "It was John Smithson who spoke.", False),
    ("other case", "Bush", "It was Burning bush.", False),
    ("organisation named after it", "Drexel", "It was bought by Drexel Burnham.", False),
    ("nothing", "Smith", "", False),
]


@pytest.mark.parametrize(("word", "article", "supported"), [c[1:] for c in SUPPORTED], ids=[c[0] for c in SUPPORTED])
def test_a_lone_word_needs_a_longer_name_in_the_article(word, article, supported):
    assert bool(refusal(word, "said", "today", article)) != supported


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
        ("Tolvan Elegy", "liked", "his memoir Tolvan Elegy. He liked Tolvan Elegy.", "the title of a work (memoir)"),
        (
            "Tolvan Elegy",
            "memoir-turned-film",
            "the memoir-turned-film Tolvan Elegy",
            "the title of a work (memoir-turned-film)",
        ),
        ("Tolvan Vreel", "memoir", "In his memoir Tolvan Vreel wrote. Vreel left.", ""),
        ("Tolvan Vreel", "memoir,", "In his memoir, Tolvan Vreel wrote.", ""),
        ("Bob Beck", "memoir", "In his memoir Bob Beck wrote.", ""),
        ("Tolvan Vreel", "", "the reigning Tolvan Vreel champion", "the name of a firm or scheme (champion)"),
    ],
)
def test_a_firm_that_people_work_for_and_a_country_before_a_word_are_seen(name, before, article, why):
    assert refusal(name, before, "", article) == why


@pytest.mark.parametrize(
    ("word", "mentions"),
    [
        ("Yuan", ["Li Yuan"]),
        ("Reagan", ["Ronald Reagan"]),
        ("Chen", ["Chen Shui-bian"]),
        ("Wreszinsky", ["Dzintars Wreszinsky"]),
        ("Rhodes", ["Ben Rhodes"]),
        ("Assad", ["Bashar al-Assad"]),
    ],
)
def test_a_lone_word_is_a_person_if_a_longer_mention_of_a_person_has_it(word, mentions):
    text = f"{' and '.join(mentions)} met. {word} left."
    assert refusal(word, "met.", "left", text, mentions) == ""
    assert refusal(word, "met.", "left", f"{word} left.") == "a lone word"


def test_a_longer_mention_that_is_no_person_supports_no_lone_word():
    text = "Drexel Burnham Inc rose. Burnham fell."
    assert refusal("Burnham", "", "fell", text, ["Drexel Burnham"]) == "a lone word"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("Bretton Woods", "They left the Bretton Woods agreement.", "the name of a firm or scheme (agreement)"),
        ("Gallup Daily", "Gallup Daily asked them.", "an organisation or place (Daily)"),
        ("E.F. Hutton", "E.F. Hutton analyst Michael Lewis spoke.", "the name of a firm or scheme (analyst)"),
        ("Lear Siegler", "It is a unit of Lear Siegler.", "an employer (unit of)"),
        ("Castlemaine Toohey", "Castlemaine Toohey, the Australian brewer, rose.", "the name of a firm or scheme"),
        ("Mitch Connor", "They remember Hurricane Mitch Connor.", "the name of a thing (Hurricane)"),
        ("Gruppo Ferruzzi", "<Gruppo Ferruzzi> rose.", "the name of a firm or scheme (>)"),
        ("Getty Images", "Getty Images sued.", "an organisation or place (Images)"),
        ("Morning Joe", "He went on \u201cMorning Joe\u201d today.", "only in quotation marks"),
        (
            "Hillary Scissorhands",
            "\u201cI call her \u2018Hillary Scissorhands\u2019 now.\u201d",
            "only in quotation marks",
        ),
        ("Texas Sen", "Texas Sen. Ted Cruz left.", "a title at its end (Sen)"),
        ("Leans Republican", "Leans Republican: Ohio.", "no word of a name (Republican)"),
        ("Dummy @mcuban", "Dummy @mcuban is here.", "a web address or handle"),
        ("pro-Cruz Mercer", "A pro-Cruz Mercer left.", "a stance on a person"),
        ("Sanders Sanders", "She out-Sanders Sanders.", "a word twice"),
        ("U.S.S. George Washington", "The U.S.S. George Washington sailed.", "the name of a thing (U.S.S.)"),
        ("Morgan Stanley", "Morgan Stanley rose.", "a byword"),
    ],
)
def test_firms_storms_polls_accords_and_places_are_no_persons(name, text, why):
    before, after = text.split(name)[0].split(), text.split(name)[1].split()
    assert why in refusal(name, before[-1] if before else "", after[0] if after else "", text)


@pytest.mark.parametrize(
    ("name", "text", "mentions"),
    [
        ("Anthony Lake", "Anthony Lake spoke.", []),
        ("Dzintars Steel", "The chairman Dzintars Steel spoke.", []),
        ("Margaret Court", "Margaret Court won.", []),
        ("Chan Ho Park", "Pitcher Chan Ho Park won.", []),
        ("Chan Ho Park", "Chan Ho Park, 25, won.", []),
        ("Frank Church", "Senator Frank Church spoke.", []),
        ("Ivan Boesky", "Ivan Boesky paid. The Ivan Boesky Corp closed.", []),
        ("Kerry Packer", "It bought Kerry Packer's television after the acquisition of Kerry Packer's radio.", []),
        ("Drexel Burnham", "Mr. Burnham spoke after Drexel Burnham did.", []),
        ("Al Gore", "Al Gore lost.", []),
        ("Ben Carson", "Ben Carson lost.", []),
    ],
)
def test_what_says_that_a_name_is_a_persons_weighs_more_than_its_last_word(name, text, mentions):
    before, after = text.split(name)[0].split(), text.split(name)[1].split()
    assert refusal(name, before[-1] if before else "", after[0] if after else "", text, mentions) == ""


def test_words_of_headlines_and_lists_beside_a_name_are_seen():
    tagged = ["Lee Harvey Oswald", "Donald Trump"]
    text = "Lee Harvey Oswald Heidi left. Lee Harvey Oswald shot. When Trump spoke, Donald Trump left."
    assert "more than a name" in refusal("Lee Harvey Oswald Heidi", "", "left", text, tagged)
    assert "an ordinary word before a name" in refusal("When Trump", "", "spoke,", text, tagged)
    assert refusal("S Moss", "met", "in", "He met S Moss in Moss’s home.", ["S Moss", "Moss"]) == ""
    assert "a word of a headline" in refusal("Michelle Obama Has Sympathy", "", "", "Michelle Obama Has Sympathy")


EVIDENCE = NameEvidence(
    person={"dzintars lake": 1, "dzintars bole": 1, "ronald reagan": 9, "reagan": 40, "wolfram tant": 3},
    other={"wolfram pact": 6}
    | {f"judicial {word}": 1 for word in ("yuan", "watch", "house", "committee", "branch", "system")},
    titled={"reagan": 30},
    thing={"wolfram tant": 2},
    written={"wolfram tant": 5},
)


@pytest.mark.parametrize(
    ("name", "without", "with_evidence"),
    [
        ("Wolfram Pact", "an organisation or place (Pact)", "an organisation or place (Pact)"),
        ("Judicial Li-jen", "", ""),
        ("Judicial Bloc", "", "opens names of organisations or places in the corpus (judicial)"),
        ("Wolfram Tant", "", "mostly the name of a thing in the corpus"),
        ("Reagan", "a lone word", ""),
        ("Volcker", "a lone word", "a lone word"),
    ],
)
def test_the_corpus_decides_where_the_article_says_nothing(name, without, with_evidence):
    assert refusal(name, "", "spoke", f"{name} spoke.") == without
    assert refusal(name, "", "spoke", f"{name} spoke.", evidence=EVIDENCE) == with_evidence


def test_the_article_weighs_more_than_the_corpus():
    assert refusal("Judicial Bloc", "", "spoke", "Mr. Judicial Bloc spoke.", evidence=EVIDENCE) == ""
    assert refusal("Wolfram Tant", "", "spoke", "Mr. Wolfram Tant spoke.", evidence=EVIDENCE) == ""


def test_a_word_twice_is_a_name_if_it_recurs():
    assert refusal("Quillby Quillby", "", "", "Quillby Quillby left.") == "a word twice"
    article = ArticleNames("Quillby Quillby left. Quillby Quillby slept.", ["Quillby Quillby"] * 2)
    assert not_persons.refusal("Quillby Quillby", "", "", article) == ""
    known = NameEvidence(person={"quillby quillby": 2})
    assert not_persons.refusal("Quillby Quillby", "", "", ArticleNames("Quillby Quillby left."), known) == ""


@pytest.mark.parametrize("behind", ["reporter said so.", "candidate Ann Ames left.", "(WT) left."])
def test_words_of_a_thing_behind_a_name_refuse_it_unless_it_has_a_given_name(behind):
    assert (
        refusal("Wolfram Tant", "", "", f"He left, Wolfram Tant {behind}")
        == "the name of a body, an outlet or an event"
    )
    assert refusal("Anna Tant", "", "", f"He left, Anna Tant {behind.replace('WT', 'AT')}") == ""
    assert refusal("Wolfram Tant", "", "", f"Mr. Wolfram Tant left, Wolfram Tant {behind}") == ""


def test_what_is_held_is_an_event():
    assert (
        refusal("Vin D’Honneur", "a", "was", "A Vin D’Honneur was held.") == "the name of a body, an outlet or an event"
    )
    assert refusal("Wolfram Tant", "", "was", "Wolfram Tant was held.") == ""


def test_a_name_that_owns_nothing_in_its_sentence_is_a_business():
    text = "He spoke at the restaurant, Hamburger Mary’s, in Cork."
    assert refusal("Hamburger Mary", "restaurant,", "’s,", text) == "the name of a body, an outlet or an event"
    assert refusal("Hamburger Mary", "met", "’s", "He met Hamburger Mary’s aide at the restaurant.") == ""
    assert refusal("Ann Ames", "at", "'s.", "He slept at Ann Ames's.") == ""

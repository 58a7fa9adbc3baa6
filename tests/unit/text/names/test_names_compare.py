"""What two names are to each other, and the words of a name: the rules by named cases."""

import pytest

from support.tables import rows
from wdw_build.text.names import name as names
from wdw_build.text.names.compare import Relation, compare
from wdw_build.text.names.name import parse
from wdw_build.text.names.spellings import likeness

# (case, one name, other name, same person, shares a word)
CASES = [
    ("surname alone", "Obama", "Barack Obama", True, True),
    ("given name alone", "Barack", "Barack Obama", True, True),
    ("same surname, two persons", "John Smith", "Mary Smith", False, True),
    ("same given name, two persons", "John Smith", "John Major", False, True),
    ("middle name left out", "Martin King", "Martin Luther King", True, True),
    ("other order", "Smith John", "John Smith", False, True),
    ("strangers", "John Smith", "Mary Jones", False, False),
    ("particle shared", "Vincent van Gogh", "Robin van Persie", False, False),
    ("particle left out", "Vincent Gogh", "Vincent van Gogh", True, True),
    ("particles de la", "de la Hoya", "Oscar De La Hoya", True, True),
    ("particle only shared: bin", "Osama bin Laden", "Talal bin Abdulaziz", False, False),
    ("particle joined by a hyphen", "Assad", "Bashar al-Assad", True, True),
    ("particle joined and free", "Bashar al Assad", "Bashar Al-Assad", True, True),
    ("Ben-Gurion", "Ben Gurion", "David Ben-Gurion", True, True),
    ("initial shared", "J. Smith", "J. Brown", False, False),
    ("initial left out", "George Bush", "George W. Bush", True, True),
    ("initials only shared", "J.P. Morgan", "J.P. Stevens", False, False),
    ("initials against the given name", "J.F. Kennedy", "John F. Kennedy", True, True),
    ("initials apart", "J. R. R. Tolkien", "J.R.R. Tolkien", True, True),
    ("Jr. left out", "Sammy Davis", "Sammy Davis Jr.", False, True),
    ("Jr. after a comma", "Sammy Davis, Jr.", "Davis", True, True),
    ("Jr. only shared", "Sammy Davis Jr.", "John Kelly Jr", False, False),
    ("III shared only", "George Scott III", "Henry Ford III", False, False),
    ("diacritics", "Zoë Müller", "Zoe Muller", True, True),
    ("diacritics by stroke", "Lech Wałęsa", "Lech Walesa", True, True),
    ("diacritics by ligature", "Kjærsgaard", "Pia Kjaersgaard", True, True),
    ("decomposed accents", "Jose\u0301 Serra", "José Serra", True, True),
    ("possessive", "Bush's", "George Bush", True, True),
    ("curly possessive", "Bush’s", "George Bush", True, True),
    ("possessive of a name in s", "Jones'", "Paula Jones", True, True),
    ("apostrophe in the name", "O’Brien", "Conan O'Brien", True, True),
    ("hyphen", "Jean-Paul Sartre", "Sartre", True, True),
    ("half of a double name", "Smith", "Mary Smith-Jones", False, False),
    ("Asian order, surname alone", "Mao", "Mao Zedong", True, True),
    ("Asian order, hyphenated", "Ban", "Ban Ki-moon", True, True),
    ("Asian order, surname shared", "Kim Jong-il", "Kim Dae-jung", False, True),
    ("title before the surname", "President Obama", "Barack Obama", True, True),
    ("titles before both, same office", "President Obama", "President Bush", False, False),
    ("two titles", "former Prime Minister Thatcher", "Margaret Thatcher", True, True),
    ("title with a stop", "Sen. Dole", "Bob Dole", True, True),
    ("title alone against a title with a name", "Pope", "Pope Francis", False, False),
    ("a name that looks like a title", "Judge", "Mike Judge", True, True),
    ("case", "BUSH", "George Bush", True, True),
    ("MacDonald is one word", "MacDonald", "Flora MacDonald", True, True),
    ("Mac Donald in two", "Mac Donald", "Flora Mac Donald", True, True),
    ("Mac alone is no name in common", "Fleet Mac", "Mac Maharaj", False, False),
    ("MacArthur is not McArthur", "Douglas MacArthur", "John McArthur", False, False),
    ("a quoted nickname", 'Earvin "Magic" Johnson', "Magic Johnson", True, True),
    ("nothing that counts", "J. Jr.", "J. Jr.", False, False),
    ("empty", "", "John Smith", False, False),
]


@pytest.mark.parametrize(("one", "other", "same", "shares"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_names_of_one_person_and_names_that_share_a_word(one, other, same, shares):
    assert compare(one, other).is_one_person is compare(other, one).is_one_person is same
    assert parse(one).shares_word(parse(other)) is parse(other).shares_word(parse(one)) is shares


FOLDED = [
    ("Zoë's", "zoe"),
    ("SMITH,", "smith"),
    ("“Magic”", "magic"),
    ("“Magic”'s", "magic"),
    ("Jones'", "jones"),
    ("Sen.", "sen"),
    ("S.A.", "sa"),
    ("O’Brien’s", "o'brien"),
    ("Ki-moon", "ki-moon"),
    ("Øystein", "oystein"),
    ("Strauß", "strauss"),
    ("--", ""),
    ("", ""),
]


@pytest.mark.parametrize(("word", "expected"), FOLDED)
def test_a_word_is_folded(word, expected):
    assert names.fold(word) == expected


WITHOUT_TITLES = [
    ("President George W. Bush's", ("george", "w", "bush")),
    ("  Sen.  Bob\nDole ", ("bob", "dole")),
    ("Prince", ("prince",)),
    ("King Prince", ("prince",)),
    ("John Judge", ("john", "judge")),
    ("J.P. Morgan", ("j", "p", "morgan")),
    ("Bashar al-Assad", ("bashar", "assad")),
    ("", ()),
]


@pytest.mark.parametrize(("name", "expected"), WITHOUT_TITLES)
def test_titles_are_taken_off_the_front_of_a_name_unless_nothing_else_is_left(name, expected):
    assert parse(name).words == expected


CLEANED = [
    (" President \n Bush ", "President Bush"),
    ("Bush 's", "Bush"),
    ("Bush, ", "Bush"),
    ("-- Bush --", "Bush"),
    ("Sammy Davis Jr.", "Sammy Davis Jr."),
    ('"Magic" Johnson', '"Magic" Johnson'),
    ("'s", ""),
    ("Donald Trump.", "Donald Trump"),
    ("George H.W.", "George H.W."),
    ("Thomas (Tip) O'Neill", "Thomas (Tip) O'Neill"),
]


@pytest.mark.parametrize(("name", "expected"), CLEANED)
def test_a_clean_name_has_single_spaces_and_nothing_foreign_at_its_ends(name, expected):
    assert names.clean(name) == expected


LAST_NAMES = [
    ("Ban Ki-moon Jr.", "Ki-moon"),
    ("George Bush's", "Bush"),
    ("George Bush,", "Bush"),
    ("Conan O’Brien’s", "O’Brien"),
    ("Henry Ford III", "Ford"),
    ("Bashar al-Assad", "al-Assad"),
    ("Lech Wałęsa", "Wałęsa"),
    ("Madonna", "Madonna"),
    ("J. R.", "J. R."),
]


@pytest.mark.parametrize(("name", "expected"), LAST_NAMES)
def test_the_last_name_is_the_last_counting_word_as_written(name, expected):
    assert parse(name).last == expected


PLURALS = [
    ("Reagans", "Ronald Reagan", True),
    ("the Bushes", "George Bush", True),
    ("Reagan", "Ronald Reagan", False),
    ("Ronald Reagans", "Ronald Reagan", False),
    ("Ronalds", "Ronald Reagan", False),
    ("Lis", "Peng Li", False),
    ("Lees", "Bruce Lee", True),
    ("Reagans", "", False),
]


@pytest.mark.parametrize(("one", "other", "plural"), PLURALS)
def test_a_plural_is_the_family_name_alone_with_an_ending(one, other, plural):
    assert (compare(one, other).why == "a plural") is plural


def test_given_names_like_titles_are_of_the_name():
    assert parse("St.John").bare == "St.John"
    assert parse("Don Moss").bare == "Don Moss"


USUAL_CASES = [
    ("GARETH SOUTHGATE", "Gareth Southgate"),
    ("Nnamdi KANU", "Nnamdi Kanu"),
    ("XI JINPING", "Xi Jinping"),
    ("JACK O'NEILL III", "Jack O'Neill III"),
    ("J.K. ROWLING", "J.K. Rowling"),
    ("JFK", "JFK"),
    ("AB de Villiers", "AB de Villiers"),
    ("LeBron James", "LeBron James"),
]


@pytest.mark.parametrize(("name", "usual"), USUAL_CASES)
def test_a_name_in_capitals_gets_its_usual_case(name, usual):
    assert names.usual_case(name) == usual


# Under each rule: one name, another, and what the first is to the second.
RELATIONS = {
    "namesakes share only the surname or only a given name": """
Marisol Jofré | Rodrigo Jofré | NAMESAKE
Bill Clinton | William Clinton | FORM
Rob Reed | Robert Reed | FULLER
Clinton | Hillary Clinton | FORM
Ann Ames | Ann Beck | NAMESAKE
James Baker | James A. Miller | NAMESAKE
Victor Paz Estenssoro | Jaime Paz | DIFFERENT
Smith John | John Smith | DIFFERENT
Mary Ann Ames | Ann Ames | FULLER
""",
    "a misspelling is in a long word of a full name": """
Ann Ames-Baxster | Ann Ames Baxter | MISSPELLING
Alan Greespan | Alan Greenspan | MISSPELLING
Alan Greennspan | Alan Greenspan | MISSPELLING
Alan Greenspann | Alan Greenspan | MISSPELLING
Alan Greemspan | Alan Greenspan | MISSPELLING
Alan Greesnpan | Alan Greenspan | MISSPELLING
Alan Greesnpen | Alan Greenspan | NAMESAKE
Alan rGeenspan | Alan Greenspan | NAMESAKE
Ann Bacdex | Ann Abcdef | NAMESAKE
Ann Bacxef | Ann Abcdef | NAMESAKE
Ann Badcef | Ann Abcdef | NAMESAKE
Alan Gresenpan | Alan Greenspan | NAMESAKE
Alan Greeeenspan | Alan Greenspan | MISSPELLING
Alan Creemspan | Alan Greenspan | NAMESAKE
Alan Greenspam | Alan Greenspan | NAMESAKE
Ann Ericso | Ann Ericson | MISSPELLING
Ann Eames | Ann Ames | NAMESAKE
Ann Becker | Ann Decker | NAMESAKE
Anne Becker | Anna Decker | DIFFERENT
Becker | Decker | DIFFERENT
Ann Mary Becker | Ann Decker | NAMESAKE
Ali Hassan | Ali Hussein | NAMESAKE
Dan Barton | Dan Burton | NAMESAKE
Ann Martin | Ann Morton | NAMESAKE
Ann Baker | Ann Becker | NAMESAKE
Martin Ames | Morton Ames | NAMESAKE
Ranil Wickramasinghe | Ranil Wickremesinghe | MISSPELLING
Anil Chaudhary | Anil Chaudhari | MISSPELLING
Bandula Gunwardana | Bandula Gunawardena | MISSPELLING
Yusef al-Harrani | Youssef al Harrani | MISSPELLING
Chamari Athapaththu | Chamari Atapattu | MISSPELLING
Woong-Bae Rha | Rha Woong Bae | MISSPELLING
""",
    "a suffix or an initial tells relatives apart": """
Owen Ames Jr. | Owen Ames | RELATIVE
Owen Ames Jr. | Owen Ames III | RELATIVE
Owen Ames Sr. | Owen Ames | FULLER
Owen Ames Jr. | Ames | FULLER
Ames Jr. | Owen Ames | RELATIVE
Owen Ames Jr. | Owen K. Ames Jr. | FORM
Owen K. Ames | Owen L. Ames | RELATIVE
Owen K.L. Ames | Owen L. Ames | RELATIVE
Owen K. L. Ames | Owen L. Ames | RELATIVE
Owen K. Ames | Owen Ames | FULLER
Owen K. Ames | Owen Kit Ames | FORM
Owen K. Ames | Owen Lee Ames | RELATIVE
Ida R. Moss | Ida Diane Rodham Moss | FORM
J. K. Moss | J. L. Moss | RELATIVE
O.J. Moss | Nicole Brown Moss | RELATIVE
O. Moss | I. Moss | RELATIVE
O.J. Moss | Orenthal Moss | FORM
W.D.J. Moss | John Moss | FORM
O.J. Moss | Moss | FULLER
Harlan Pike Jr. | Harlan Pike Sr. | RELATIVE
Harlan Pike Jr. | Harlan Pike | RELATIVE
Harlan Pike | Harlan Pike Sr. | FORM
Pike Jr. | Harlan Pike Sr. | RELATIVE
Pike Jr. | Harlan Pike Jr. | FORM
Pike Jr. | Pike | RELATIVE
Alaric | Alaric III | FORM
George H.W. Bush | George W. Bush | RELATIVE
""",
    "a short form or another spelling of a given name is the same person": """
Bill Ames | William Ames | FORM
Bob Ames | Rob Ames | FORM
Ken Ames | Kenneth P. Ames | FORM
Bill Ames | William Kit Ames | FORM
Tracy Ames | Tracey Ames | MISSPELLING
Patti Solis Ames | Patti Sollis Ames | MISSPELLING
Candy Crowley | Candy Crowleys | MISSPELLING
Dmitry Kovtun | Dmitri Kovtun | MISSPELLING
Ida Wickremesinghe | Ida Wickramasinghe | MISSPELLING
Ida Seneviratne | Ida Senewiratne | MISSPELLING
Mohamed Muizzu | Mohammed Muizz | MISSPELLING
Anura Dissanayake | Anura Kumara Dissanayaka | MISSPELLING
Anura Kumar Dissanayake | Anura Kumara Dissanayaka | MISSPELLING
Anura Bandara Dissanayake | Anura Kumara Dissanayake | NAMESAKE
Maria Ames | Mario Ames | NAMESAKE
Ida Moss | Ida Mass | NAMESAKE
Ronald Reagan | Donald Regan | DIFFERENT
John Ames | Jean Ames | NAMESAKE
Robert Ames | Roberta Ames | NAMESAKE
Daniel Ames | Danielle Ames | NAMESAKE
Eric Ames | Erica Ames | NAMESAKE
Maria Ames | Marina Baxter | DIFFERENT
Bill Ames | William Baxter | DIFFERENT
Bill K. Ames | William Ames | FULLER
Bill Ames Jr. | William Ames | RELATIVE
Ed Ames | Edgar Ames | NAMESAKE
Ajay Misra | Ajay Mishra Teni | MISSPELLING
Chaudhary | V.R. Chaudhari | MISSPELLING
""",
    "hyphens, stops, spaces and accents change no name": """
Kim Jong-ha | Kim Jong Ha | SAME
Kim Jong\u2011ha | Kim Jong-ha | SAME
Jong-ha | Kim Jong Ha | FORM
Ann Ames-Baxter | Ann Ames Baxter | SAME
Ann Ames–Baxter | Ann Ames-Baxter | SAME
Lucia Ames | Lucia Ames-Cole | FORM
J.R. Toller | J. R. Toller | SAME
J R Toller | J. R. Toller | SAME
K.Sujeewa | K. Sujeewa | SAME
M.A Sumanthiran | MA Sumanthiran | SAME
CV Wigneswaran | C.V. Wigneswaran | SAME
Conan O'Neil | Conan O’Neil | SAME
José Serra | Jose\u0301 Serra | SAME
Kutti Praba | Kuttipraba | SAME
Abdel Baset al-Megrahi | Abdelbaset al-Megrahi | SAME
Harlan Pike Jr. | Harlan Pike Junior | SAME
""",
    "words left out and other given names make a form of a name": """
Juan Gomez | Juan de la Cruz Gomez | FORM
I.K. Moss | Ida Moss | FORM
P W S K Moss | Kit Sanjeewa Moss | RELATIVE
Stephen Bannon | Steven Bannon | FORM
Ted Cruz | Rafael Edward Cruz | FORM
Reagan | Reagans | FORM
Cole | Ann Ames-Cole | DIFFERENT
""",
}
TURNED = {Relation.FORM: Relation.FULLER, Relation.FULLER: Relation.FORM}


RELATED = [(rule, *row) for rule, table in RELATIONS.items() for row in rows(table)]


@pytest.mark.parametrize(("rule", "one", "other", "relation"), RELATED)
def test_two_names_have_one_relation_from_either_side(rule, one, other, relation):
    found, turned = compare(one, other), compare(other, one)
    assert found.relation is Relation[relation], rule
    assert turned.relation is TURNED.get(found.relation, found.relation)
    assert found.is_relative is turned.is_relative is (relation == "RELATIVE")
    assert found.are_two is turned.are_two is (relation in {"RELATIVE", "NAMESAKE"})


def test_the_parts_of_a_name_are_told_apart():
    found = parse("Senator Edward J. “Ted” de la Cruz-Marlin, Jr.")
    assert found.bare == "Edward J. “Ted” de la Cruz-Marlin, Jr."
    assert (found.given, found.particles) == (("edward", "j", "ted"), ("de", "la"))
    assert (found.family, found.generation) == ("cruz-marlin", "jr")
    assert found.core == ("edward", "ted", "cruz-marlin")
    assert parse("Dr. Juan J. de la Cruz Gomez Jr.").core == ("juan", "cruz", "gomez")


SPELLINGS = [
    ("sabry", "sabri", False, "spellings of one sound"),
    ("jaishanka", "jaishankar", False, "the last letter is missing"),
    ("greespan", "greenspan", False, "one letter"),
    ("gunwardana", "gunawardena", False, "vowels of a long word"),
    ("barton", "burton", False, ""),
    ("robert", "roberta", True, ""),
    ("given2", "given3", True, ""),
]


@pytest.mark.parametrize(("one", "other", "is_given", "evidence"), SPELLINGS)
def test_words_are_spellings_of_one_name_on_evidence(one, other, is_given, evidence):
    assert likeness(one, other, is_given) == likeness(other, one, is_given) == evidence

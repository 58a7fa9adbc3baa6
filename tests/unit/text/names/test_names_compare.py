"""What two names are to each other, and the words of a name: the rules by named cases."""

import pytest

from wdw_build.text.names import name as names
from wdw_build.text.names.compare import Relation, compare
from wdw_build.text.names.name import parse
from wdw_build.text.names.spellings import is_one_letter_apart, likeness

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


@pytest.mark.parametrize(
    ("word", "expected"),
    [
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
    ],
)
def test_a_word_is_folded(word, expected):
    assert names.fold(word) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("President George W. Bush's", ("george", "w", "bush")),
        ("  Sen.  Bob\nDole ", ("bob", "dole")),
        ("Prince", ("prince",)),
        ("King Prince", ("prince",)),
        ("John Judge", ("john", "judge")),
        ("J.P. Morgan", ("j", "p", "morgan")),
        ("Bashar al-Assad", ("bashar", "assad")),
        ("", ()),
    ],
)
def test_titles_are_taken_off_the_front_of_a_name_unless_nothing_else_is_left(name, expected):
    assert parse(name).words == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (" President \n Bush ", "President Bush"),
        ("Bush's", "Bush"),
        ("Bush 's", "Bush"),
        ("Bush's,", "Bush"),
        ("Jones'", "Jones"),
        ("Bush, ", "Bush"),
        ("-- Bush --", "Bush"),
        ("Sammy Davis Jr.", "Sammy Davis Jr."),
        ('"Magic" Johnson', '"Magic" Johnson'),
        ("'s", ""),
        ("Donald Trump.", "Donald Trump"),
        ("George H.W.", "George H.W."),
        ("Thomas (Tip) O'Neill", "Thomas (Tip) O'Neill"),
    ],
)
def test_a_clean_name_has_single_spaces_and_nothing_foreign_at_its_ends(name, expected):
    assert names.clean(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ban Ki-moon Jr.", "Ki-moon"),
        ("George Bush's", "Bush"),
        ("George Bush,", "Bush"),
        ("Conan O’Brien’s", "O’Brien"),
        ("Henry Ford III", "Ford"),
        ("Bashar al-Assad", "al-Assad"),
        ("Lech Wałęsa", "Wałęsa"),
        ("Madonna", "Madonna"),
        ("J. R.", "J. R."),
    ],
)
def test_the_last_name_is_the_last_counting_word_as_written(name, expected):
    assert parse(name).last == expected


def test_counting_words_keep_their_order_for_sub_sequences():
    assert parse("Dr. Juan J. de la Cruz Gomez Jr.").core == ("juan", "cruz", "gomez")
    assert compare("Juan Gomez", "Juan de la Cruz Gomez").relation is Relation.FORM
    assert compare("Juan de la Cruz Gomez", "Juan Gomez").relation is Relation.FULLER


@pytest.mark.parametrize(
    ("one", "other", "namesakes"),
    [
        ("Marisol Jofré", "Rodrigo Jofré", True),
        ("Bill Clinton", "William Clinton", False),
        ("Rob Reed", "Robert Reed", False),
        ("Clinton", "Hillary Clinton", False),
        ("George W. Bush", "George Bush", False),
        ("Ann Ames", "Ann Beck", True),
        ("James Baker", "James A. Miller", True),
        ("Victor Paz Estenssoro", "Jaime Paz", False),
        ("Smith John", "John Smith", False),
        ("Mary Ann Ames", "Ann Ames", False),
    ],
)
def test_namesakes_share_only_the_surname_or_only_a_given_name(one, other, namesakes):
    assert compare(one, other).are_two is compare(other, one).are_two is namesakes


@pytest.mark.parametrize(
    ("one", "other", "misspelling"),
    [
        ("Ann Ames-Baxster", "Ann Ames Baxter", True),
        ("Alan Greespan", "Alan Greenspan", True),
        ("Alan Greennspan", "Alan Greenspan", True),
        ("Alan Greenspann", "Alan Greenspan", True),
        ("Alan Greemspan", "Alan Greenspan", True),
        ("Alan Greesnpan", "Alan Greenspan", True),
        ("Alan rGeenspan", "Alan Greenspan", False),
        ("Ann Bacdex", "Ann Abcdef", False),
        ("Ann Bacxef", "Ann Abcdef", False),
        ("Ann Badcef", "Ann Abcdef", False),
        ("Alan Gresenpan", "Alan Greenspan", False),
        ("Alan Greeeenspan", "Alan Greenspan", True),
        ("Alan Creemspan", "Alan Greenspan", False),
        ("Alan Greenspam", "Alan Greenspan", False),
        ("Ann Ericso", "Ann Ericson", True),
        ("Ann Eames", "Ann Ames", False),
        ("Ann Becker", "Ann Decker", False),
        ("Anne Becker", "Anna Decker", False),
        ("Becker", "Decker", False),
        ("Ann Mary Becker", "Ann Decker", False),
        ("Ann Becker", "Ann Becker", False),
    ],
)
def test_a_misspelling_is_in_a_long_word_of_a_full_name(one, other, misspelling):
    assert (compare(one, other).relation is Relation.MISSPELLING) is misspelling
    assert (compare(other, one).relation is Relation.MISSPELLING) is misspelling


@pytest.mark.parametrize(
    ("one", "other", "plural"),
    [
        ("Reagans", "Ronald Reagan", True),
        ("the Bushes", "George Bush", True),
        ("Reagan", "Ronald Reagan", False),
        ("Ronald Reagans", "Ronald Reagan", False),
        ("Ronalds", "Ronald Reagan", False),
        ("Lis", "Peng Li", False),
        ("Lees", "Bruce Lee", True),
        ("Reagans", "", False),
    ],
)
def test_a_plural_is_the_family_name_alone_with_an_ending(one, other, plural):
    assert (compare(one, other).why == "a plural") is plural


@pytest.mark.parametrize(
    ("one", "other", "relatives"),
    [
        ("Owen Ames Jr.", "Owen Ames", True),
        ("Owen Ames Jr.", "Owen Ames III", True),
        ("Owen Ames Sr.", "Owen Ames", False),
        ("Owen Ames Jr.", "Ames", False),
        ("Ames Jr.", "Owen Ames", True),
        ("Owen Ames Jr.", "Owen K. Ames Jr.", False),
        ("Owen K. Ames", "Owen L. Ames", True),
        ("Owen K.L. Ames", "Owen L. Ames", True),
        ("Owen K. L. Ames", "Owen L. Ames", True),
        ("Owen K. Ames", "Owen Ames", False),
        ("Owen K. Ames", "Owen Kit Ames", False),
        ("Owen K. Ames", "Owen Lee Ames", True),
        ("Ida R. Moss", "Ida Diane Rodham Moss", False),
        ("J. K. Moss", "J. L. Moss", True),
        ("Owen Kit Ames", "Owen Lee Ames", False),
        ("O.J. Moss", "Nicole Brown Moss", True),
        ("O. Moss", "I. Moss", True),
        ("O.J. Moss", "Orenthal Moss", False),
        ("W.D.J. Moss", "John Moss", False),
        ("O.J. Moss", "Moss", False),
    ],
)
def test_a_suffix_or_an_initial_tells_relatives_apart(one, other, relatives):
    assert compare(one, other).is_relative is compare(other, one).is_relative is relatives


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Bill Ames", "William Ames", True),
        ("Bob Ames", "Rob Ames", True),
        ("Ken Ames", "Kenneth P. Ames", True),
        ("Bill Ames", "William Kit Ames", True),
        ("Tracy Ames", "Tracey Ames", True),
        ("Ida DelMoro", "Ida Del Moro", True),
        ("LaToya Ames", "La Toya Ames", True),
        ("Patti Solis Ames", "Patti Sollis Ames", True),
        ("Candy Crowley", "Candy Crowleys", True),
        ("Dmitry Kovtun", "Dmitri Kovtun", True),
        ("Ida Wickremesinghe", "Ida Wickramasinghe", True),
        ("Ida Seneviratne", "Ida Senewiratne", True),
        ("Mohamed Muizzu", "Mohammed Muizz", True),
        ("Anura Dissanayake", "Anura Kumara Dissanayaka", True),
        ("Anura Kumar Dissanayake", "Anura Kumara Dissanayaka", True),
        ("Anura Bandara Dissanayake", "Anura Kumara Dissanayake", False),
        ("Maria Ames", "Mario Ames", False),
        ("Ida Moss", "Ida Mass", False),
        ("Ronald Reagan", "Donald Regan", False),
        ("John Ames", "Jean Ames", False),
        ("Robert Ames", "Roberta Ames", False),
        ("Daniel Ames", "Danielle Ames", False),
        ("Eric Ames", "Erica Ames", False),
        ("Maria Ames", "Marina Baxter", False),
        ("Bill Ames", "William Baxter", False),
        ("Bill K. Ames", "William Ames", True),
        ("Bill Ames Jr.", "William Ames", False),
        ("Ed Ames", "Edgar Ames", False),
        ("Ajay Misra", "Ajay Mishra Teni", True),
        ("Chaudhary", "V.R. Chaudhari", True),
        ("Bill Ames", "Bill Ames", True),
    ],
)
def test_a_short_form_or_another_spelling_of_a_given_name_is_the_same_person(one, other, same):
    assert compare(one, other).is_one_person is compare(other, one).is_one_person is same


def test_titles_joined_by_a_hyphen_apart_from_their_full_stop_and_glued_to_the_name_are_not_of_the_name():
    assert parse("Attorney-General Ida Moss").bare == "Ida Moss"
    assert parse("President-elect Moss").bare == "Moss"
    assert parse("Rev . Ida Moss").bare == "Ida Moss"
    assert parse("Dr.I.Moss").bare == "I.Moss"
    assert parse("Lt.Col. Ida Moss").bare == "Ida Moss"
    assert parse("St.John").bare == "St.John"
    assert parse("Don Moss").bare == "Don Moss"


@pytest.mark.parametrize(
    ("name", "usual"),
    [
        ("GARETH SOUTHGATE", "Gareth Southgate"),
        ("Nnamdi KANU", "Nnamdi Kanu"),
        ("XI JINPING", "Xi Jinping"),
        ("JACK O'NEILL III", "Jack O'Neill III"),
        ("J.K. ROWLING", "J.K. Rowling"),
        ("JFK", "JFK"),
        ("AB de Villiers", "AB de Villiers"),
        ("LeBron James", "LeBron James"),
    ],
)
def test_a_name_in_capitals_gets_its_usual_case(name, usual):
    assert names.usual_case(name) == usual


RELATIONS = [
    ("Kim Jong-ha", "Kim Jong Ha", Relation.SAME),
    ("Kim Jong\u2011ha", "Kim Jong-ha", Relation.SAME),
    ("Jong-ha", "Kim Jong Ha", Relation.FORM),
    ("Ann Ames-Baxter", "Ann Ames Baxter", Relation.SAME),
    ("Ann Ames–Baxter", "Ann Ames-Baxter", Relation.SAME),
    ("Ann Ames-Baxster", "Ann Ames Baxter", Relation.MISSPELLING),
    ("Lucia Ames", "Lucia Ames-Cole", Relation.FORM),
    ("J.R. Toller", "J. R. Toller", Relation.SAME),
    ("J R Toller", "J. R. Toller", Relation.SAME),
    ("K.Sujeewa", "K. Sujeewa", Relation.SAME),
    ("M.A Sumanthiran", "MA Sumanthiran", Relation.SAME),
    ("CV Wigneswaran", "C.V. Wigneswaran", Relation.SAME),
    ("Conan O'Neil", "Conan O’Neil", Relation.SAME),
    ("José Serra", "Jose\u0301 Serra", Relation.SAME),
    ("Kutti Praba", "Kuttipraba", Relation.SAME),
    ("Abdel Baset al-Megrahi", "Abdelbaset al-Megrahi", Relation.SAME),
    ("Harlan Pike Jr.", "Harlan Pike Junior", Relation.SAME),
    ("Harlan Pike Jr.", "Harlan Pike Sr.", Relation.RELATIVE),
    ("Harlan Pike Jr.", "Harlan Pike", Relation.RELATIVE),
    ("Harlan Pike", "Harlan Pike Sr.", Relation.FORM),
    ("Pike Jr.", "Harlan Pike Sr.", Relation.RELATIVE),
    ("Pike Jr.", "Harlan Pike Jr.", Relation.FORM),
    ("Pike Jr.", "Pike", Relation.RELATIVE),
    ("Alaric", "Alaric III", Relation.FORM),
    ("George H.W. Bush", "George W. Bush", Relation.RELATIVE),
    ("I.K. Moss", "Ida Moss", Relation.FORM),
    ("P W S K Moss", "Kit Sanjeewa Moss", Relation.RELATIVE),
    ("Ali Hassan", "Ali Hussein", Relation.NAMESAKE),
    ("Dan Barton", "Dan Burton", Relation.NAMESAKE),
    ("Ann Martin", "Ann Morton", Relation.NAMESAKE),
    ("Ann Baker", "Ann Becker", Relation.NAMESAKE),
    ("Martin Ames", "Morton Ames", Relation.NAMESAKE),
    ("David Johnson", "David Johnston", Relation.NAMESAKE),
    ("Ranil Wickramasinghe", "Ranil Wickremesinghe", Relation.MISSPELLING),
    ("Anil Chaudhary", "Anil Chaudhari", Relation.MISSPELLING),
    ("Bandula Gunwardana", "Bandula Gunawardena", Relation.MISSPELLING),
    ("Yusef al-Harrani", "Youssef al Harrani", Relation.MISSPELLING),
    ("Chamari Athapaththu", "Chamari Atapattu", Relation.MISSPELLING),
    ("Woong-Bae Rha", "Rha Woong Bae", Relation.MISSPELLING),
    ("Stephen Bannon", "Steven Bannon", Relation.FORM),
    ("Ted Cruz", "Rafael Edward Cruz", Relation.FORM),
    ("AKD", "Anura Kumara Dissanayake", Relation.FORM),
    ("Salt GM Gunaratne", "Rathnayaka Mudiyanselage Gunaratne", Relation.FORM),
    ("Reagan", "Reagans", Relation.FORM),
    ("Owen Kit Ames", "Owen Lee Ames", Relation.DIFFERENT),
    ("Cole", "Ann Ames-Cole", Relation.DIFFERENT),
]
TURNED = {Relation.FORM: Relation.FULLER, Relation.FULLER: Relation.FORM}


@pytest.mark.parametrize(("one", "other", "relation"), RELATIONS)
def test_two_names_have_one_relation_from_either_side(one, other, relation):
    assert compare(one, other).relation is relation
    assert compare(other, one).relation is TURNED.get(relation, relation)


def test_the_parts_of_a_name_are_told_apart():
    found = parse("Senator Edward J. “Ted” de la Cruz-Marlin, Jr.")
    assert found.honorifics == ("senator",)
    assert found.bare == "Edward J. “Ted” de la Cruz-Marlin, Jr."
    assert (found.given, found.nickname, found.particles) == (("edward", "j", "ted"), "ted", ("de", "la"))
    assert (found.family, found.generation) == ("cruz-marlin", "jr")
    assert found.core == ("edward", "ted", "cruz-marlin")


@pytest.mark.parametrize(
    ("one", "other", "is_given", "evidence"),
    [
        ("sabry", "sabri", False, "spellings of one sound"),
        ("jaishanka", "jaishankar", False, "the last letter is missing"),
        ("greespan", "greenspan", False, "one letter"),
        ("gunwardana", "gunawardena", False, "vowels of a long word"),
        ("barton", "burton", False, ""),
        ("robert", "roberta", True, ""),
        ("given2", "given3", True, ""),
    ],
)
def test_words_are_spellings_of_one_name_on_evidence(one, other, is_given, evidence):
    assert likeness(one, other, is_given) == likeness(other, one, is_given) == evidence


def test_one_letter_is_changed_added_removed_or_swapped_with_the_next():
    assert all(is_one_letter_apart("abcd", other) for other in ("abxd", "abcxd", "abd", "acbd", "bcd", "abcdx"))
    assert not any(is_one_letter_apart("abcd", other) for other in ("cbad", "abxy", "ab", "badc"))

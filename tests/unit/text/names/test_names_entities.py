"""From mentions to persons."""

import pytest

from support import make
from support.marked import marked
from support.tables import cases
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.persons import group, without_other_forms
from wdw_build.text.names.settle import join_adjacent, widen
from wdw_build.text.names.unmarked import is_of_another

# Case, text, and the persons in order with the texts of their mentions.
GROUPS = """
surname later | [Barack Obama] met [Smith]. [Obama] left. | Barack Obama: Barack Obama, Obama; Smith: Smith
surname first, full name later | [Obama] left. [Barack Obama] said. | Barack Obama: Obama, Barack Obama
titles are not of the name | [President Obama] met [Barack Obama]. | Barack Obama: President Obama, Barack Obama
title only | [President Obama] met [Mrs. Smith]. | Obama: President Obama; Smith: Mrs. Smith
possessive | [Obama]'s aide. [Barack Obama's] home. | Barack Obama: Obama, Barack Obama's
capitals | [JOHN SMITH] left. [Smith] slept. | John Smith: JOHN SMITH, Smith
shared surname: the last named is meant | [John Smith] met [Mary Smith]. [Smith] left.
    | John Smith: John Smith; Mary Smith: Mary Smith, Smith
shared surname: a short form counts as naming | [John Smith] and [Mary Smith]; [John] and [Smith].
    | John Smith: John Smith, John, Smith; Mary Smith: Mary Smith
shared surname, none named yet: the first after | [Smith] left. [John Smith] met [Mary Ann Smith].
    | John Smith: Smith, John Smith; Mary Ann Smith: Mary Ann Smith
fullest form wins | [King] and [Martin King] and [Martin Luther King]. | Martin Luther King: King, Martin King, Martin Luther King
particles do not make a name longer | [De La Hoya] lost. [Oscar Hoya] won. | Oscar Hoya: De La Hoya, Oscar Hoya
initials do not make a name longer | [W. H. Auden] wrote. [Wystan Auden] slept. | Wystan Auden: W. H. Auden, Wystan Auden
more words at as many that count | [Ludwig Beethoven] and [Ludwig van Beethoven]
    | Ludwig van Beethoven: Ludwig Beethoven, Ludwig van Beethoven
particle joined by a hyphen | [Bashar al-Assad] left. [Assad] slept. | Bashar al-Assad: Bashar al-Assad, Assad
Asian order | [Ban Ki-moon] left. [Ban] slept. | Ban Ki-moon: Ban Ki-moon, Ban
father and son by suffix are one | [George Bush] and [George Bush Jr.] | George Bush Jr.: George Bush, George Bush Jr.
nothing that counts is nobody | [J.] met [Van] and [Jr.]. |
nobody | Nothing. |
"""


@pytest.mark.parametrize(("text", "expected"), cases(GROUPS))
def test_forms_of_one_name_are_put_together_in_the_order_of_first_mention(text, expected):
    plain, mentions = marked(text)
    shown = [f"{one.name}: {', '.join(plain[at.start : at.end] for at in one.mentions)}" for one in group(mentions)]
    assert "; ".join(shown) == expected


ADJACENT = [
    ("[Fidel] [Castro] spoke", ["Fidel Castro"]),
    ("[Paul] [David] [Hewson] sang", ["Paul David Hewson"]),
    ("[Bush], [Kerry]", ["Bush", "Kerry"]),
    ("[Bush]\n[Kerry]", ["Bush", "Kerry"]),
    ("[Bush] and [Kerry]", ["Bush", "Kerry"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), ADJACENT)
def test_mentions_with_only_a_space_between_are_one(text, expected):
    plain, mentions = marked(text)
    joined = join_adjacent(mentions, plain)
    assert [mention.text for mention in joined] == [plain[one.start : one.end] for one in joined] == expected


LEFT_OUT = [
    ("[Hillary Clinton] left. Lunch with Hillary [Rodham Clinton].", ["Hillary Clinton", "Hillary Rodham Clinton"]),
    ("Lunch with Hillary [Rodham Clinton].", ["Rodham Clinton"]),
    ("[Hillary Clinton] left. President [Clinton] stayed.", ["Hillary Clinton", "Clinton"]),
    ("[Hillary Clinton] left. Then [Bill Clinton] stayed.", ["Hillary Clinton", "Bill Clinton"]),
    ("[Hillary Clinton] left. [Hillary]\n[Clinton] stayed.", ["Hillary Clinton", "Hillary", "Clinton"]),
]


@pytest.mark.parametrize(("text", "expected"), LEFT_OUT)
def test_a_given_name_that_the_tagger_left_out_is_taken_in_if_the_article_has_it(text, expected):
    plain, mentions = marked(text)
    widened = widen(mentions, plain)
    assert [mention.text for mention in widened] == [plain[one.start : one.end] for one in widened] == expected


@pytest.mark.parametrize(("shorter", "expected"), [(1, "Hillary Rodham Clinton"), (2, "Rodham Clinton")])
def test_a_given_name_that_the_tagger_left_out_is_taken_in_if_the_corpus_mostly_has_it(shorter, expected):
    plain, mentions = marked("Lunch with Hillary [Rodham Clinton].")
    evidence = NameEvidence(person={"hillary rodham clinton": 2, "rodham clinton": shorter})
    assert [mention.text for mention in widen(mentions, plain, evidence)] == [expected]


INSERTED = [
    ("Dr. [Ann Lea] Ames spoke", "Ann Lea"),
    ("[Mayor Ann] Ames spoke", "Ann"),
    ("[Ann Poe, 45] Ames", "Ann Poe"),
]


@pytest.mark.parametrize(("text", "given"), INSERTED)
def test_given_names_that_an_editor_inserted_before_a_name_are_no_mention(text, given):
    mentions = [make.mention(text, given), make.mention(text, "Ames")]
    expected = ["Ann Poe", "Ames"] if "45" in text else ["Ames"]
    assert [mention.text for mention in join_adjacent(mentions, text)] == expected


MISSPELT = [
    ("[Alan Greespan] left. [Alan Greenspan] and [Alan Greenspan].", ["Alan Greenspan"]),
    ("[Robert Ames] met [Roberta Ames].", ["Robert Ames", "Roberta Ames"]),
    ("[Jaishanka] left. [Jaishankar] slept. [Jaishankar] rose.", ["Jaishankar"]),
    ("[JAKIR HOSSIAN] left. [Jakir Hossain] slept.", ["Jakir Hossian"]),
    ("[VR Chaudhari] left. [Chaudhary] slept. [Chaudhary] rose.", ["VR Chaudhari"]),
    ("[V.R. Chaudhari] left. [Chaudhary] slept.", ["V.R. Chaudhari"]),
    ("[MoS Ajay Mishra] left. [MoS Ajay Misra Teni] slept.", ["Ajay Mishra"]),
    ("[Anil Chaudhari] left. [Chander] slept. [Li] met [Ann Lee].", ["Anil Chaudhari", "Chander", "Li", "Ann Lee"]),
]


@pytest.mark.parametrize(("text", "expected"), MISSPELT)
def test_a_misspelt_name_is_no_person_of_its_own(text, expected):
    plain, mentions = marked(text)
    assert [entity.name for entity in without_other_forms(group(mentions), plain)] == expected


ALIKE = [
    ("[Kim Jong-ha] won. [Kim Jong Ha] slept.", ["Kim Jong-ha"]),
    ("[Ann Ames Baxter] won. [Ann Ames‑Baxter] slept.", ["Ann Ames Baxter"]),
    ("[J.R. Toller] won. [J R Toller] slept.", ["J.R. Toller"]),
    ("[Harlan Pike Jr.] won. [Harlan Pike Sr.] slept.", ["Harlan Pike Jr.", "Harlan Pike Sr."]),
    ("[Ali Hassan] won. [Ali Hussein] slept.", ["Ali Hassan", "Ali Hussein"]),
    ("[Lucia Ames] won. [Lucia Ames-Cole] slept.", ["Lucia Ames-Cole"]),
    ("[Ted Marlin] won. [Edward Marlin] slept.", ["Edward Marlin"]),
]


@pytest.mark.parametrize(("text", "persons"), ALIKE)
def test_hyphens_and_initials_make_no_second_person_and_likeness_no_first(text, persons):
    plain, mentions = marked(text)
    found = without_other_forms(group(mentions, apart=True, text=plain), plain)
    assert [person.name for person in found] == persons


def test_relatives_are_kept_apart_and_the_family_name_alone_is_the_fathers():
    text = "[Owen Ames Jr.] met [Owen Ames]. [Ames] left with [Ames Jr.] and [Ida Ames]. [Owen Ames] slept."
    _, mentions = marked(text)
    persons = {entity.name: len(entity.mentions) for entity in group(mentions, apart=True)}
    assert persons == {"Owen Ames Jr.": 2, "Owen Ames": 3, "Ida Ames": 1}
    assert {entity.name for entity in group(mentions)} == {"Owen Ames Jr.", "Ida Ames"}


def test_mentions_of_another_spelling_of_the_given_name_count_for_the_person():
    text = "[William Ames] ran. [Bill Ames] sat, [Bill] did. [William Ames] ran. [Alan Greespan] met [Alan Greenspan]."
    plain, mentions = marked(text)
    persons = {entity.name: len(entity.mentions) for entity in without_other_forms(group(mentions), plain)}
    assert persons == {"William Ames": 3, "Alan Greespan": 1}


NAMED = {"owen ames": 9, "ida ames": 2, "bill ames": 2, "hillary ames": 8}
AMES = NameEvidence(person=NAMED, titled={"owen ames": 4, "ida ames": 1})
# Case, text, and the number of mentions of each person. Whether the family name is another's: a star after the name.
BEARERS = """
an office the corpus gives another | [Ida Ames] left. President [Ames] met [Bo Beck]; [Ames] spoke. | Ida Ames* 1; Bo Beck 1
the full name is first | [Ida Ames] won. [Ames] left. | Ida Ames 2
the frequent bearer | [Ames] won. [Owen Ames] left. President [Ames] spoke. | Owen Ames 3
an honorific shows no office | [Ida Ames] left. Mrs [Ames] met [Bo Beck]; [Ames] spoke. | Ida Ames 3; Bo Beck 1
an office before a son | President [Pike] met [Bo Beck]. [Bill Pike Jr.] left; [Pike] spoke. | Bo Beck 1; Bill Pike Jr.* 1
an office of a son | President [Pike] won. President [Bill Pike Jr.] left. | Bill Pike Jr. 2
a name in use stays | [Ida Ames] won. [Ames] a. [Ames] b. [Ames] c. [Ames] d. [Ames] e. [Bill Ames] left. [Ames] f.
    | Ida Ames 7; Bill Ames 1
"""


@pytest.mark.parametrize(("text", "expected"), cases(BEARERS))
def test_a_family_name_alone_is_a_mention_of_the_bearer_whom_offices_the_order_and_the_corpus_allow(text, expected):
    plain, mentions = marked(text)
    persons = group(mentions, True, plain, AMES)
    is_another = [is_of_another(one.name, plain, AMES) for one in persons]
    shown = [f"{one.name}{'*' * star} {len(one.mentions)}" for one, star in zip(persons, is_another, strict=True)]
    assert "; ".join(shown) == expected

"""The features of a name in an article, and the decision by their weights."""

import msgspec
import pytest

from support import make
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.person_model import LEAST, LEAST_LONE, PersonModel, Verdict, judge


def mentions(text, *names, score=0.98, odds=2.0):
    """The first place of each name, with the opinions of the taggers."""
    found = [make.mention(text, name) for name in names]
    return [msgspec.structs.replace(mention, score=score, odds=odds) for mention in found]


def features(text, name, *others, evidence=NO_EVIDENCE):
    """The features of a name in a text with other tagged names."""
    return PersonModel(text, mentions(text, name, *others), evidence).features(name)


CUES = [
    ("It was Sen. Owen Poll who left.", "Owen Poll", "title before"),
    ("It was Owen Poll, 45, who left.", "Owen Poll", "age after"),
    ("It was Owen Poll (45) of Tarn.", "Owen Poll", "age after"),
    ("It was Owen Poll, the group's former director.", "Owen Poll", "role after"),
    ("“No,” said Owen Poll.", "Owen Poll", "says before"),
    ("Then Owen Poll also said no.", "Owen Poll", "says after"),
    ("It was the ship Santa Inez.", "Santa Inez", "thing before"),
    ("It happened in Tora Vale.", "Tora Vale", "place before"),
    ("It was the governor of Tora Vale.", "Tora Vale", "place before"),
    ("It was Owen Poll Inc that left.", "Owen Poll", "firm after"),
    ("Then Owen Poll shares rose.", "Owen Poll", "scheme after"),
    ("It was Owen Poll, a London brokerage.", "Owen Poll", "thing after"),
    ("Then Owen Poll left, and his wife stayed.", "Owen Poll", "pronoun after"),
    ("He left. By Owen Poll BBC News", "Owen Poll", "credited"),
    ("She told CNN's Owen Poll so.", "Owen Poll", "credited"),
]


@pytest.mark.parametrize(("text", "name", "cue"), CUES)
def test_what_stands_beside_a_name_is_a_feature(text, name, cue):
    assert features(text, name)[cue] == 1
    assert features(f"Then came {name} and others.", name)[cue] == 0


def test_a_cue_counts_by_the_share_of_the_occurrences_that_have_it():
    assert features("Mr. Poll left. Then Poll came.", "Poll")["title before"] == 0.5


def test_the_form_of_a_name_is_a_feature():
    assert features("It was Apollo 13.", "Apollo 13")["odd"] == 1
    assert features("Ann Ames, D-W.Va., left.", "D-W.Va.")["odd"] == 1
    assert features("It was an Ames-level-best plan.", "Ames-level-best")["odd"] == 1


def test_the_counts_of_the_corpus_are_features():
    evidence = NameEvidence(person={"ann poll": 3, "ann ames": 1}, other={"ann poll": 1})
    found = features("It was Ann Poll.", "Ann Poll", evidence=evidence)
    assert found["corpus: leaning"] == pytest.approx(2 / 5)
    assert found["corpus: person"] > found["corpus: other"] > 0
    assert found["corpus: families"] > found["corpus: ends others"] > 0


def test_a_lone_word_reads_the_probability_of_a_longer_name_with_it():
    text = "Owen Poll, 45, left. Poll said so."
    model = PersonModel(text, mentions(text, "Owen Poll", "Poll"))
    assert model.features("Poll")["longer"] == model.verdict("Owen Poll").probability > 0.9
    assert PersonModel("Poll said so.", mentions("Poll said so.", "Poll")).features("Poll")["longer"] == 0


def test_the_verdict_is_the_logistic_function_of_the_weighed_sum_and_names_what_weighed_against():
    weights = {"intercept": 1.0, "a": -3.0, "b": 2.0, "c": -1.0}
    assert judge({"a": 0.0, "b": 0.0, "c": 0.0}, weights) == Verdict(0.731, ())
    verdict = judge({"a": 1.0, "b": 0.5, "c": 1.0}, weights)
    assert verdict == Verdict(0.119, ("a", "c"))
    assert verdict.refusal == "probability 0.12: a, c"


def test_the_opinions_of_the_taggers_raise_the_probability():
    text = "Then Tolvan Vreel left."
    opinions = ((0.3, -2), (0.98, -2), (0.98, 2))
    made = [mentions(text, "Tolvan Vreel", score=score, odds=odds) for score, odds in opinions]
    low, middle, high = (PersonModel(text, one).verdict("Tolvan Vreel").probability for one in made)
    assert low < middle < high


@pytest.mark.parametrize(("given", "alone"), [(8.0, True), (-4.0, False)])
def test_a_lone_word_that_the_second_tagger_takes_for_a_given_name_is_rather_a_given_name_alone(given, alone):
    text = "On Monday Poll went to the shops with two friends, and Poll came home late."
    found = [msgspec.structs.replace(mention, given=given) for mention in mentions(text, "Poll", odds=3.0)]
    assert PersonModel(text, found).is_doubtful_alone("Poll") == alone


def test_a_lone_word_that_is_hardly_likelier_a_person_than_not_is_no_choice_unless_the_article_has_a_longer_name():
    text = "It was Vreel, a friend."
    ever_likelier = (mentions(text, "Vreel", odds=tenths / 10, score=0.9) for tenths in range(-80, 80))
    doubted = next(found for found in ever_likelier if PersonModel(text, found).verdict("Vreel").probability >= LEAST)
    assert PersonModel(text, doubted).verdict("Vreel").probability < LEAST_LONE
    assert PersonModel(text, doubted).is_doubtful_alone("Vreel")
    assert not PersonModel(f"{text} Then Tolvan Vreel left.", doubted).is_doubtful_alone("Vreel")


def test_a_name_of_several_words_is_no_given_name_alone():
    text = "Then Owen Poll left."
    assert not PersonModel(text, mentions(text, "Owen Poll")).is_doubtful_alone("Owen Poll")


def test_a_full_name_in_doubt_is_judged_together_with_its_family_name_alone():
    text = "It was the Tolvan Vreel. Mr. Vreel, 45, said so, and Vreel, who is a judge, left."
    doubted = mentions(text, "Tolvan Vreel", score=0.6, odds=-4.0)
    assert PersonModel(text, doubted).verdict("Tolvan Vreel").refusal
    model = PersonModel(text, [*doubted, *mentions(text, "Vreel", odds=4.0)])
    assert not model.verdict("Vreel").refusal
    assert not model.verdict("Tolvan Vreel").refusal
    assert model.verdict("Tolvan Vreel").against == PersonModel(text, doubted).verdict("Tolvan Vreel").against


@pytest.mark.parametrize(("known", "is_person"), [(9, True), (1, False)])
def test_a_full_name_is_judged_with_its_first_word_only_if_the_corpus_knows_it(known, is_person):
    text = "It was the Vreel Tol Mun. Mr. Vreel, 45, said so, and Vreel, who is a judge, left."
    evidence = NameEvidence(person={"vreel tol mun": known}, other={"mun": 30})
    found = [*mentions(text, "Vreel Tol Mun", score=0.9, odds=-2.0), *mentions(text, "Vreel", odds=4.0)]
    assert bool(PersonModel(text, found, evidence).verdict("Vreel Tol Mun").refusal) != is_person


def test_a_given_name_is_alone_if_the_article_has_the_family_name_of_the_person_by_the_corpus():
    text = "Ida, 45, who is a judge, left. Mr. Vreel said so. Ida said no."
    found = mentions(text, "Ida", "Vreel", odds=4.0)
    known, other = NameEvidence(person={"ida vreel": 2}, other={}), {"ida vreel": 2, "owen vreel": 90}
    assert not PersonModel(text, found).is_doubtful_alone("Ida")
    assert PersonModel(text, found, known).is_doubtful_alone("Ida")
    assert not PersonModel(text, found, NameEvidence(person=other, other={})).is_doubtful_alone("Ida")
    assert not PersonModel(text, found, known).is_doubtful_alone("Vreel")

"""What ``titles: keep`` leaves in the question before a name."""

import pytest

from support.blanking import deleted, tokens_of
from wdw_build.text.blanking.select_blank import select_blank
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.settings import QuestionsConfig

KEEP = QuestionsConfig(titles="keep")


def flat(words):
    """A sentence whose subject is a flat phrase: "NNP President|NNP Ann|NNP Poole"."""
    return f"(ROOT (S (NP {' '.join(f'({word})' for word in words.split('|'))}) (VP (VBD left))))"


KEPT = [
    # (case, phrase, blank)
    ("office", "NNP Prime|NNP Minister", "Ann Poole"),
    ("office with its country", "JJ Former|NNP Sri|NNP Lankan|NNP President", "Ann Poole"),
    ("rank in capitals", "NNP Police|NN spokesman|NNP SSP", "Ann Poole"),
    ("member of parliament", "NNP SJB|NNP MP", "Ann Poole"),
    ("common noun", "DT the|CD 34|HYPH -|NN year|HYPH -|JJ old|NN sprinter", "Ann Poole"),
    ("common noun after a possessor", "PRP$ his|NN wife", "Ann Poole"),
    ("common noun after another's name", "NNP Beck|POS 's|NN lawyer", "Ann Poole"),
    ("role that is tagged as an adjective", "PRP$ his|JJ rival", "Ann Poole"),
    ("president-elect", "NNP President|HYPH -|JJ elect", "Ann Poole"),
    ("abbreviation with a full stop of its own", "NNP Texas|NNP Sen|. .", "Ann Poole"),
    ("office with its short form", "NNP Attorney|NNP General|-LRB- -LRB-|NNP AG|-RRB- -RRB-", "Ann Poole"),
    ("office of a body", "NNP State|NNP Minister|IN of|NNP Finance", "Ann Poole"),
    ("office that is joined to its body", "NNP Attorney|HYPH -|IN at|HYPH -|NNP Law", "Ann Poole"),
    ("office before a form of address", "NNP Health|NNP Minister|NNP Dr.", "Dr. Ann Poole"),
    ("profession before a form of address", "NN geologist|NNP Sir", "Sir Ann Poole"),
    ("adjective before a form of address", "DT the|JJ late|NNP Mr.", "Mr. Ann Poole"),
    ("office that ends in a form of address", "JJ former|NNP First|NNP Lady", "Ann Poole"),
    ("participle", "DT the|VBN ousted", "Ann Poole"),
    ("noun that is tagged as an adjective", "PRP$ his|JJ predecessor", "Ann Poole"),
    ("relative whose name is no form of address", "PRP$ her|NN father", "Ann Poole"),
]


@pytest.mark.parametrize(("before", "blank"), [case[1:] for case in KEPT], ids=[case[0] for case in KEPT])
def test_a_title_or_description_before_the_name_stays(before, blank):
    tree = flat(f"{before}|NNP Ann|NNP Poole")
    assert deleted(tree, "Ann Poole", KEEP) == (blank, "", "")
    assert deleted(tree, "Ann Poole")[0].endswith(f" {blank}"), "by default, the whole phrase is deleted"


WHOLE = [
    ("Mr.", "NNP Mr."),
    ("Dr. with a full stop of its own", "NNP Dr|. ."),
    ("two forms of address", "NNP Hon|NNP Dr."),
    ("pope", "NNP Pope"),
    ("king", "NNP King"),
    ("Sister", "NNP Sister"),
    ("country of a king", "NNP Britain|POS 's|NNP Prince"),
    ("possessor", "NNP Britain|POS 's"),
    ("given name that the tagger missed", "NNP President|NNP Mary"),
    ("given name in brackets", "NN bassist|NNP Mary|-LRB- -LRB-|NNP May|-RRB- -RRB-"),
    ("former king", "JJ former|NNP King"),
    ("adjective that needs an office", "DT the|JJ former|NNP Mr."),
    ("rank of a prince", "NNP Crown|NNP Prince"),
]


@pytest.mark.parametrize("before", [case[1] for case in WHOLE], ids=[case[0] for case in WHOLE])
def test_forms_of_address_possessors_and_possible_names_are_deleted_with_the_name(before):
    tree = flat(f"{before}|NNP Ann|NNP Poole")
    assert deleted(tree, "Ann Poole", KEEP) == deleted(tree, "Ann Poole")
    assert deleted(tree, "Ann Poole", KEEP)[0] != "Ann Poole"


def start(words, name, evidence=NO_EVIDENCE):
    sentence = Sentence(flat(words))
    return select_blank(sentence, tokens_of(sentence), name, KEEP, evidence=evidence).start


def test_a_noun_with_a_capital_that_is_in_no_name_of_the_corpus_stays_before_a_full_name():
    words = "NNP Party|NNP Convenor|NNP Ann|NNP Poole"
    assert start(words, (2, 4)) == 2
    assert start(words, (2, 4), NameEvidence(person={"convenor beck": 1})) == 0
    assert start("NNP Party|NNP Convenor|NNP Poole", (2, 3)) == 0, "the tagger may have missed a given name"


def test_a_word_that_the_corpus_shows_before_many_persons_is_a_title():
    evidence = NameEvidence(before={f"convenor {given}": 1 for given in ("bob", "cleo", "dina")})
    assert start("NNP Party|NNP Convenor|NNP Poole", (2, 3), evidence) == 2


def test_a_title_with_a_word_of_the_name_is_deleted_with_it():
    assert deleted(flat("NNP Poole|NN heir|NNP Ann|NNP Poole"), "Ann Poole", KEEP)[0] == "Poole heir Ann Poole"


def test_a_title_whose_quotation_ends_after_the_name_is_deleted_with_it():
    assert deleted(flat("`` ``|NN actor|NNP Ann|NNP Poole|'' ''"), "Ann Poole", KEEP)[0] == "`` actor Ann Poole ''"


def test_a_home_after_the_name_is_deleted_although_the_title_stays():
    tree = "(ROOT (S (NP (NP (NNP Mayor) (NNP Ann) (NNP Poole)) (PP (IN of) (NP (NNP Cork)))) (VP (VBD left))))"
    assert deleted(tree, "Ann Poole", KEEP)[0] == "Ann Poole of Cork"


JUDGED = [
    (flat("NN actor|VBD won|NNP Ann|NNP Poole"), "finite-verb"),
    (flat("DT the|NN mayor|CC and|NN friend|NNP Ann|NNP Poole"), "coordinated"),
    (flat("DT the|NN mayor|NNP Ann|NNP Poole|NN inquiry"), "modifies-noun"),
    (flat(f"DT the|{'JJ old|' * 9}NN man|NNP Ann|NNP Poole"), "phrase-too-long"),
]


@pytest.mark.parametrize(("tree", "rule"), JUDGED)
def test_the_rules_judge_the_phrase_with_the_title(tree, rule):
    assert deleted(tree, "Ann Poole", KEEP) == deleted(tree, "Ann Poole")
    assert deleted(tree, "Ann Poole", KEEP)[1] == rule

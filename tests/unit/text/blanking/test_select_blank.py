"""What is deleted, and each refusal with its switch."""

import pytest

from support.blanking import deleted
from support.tables import cases
from wdw_build.text.blanking.select_blank import REFUSAL_REASONS
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.settings import QuestionsConfig


def subject(noun_phrase):
    """A sentence with this subject; a whole tree is itself."""
    return noun_phrase if noun_phrase.startswith("(ROOT") else f"(ROOT (S {noun_phrase} (VP (VBD left))))"


# Case, noun phrase, name, and the words that are deleted.
DELETED = """
a title | (NP (NNP President) (NNP Obama)) | Obama | President Obama
a possessor | (NP (NP (NNP President) (NNP Obama) (POS 's)) (NN visit)) | Obama | President Obama
an apostrophe | (NP (NP (NNP Ann) (NNP Ames) ('' ')) (NN s) (NN visit)) | Ann Ames | Ann Ames
the name twice | (NP (NNP Smith) (NN heir) (NNP John) (NNP Smith)) | John Smith | Smith heir John Smith
of before a bare name | (NP (NP (DT the) (NNP Secretary)) (PP (IN of) (NP (NNP Shultz)))) | Shultz | Shultz
of after a common noun | (NP (NP (DT the) (NN death)) (PP (IN of) (NP (NN actor) (NNP Penn)))) | Penn | actor Penn
brackets and quotations that close
    | (NP (NNP Earvin) (`` ``) (NNP Magic) ('' '') (NNP Johnson) (-LRB- -LRB-) (CD 45) (-RRB- -RRB-)) | Johnson
    | Earvin `` Magic '' Johnson ( 45 )
"""


@pytest.mark.parametrize(("noun_phrase", "name", "words"), cases(DELETED))
def test_titles_go_with_the_name_and_possessives_and_other_nouns_stay(noun_phrase, name, words):
    assert deleted(subject(noun_phrase), name) == (words, "", "")


# Case, noun phrase or tree, name, rule, and the words that show it.
REFUSED = """
pair, second | (NP (NP (NNP Bush)) (CC and) (NP (NNP Kerry))) | Kerry | coordinated | Kerry
ampersand | (NP (NNP Johnson) (SYM &) (NNP Smith)) | Smith | coordinated | Johnson & Smith
pair, first | (NP (NP (NNP Bush)) (CC and) (NP (NNP Kerry))) | Bush | coordinated | Bush and Kerry
modifier | (NP (DT the) (NNP Smith) (NN inquiry)) | Smith | modifies-noun | Smith inquiry
and beside | (ROOT (S (NP (NNP PTL)) (VP (VBD hired) (NP (NNP Jim))) (CC and) (VP (VBD left)))) | Jim | and-beside | Jim
finite verb | (NP (NN actor) (VBD won) (NNP Penn)) | Penn | finite-verb | actor won Penn
eleven words | (NP (DT the) (JJ a) (JJ b) (JJ c) (JJ d) (JJ e) (JJ f) (JJ g) (JJ h) (NN man) (NNP Smith)) | Smith
    | phrase-too-long | the a b c d e f g h man Smith
name again in capitals | (ROOT (S (NP (NNP John) (NNP Smith)) (VP (VBD left) (NP (NP (NNP Mary) (NNP SMITH) (POS 's)) (NN house)))))
    | John Smith | name-outside | SMITH
a misprinted possessive | (ROOT (S (NP (NP (NNP Pooles')) (NN aide)) (VP (VBD saw) (NP (NNP Ann) (NNP Poole)))))
    | Ann Poole | name-outside | Pooles'
half a title | (NP (NNP He) (CC and) (NNP Finance) (NP (NNP Secretary) (NNP Ongpin))) | Ongpin | name-cut | Secretary Ongpin
half a bracket | (NP (NP (NNP Smith)) (-LRB- -LRB-) (NP (NN mayor))) | Smith | name-cut | Smith ( mayor
half a quotation | (NP (NP (NNP Smith)) ('' '') (NP (NN mayor))) | Smith | name-cut | Smith '' mayor
half a straight quotation | (NP (NP (NNP Smith)) ('' ") (NP (NN mayor))) | Smith | name-cut | Smith " mayor
"""


@pytest.mark.parametrize(("tree", "name", "rule", "detail"), cases(REFUSED))
def test_each_rule_refuses_and_names_the_words(tree, name, rule, detail):
    assert deleted(subject(tree), name)[1:] == (rule, detail)
    assert rule in REFUSAL_REASONS


# Case, name, word outside, whether it is refused.
OUTSIDE = """
surname | John Smith | Smith | refused
given name | John Smith | John | refused
capitals | John Smith | SMITH | refused
accent | Gerd Müller | Muller | refused
joined with another name | Ronald Reagan | Thatcher-Reagan | refused
with its particle | Bashar Assad | al-Assad | refused
hyphenated name | Ban Ki-moon | Ki-moon | refused
part of another word | John Smith | Smithson |
half of a hyphenated name | Ban Ki-moon | Moon |
particle | Ludwig van Beethoven | van |
initial | J. Smith | J. |
suffix | John Smith Jr. | Jr. |
"""


@pytest.mark.parametrize(("name", "word", "refused"), cases(OUTSIDE))
def test_a_counting_word_of_the_name_outside_the_blank_leaks_the_answer(name, word, refused):
    leaves = " ".join(f"(NNP {part})" for part in name.split())
    tree = f"(ROOT (S (NP {leaves}) (VP (VBD met) (NP (NN {word})))))"
    assert deleted(tree, name)[1:] == (("name-outside", word) if refused else ("", ""))


STATE = "(NP (NP {before}(NNP Secretary)) (PP (IN of) (NP (NNP State) (NNP George) (NNP Shultz))))"


EXTENDED = [
    ("", "Secretary of State George Shultz"),
    ("(DT the) ", "the Secretary of State George Shultz"),
    ("(JJ former) (NNP U.S.) ", "former U.S. Secretary of State George Shultz"),
    ("(DT the) (JJ young) ", "the young Secretary of State George Shultz"),
]


@pytest.mark.parametrize(("before", "expected"), EXTENDED)
def test_a_phrase_that_starts_inside_a_title_is_extended_over_it(before, expected):
    tree = subject(STATE.format(before=before))
    assert deleted(tree, "George Shultz") == (expected, "", "")
    assert deleted(tree, "George Shultz", QuestionsConfig(extend_titles=False))[0] == "State George Shultz"


def test_a_name_that_the_phrases_cut_through_is_refused():
    tree = "(ROOT (S (NP (NNP John)) (VP (VBD met) (NP (NP (NNP Smith)) (PP (IN of) (NP (NN York)))))))"
    assert deleted(tree, "John met Smith")[1] == "name-cut"


def test_a_noun_that_the_parser_leaves_before_the_phrase_refuses_it_unless_it_is_a_time():
    tree = "(ROOT (S (NP (NNP Bo) (NNP Li)) (VP (VBD saw) (NP (NN {noun})) (NP (NNP Ann) (NNP Poole))) (. .)))"
    interest, whole = tree.format(noun="interest"), ("Ann Poole", "", "")
    assert deleted(interest, "Ann Poole")[1] == "name-cut"
    assert deleted(tree.format(noun="yesterday"), "Ann Poole") == whole
    assert deleted(interest, "Ann Poole", QuestionsConfig(refuse_cut_phrase=False)) == whole


def test_a_party_in_brackets_goes_with_the_name_by_its_key():
    tail = "(-LRB- -LRB-) (NNP R) (: -) (NNP Ohio) (-RRB- -RRB-)"
    tree = f"(ROOT (S (NP (NNP Bo)) (VP (VBD saw) (NP (NNP Ann) (NNP Poole)) {tail} (ADVP (RB again))) (. .)))"
    assert deleted(tree, "Ann Poole")[0] == "Ann Poole ( R - Ohio )"
    assert deleted(tree, "Ann Poole", QuestionsConfig(extend_tail=False))[0] == "Ann Poole"


SWALLOWED = ["(NP (IN that) (NN critic) (NNP Abe) (NNP Rosen))", "(NP (NN critic) (NNP Abe) (NNP Rosen) (NNP Sunday))"]


@pytest.mark.parametrize("noun_phrase", SWALLOWED)
def test_words_that_parsers_swallow_are_taken_off_by_their_key(noun_phrase):
    tree = f"(ROOT (S (NP (NNP Bo)) (VP (VBD saw) {noun_phrase}) (. .)))"
    assert deleted(tree, "Abe Rosen")[0] == "critic Abe Rosen"
    whole = " ".join(Sentence(tree).words[2:-1])
    assert deleted(tree, "Abe Rosen", QuestionsConfig(trim_phrase=False))[0] == whole

"""What is deleted, and each refusal with its switch."""

import pytest

from support.blanking import deleted
from wdw_build.text.blanking.select_blank import REFUSAL_REASONS
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.settings import QuestionsConfig


def subject(noun_phrase):
    return f"(ROOT (S {noun_phrase} (VP (VBD left))))"


DELETED = [
    ("a title", "(NP (NNP President) (NNP Obama))", "Obama", "President Obama"),
    ("a possessor", "(NP (NP (NNP President) (NNP Obama) (POS 's)) (NN visit))", "Obama", "President Obama"),
    ("an apostrophe", "(NP (NP (NNP Ann) (NNP Ames) ('' ')) (NN s) (NN visit))", "Ann Ames", "Ann Ames"),
    ("the name twice", "(NP (NNP Smith) (NN heir) (NNP John) (NNP Smith))", "John Smith", "Smith heir John Smith"),
    ("of before a bare name", "(NP (NP (DT the) (NNP Secretary)) (PP (IN of) (NP (NNP Shultz))))", "Shultz", "Shultz"),
    (
        "of after a common noun",
        "(NP (NP (DT the) (NN death)) (PP (IN of) (NP (NN actor) (NNP Penn))))",
        "Penn",
        "actor Penn",
    ),
    (
        "brackets and quotations that close",
        "(NP (NNP Earvin) (`` ``) (NNP Magic) ('' '') (NNP Johnson) (-LRB- -LRB-) (CD 45) (-RRB- -RRB-))",
        "Johnson",
        "Earvin `` Magic '' Johnson ( 45 )",
    ),
]


@pytest.mark.parametrize(("noun_phrase", "name", "words"), [c[1:] for c in DELETED], ids=[c[0] for c in DELETED])
def test_titles_go_with_the_name_and_possessives_and_other_nouns_stay(noun_phrase, name, words):
    assert deleted(subject(noun_phrase), name) == (words, "", "")


PAIR = subject("(NP (NP (NNP Bush)) (CC and) (NP (NNP Kerry)))")
INQUIRY = subject("(NP (DT the) (NNP Smith) (NN inquiry))")
BESIDE = "(ROOT (S (NP (NNP PTL)) (VP (VBD hired) (NP (NNP Jim))) (CC and) (VP (VBD left))))"
FINITE = subject("(NP (NN actor) (VBD won) (NNP Penn))")
LONG = subject(
    "(NP (DT the) (JJ old) (JJ old) (JJ old) (JJ old) (JJ old) (JJ old) (JJ old) (JJ old) (NN man) (NNP Smith))"
)
TWICE = "(ROOT (S (NP (NNP John) (NNP Smith)) (VP (VBD left) (NP (NP (NNP Mary) (NNP SMITH) (POS 's)) (NN house)))))"

REFUSED = [
    ("pair, second", PAIR, "Kerry", "coordinated", "Kerry"),
    ("ampersand", subject("(NP (NNP Johnson) (SYM &) (NNP Smith))"), "Smith", "coordinated", "Johnson & Smith"),
    ("pair, first", PAIR, "Bush", "coordinated", "Bush and Kerry"),
    ("modifier", INQUIRY, "Smith", "modifies-noun", "Smith inquiry"),
    ("and beside", BESIDE, "Jim", "and-beside", "Jim"),
    ("finite verb", FINITE, "Penn", "finite-verb", "actor won Penn"),
    ("eleven words", LONG, "Smith", "phrase-too-long", "the old old old old old old old old man Smith"),
    ("name again in capitals", TWICE, "John Smith", "name-outside", "SMITH"),
]


@pytest.mark.parametrize(("tree", "name", "rule", "detail"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_each_rule_refuses_and_names_the_words(tree, name, rule, detail):
    assert deleted(tree, name)[1:] == (rule, detail)
    assert rule in REFUSAL_REASONS


OUTSIDE = [
    # (case, name, word outside, refused)
    ("surname", "John Smith", "Smith", True),
    ("given name", "John Smith", "John", True),
    ("capitals", "John Smith", "SMITH", True),
    ("accent", "Gerd Müller", "Muller", True),
    ("joined with another name", "Ronald Reagan", "Thatcher-Reagan", True),
    ("with its particle", "Bashar Assad", "al-Assad", True),
    ("hyphenated name", "Ban Ki-moon", "Ki-moon", True),
    ("part of another word", "John Smith", "Smithson", False),
    ("half of a hyphenated name", "Ban Ki-moon", "Moon", False),
    ("particle", "Ludwig van Beethoven", "van", False),
    ("initial", "J. Smith", "J.", False),
    ("suffix", "John Smith Jr.", "Jr.", False),
]


@pytest.mark.parametrize(("name", "word", "refused"), [c[1:] for c in OUTSIDE], ids=[c[0] for c in OUTSIDE])
def test_a_counting_word_of_the_name_outside_the_blank_leaks_the_answer(name, word, refused):
    leaves = " ".join(f"(NNP {part})" for part in name.split())
    tree = f"(ROOT (S (NP {leaves}) (VP (VBD met) (NP (NN {word})))))"
    assert deleted(tree, name)[1:] == (("name-outside", word) if refused else ("", ""))


STATE = "(NP (NP {before}(NNP Secretary)) (PP (IN of) (NP (NNP State) (NNP George) (NNP Shultz))))"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", "Secretary of State George Shultz"),
        ("(DT the) ", "the Secretary of State George Shultz"),
        ("(JJ former) (NNP U.S.) ", "former U.S. Secretary of State George Shultz"),
        ("(DT the) (JJ young) ", "the young Secretary of State George Shultz"),
    ],
)
def test_a_phrase_that_starts_inside_a_title_is_extended_over_it(before, expected):
    tree = subject(STATE.format(before=before))
    assert deleted(tree, "George Shultz") == (expected, "", "")
    assert deleted(tree, "George Shultz", QuestionsConfig(extend_titles=False))[0] == "State George Shultz"


CUT = [
    ("a title", "(NP (NNP He) (CC and) (NNP Finance) (NP (NNP Secretary) (NNP Ongpin)))", "Ongpin", "Secretary Ongpin"),
    ("a bracket", "(NP (NP (NNP Smith)) (-LRB- -LRB-) (NP (NN mayor)))", "Smith", "Smith ( mayor"),
    ("a quotation", "(NP (NP (NNP Smith)) ('' '') (NP (NN mayor)))", "Smith", "Smith '' mayor"),
    ("a straight quotation", "(NP (NP (NNP Smith)) ('' \") (NP (NN mayor)))", "Smith", 'Smith " mayor'),
]


@pytest.mark.parametrize(("noun_phrase", "name", "detail"), [c[1:] for c in CUT], ids=[c[0] for c in CUT])
def test_a_phrase_that_holds_one_end_of_something_alone_is_refused(noun_phrase, name, detail):
    assert deleted(subject(noun_phrase), name)[1:] == ("name-cut", detail)


def test_a_name_that_the_phrases_cut_through_is_refused():
    tree = "(ROOT (S (NP (NNP John)) (VP (VBD met) (NP (NP (NNP Smith)) (PP (IN of) (NP (NN York)))))))"
    assert deleted(tree, "John met Smith")[1] == "name-cut"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("(JJ retired) ", "retired chandler Ann Poole"),
        ("(DT the) (JJ jailed) ", "the jailed chandler Ann Poole"),
        ("(VBN ousted) ", "ousted chandler Ann Poole"),
        ("(JJ certain) ", "chandler Ann Poole"),
    ],
)
def test_adjectives_directly_before_the_phrase_go_with_it(before, expected):
    tree = f"(ROOT (S (NP (NNP Bo) (NNP Li)) (VP (VBD saw) {before}(NP (NN chandler) (NNP Ann) (NNP Poole))) (. .)))"
    assert deleted(tree, "Ann Poole") == (expected, "", "")


def test_a_participle_after_an_auxiliary_is_no_adjective_of_the_name():
    tree = "(ROOT (S (NP (NNP Bo) (NNP Li)) (VP (VBZ has) (JJ forgiven) (NP (NNP Ann) (NNP Poole))) (. .)))"
    assert deleted(tree, "Ann Poole") == ("Ann Poole", "", "")


def test_a_noun_that_the_parser_leaves_before_the_phrase_refuses_it_unless_it_is_a_time():
    tree = "(ROOT (S (NP (NNP Bo) (NNP Li)) (VP (VBD saw) (NP (NN {noun})) (NP (NNP Ann) (NNP Poole))) (. .)))"
    assert deleted(tree.format(noun="interest"), "Ann Poole")[1] == "name-cut"
    assert deleted(tree.format(noun="yesterday"), "Ann Poole") == ("Ann Poole", "", "")
    assert deleted(tree.format(noun="interest"), "Ann Poole", QuestionsConfig(refuse_cut_phrase=False)) == (
        "Ann Poole",
        "",
        "",
    )


HOME = (
    "(ROOT (S (NP (NNP Bo)) (VP ({tag} {verb}) (NP (NNP Hans) (NNP Grimm))"
    " (PP (IN of) (NP (NNP West) (NNP Germany){owner}))) (. .)))"
)


def test_a_home_that_the_parser_attached_elsewhere_goes_with_the_name():
    tree = HOME.format(tag="VBD", verb="beat", owner="")
    assert deleted(tree, "Hans Grimm") == ("Hans Grimm of West Germany", "", "")
    assert deleted(tree, "Hans Grimm", QuestionsConfig(extend_tail=False)) == ("Hans Grimm", "", "")


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(HOME.format(tag="VBD", verb="convicted", owner=""), id="the verb takes 'of' itself"),
        pytest.param(HOME.format(tag="VBD", verb="told", owner=" (POS 's)"), id="a possessor"),
        pytest.param(HOME.format(tag="VBD", verb="beat", owner=" (NNS plans)"), id="the name modifies a noun"),
        pytest.param(HOME.format(tag="VBD", verb="beat", owner="").replace("NNP West", "JJ west"), id="no name"),
    ],
)
def test_an_of_phrase_that_is_not_the_persons_home_stays(tree):
    assert deleted(tree, "Hans Grimm") == ("Hans Grimm", "", "")


def test_a_party_in_brackets_goes_with_the_name_by_its_key():
    tail = "(-LRB- -LRB-) (NNP R) (: -) (NNP Ohio) (-RRB- -RRB-)"
    tree = f"(ROOT (S (NP (NNP Bo)) (VP (VBD saw) (NP (NNP Ann) (NNP Poole)) {tail} (ADVP (RB again))) (. .)))"
    assert deleted(tree, "Ann Poole")[0] == "Ann Poole ( R - Ohio )"
    assert deleted(tree, "Ann Poole", QuestionsConfig(extend_tail=False))[0] == "Ann Poole"


@pytest.mark.parametrize(
    "noun_phrase",
    ["(NP (IN that) (NN critic) (NNP Abe) (NNP Rosen))", "(NP (NN critic) (NNP Abe) (NNP Rosen) (NNP Sunday))"],
)
def test_words_that_parsers_swallow_are_taken_off_by_their_key(noun_phrase):
    tree = f"(ROOT (S (NP (NNP Bo)) (VP (VBD saw) {noun_phrase}) (. .)))"
    assert deleted(tree, "Abe Rosen")[0] == "critic Abe Rosen"
    whole = " ".join(Sentence(tree).words[2:-1])
    assert deleted(tree, "Abe Rosen", QuestionsConfig(trim_phrase=False))[0] == whole


def test_a_verb_that_could_be_an_epithet_stays():
    tree = "(ROOT (S (NP (DT A) (NN jury)) (VP (VBD convicted) (NP (NNP Hans) (NNP Grimm))) (. .)))"
    assert deleted(tree, "Hans Grimm") == ("Hans Grimm", "", "")


def test_a_phrase_that_starts_inside_an_office_is_refused():
    tree = (
        "(ROOT (S (NP (NP (DT the) (NNP Department)) (PP (IN of) (NP (NNP Energy)))) (VP (VBZ is) (NP (NNP {first})"
        " (NNP Secretary) (NNP Ann) (NNP Poole))) (. .)))"
    )
    cut = "(ROOT (S (NP (NNP Department)) (IN of) (NP (NNP Energy) (NNP Secretary) (NNP Ann) (NNP Poole)) (VP (VBD left))))"
    assert deleted(cut, "Ann Poole")[1] == "name-cut"
    assert deleted(tree.format(first="Energy"), "Ann Poole") == ("Energy Secretary Ann Poole", "", "")


def test_a_misprinted_possessive_of_the_name_outside_is_seen():
    tree = "(ROOT (S (NP (NP (NNP Poole) (POS {mark})) (NN aide)) (VP (VBD saw) (NP (NNP Ann) (NNP Poole)))))"
    words = tree.format(mark="'s").replace("(NNP Poole) (POS 's)", "(NNP Pooles')", 1)
    assert deleted(words, "Ann Poole")[1:] == ("name-outside", "Pooles'")

"""spans: what is taken into the blank and what is left out of it, in the sentences that showed it."""

import pytest

from support.blanking import deleted
from wdw_build.text.blanking.words import is_demonym


def object_of(noun_phrase, verb="met", before=""):
    return f"(ROOT (S (NP (NNP Cole)) (VP (VBD {verb}) {before} {noun_phrase}) (. .)))"


BECK = "(NNP Bob) (NNP Beck)"
WHOLE = {
    "demonym": (object_of(f"(NP (JJ Russian) (NNP President) {BECK})"), "Russian President Bob Beck"),
    "participle": (
        object_of(f"(NP (VBG visiting) (JJ Senegalese) (NNP Prime) (NNP Minister) {BECK})"),
        "visiting Senegalese Prime Minister Bob Beck",
    ),
    "participle outside": (
        f"(ROOT (S (NP (NNP Cole)) (VP (VBD met) (VP (VBN fired) (NP (NNP FBI) (NN director) {BECK})))))",
        "fired FBI director Bob Beck",
    ),
    "a verb is none": (object_of(f"(NP (NNP FBI) (NN director) {BECK})", verb="fired"), "FBI director Bob Beck"),
    "bank": (
        object_of(f"(NP (NP (NNP Bank)) (PP (IN of) (NP (NNP Japan) (NNP Governor) {BECK})))"),
        "Bank of Japan Governor Bob Beck",
    ),
    "republic": (
        object_of(f"(NP (NP (NNP Republic)) (PP (IN of) (NP (NNP China) (NNP Vice) (NNP President) {BECK})))"),
        "Republic of China Vice President Bob Beck",
    ),
    "representative": (
        object_of(f"(NP (NP (NNP Envoy)) (PP (TO to) (NP (DT the) (NNP United) (NNPS States) {BECK})))"),
        "Envoy to the United States Bob Beck",
    ),
    "chamber": (
        object_of(f"(NP (NNP Minority) (NNP Leader) {BECK})", before="(NP (NNP House))"),
        "House Minority Leader Bob Beck",
    ),
    "flat": (
        object_of(f"(NP (JJ controversial) (NNP Arizona) (NNP Sheriff) (NP {BECK}))"),
        "controversial Arizona Sheriff Bob Beck",
    ),
}
TRIMMED = {
    "participle that governs": (object_of(f"(NP (NN chairman) (VBG succeeding) {BECK})"), "Bob Beck"),
    "result": (object_of(f"(NP (JJ dead) {BECK})", verb="shot"), "Bob Beck"),
    "in particular": (object_of(f"(PP (IN in) (NP (JJ particular) (NNP Mayor) {BECK}))"), "Mayor Bob Beck"),
    "all": (object_of(f"(NP (DT all) {BECK})"), "Bob Beck"),
    "participle behind": (object_of(f"(NP (NP {BECK}) (VP (VBG heading) (PP (IN into) (NP (NN town)))))"), "Bob Beck"),
    "predicate behind": (object_of(f"(NP (NP {BECK}) (NP (DT a) (NN fool)))"), "Bob Beck"),
    "pronoun behind": (object_of(f"(NP {BECK} (PRP She))"), "Bob Beck"),
    "weekday": (object_of(f"(NP (NP {BECK}) (, ,) (NP (NNP Cork)) (, ,) (NP (NNP Monday)))"), "Bob Beck , Cork ,"),
    "somebody else's office": (
        "(ROOT (S (NP (NNP Chairman)) (IN of) (NP (NP (NNP President) (NNP Beck) (POS 's)) (NN Council))"
        " (VP (VBD left))))",
        "President Beck",
    ),
}
CUT = {
    "article": (object_of("(NP (DT the) (NNP Beck))"), "name-cut"),
    "body": (object_of(f"(NP (DT the) (NN shadow) (NN cabinet) {BECK})"), "name-cut"),
    "ends in a verb": (
        object_of(f"(NP (NP {BECK}) (, ,) (NP (PRP$ his) (NN office)) (VP (VBN announced)))"),
        "finite-verb",
    ),
}


@pytest.mark.parametrize("case", [*WHOLE, *TRIMMED])
def test_the_blank_is_the_persons_whole_noun_phrase_and_no_more(case):
    tree, words = (WHOLE | TRIMMED)[case]
    assert deleted(tree, "Bob Beck" if "Bob Beck" in words else "Beck")[:2] == (words, "")


@pytest.mark.parametrize("case", CUT)
def test_a_phrase_that_cannot_be_mended_is_refused(case):
    tree, reason = CUT[case]
    assert deleted(tree, "Beck" if case == "article" else "Bob Beck")[1] == reason


@pytest.mark.parametrize("word", ["Senegalese", "British", "Russian", "Thai", "Israeli", "French", "Mexican"])
def test_a_demonym_is_known(word):
    assert is_demonym(word)


@pytest.mark.parametrize("word", ["Japan", "russian", "China", "Hong", "State", "Iran", "Kerry"])
def test_another_word_is_no_demonym(word):
    assert not is_demonym(word)


def in_sentence(text, nodes):
    """What is deleted of "Bob Beck" in a sentence whose words stand as in ``text``: some touch each other."""
    return deleted(f"(ROOT (S (NP (NNP Cole)) (VP (VBD met) {nodes}) (. .)))", "Bob Beck", text=f"Cole met {text}.")[:2]


BASED = "(NP {before} (NNP London) (HYPH -) (VBN based)) (NP (NN financier) (NNP Bob) (NNP Beck))"
DESIGNATE = f"(NP (DT the) (NN minister) (HYPH -) (NN {{after}})) (NP {BECK})"
ECONOMIC = (
    "(NP (NP (NNP Under) (HYPH -) (NNP Secretary)) (PP (IN of) (NP (NNP State))))"
    f" (PP (IN for) (NP (NNP Economic) (NNPS Affairs) {BECK}))"
)
BODY = f"(NP (NP {{head}}) (PP (IN {{joiner}}) (NP {{place}} (NNP Governor) {BECK})))"


@pytest.mark.parametrize(
    ("text", "nodes", "blank"),
    [
        ("Texas Sen. Bob Beck", f"(NP (NNP Texas) (NNP Sen)) (. .) (NP {BECK})", "Texas Sen . Bob Beck"),
        ("Texas Sen . Bob Beck", f"(NP (NNP Texas) (NNP Sen)) (. .) (NP {BECK})", "Bob Beck"),
        ("Texas Man. Bob Beck", f"(NP (NNP Texas) (NNP Man)) (. .) (NP {BECK})", "Bob Beck"),
        (
            "a London-based financier Bob Beck",
            BASED.format(before="(DT a)"),
            "a London - based financier Bob Beck",
        ),
        (
            "East London-based financier Bob Beck",
            BASED.format(before="(JJ East)"),
            "East London - based financier Bob Beck",
        ),
        ("a London - based financier Bob Beck", BASED.format(before="(DT a)"), "financier Bob Beck"),
        ("a London- based financier Bob Beck", BASED.format(before="(DT a)"), "financier Bob Beck"),
        (
            "the minister-designate Bob Beck",
            DESIGNATE.format(after="designate"),
            "the minister - designate Bob Beck",
        ),
        ("left-hander Bob Beck", f"(NP (JJ left) (HYPH -)) (NP (NN hander) {BECK})", "left - hander Bob Beck"),
        (
            "Under-Secretary of State for Economic Affairs Bob Beck",
            ECONOMIC,
            "Under - Secretary of State for Economic Affairs Bob Beck",
        ),
        (
            "the Bank of the Japan Governor Bob Beck",
            BODY.format(head="(DT the) (NNP Bank)", joiner="of", place="(DT the) (NNP Japan)"),
            "the Bank of the Japan Governor Bob Beck",
        ),
        (
            "West Bank of Japan Governor Bob Beck",
            BODY.format(head="(NNP West) (NNP Bank)", joiner="of", place="(NNP Japan)"),
            "West Bank of Japan Governor Bob Beck",
        ),
        (
            "the Bank of Senegalese Governor Bob Beck",
            BODY.format(head="(DT the) (NNP Bank)", joiner="of", place="(JJ Senegalese)"),
            "Senegalese Governor Bob Beck",
        ),
        (
            "the village of Japan Governor Bob Beck",
            BODY.format(head="(DT the) (NN village)", joiner="of", place="(NNP Japan)"),
            "Japan Governor Bob Beck",
        ),
        (
            "Bank in Japan Governor Bob Beck",
            BODY.format(head="(NNP Bank)", joiner="in", place="(NNP Japan)"),
            "Japan Governor Bob Beck",
        ),
        ("House Leader Bob Beck", f"(NP (NNP House)) (NP (NNP Leader) {BECK})", "House Leader Bob Beck"),
        ("House leader Bob Beck", f"(NP (NNP House)) (NP (NN leader) {BECK})", "leader Bob Beck"),
        ("all Bob Beck", f"(NP (DT all) {BECK})", "Bob Beck"),
        ("all old Bob Beck", f"(NP (DT all) (JJ old) {BECK})", "all old Bob Beck"),
    ],
)
def test_titles_bodies_and_compounds_before_the_phrase_go_with_it_as_far_as_they_belong(text, nodes, blank):
    assert in_sentence(text, nodes) == (blank, "")


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("Monday Sen. Bob Beck", f"(NP (NNP Monday) (NNP Sen)) (. .) (NP {BECK})"),
        ("the minister-aide Bob Beck", DESIGNATE.format(after="aide")),
        ("house Leader Bob Beck", f"(NP (NN house)) (NP (NNP Leader) {BECK})"),
        ("some kind Bob Beck", f"(NP (DT some) (NN kind) {BECK})"),
    ],
)
def test_a_phrase_with_a_part_of_something_else_before_it_is_refused(text, nodes):
    assert in_sentence(text, nodes)[1] == "name-cut"


@pytest.mark.parametrize(("age", "goes"), [(0, False), (1, True), (119, True), (120, False)])
def test_an_age_is_a_number_from_1_to_119(age, goes):
    nodes = f"(NP {BECK}) (, ,) (CD {age}) (, ,) (ADVP (RB there))"
    assert in_sentence(f"Bob Beck, {age}, there", nodes)[0] == (f"Bob Beck , {age} ," if goes else "Bob Beck")


@pytest.mark.parametrize(
    ("clause", "goes"),
    [("(SBAR (IN that))", False), ("(VP (VBG that))", False), ("(S (JJ that))", False), ("(ADJP (JJ that))", True)],
)
def test_an_apposition_with_a_clause_of_any_kind_stays(clause, goes):
    nodes = f"(NP {BECK}) (, ,) (NP (DT the) (NN mayor) {clause}) (, ,) (ADVP (RB again))"
    blank = "Bob Beck , the mayor that ," if goes else "Bob Beck"
    assert in_sentence("Bob Beck, the mayor that, again", nodes)[0] == blank


@pytest.mark.parametrize(("word", "demonym"), [("Irish", True), ("Asian", True), ("Vian", False), ("irish", False)])
def test_a_demonym_has_at_least_five_letters_and_a_capital(word, demonym):
    assert is_demonym(word) is demonym


@pytest.mark.parametrize(
    ("text", "nodes", "detail"),
    [
        (
            "the envoy to Japan Governor Bob Beck",
            BODY.format(head="(DT the) (NN envoy)", joiner="to", place="(NNP Japan)"),
            "envoy to Japan",
        ),
        ("the shadow cabinet Bob Beck", f"(NP (DT the) (NN shadow) (NN cabinet) {BECK})", "cabinet Bob"),
        ("the minister-aide Bob Beck", DESIGNATE.format(after="aide"), "minister-aide"),
        ("the Bob Beck", f"(NP (DT the) {BECK})", "the Bob"),
        ("Acme > senator Bob Beck", f"(NP (NNP Acme)) (SYM >) (NP (NN senator)) (NP {BECK})", "senator"),
    ],
)
def test_a_refusal_of_a_cut_phrase_names_the_words_that_show_it(text, nodes, detail):
    found = deleted(f"(ROOT (S (NP (NNP Cole)) (VP (VBD met) {nodes}) (. .)))", "Bob Beck", text=f"Cole met {text}.")
    assert found[1:] == ("name-cut", detail)


def test_a_person_who_is_only_near_a_body_or_an_office_is_not_cut():
    man = BODY.format(head="(DT the) (NN man)", joiner="to", place="(NNP Japan)")
    assert in_sentence("the man to Japan Governor Bob Beck", man) == ("Japan Governor Bob Beck", "")
    acme = f"(NP (NNP Acme)) (, ,) (NP (NN senator)) (NP {BECK})"
    assert in_sentence("Acme, senator Bob Beck", acme)[1] == ""


def test_a_title_with_its_full_stop_may_open_the_sentence():
    tree = f"(ROOT (S (NP (NNP Sen)) (. .) (NP {BECK}) (VP (VBD left)) (. .)))"
    assert deleted(tree, "Bob Beck", text="Sen. Bob Beck left.")[:2] == ("Sen . Bob Beck", "")


@pytest.mark.parametrize(
    ("home", "blank"),
    [
        ("(NP (NNP United) (NNPS States))", "Bob Beck of United States"),
        ("(NP (NP (NNP West) (NNP Germany) (POS 's)))", "Bob Beck"),
        ("(NP (NNP West) (NNP Germany) (NNS plans))", "Bob Beck"),
    ],
)
def test_a_home_is_a_name_that_owns_nothing(home, blank):
    tree = f"(ROOT (S (NP (NNP Cole)) (VP (VBD beat) (NP {BECK}) (PP (IN of) {home})) (. .)))"
    assert deleted(tree, "Bob Beck")[:2] == (blank, "")

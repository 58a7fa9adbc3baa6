"""spans: what is taken into the blank and what is left out of it, in the sentences that showed it."""

import pytest

from support.blanking import deleted


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
    "participle of a compound": (
        object_of(f"(PP (RB alongside) (NP (VBG running) (NN mate) {BECK}))", before="(NP (DT a) (NN talk))"),
        "running mate Bob Beck",
    ),
    "participle of a compound outside": (
        f"(ROOT (S (NP (NNP Cole)) (VP (VBD met) (S (VP (VBG managing) (NP (NN director) {BECK})))) (. .)))",
        "managing director Bob Beck",
    ),
    "a participle before a role is a verb": (
        f"(ROOT (S (NP (NNP Cole)) (VP (VBD was) (NP (VBG praising) (NN mate) {BECK})) (. .)))",
        "mate Bob Beck",
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
    "chief tagged as a verb": (
        object_of(f"(NP (NNP CDU)) (VP (VBD chief) (NP {BECK}))"),
        "CDU chief Bob Beck",
    ),
    "office in a phrase of its own": (
        object_of(f"(PP (IN by) (NP (NNP Cork) (NN police) (NN officer))) (NP {BECK})"),
        "Cork police officer Bob Beck",
    ),
    "noun tagged as if it were outside": (
        object_of(f"(PP (IN by) (S (VP (NN debate) (NP (NN moderator) {BECK}))))"),
        "debate moderator Bob Beck",
    ),
    "possessor outside": (
        object_of(f"(NP (NP (NP (NNP Cole) (POS 's)) (JJ new) (NN chief)) (PP (IN of) (NP (NN staff) {BECK})))"),
        "Cole 's new chief of staff Bob Beck",
    ),
    "quoted epithet": (
        object_of(f'(NP (NP (JJ Former) (`` ") (NNP Miss) (NNP Cork)) (`` ") (NP {BECK}))'),
        'Former " Miss Cork " Bob Beck',
    ),
    "county": (
        object_of(f"(NP (NP (NNP Kerry) (NNP County)) (, ,) (NP (NNP Ohio) (NNP Sheriff) {BECK}))"),
        "Kerry County , Ohio Sheriff Bob Beck",
    ),
    "then": (object_of(f"(PP (IN with) (ADVP (RB then)) (NP (NN mayor) {BECK}))"), "then mayor Bob Beck"),
    "party after the name": (
        object_of(f"(NP (NP {BECK}) (, ,) (NP (NNP R) (HYPH -) (NNP Ohio)) (S (VP (TO to) (VP (VB go)))))"),
        "Bob Beck , R - Ohio",
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
    "pronoun before": (object_of(f"(NP (NP (PRP it)) (NN nominee) {BECK})", verb="has"), "nominee Bob Beck"),
    "relative pronoun": (object_of(f"(NP (NP (DT the) (NN man)) (NP (WP who) {BECK}))"), "Bob Beck"),
    "clause before": (object_of(f"(NP (PRP she) (VBZ hopes) (NNP Mayor) {BECK})"), "Mayor Bob Beck"),
    "modal before": ("(ROOT (S (NP (NN time)) (VP (MD will) (NP (NN judge) (NNP Beck))) (. .)))", "Beck"),
    "verb after its subject": (
        "(ROOT (S (NP (PRP$ its) (NN board)) (VP (VBN elected) (NP (NNP Bob) (NNP Beck))) (. .)))",
        "Bob Beck",
    ),
    "verb after an auxiliary": (
        object_of(f"(VP (ADVP (RB already)) (VP (VBN sacked) (NP (NN chief) {BECK})))", verb="had"),
        "chief Bob Beck",
    ),
    "year": (object_of(f"(PP (IN in) (NP (CD 2004) (NNP President) {BECK}))"), "President Bob Beck"),
    "date before": (
        object_of(f"(PP (IN since) (NP (CD 11) (NNP June) (CD 2010) (CD 13.01) (NNP BST) {BECK}))"),
        "Bob Beck",
    ),
    "date after": (object_of(f"(NP (NP {BECK}) (NP (NNP March) (CD 19)))"), "Bob Beck"),
    "today after": (object_of(f"(NP {BECK} (NN today))"), "Bob Beck"),
    "a second person": (object_of(f"(NP (NP {BECK}) (, ,) (NP (NNP Karl) (NNP Anker)) (, ,))"), "Bob Beck"),
    "an amount": (object_of(f"(NP (NP {BECK}) (NP (CD ten) (NNS dollars)))", verb="gave"), "Bob Beck"),
    "a year after a comma": (
        object_of(f"(NP (NNP July) (CD 26) (, ,) (CD 2005) (NNP District) (NNP Attorney) {BECK})"),
        "District Attorney Bob Beck",
    ),
    "a phrase in a list": (object_of(f"(NP (DT the) (NN winner) (, ,) (NN clerk) {BECK})"), "clerk Bob Beck"),
    "clause after": (
        object_of(f"(NP (NP {BECK}) (S (VP (TO to) (VP (VB leave)))))", verb="warned"),
        "Bob Beck",
    ),
    "clause in brackets": (
        object_of(f"(NP (NP {BECK}) (PRN (-LRB- -LRB-) (S (NP (PRP he)) (VP (VBD slept))) (-RRB- -RRB-)))"),
        "Bob Beck",
    ),
    "of with a participle": (
        object_of(f"(NP (NP {BECK}) (PP (IN of) (NP (VBG stealing))))", verb="accused"),
        "Bob Beck",
    ),
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
    "number": (object_of(f"(NP (CD two) {BECK})"), "name-cut"),
    "nor": (object_of(f"(NP {BECK}) (CC nor) (NP (NNP Anker))"), "and-beside"),
    "body's name": (object_of(f"(NP (NNP Means)) (NP (NNP Committee) (NN chairman) {BECK})"), "name-cut"),
    "article": (object_of("(NP (DT the) (NNP Beck))"), "name-cut"),
    "body": (object_of(f"(NP (DT the) (NN shadow) (NN cabinet) {BECK})"), "name-cut"),
    "a verb within": (object_of(f"(NP (NN actor) (VBD won) {BECK})"), "finite-verb"),
}


@pytest.mark.parametrize("case", [*WHOLE, *TRIMMED])
def test_the_blank_is_the_persons_whole_noun_phrase_and_no_more(case):
    tree, words = (WHOLE | TRIMMED)[case]
    assert deleted(tree, "Bob Beck" if "Bob Beck" in words else "Beck")[:2] == (words, "")


@pytest.mark.parametrize("case", CUT)
def test_a_phrase_that_cannot_be_mended_is_refused(case):
    tree, reason = CUT[case]
    assert deleted(tree, "Beck" if case == "article" else "Bob Beck")[1] == reason


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
        ("House leader Bob Beck", f"(NP (NNP House)) (NP (NN leader) {BECK})", "House leader Bob Beck"),
        ("all Bob Beck", f"(NP (DT all) {BECK})", "Bob Beck"),
        ("Monday Sen. Bob Beck", f"(NP (NNP Monday) (NNP Sen)) (. .) (NP {BECK})", "Sen . Bob Beck"),
        ("all old Bob Beck", f"(NP (DT all) (JJ old) {BECK})", "all old Bob Beck"),
    ],
)
def test_titles_bodies_and_compounds_before_the_phrase_go_with_it_as_far_as_they_belong(text, nodes, blank):
    assert in_sentence(text, nodes) == (blank, "")


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("the minister-aide Bob Beck", DESIGNATE.format(after="aide")),
        ("the house leader Bob Beck", f"(NP (DT the) (NN house)) (NP (NN leader) {BECK})"),
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


@pytest.mark.parametrize(
    ("text", "nodes", "detail"),
    [
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


@pytest.mark.parametrize("hyphen", ["-", "–"])
def test_a_hyphen_that_joins_the_name_to_a_word_makes_it_a_modifier(hyphen):
    tree = f"(ROOT (S (NP (NNP Cole)) (VP (VBD met) (NP {BECK}) ({hyphen} {hyphen}) (NN era) (NNS miners)) (. .)))"
    assert deleted(tree, "Bob Beck", text=f"Cole met Bob Beck{hyphen}era miners.")[1] == "modifies-noun"
    assert deleted(tree, "Bob Beck", text=f"Cole met Bob Beck {hyphen} era miners.")[1] == ""


@pytest.mark.parametrize(
    "told", ["(VP (VBD told) (NP (DT the) (NN judge)) (NP {}))", "(VP (VBD met) (NN interest) (NP {}))"]
)
def test_an_office_with_an_article_and_a_noun_without_a_person_are_not_taken(told):
    """They may belong to somebody else, so the person is refused."""
    assert deleted(f"(ROOT (S (NP (NNP Cole)) {told.format(BECK)} (. .)))", "Bob Beck")[1] == "name-cut"


def test_an_office_does_not_swallow_the_subject_of_its_clause():
    tree = f"(ROOT (S (NP (NNP Cole)) (VP (VBD saw) (S (NP (NNP Ann)) (VP (NN debate) (NP (NNP Gov) {BECK})))) (. .)))"
    assert deleted(tree, "Bob Beck")[0] == "Gov Bob Beck"

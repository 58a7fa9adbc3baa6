"""Trees in Penn brackets, head rules and the climb."""

import pytest

from support.tables import cases
from wdw_build.text.blanking.trees import Sentence, climb, parse_tree

OF = frozenset({"of"})
VISIT = "(VP (VBD left))"


def phrase(noun_phrase, name, prepositions=OF, repair=True):
    """The climb from a name (its words) in a sentence that begins with the noun phrase; words for tokens."""
    sentence = Sentence(f"(ROOT (S {noun_phrase} {VISIT}))", repair)
    start = next(at for at in range(len(sentence.words)) if sentence.words[at : at + len(name.split())] == name.split())
    found = climb(sentence, start, start + len(name.split()), prepositions)
    if found is None:
        return None
    return " ".join(sentence.words[found.start : found.end]), found.coordinated_above, found.modifies_noun


# (case, noun phrase, name, words of the phrase); the paper's loop, taken literally, would stop on the S above "Smith".
PLAIN = """
a name alone | (NP (NNP Smith)) | Smith | Smith
two words | (NP (NNP John) (NNP Smith)) | John Smith | John Smith
title in the flat phrase | (NP (NNP President) (NNP Barack) (NNP Obama)) | Barack Obama | President Barack Obama
descriptor and article in the flat phrase | (NP (DT the) (JJ late) (NN actor) (NNP John) (NNP Smith)) | John Smith
    | the late actor John Smith
title in a nominal of its own | (NP (NML (NNP Prime) (NNP Minister)) (NNP John) (NNP Major)) | John Major
    | Prime Minister John Major
name in a nominal of its own | (NP (NN actor) (NML (NNP John) (NNP Smith))) | John Smith | actor John Smith
suffix within the name | (NP (NNP John) (NNP Smith) (NNP Jr.)) | John Smith Jr. | John Smith Jr.
suffix after a comma | (NP (NNP John) (NNP Smith) (, ,) (NNP Jr.)) | John Smith , Jr. | John Smith , Jr.
suffix in a phrase of its own | (NP (NP (NNP John) (NNP Smith)) (, ,) (NP (NNP Jr.))) | John Smith , Jr. | John Smith , Jr.
apposition after | (NP (NP (NNP John) (NNP Smith)) (, ,) (NP (DT the) (NN mayor)) (, ,)) | John Smith | John Smith , the mayor ,
apposition before | (NP (NP (DT the) (NN mayor)) (, ,) (NP (NNP John) (NNP Smith)) (, ,)) | John Smith | John Smith
age after the name | (NP (NP (NNP John) (NNP Smith)) (, ,) (NP (CD 45)) (, ,)) | John Smith | John Smith , 45 ,
possessive nested | (NP (NP (NNP Bush) (POS 's)) (NN visit)) | Bush | Bush
possessive nested, with a title | (NP (NP (NNP President) (NNP Bush) (POS 's)) (NN visit)) | Bush | President Bush
possessive flat | (NP (NNP Bush) (POS 's) (NN visit)) | Bush | Bush
the father of a nested name | (NP (NP (NNP Bush) (POS 's)) (NN father) (NNP George)) | George | Bush 's father George
the possessor before a name | (NP (NP (NNP Bush) (POS 's)) (NN father) (NNP George)) | Bush | Bush
possessive twice | (NP (NP (NP (NNP Bush) (POS 's)) (NN father) (POS 's)) (NN house)) | Bush | Bush
relative clause | (NP (NP (NNP John) (NNP Smith)) (, ,) (SBAR (WHNP (WP who)) (S (VP (VBD won)))) (, ,)) | John Smith | John Smith
relative clause deeper down
    | (NP (NP (NNP Smith)) (, ,) (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD won)))))) | Smith | Smith
phrase with of | (NP (NP (NNP Elizabeth)) (PP (IN of) (NP (NNP England)))) | Elizabeth | Elizabeth of England
phrase with on | (NP (NP (NNP President) (NNP Arias)) (PP (IN on) (NP (NNP Friday)))) | Arias | President Arias
phrase with of, then with on | (NP (NP (NP (NNP Paul)) (PP (IN of) (NP (NNP York)))) (PP (IN on) (NP (NNP Friday))))
    | Paul | Paul of York
name inside a phrase with of | (NP (NP (DT the) (NN death)) (PP (IN of) (NP (NNP John) (NNP Smith)))) | John Smith | John Smith
phrase with of and a clause
    | (NP (NP (NN banker) (NNP Crane)) (PP (IN of) (S (VP (VBG hiding) (NP (DT the) (NNS losses)))))) | Crane | banker Crane
the preposition in capitals | (NP (NP (NNP PAUL)) (PP (IN OF) (NP (NNP YORK)))) | PAUL | PAUL OF YORK
a participle after | (NP (NP (NNP Smith)) (, ,) (VP (VBN accused) (PP (IN of) (NP (NN theft))))) | Smith | Smith
"""


@pytest.mark.parametrize(("noun_phrase", "name", "words"), cases(PLAIN))
def test_the_climb_ends_on_the_last_noun_phrase_that_the_name_heads(noun_phrase, name, words):
    assert phrase(noun_phrase, name) == (words, False, False)


def test_without_prepositions_the_climb_goes_over_any_as_in_the_paper():
    noun_phrase = "(NP (NP (NNP President) (NNP Arias)) (PP (IN on) (NP (NNP Friday))))"
    assert phrase(noun_phrase, "Arias", frozenset()) == ("President Arias on Friday", False, False)


# (case, noun phrase, name, words, coordinated above)
COORDINATED = """
second of a pair | (NP (NP (NNP Bush)) (CC and) (NP (NNP Kerry))) | Kerry | Kerry | coordinated above
first of a pair takes in both | (NP (NP (NNP Bush)) (CC and) (NP (NNP Kerry))) | Bush | Bush and Kerry |
last of three | (NP (NP (NNP A)) (, ,) (NP (NNP B)) (CC and) (NP (NNP C))) | C | C | coordinated above
flat pair, first | (NP (NNP Bush) (CC and) (NNP Kerry)) | Bush | Bush | coordinated above
flat pair, second takes in both | (NP (NNP Bush) (CC and) (NNP Kerry)) | Kerry | Bush and Kerry |
ampersand | (NP (NP (NNP Bush)) (SYM &) (NP (NNP Kerry))) | Kerry | Kerry | coordinated above
pair with or | (NP (NP (NNP Bush)) (CC or) (NP (NNP Kerry))) | Kerry | Kerry | coordinated above
coordination inside the apposition | (NP (NP (NNP Smith)) (, ,) (NP (NN founder) (CC and) (NN head))) | Smith
    | Smith , founder and head |
coordination further above | (NP (NP (NP (NNP Bush) (POS 's)) (NN wife)) (CC and) (NP (NN son))) | Bush | Bush |
"""


@pytest.mark.parametrize(("noun_phrase", "name", "words", "above"), cases(COORDINATED))
def test_a_coordination_directly_above_the_phrase_is_seen(noun_phrase, name, words, above):
    assert phrase(noun_phrase, name)[:2] == (words, bool(above))


# (case, noun phrase, name, modifies)
MODIFIERS = """
an inquiry | (NP (DT the) (NNP Smith) (NN inquiry)) | Smith | modifies
an administration with a full name | (NP (DT the) (NNP John) (NNP Smith) (NNP Administration)) | John Smith | modifies
in a nominal of its own | (NP (DT the) (NML (NNP John) (NNP Smith)) (NN inquiry)) | John Smith | modifies
a hyphen and a participle | (NP (DT the) (ADJP (NNP Smith) (HYPH -) (VBN led)) (NN coalition)) | Smith |
a hyphen, flat | (NP (DT the) (NNP Smith) (HYPH -) (VBN led) (NN coalition)) | Smith | modifies
a possessor of another before | (NP (NNP Britain) (POS 's) (NNP Smith) (NN inquiry)) | Smith | modifies
a nested possessor before | (NP (NP (NNP Britain) (POS 's)) (NNP Smith) (NN inquiry)) | Smith | modifies
a modified possessor | (NP (NP (DT the) (NNP Smith) (NN family) (POS 's)) (NN house)) | Smith | modifies
the possessor himself | (NP (NNP Smith) (POS 's) (NN inquiry)) | Smith |
the possessor, nested | (NP (NP (NNP Smith) (POS 's)) (NN inquiry)) | Smith |
the head | (NP (DT the) (NN inspector) (NNP Smith)) | Smith |
an apposition after | (NP (NP (NNP Smith)) (NP (DT the) (NN mayor))) | Smith |
"""


@pytest.mark.parametrize(("noun_phrase", "name", "modifies"), cases(MODIFIERS))
def test_a_name_before_the_noun_it_modifies_is_seen(noun_phrase, name, modifies):
    assert phrase(noun_phrase, name)[2] is bool(modifies)


# (case, noun phrase, name, words with repair, words without)
REPAIRED = """
a comma that closes another phrase
    | (NP (NP (DT the) (NN mayor)) (, ,) (NP (PRP$ his) (NN aide)) (NP (NNP Ann) (NNP Poole))) | Ann Poole
    | his aide Ann Poole | Ann Poole
a description set apart | (NP (NP (PRP$ his) (JJ old) (NN friend)) (NP (NNP Buddy) (NNP Klein))) | Buddy Klein
    | his old friend Buddy Klein | Buddy Klein
a weekday at the end | (NP (NNP President) (NNP Ortega) (NNP Sunday)) | Ortega | President Ortega Sunday | Ortega
"""


@pytest.mark.parametrize(("noun_phrase", "name", "repaired", "plain"), cases(REPAIRED))
def test_wrongly_built_noun_phrases_are_repaired_unless_that_is_off(noun_phrase, name, repaired, plain):
    assert phrase(noun_phrase, name)[0] == repaired
    assert phrase(noun_phrase, name, repair=False)[0] == plain


# (case, noun phrase, head)
HEADS = """
rightmost noun | (NP (DT the) (NN city) (NN mayor)) | mayor
rightmost proper noun | (NP (NN mayor) (NNP John) (NNP Smith)) | Smith
noun before a number | (NP (NNP Smith) (CD 45)) | Smith
a clitic is no head | (NP (DT the) (NN mayor) (POS 's)) | mayor
first noun phrase of several | (NP (NP (NNP Smith)) (, ,) (NP (DT the) (NN mayor))) | Smith
a nominal before a noun phrase | (NP (NP (NNP Bush) (POS 's)) (NML (NN foreign) (NN minister))) | minister
a number without a noun | (NP (DT the) (CD two)) | two
an adjective without a noun | (NP (DT the) (JJ poor)) | poor
else the last | (NP (DT this)) | this
else the last, not the clitic | (NP (PRP one) (POS 's)) | one
"""


@pytest.mark.parametrize(("noun_phrase", "head"), cases(HEADS))
def test_the_head_of_a_noun_phrase_follows_collins(noun_phrase, head):
    sentence = Sentence(f"(ROOT (S {noun_phrase} {VISIT}))")
    assert sentence.words[sentence.head(sentence.tree.children[0].children[0])] == head


def test_nodes_know_their_tokens_words_and_places():
    nodes = list(parse_tree("(ROOT (S (NP (NNP Ann)) (VP (VBD met) (NP (-LRB- -LRB-) (NNP Bo)))))").subtrees())
    assert [(node.label, node.start, node.end) for node in nodes] == [
        *(("ROOT", 0, 4), ("S", 0, 4), ("NP", 0, 1), ("NNP", 0, 1), ("VP", 1, 4)),
        *(("VBD", 1, 2), ("NP", 2, 4), ("-LRB-", 2, 3), ("NNP", 3, 4)),
    ]
    assert [node.word for node in nodes] == ["", "", "", "Ann", "", "met", "", "-LRB-", "Bo"]
    assert all(node.parent.children[node.index] is node for node in nodes[1:])


def test_a_root_without_a_label_is_a_tree():
    root = parse_tree("( (NP (NNP Ann)) )")
    assert (root.label, [child.label for child in root.children]) == ("", ["NP"])


UNMATCHED = ["", "Ann", "(NP (NNP Ann)", "(NP (NNP Ann)))", "(NP) (VP)", "(NP (NNP Ann)) Ann"]
NEITHER = ["(NP (NNP Ann) Ames)", "(NP Ann (NNP Ames))", "(NP)", "(NP Ann Ames)", "(S ())", "(S (NP Ann)"]


@pytest.mark.parametrize("text", UNMATCHED + NEITHER)
def test_unmatched_brackets_and_nodes_that_have_not_one_word_or_children_are_an_error(text):
    with pytest.raises(ValueError, match="no tree"):
        parse_tree(text)

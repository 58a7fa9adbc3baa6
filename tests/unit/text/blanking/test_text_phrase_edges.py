"""spans: what is taken into the blank and what is left out of it, in the sentences that showed it."""

import pytest
from test_text_deletion import deleted

from wdw_build.text.blanking.extend import is_demonym


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

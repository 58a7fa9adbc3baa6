"""The shallow adversary: what a question asks for, candidate spans, and answers."""

from support.fakes import FakeEncoder, RuleAnnotator, tokenise
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.records import TaggedName
from wdw_study.spans.reading import Sentence, analyse, conjuncts
from wdw_study.spans.shallow import ShallowAdversary

TREE = (
    "(ROOT (S (NP (NP (NNP Ann) (NNP Quillby)) (CC and) (NP (NNP Tom) (NNP Marrow))) (VP (VBD paid) (NP ($ $) (CD 40))"
    " (PP (IN in) (NP (NNP May)))) (. .)))"
)
TEXT = "Ann Quillby and Tom Marrow paid $40 in May."


TOKENS = tokenise(TEXT)
NAMES = (TaggedName(0, 2, "PERSON"), TaggedName(3, 5, "PERSON"))
CANDIDATES = {one.text: one for one in Sentence(TEXT, TOKENS.words, TOKENS.spans, NAMES, TREE).candidates}


def test_the_type_of_the_answer_follows_from_the_question_word_and_its_nouns():
    assert analyse("Who paid the captain?").asked == "who"
    assert analyse("Whose boat sank?").asked == "who"
    assert analyse("Where was it sold?").asked == "where"
    assert analyse("When did it sink?").asked == "when"
    assert analyse("How many boats sank?").asked == "number"
    assert analyse("How did it sink?").asked == "how"
    assert analyse("Which city was flooded?").asked == "where"
    assert analyse("In what year did it sink?").asked == "when"
    assert analyse("What is the captain of the boat called?").asked == "who"
    assert analyse("Which disease spread?").asked == "noun"
    assert analyse("What did she say?").asked == "what"
    assert analyse("Name it.").asked == "other"


def test_a_question_with_a_plural_noun_or_verb_asks_for_several():
    assert analyse("Which captains paid?").plural
    assert analyse("Who were fined?").plural
    assert not analyse("Who was fined?").plural


def test_candidates_are_names_numbers_and_phrases_with_their_kinds():
    assert [CANDIDATES[text].kind for text in ("Ann Quillby", "$40", "May")] == ["PERSON", "number", "time"]
    assert "and" not in CANDIDATES


def test_the_parts_of_a_coordination_are_found_from_any_part_and_from_the_whole():
    for text in ("Ann Quillby", "Ann Quillby and Tom Marrow"):
        assert conjuncts(CANDIDATES[text]) == [(0, 2), (3, 5)]
    assert conjuncts(CANDIDATES["$40"]) == ()


class Annotator(RuleAnnotator):
    """``names`` with kinds, and the tree of the sentence above."""

    def names(self, sentences):
        return [tuple(TaggedName(s.start, s.end, "PERSON") for s in found) for found in super().names(sentences)]


def adversary():
    names = ("Ann Quillby", "Tom Marrow", "Bea Tallow")
    return ShallowAdversary(Annotator(names, {TEXT: TREE}), PunktSplitter(), FakeEncoder())


def test_a_plural_question_gets_a_span_for_each_coordinated_person_and_how_much_a_number():
    text = f"{TEXT} Bea Tallow slept."
    assert adversary().answer(text, "Which people paid in May?").spans == ("Ann Quillby", "Tom Marrow")
    assert adversary().answer(text, "How much did Ann Quillby pay in May?").spans == ("$40",)


def test_the_score_is_a_probability_and_an_empty_passage_has_no_answer():
    assert 0 < adversary().answer(TEXT, "Who paid?").score <= 1
    assert adversary().answer("", "Who paid?") == ((), 0.0)

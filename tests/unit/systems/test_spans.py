"""The shallow adversary: what a question asks for, candidate spans, and answers."""

import numpy as np
import pytest

from support.fakes import RuleAnnotator
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.records import TaggedName
from wdw_study.spans.reading import Sentence, analyse, conjuncts
from wdw_study.spans.shallow import ShallowAdversary

TREE = (
    "(ROOT (S (NP (NP (NNP Ann) (NNP Quillby)) (CC and) (NP (NNP Tom) (NNP Marrow))) (VP (VBD paid) (NP ($ $) (CD 40))"
    " (PP (IN in) (NP (NNP May)))) (. .)))"
)
WORDS = ("Ann", "Quillby", "and", "Tom", "Marrow", "paid", "$", "40", "in", "May", ".")
TEXT = "Ann Quillby and Tom Marrow paid $40 in May."


def sentence():
    spans, start = [], 0
    for word in WORDS:
        start = TEXT.index(word, start)
        spans.append((start, start + len(word)))
        start += len(word)
    names = (TaggedName(0, 2, "PERSON"), TaggedName(3, 5, "PERSON"))
    return Sentence(TEXT, WORDS, tuple(spans), names, TREE)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who paid the captain?", "who"),
        ("Whose boat sank?", "who"),
        ("Where was it sold?", "where"),
        ("When did it sink?", "when"),
        ("How many boats sank?", "number"),
        ("How did it sink?", "how"),
        ("Which city was flooded?", "where"),
        ("In what year did it sink?", "when"),
        ("What is the captain of the boat called?", "who"),
        ("Which disease spread?", "noun"),
        ("What did she say?", "what"),
        ("Name it.", "other"),
    ],
)
def test_the_type_of_the_answer_follows_from_the_question_word_and_its_nouns(question, asked):
    assert analyse(question).asked == asked


def test_a_question_with_a_plural_noun_or_verb_asks_for_several():
    assert analyse("Which captains paid?").plural
    assert analyse("Who were fined?").plural
    assert not analyse("Who was fined?").plural


def test_candidates_are_names_numbers_and_phrases_with_their_kinds():
    kinds = {candidate.text: candidate.kind for candidate in sentence().candidates}
    assert kinds["Ann Quillby"] == "PERSON"
    assert kinds["$40"] == "number"
    assert kinds["May"] == "time"
    assert "and" not in kinds


def test_the_parts_of_a_coordination_are_found_from_any_part_and_from_the_whole():
    candidates = {candidate.text: candidate for candidate in sentence().candidates}
    for text in ("Ann Quillby", "Ann Quillby and Tom Marrow"):
        assert conjuncts(candidates[text]) == [(0, 2), (3, 5)]
    assert conjuncts(candidates["$40"]) == ()


class Encoder:
    identity = "fake"

    def vectors(self, texts, exact=False):
        return [np.array([1.0, 0.0])] * len(texts)


class Annotator(RuleAnnotator):
    """``names`` with kinds, and the tree of the sentence above."""

    def names(self, sentences):
        return [tuple(TaggedName(s.start, s.end, "PERSON") for s in found) for found in super().names(sentences)]


def adversary():
    names = ("Ann Quillby", "Tom Marrow", "Bea Tallow")
    return ShallowAdversary(Annotator(names, {TEXT: TREE}), PunktSplitter(), Encoder())


def test_a_plural_question_gets_a_span_for_each_coordinated_person():
    passage = f"{TEXT} Bea Tallow slept."
    assert adversary().answer(passage, "Which people paid in May?").spans == ("Ann Quillby", "Tom Marrow")


def test_a_number_answers_how_much():
    assert adversary().answer(TEXT, "How much did Ann Quillby pay in May?").spans == ("$40",)


def test_an_empty_passage_has_no_answer():
    assert adversary().answer("", "Who paid?") == ((), 0.0)


def test_the_score_is_a_probability():
    assert 0 < adversary().answer(TEXT, "Who paid?").score <= 1

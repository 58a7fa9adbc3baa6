"""The estimate of whether an answer needs coreference: nearness, links, examples, agreement."""

import pytest

from support import make
from support.sheets import sheet, sheet_problem
from wdw_build.adapters.punkt import PunktSplitter
from wdw_study.judging.estimate import Estimated, Readers, agreement_on, estimated
from wdw_study.judging.judgements import Judgement
from wdw_study.judging.sheets import Judged

READERS = Readers(PunktSplitter(), lambda text, others: [1.0] * len(others))
QUESTION = "The golden bridge was opened in heavy rain by Ann Quillby on Friday."


def estimate(passage, choices=("Ann Quillby", "Tom Marrow"), gender="female", question=QUESTION):
    problem = make.problem("p", make.question("p", question, "Ann Quillby"), passage, choices, 0)
    return estimated(problem, gender, READERS)


def test_a_decisive_sentence_with_the_name_needs_no_coreference():
    found = estimate("Tom Marrow slept. Ann Quillby opened the golden bridge in heavy rain.")
    assert (found.phenomenon, found.sentence) == ("named", "Ann Quillby opened the golden bridge in heavy rain.")


def test_a_pronoun_after_the_name_is_the_persons():
    found = estimate("Tom Marrow slept. Ann Quillby came. She opened the golden bridge in heavy rain.")
    assert (found.phenomenon, found.reason) == ("pronominal", "She")


def test_a_pronoun_of_the_other_gender_is_not_the_persons():
    assert (
        estimate("Ann Quillby came. He opened the golden bridge in heavy rain.", ("Ann Quillby",)).phenomenon == "named"
    )


def test_a_pronoun_after_another_persons_name_is_not_the_persons():
    found = estimate("Ann Quillby came. Then Tom Marrow left. She opened the golden bridge in heavy rain.")
    assert found.phenomenon == "named"


def test_a_pronoun_after_a_person_of_the_question_is_not_the_persons():
    question = "Bea Tallow said the golden bridge was opened in heavy rain by Ann Quillby on Friday."
    asked = make.question("p", question, "Ann Quillby", others=("Bea Tallow",))
    passage = "Ann Quillby came. Bea Tallow left. She opened the golden bridge in heavy rain."
    assert estimated(make.problem("p", asked, passage, ("Ann Quillby",), 0), "female", READERS).phenomenon == "named"


def test_a_description_whose_noun_stands_beside_the_name_is_the_person():
    found = estimate(
        "Tom Marrow met the mayor, who opened the golden bridge in heavy rain. He thanked Mayor Ann Quillby."
    )
    assert (found.phenomenon, found.reason) == ("nominal", "the mayor")


def test_a_description_of_another_person_is_not_the_person():
    found = estimate("The mayor opened the golden bridge in heavy rain. Ann Quillby thanked Mayor Tom Marrow.")
    assert found.phenomenon == "named"


def test_a_pronoun_and_a_description_are_multiple_links():
    found = estimate("Mayor Ann Quillby came. She said that the mayor opened the golden bridge in heavy rain.")
    assert found.phenomenon == "multiple"


def test_the_names_of_choices_do_not_make_a_sentence_near():
    found = estimate("Ann Quillby slept. Ann Quillby opened the golden bridge. Ann Quillby left.", ("Ann Quillby",))
    assert found.sentence == "Ann Quillby opened the golden bridge."


def test_the_earlier_of_two_equally_near_sentences_decides():
    found = estimate("Ann Quillby opened a bridge today. Ann Quillby opened a bridge again.", ("Ann Quillby",))
    assert found.sentence == "Ann Quillby opened a bridge today."


def test_the_rules_do_not_decide_on_a_sentence_that_is_far_from_the_question():
    orthogonal = Readers(PunktSplitter(), lambda text, others: [0.0] * len(others))
    problem = make.problem("p", make.question("p", QUESTION, "Ann Quillby"), "Ann Quillby slept.", ("Ann Quillby",), 0)
    assert estimated(problem, "", orthogonal).phenomenon == "other"


@pytest.mark.parametrize(("cosine", "phenomenon"), [(0.39, "other"), (0.41, "named")])
def test_a_sentence_without_a_word_of_the_question_decides_only_if_it_means_the_same(cosine, phenomenon):
    other = Readers(PunktSplitter(), lambda text, others: [cosine] * len(others))
    problem = make.problem("p", make.question("p", QUESTION, "Ann Quillby"), "Ann Quillby slept.", ("Ann Quillby",), 0)
    assert estimated(problem, "", other).phenomenon == phenomenon


def one(name, phenomenon):
    return Estimated(
        id=name, phenomenon=phenomenon, reason="", question="", answer="", sentence="", overlap=0.0, cosine=0.0
    )


def test_agreement_with_people_leaves_out_what_the_rules_do_not_decide():
    problems = [sheet_problem(number, id=name) for number, name in enumerate("abcde", 1)]
    labels = {"a": "named", "b": "nominal", "c": "nominal", "d": "named", "e": "named"}
    given = [Judgement(person="Ann", problem=name, answered=True, phenomena=(label,)) for name, label in labels.items()]
    estimates = [one("a", "named"), one("b", "pronominal"), one("c", "named"), one("d", "named"), one("e", "other")]
    found = agreement_on(Judged(sheet(problems, task="phenomena"), problems, given), estimates)
    pair = found.with_estimate["Ann"]
    # By hand: 3 of 4 equal; labels 5 and 3, D_o = 2/8, D_e = 30/56; alpha = 1 - 14/30.
    assert (pair.units, pair.same, pair.alpha) == (4, 0.75, round(1 - 14 / 30, 4))

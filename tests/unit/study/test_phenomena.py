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


BOTH, ANN = ("Ann Quillby", "Tom Marrow"), ("Ann Quillby",)


def estimate(passage, choices=BOTH, readers=READERS, question=QUESTION, others=()):
    asked = make.question("p", question, "Ann Quillby", others=others)
    return estimated(make.problem("p", asked, passage, choices, 0), readers)


def test_the_decisive_sentence_names_the_person_or_has_a_pronoun_or_a_description():
    def found(passage, choices=BOTH):
        estimated = estimate(passage.format("opened the golden bridge in heavy rain."), choices)
        return estimated.phenomenon, estimated.reason

    assert found("Tom Marrow slept. Ann Quillby {}") == ("named", "")
    assert found("Tom Marrow slept. Ann Quillby came. She {}") == ("pronominal", "She")
    # A pronoun of the other gender, and one after another name.
    assert found("Ms. Ann Quillby came. He {}", ANN) == ("named", "")
    assert found("Ann Quillby came. Then Tom Marrow left. She {}") == ("named", "")
    assert found("Tom Marrow met the mayor, who {} He thanked Mayor Ann Quillby.") == ("nominal", "the mayor")
    # A noun of another person.
    assert found("The mayor {} Ann Quillby thanked Mayor Tom Marrow.") == ("named", "")
    assert found("Mayor Ann Quillby came. She said that the mayor {}") == ("multiple", "She; that the mayor")


def test_a_pronoun_after_a_person_of_the_question_is_not_the_persons():
    question = "Bea Tallow said the golden bridge was opened in heavy rain by Ann Quillby on Friday."
    passage = "Ann Quillby came. Bea Tallow left. She opened the golden bridge in heavy rain."
    assert estimate(passage, ANN, question=question, others=("Bea Tallow",)).phenomenon == "named"


def test_names_of_choices_make_no_sentence_near_and_the_earlier_of_equally_near_ones_decides():
    opened, today = "Ann Quillby opened the golden bridge.", "Ann Quillby opened a bridge today."
    assert estimate(f"Ann Quillby slept. {opened} Ann Quillby left.", ANN).sentence == opened
    assert estimate(f"{today} Ann Quillby opened a bridge again.", ANN).sentence == today


@pytest.mark.parametrize(("cosine", "phenomenon"), [(0.0, "other"), (0.39, "other"), (0.41, "named")])
def test_a_sentence_without_a_word_of_the_question_decides_only_if_it_means_the_same(cosine, phenomenon):
    other = Readers(PunktSplitter(), lambda text, others: [cosine] * len(others))
    assert estimate("Ann Quillby slept.", ANN, other).phenomenon == phenomenon


def test_agreement_with_people_leaves_out_what_the_rules_do_not_decide():
    problems = [sheet_problem(number, id=name) for number, name in enumerate("abcde", 1)]
    labels = {"a": "named", "b": "nominal", "c": "nominal", "d": "named", "e": "named"}
    given = [Judgement(person="Ann", problem=name, answered=True, phenomena=(label,)) for name, label in labels.items()]
    unknown = {"reason": "", "question": "", "answer": "", "sentence": "", "overlap": 0.0, "cosine": 0.0}
    found = {"a": "named", "b": "pronominal", "c": "named", "d": "named", "e": "other"}
    estimates = [Estimated(id=name, phenomenon=label, **unknown) for name, label in found.items()]
    judged = Judged(sheet(problems, task="phenomena"), problems, given)
    pair = agreement_on(judged, estimates).with_estimate["Ann"]
    # By hand: 3 of 4 equal; labels 5 and 3, D_o = 2/8, D_e = 30/56; alpha = 1 - 14/30.
    assert (pair.units, pair.same, pair.alpha) == (4, 0.75, round(1 - 14 / 30, 4))

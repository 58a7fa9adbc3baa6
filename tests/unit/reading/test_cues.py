"""The numeric features of ``shallow``: standardised, blind to names that stand in for others, and right in small cases."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.reading import labelled, reading_problem
from wdw_build.reading import TrainingContext
from wdw_build.reading.probes.cues import cues
from wdw_build.reading.probes.log_linear import SHALLOW

PASSAGE = "Ann Fox met Bo Lee. Lee sued the bank while Cy Ray slept. She paid Lee.\n\nMr. Ray left with Bo Lee."
CHOICES = [("Ann Fox", "Fox"), ("Bo Lee", "Lee"), ("Cy Ray", "Ray")]


def problem(question="XXX sued a bank with Ann Fox .", passage=PASSAGE, choices=CHOICES, **fields):
    return reading_problem(question, passage, choices, **fields)


def numbers(name, given_problem=None):
    """One number of each choice."""
    return [row[f"number:{name}"] for row in cues(given_problem or problem())]


def highest(values):
    return values.index(max(values))


def test_every_number_has_mean_0_and_deviation_one_half_or_is_0_for_all_choices():
    rows = cues(problem())
    for name in rows[0]:
        values = np.array([row[name] for row in rows])
        assert values.mean() == pytest.approx(0, abs=1e-9)
        assert values.std() == pytest.approx(0.5) or not values.any(), name


@pytest.mark.parametrize("name", ["best near", "best sentence", "best sides", "best context", "mentions"])
def test_the_person_whose_sentence_has_the_questions_words_scores_highest(name):
    assert highest(numbers(name)) == 1


def test_places_and_forms_follow_the_mentions():
    # First mentions at the tokens 0, 3 and 11: the mean is 14/3, so that the first one is lowest and the last one highest.
    assert numbers("log first") == sorted(numbers("log first"))
    assert numbers("in first sentence") == pytest.approx([2**-1.5, 2**-1.5, -(2**-0.5)])
    assert numbers("in last paragraph") == pytest.approx([-(2**-0.5), 2**-1.5, 2**-1.5])


def test_a_feminine_pronoun_in_the_question_speaks_against_a_man_with_a_title():
    fit = numbers("gender", problem("XXX said she won ."))
    assert fit[2] == min(fit) < max(fit)
    assert highest(numbers("gender", problem("XXX said he won ."))) == 2


def test_a_person_of_the_question_is_counted_as_company_of_the_others():
    asked = problem("XXX sued a bank with Ann Fox .", persons=["Ann Fox"])
    assert highest(numbers("is person", asked)) == 0
    assert highest(numbers("share with persons", asked)) == 1


def test_a_problem_without_blank_passage_or_mentions_has_numbers():
    bare = problem("Nobody won .", "Nothing happened.")
    assert {value for row in cues(bare) for value in row.values() if value} >= set()
    assert all(np.isfinite(list(row.values())).all() for row in cues(bare))
    empty = msgspec.structs.replace(bare, passage="", token_layout=(), sentence_starts=(0,))
    assert all(np.isfinite(list(row.values())).all() for row in cues(empty))


@given(st.permutations(range(3)))
def test_all_numbers_but_the_place_follow_the_choices_when_these_are_permuted(order):
    def known(number_problem):
        ties = {"number:place", "number:frequency"}
        return [{name: value for name, value in row.items() if name not in ties} for row in cues(number_problem)]

    rows, permuted = known(problem()), known(problem(choices=[CHOICES[index] for index in order]))
    for row, index in zip(permuted, order, strict=True):
        assert row == pytest.approx(rows[index])


def test_forty_problems_are_enough_to_learn_that_the_answer_stands_by_the_questions_word(tmp_path):
    verbs = ["sued", "paid", "met", "hired", "beat"]

    def example(number):
        answer, asked = number % 3, number % 5
        facts = [f"{name} {verbs[(asked + (index - answer)) % 5]} them." for index, (name, _) in enumerate(CHOICES)]
        return labelled(problem(f"XXX {verbs[asked]} them .", " ".join(facts), id=str(number)), answer)

    examples = [example(number) for number in range(60)]
    system = SHALLOW.make(SHALLOW.settings())
    system.fit(examples[:32], examples[32:40], TrainingContext())
    predictions = system.choose(item.problem for item in examples[40:])
    assert [found.first_choice for found in predictions] == [item.answer for item in examples[40:]]

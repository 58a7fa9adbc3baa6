"""One problem by itself: its choices, answer, mentions and blank."""

import pytest

from support.consistent_run import WRONG, changed, mention, problem
from wdw_build.core.config.settings import ChoicesConfig, ExportConfig, QuestionsConfig, SuppressConfig


def test_too_few_choices_fail_choices_count(failing):
    alone = problem(0)
    assert failing(problems={0: alone | {"choices": alone["choices"][:1]}}) == ["choices-count"]
    assert failing(choices=ChoicesConfig(min_choices=3)) == ["choices-count"]


@pytest.mark.parametrize("wrong", ["Dora Anne Finch", "Finch", "dora finch"])
def test_two_forms_of_one_name_among_the_choices_fail_choices_distinct(failing, wrong):
    one = problem(0, wrong=wrong)
    # The same name in another case is also the answer's name twice.
    assert failing(problems={0: one}) == ["choices-distinct", *(["answer"] if wrong == "dora finch" else [])]


# Problem 8 is relaxed only, so no other check depends on who solves it.
NO_BOUND = SuppressConfig(relaxed=1.0)


def test_an_answer_that_is_not_the_deleted_person_fails_answer(failing):
    assert failing(problems=changed(8, answer=1), suppress=NO_BOUND) == ["answer"]


@pytest.mark.parametrize("index", [-1, 2])
def test_an_answer_that_is_no_index_of_a_choice_fails_answer(failing, index):
    assert failing(problems=changed(8, answer=index), export=ExportConfig(formats=("jsonl",)), suppress=NO_BOUND) == [
        "answer"
    ]


def shifted(one):
    one["choices"][0]["mentions"][0]["start"] += 1


def beyond(one):
    one["choices"][1]["mentions"][-1]["end"] = 10_000


def unnamed_in_full(one):
    one["choices"][0]["name"] = f"Sir {one['choices'][0]['name']}"


def out_of_order(one):
    one["choices"].reverse()
    one["answer"] = 1 - one["answer"]


@pytest.mark.parametrize("spoil", [shifted, beyond, unnamed_in_full, out_of_order])
def test_a_wrong_offset_name_or_order_fails_mentions(failing, spoil):
    one = problem(0)
    spoil(one)
    assert failing(problems={0: one}) == ["mentions"]


def test_a_choice_that_the_question_names_fails_question_persons(failing):
    assert failing(problems={0: problem(0, other=WRONG[0].split()[-1])}) == ["question-persons"]


def test_a_relative_of_a_person_of_the_question_may_be_a_choice(failing):
    assert failing(problems={0: problem(0, other=f"Hugo {WRONG[0].split()[-1]}")}) == []


def test_a_shared_initial_is_no_shared_given_name(failing):
    surname = WRONG[0].split()[-1]
    assert failing(problems={0: problem(0, other=f"Hugo F. {surname}", wrong=f"Ivor F. {surname}")}) == []
    assert failing(problems={0: problem(0, other=f"Ivor F. {surname}", wrong=f"Ivor F. {surname}")}) == [
        "question-persons"
    ]


def test_a_shared_title_is_no_shared_person(failing):
    assert failing(problems={0: problem(0, other="President Hugo Reed", wrong="President Ivor Quill")}) == []


def other_text(asked):
    asked["blank"]["text"] = "Mayor Dora Finck"


def name_beside(asked):
    asked["name"] = mention(asked["sentence"], "Dora")
    asked["blank"] |= mention(asked["sentence"], "Mayor")
    asked["blank_tokens"][1] -= 2


def no_tokens(asked):
    asked["tokens"][0] = "Karl"


def shifted_spans(asked):
    asked["token_layout"][0] += 1


@pytest.mark.parametrize("spoil", [other_text, no_tokens, shifted_spans])
def test_text_or_tokens_that_disagree_with_the_offsets_fail_blank(failing, spoil):
    one = problem(0)
    spoil(one["question"])
    assert failing(problems={0: one}) == ["blank"]


def test_a_name_beside_the_blank_also_stands_outside_it(failing):
    one = problem(0)
    name_beside(one["question"])
    assert failing(problems={0: one}, export=ExportConfig(formats=("jsonl",))) == ["blank", "name-outside"]


def test_the_name_outside_the_blank_fails_name_outside_unless_it_is_allowed(failing):
    assert failing(problems={0: problem(0, tail=" and Finch")}) == ["name-outside"]
    assert (
        failing(problems={0: problem(0, tail=" and Finch")}, questions=QuestionsConfig(refuse_name_outside=False)) == []
    )

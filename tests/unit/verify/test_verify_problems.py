"""One problem by itself: its choices, answer, mentions and blank."""

import hashlib

import pytest

from support.consistent_run import WRONG, changed, mention, problem
from wdw_build.core.config.settings import ChoicesConfig, ExportConfig, QuestionsConfig


def test_too_few_choices_fail_choices_count(failing):
    alone = problem(0)
    assert failing(problems={0: alone | {"choices": alone["choices"][:1]}}) == ["choices-count"]
    assert failing(choices=ChoicesConfig(min_choices=3)) == ["choices-count"]


def over_max(most=5, persons=8):
    """Problem 0 with so many persons, of whom seed 0 draws the choices beside the answer."""
    one = problem(0, extra=" ".join(f"Then came {name}." for name in OTHERS[: persons - 2]))
    text, answer = one["passage"]["text"], one["choices"][one["answer"]]["name"]
    added = [{"name": name, "mentions": [span(text, name)]} for name in OTHERS[: persons - 2]]
    one["persons"] = [*one["choices"], *added]
    hashes = {
        who["name"]: sha(f"0\x1fchoices\x1fq0\x1f{who['name']}") for who in one["persons"] if who["name"] != answer
    }
    drawn = {answer, *sorted(hashes, key=hashes.get)[: most - 1]}
    one["choices"] = [who for who in one["persons"] if who["name"] in drawn]
    one["answer"] = [who["name"] for who in one["choices"]].index(answer)
    return one


OTHERS = ["Abel Umber", "Boris Vogel", "Casper Wendt", "Dieter Yates", "Edgar Zorn", "Fabio Aalto"]


def span(text, name):
    return {key: value for key, value in mention(text, name).items() if key != "text"}


def sha(key):
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:7], "big")


def test_choices_drawn_by_the_seed_pass(failing):
    assert failing(problems={0: over_max()}) == []


def other_draw(one):
    out = next(at for at, who in enumerate(one["persons"]) if who not in one["choices"])
    into = next(at for at in range(len(one["choices"])) if at != one["answer"])
    answer = one["choices"][one["answer"]]
    chosen = [who for who in one["choices"] if who is not one["choices"][into]] + [one["persons"][out]]
    one["choices"] = [who for who in one["persons"] if who in chosen]
    one["answer"] = one["choices"].index(answer)


def too_few_drawn(one):
    del one["choices"][1 if one["answer"] == 0 else 0]
    one["answer"] = max(0, one["answer"] - 1)


def too_few_persons(one):
    one["persons"] = list(one["choices"])


def without_the_answer(one):
    one["persons"].remove(one["choices"][one["answer"]])


@pytest.mark.parametrize("spoil", [other_draw, too_few_drawn, too_few_persons, without_the_answer])
def test_choices_other_than_those_the_seed_draws_fail_choices_drawn(failing, spoil):
    one = over_max()
    spoil(one)
    assert failing(problems={0: one}) == ["choices-drawn"]


def test_choices_drawn_where_passages_with_more_persons_are_refused(failing):
    assert failing(problems={0: over_max()}, choices=ChoicesConfig(above_max="refuse")) == ["choices-drawn"]


@pytest.mark.parametrize("wrong", ["Dora Anne Finch", "Finch", "dora finch"])
def test_two_forms_of_one_name_among_the_choices_fail_choices_distinct(failing, wrong):
    one = problem(0, wrong=wrong)
    # The same name in another case is also the answer's name twice.
    assert failing(problems={0: one}) == ["choices-distinct", *(["answer"] if wrong == "dora finch" else [])]


def test_an_answer_that_is_not_the_deleted_person_fails_answer(failing):
    assert failing(problems=changed(0, answer=1)) == ["answer"]


@pytest.mark.parametrize("index", [-1, 2])
def test_an_answer_that_is_no_index_of_a_choice_fails_answer(failing, index):
    assert failing(problems=changed(0, answer=index), export=ExportConfig(formats=("jsonl",))) == ["answer"]


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

"""What systems read under each condition: the list in place of the passage, and replaced names."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.labelled import NAMES, labelled
from wdw_bench.conditions import without_passage


def test_the_passage_becomes_a_list_that_mentions_every_choice_once():
    listed = without_passage(labelled(), seed=0).problem
    names = [choice.name for choice in listed.choices]
    assert listed.passage == " ; ".join(names) + " ."
    assert sorted(names) == sorted(NAMES)
    assert listed.sentence_starts == (0,)
    tokens = listed.passage_tokens
    assert [tokens[first:last] for choice in listed.choices for first, last in choice.mentions] == [
        choice.tokens for choice in listed.choices
    ]
    assert [token for token in tokens if token in {";", "."}].count(";") == len(NAMES) - 1
    assert listed.question == labelled().problem.question


@given(answer=st.integers(0, 4), guess=st.integers(0, 4), name=st.text(min_size=1, max_size=8), seed=st.integers(0, 99))
def test_answer_and_guesses_follow_their_choices(answer, guess, name, seed):
    problem = msgspec.structs.replace(labelled(name, answer=answer), guesses={"ngram": guess})
    listed = without_passage(problem, seed)
    assert listed.problem.choices[listed.answer].name == NAMES[answer]
    assert listed.problem.choices[listed.guesses["ngram"]].name == NAMES[guess]
    assert listed == without_passage(problem, seed)


def test_the_place_in_the_list_does_not_tell_the_place_in_the_passage():
    firsts = [without_passage(labelled(f"q{at}"), seed=0).problem.choices[0].name for at in range(500)]
    for name in NAMES:
        assert firsts.count(name) == pytest.approx(100, abs=35)

"""``--where``: conditions over documented fields say what they seem to say, and nothing else is understood."""

import contextlib
import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.errors import UsageError
from wdw_build.records import BaselinePredictions, Candidate, Choice, Rejection, Retrieval, Span, SuppressionDecision
from wdw_build.views.where import where


def guesses(choices=4, answer=1):
    return BaselinePredictions(
        id="HBP_1",
        date=dt.date(2014, 3, 4),
        choices=choices,
        answer=answer,
        guesses={"ngram": 1},
        scores={"ngram": (0.5,)},
    )


def retrieval(*rules):
    day = dt.date(2014, 3, 4)
    return Retrieval(
        id="q",
        candidates=tuple(
            Candidate(article=f"a{at}", date=day, window=1, rank=at + 1, score=10.0 - at, rule=rule)
            for at, rule in enumerate(rules)
        ),
    )


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("choices >= 4", True),
        ("choices>=4", True),
        ("choices > 4", False),
        ("choices = 4 and answer = 1", True),
        ("choices = 5 or answer = 1", True),
        ("not choices = 5", True),
        ("not (choices = 4 and answer = 2)", True),
        ("choices = 5 and answer = 2 or answer = 1", True),
        ("choices = 5 and (answer = 2 or answer = 1)", False),
        ("id ~ hbp", True),
        ('id = "HBP_1"', True),
        ("id != 'HBP_1'", False),
        ("date >= 2014-03-04", True),
        ("date < 2014-03-04", False),
        ("guesses.ngram = 1", True),
        ("guesses.unigram = 1", False),
        ("guesses = 1", True),
        ("answer", True),
    ],
)
def test_a_condition_holds_or_not(text, holds):
    assert where(BaselinePredictions, text)(guesses()) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("candidates >= 2", True),
        ("candidates = 3", False),
        ("candidates.rule = reprint", True),
        ("candidates.rule = table", False),
        ("candidates.score < 9.5", True),
        ("candidates.rule ~ PRINT", True),
    ],
)
def test_a_list_is_compared_by_its_length_and_of_several_values_one_is_enough(text, holds):
    assert where(Retrieval, text)(retrieval("", "reprint")) is holds


def test_truth_values():
    kept = SuppressionDecision(
        id="a",
        date=dt.date(2014, 3, 4),
        choices=4,
        cell="0101",
        draw=0.5,
        strict=True,
    )
    assert where(SuppressionDecision, "strict")(kept)
    assert where(SuppressionDecision, "strict = true and cell = 0101")(kept)
    assert not where(SuppressionDecision, "strict = false")(kept)


@pytest.mark.parametrize("sign", ["<", ">"])
def test_a_sign_written_the_other_way_round_is_answered_with_the_right_one(sign):
    with pytest.raises(UsageError) as error:
        where(BaselinePredictions, f"choices ={sign} 4")
    assert error.value.hint == f"write {sign}= for ={sign}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "a field expected at character 1"),
        ("choises = 4", "BaselinePredictions has no field 'choises'"),
        ("choices >=", "a value expected at character 11"),
        ("choices >= four", "choices must be compared with a number, not 'four'"),
        ("date > yesterday", "date must be compared with a date such as 2014-03-04"),
        ("choices = 4 answer = 1", "'and', 'or' or the end expected at character 13, not 'answer'"),
        ("(choices = 4", "')' expected at character 13"),
        ("choices = 4)", "expected at character 12, not ')'"),
        ("choices ! 4", "'! 4' at character 9 is not part of a condition"),
        ("__class__ = 1", "has no field '__class__'"),
        ("date.__class__ = 1", "has no field 'date.__class__'"),
        ("id.upper = 1", "has no field 'id.upper'"),
        ("not " * 100 + "answer", "nested more than 50 levels deep"),
    ],
)
def test_what_is_no_condition_is_refused_with_the_place(text, fault):
    with pytest.raises(UsageError) as error:
        where(BaselinePredictions, text)
    assert fault in f"{error.value.message}"


def test_a_misspelt_field_is_answered_with_the_nearest():
    with pytest.raises(UsageError) as error:
        where(BaselinePredictions, "choises = 4")
    assert error.value.hint == "did you mean choices?"


@given(st.text(max_size=40))
def test_any_text_is_a_condition_or_a_message(text):
    with contextlib.suppress(UsageError):
        assert where(Rejection, text)(Rejection(id="a", reason="b")) in {True, False}


def test_a_record_inside_a_record_is_not_compared_itself():
    with pytest.raises(UsageError, match="is a record: compare one of its fields"):
        where(type("Holder", (Choice,), {"__annotations__": {"span": Span}}, kw_only=True), "span = 1")

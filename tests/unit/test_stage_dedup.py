"""dedup: of near-duplicates the earliest by (date, id) stays; exact, whatever the order of the input."""

import itertools
import random

import pytest

import fakes
from fakes import day
from wdw_build.stages.dedup import STAGE
from wdw_build.text.overlap import similarity
from wdw_build.text.tokens import words

TEN = "Ann Ames told Bob Beck that the old bridge closed ."


def made(name, sentence=TEN, number=0):
    asked = fakes.question(name, sentence, "Ann Ames", others=["Bob Beck"], date=day(number))
    return fakes.problem(name, asked, "Ann Ames met Cleo Cole.", ["Ann Ames", "Cleo Cole"], 0)


def dedup(tmp_path, *problems, threshold=0.8):
    return fakes.run_stage(STAGE, tmp_path, {"choices": list(problems)}, section=STAGE.config(threshold=threshold))


def test_the_earliest_stays_and_the_rejection_names_it(tmp_path):
    ran = dedup(tmp_path, made("late", number=2), made("first", number=0), made("middle", number=1))
    assert [*ran.records] == ["first"]
    assert {one.id: (one.reason, one.detail) for one in ran.rejections.values()} == {
        "late": ("duplicate-question", "first"), "middle": ("duplicate-question", "first"),
    }  # fmt: skip


def test_of_one_day_the_first_id_stays(tmp_path):
    assert [*dedup(tmp_path, made("b"), made("a")).records] == ["a"]


def test_eight_of_ten_words_are_a_duplicate_and_seven_are_not(tmp_path):
    eight = "Ann Ames told Bob Beck that the old ferry sank ."
    seven = "Ann Ames told Bob Beck that the new ferry sank ."
    assert dedup(tmp_path / "eight", made("a"), made("b", eight)).reasons == {"b": "duplicate-question"}
    assert dedup(tmp_path / "seven", made("a"), made("b", seven)).reasons == {}
    assert dedup(tmp_path / "lower", made("a"), made("b", seven), threshold=0.7).reasons == {"b": "duplicate-question"}
    assert dedup(tmp_path / "off", made("a"), made("b", eight), threshold=1.0).reasons == {}


def test_words_are_a_bag_so_that_repeated_words_count_as_often_as_both_have_them(tmp_path):
    one, other = "Ann Ames met the the the the the man", "Ann Ames met the old man by a big gate"
    assert dedup(tmp_path, made("a", f"{one} Bob Beck"), made("b", f"{other} Bob Beck")).reasons == {}


def test_a_dropped_problem_drops_no_other(tmp_path):
    """b is too near to a, and c to b alone: c stays."""
    chain = ["one two three four five", "three four five six seven", "five six seven eight nine"]
    problems = [
        made(name, f"Ann Ames Bob Beck {text}", number)
        for number, (name, text) in enumerate(zip("abc", chain, strict=True))
    ]
    assert [*dedup(tmp_path, *problems, threshold=0.75).records] == ["a", "c"]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_is_what_a_comparison_of_all_pairs_keeps(tmp_path, seed):
    draw = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(14)]
    problems = [
        made(f"p{at:02d}", f"Ann Ames Bob Beck {' '.join(draw.choices(vocabulary, k=draw.randint(1, 8)))}", at % 5)
        for at in range(60)
    ]
    kept = []
    for one in sorted(problems, key=lambda found: (found.date, found.id)):
        bag = words(one.question.sentence)
        if all(similarity(bag, words(other.question.sentence)) < 0.8 - 1e-9 for other in kept):
            kept.append(one)
    draw.shuffle(problems)
    ran = dedup(tmp_path, *problems)
    assert set(ran.records) == {one.id for one in kept}
    assert [*ran.records] == [one.id for one in problems if one.id in ran.records]
    for one, other in itertools.combinations(ran.records.values(), 2):
        assert similarity(words(one.question.sentence), words(other.question.sentence)) < 0.8


def test_no_problems_give_none(tmp_path):
    assert dedup(tmp_path) == fakes.Ran({}, {})

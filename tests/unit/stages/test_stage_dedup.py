"""dedup: of near-duplicates the earliest by (date, id) stays; exact, whatever the order of the input."""

import itertools
import random

import msgspec
import pytest

from support import make, stage_runs
from support.make import day
from wdw_build.core.hashing import uniform_hash
from wdw_build.stages.dedup import STAGE
from wdw_build.stages.dedup.facts import rank
from wdw_build.text.passages.overlap import similarity
from wdw_build.text.tokens import words

TEN = "Ann Ames told Bob Beck that the old bridge closed ."


def made(name, sentence=TEN, number=0):
    asked = make.question(name, sentence, "Ann Ames", others=["Bob Beck"], date=day(number))
    return make.problem(name, asked, "Ann Ames met Cleo Cole.", ["Ann Ames", "Cleo Cole"], 0)


def dedup(tmp_path, *problems, threshold=0.8):
    section = STAGE.config(threshold=threshold, max_per_passage=0, max_per_event=0, max_per_answer=0)
    return stage_runs.run_stage(STAGE, tmp_path, {"choices": list(problems)}, section=section)


def test_the_earliest_question_is_kept_and_the_rejection_names_it(tmp_path):
    ran = dedup(tmp_path, made("late", number=2), made("first", number=0), made("middle", number=1))
    assert [*ran.records] == ["first"]
    assert {one.id: (one.reason, one.detail) for one in ran.rejections.values()} == {
        "late": ("duplicate-question", "first"),
        "middle": ("duplicate-question", "first"),
    }


def test_of_one_day_the_first_id_is_kept(tmp_path):
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
def test_the_kept_problems_are_those_that_a_comparison_of_all_pairs_keeps(tmp_path, seed):
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


def test_an_empty_input_gives_an_empty_output(tmp_path):
    assert dedup(tmp_path) == stage_runs.Ran({}, {})


# --- caps -------------------------------------------------------------------------------------------------------------


def told(name, passage, answer, *, other="Cleo Cole", number=0, seen=None):
    """A problem with a question of its own words."""
    sentence = f"{name}a {name}b {name}c {name}d {answer} {name}e {name}f Bob Beck {name}g ."
    asked = make.question(name, sentence, answer, others=["Bob Beck"], date=day(number))
    written = seen or answer
    return make.problem(name, asked, f"{written} met {other}.", [written, other], 0, article_id=passage)


def capped(tmp_path, problems, **limits):
    section = STAGE.config(**({"max_per_passage": 0, "max_per_event": 0, "max_per_answer": 0.0} | limits))
    return stage_runs.run_stage(STAGE, tmp_path, {"choices": list(problems)}, section=section)


def test_a_passage_has_at_most_the_configured_number_of_problems(tmp_path):
    names = ["Ann Ames", "Dora Dorn", "Eve East", "Fay Ford"]
    problems = [told(f"q{at}", "one", name) for at, name in enumerate(names)]
    ran = capped(tmp_path, problems, max_per_passage=2)
    assert len(ran.records) == 2
    assert set(ran.reasons.values()) == {"passage-cap"}


def test_an_event_gives_one_problem_for_each_answer_and_the_rejection_names_the_kept_one(tmp_path):
    problems = [told("q0", "one", "Ann Ames"), told("q1", "one", "Ann Ames"), told("q2", "one", "Dora Dorn")]
    ran = capped(tmp_path, problems, max_per_event=1)
    ((name, rejection),) = ran.rejections.items()
    assert {name, rejection.detail} == {"q0", "q1"}
    assert rejection.reason == "event-cap"


def test_an_answer_is_counted_by_person_and_not_by_spelling(tmp_path):
    spellings = ["Ronald Reagan", "President Reagan", "Reagan", "Ronald W. Reagan"]
    problems = [told(f"q{at}", f"p{at}", "Ronald Reagan", seen=name) for at, name in enumerate(spellings)]
    ran = capped(tmp_path, [*problems, told("q9", "p9", "Nancy Reagan")], max_per_answer=2)
    assert len(ran.records) == 3
    assert "q9" in ran.records
    assert {(one.reason, one.detail) for one in ran.rejections.values()} == {("answer-cap", "ronald reagan")}


def test_the_problems_that_the_caps_keep_depend_on_neither_order_nor_date(tmp_path):
    problems = [told(f"q{at:02d}", f"p{at}", "Ann Ames", number=at) for at in range(40)]
    one = capped(tmp_path / "one", problems, max_per_answer=10)
    other = capped(tmp_path / "other", problems[::-1], max_per_answer=10)
    assert set(one.records) == set(other.records)
    days = sorted(problem.date for problem in one.records.values())
    assert days[0] < day(15)
    assert days[-1] > day(25)


def test_a_duplicate_does_not_count_for_a_cap(tmp_path):
    problems = [made("a"), made("b"), told("c", "other", "Ann Ames")]
    ran = capped(tmp_path, problems, max_per_answer=2)
    assert ran.reasons == {"b": "duplicate-question"}


def test_the_caps_keep_the_highest_event_score_first_and_settle_ties_by_the_hash_of_the_id():
    lower, higher = (
        msgspec.structs.replace(told(name, "p", "Ann Ames"), event_score=score)
        for name, score in (("a", 0.5), ("b", 0.5001))
    )
    assert rank(higher) < rank(lower)
    unscored = [told(f"q{at}", "p", "Ann Ames") for at in range(20)]
    assert sorted(unscored, key=rank) == sorted(unscored, key=lambda one: uniform_hash(0, "dedup", one.id))


@pytest.mark.parametrize("turn", [1, -1])
def test_the_kept_problem_of_the_event_is_named_wherever_it_stands(tmp_path, turn):
    ran = capped(tmp_path, [told("q0", "one", "Ann Ames"), told("q1", "one", "Ann Ames")][::turn], max_per_event=1)
    ((kept_id,), ((name, rejection),)) = ran.records, ran.rejections.items()
    assert (rejection.reason, rejection.detail) == ("event-cap", kept_id)
    assert name != kept_id


def test_a_rejection_by_the_cap_on_passages_needs_no_detail(tmp_path):
    ran = capped(tmp_path, [told("q0", "one", "Ann Ames"), told("q1", "one", "Bea Bell")], max_per_passage=1)
    assert [(one.reason, one.detail) for one in ran.rejections.values()] == [("passage-cap", "")]

"""Drawing a sheet: the same options draw the same problems, strata get their share, and a used sheet is kept."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import make, renaming
from support.make import day
from support.sheets import NAMES, sheet_problem
from support.stage_runs import stored
from wdw_build.errors import UsageError
from wdw_build.records import AdversaryPredictions, Problem, Pseudonyms, SplitAssignment
from wdw_build.views.dataset import Run
from wdw_study.judging.draw import BEFORE, DrawOptions, _Offered, allocate, choice_order, draw_apart, draw_sheet

LEAD = "Mayor Ann Ames told Bob Bell on Monday that bridge {} must close ."
SPLITS = ["train", "train", "train", "train", "train", "validation", "test", "test", ""]


def made(number):
    asked = make.question(f"q{number}", LEAD.format(number), "Mayor Ann Ames", others=["Bob Bell"], person="Ann Ames")
    choices = NAMES[: 2 + number % 3]
    passage = f"Passage {number}. " + " ".join(f"{name} came." for name in choices)
    return make.problem(f"q{number}", asked, passage, choices, 0)


def predictions(problem):
    guesses = {"first-person": 0, "unigram": len(problem.choices) - 1}
    given = {"choices": len(problem.choices), "answer": 0, "scores": {}, "guesses": guesses}
    return AdversaryPredictions(id=problem.id, date=problem.date, **given)


@pytest.fixture
def run(tmp_path):
    """Nine problems; suppression dropped q8, and q0 is only relaxed."""
    problems = [made(number) for number in range(len(SPLITS))]
    placed = [
        SplitAssignment(id=f"q{n}", date=day(n), level="relaxed" if n == 0 else "strict", split=split)
        for n, split in enumerate(SPLITS)
        if split
    ]
    outputs = {
        "split": stored(tmp_path / "split", SplitAssignment, placed),
        "problems": stored(tmp_path / "problems", Problem, problems),
        "adversary": stored(tmp_path / "adversary", AdversaryPredictions, map(predictions, problems)),
    }
    return Run(tmp_path, outputs)


def with_codes(run, *numbers):
    """The run with pseudonyms of these problems only."""
    pseudonyms = [renaming.pseudonyms_of(made(number), ["Bob Bell"]) for number in numbers]
    outputs = {**run.outputs, "pseudonyms": stored(run.folder / "pseudonyms", Pseudonyms, pseudonyms)}
    return Run(run.folder, outputs)


def drawn(run, count, **more):
    return draw_sheet(run, DrawOptions(problems=count, **more))


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def test_the_same_seed_draws_the_same_sheet_and_another_seed_another(run):
    assert drawn(run, 5, seed=1) == drawn(run, 5, seed=1)
    assert len({tuple(problem.id for problem in drawn(run, 8, seed=seed)[1]) for seed in range(4)}) == 4


def test_a_sheet_problem_has_what_people_see_and_its_key(run):
    for problem in drawn(run, 8)[1]:
        made_of = run.distinct_problems.find(problem.id)
        passage = made_of.passage
        assert problem.question == f"XXX{made_of.question.right}"
        assert (problem.passage, problem.title, problem.date) == (passage.text, passage.title, str(passage.date))
        assert problem.choices == tuple(choice.name for choice in made_of.choices)
        assert problem.answer == made_of.answer
        assert problem.guesses == {"first-person": 0, "unigram": len(made_of.choices) - 1}
        assert problem.split == SPLITS[int(problem.id[1:])]
        assert problem.level == ("relaxed" if problem.id == "q0" else "strict")


@pytest.mark.parametrize(
    ("source", "ids"), [("", 8), ("train", 4), ("train.relaxed", 5), ("validation", 1), ("test", 2), (BEFORE, 9)]
)
def test_a_source_is_drawn_from_whole_and_no_more(run, source, ids):
    names = {problem.id for problem in drawn(run, ids, source=source)[1]}
    assert len(names) == ids
    assert ("q0" in names) == (source in ("", "train.relaxed", BEFORE))
    assert ("q8" in names) == (source == BEFORE)
    all_there_are = drawn(run, ids + 1, source=source)
    assert all_there_are == drawn(run, ids, source=source)
    assert all_there_are[0].name.startswith(f"{ids}-seed-0")


def test_a_suppressed_problem_says_so(run):
    suppressed = next(problem for problem in drawn(run, 9, source=BEFORE)[1] if problem.id == "q8")
    assert (suppressed.split, suppressed.level) == ("", "suppressed")


def test_an_unknown_split_is_refused(run):
    with pytest.raises(UsageError, match="'dev'"):
        drawn(run, 2, source="dev")


def test_phenomena_are_asked_under_conditions_with_a_passage_only(run):
    for condition in ("without", "codes-without"):
        with pytest.raises(UsageError, match="needs a condition with a passage"):
            drawn(run, 2, task="phenomena", condition=condition)
    sheet, _ = drawn(with_codes(run, 1), 1, task="phenomena", condition="codes")
    assert (sheet.task, sheet.condition) == ("phenomena", "codes")


@given(st.dictionaries(st.text(max_size=2), st.integers(1, 50), min_size=1, max_size=8), st.data())
def test_every_stratum_gets_its_share_rounded_up_or_down(sizes, data):
    total = sum(sizes.values())
    count = data.draw(st.integers(0, total))
    shares = allocate(sizes, count)
    assert sum(shares.values()) == count
    for stratum, size in sizes.items():
        assert abs(shares[stratum] - count * size / total) < 1
        assert shares[stratum] <= size


def test_the_remainder_goes_to_the_largest_fractions():
    # 10 of 47, 16, 37 (of 100): 4.7, 1.6, 3.7
    assert allocate({"a": 47, "b": 16, "c": 37}, 10) == {"a": 5, "b": 1, "c": 4}


# ---- shared articles -------------------------------------------------------------------------------------------------


@given(st.integers(0, 60), st.integers(1, 60), st.integers(0, 5), st.integers(1, 3))
def test_problems_that_share_an_article_are_drawn_only_where_nothing_else_is_left(count, size, seed, parts):
    # Every even problem has the passage of the next one.
    offered = [_Offered(str(n), str(n % 7 % parts), frozenset({f"q{n}", f"p{n // 2}"})) for n in range(size)]
    members = {one.id: one for one in offered}
    shares = allocate(Counter(one.part for one in offered), min(count, size))
    ids = draw_apart(offered, min(count, size), seed)
    assert Counter(members[each].part for each in ids) == Counter(shares)
    assert len(ids) == len(set(ids))
    late = [place for place, each in enumerate(ids) if str(int(each) ^ 1) in ids[:place]]
    assert late == list(range(len(ids) - len(late), len(ids)))
    for place in late:
        spared = [one.id for one in offered if one.part == members[ids[place]].part and one.id not in ids]
        assert all(str(int(each) ^ 1) in ids for each in spared), "a problem that shares no article was left"


# ---- conditions ------------------------------------------------------------------------------------------------------


def test_with_codes_only_problems_whose_names_can_be_replaced_are_drawn_and_no_name_is_left(run):
    renamed = with_codes(run, 1, 2, 6)
    _, problems = drawn(renamed, 3, condition="codes")
    assert {problem.id for problem in problems} == {"q1", "q2", "q6"}
    for problem in problems:
        shown = f"{problem.question} {problem.title} {problem.passage} {problem.choices}"
        assert not any(word in shown for name in [*NAMES, "Bob Bell"] for word in name.split())
        assert all(choice in problem.passage for choice in problem.choices)
    assert drawn(renamed, 4, condition="codes-without")[0].problems == 3


def test_without_the_passage_nothing_of_it_is_on_the_sheet(run):
    assert {each.passage + each.title + each.date for each in drawn(run, 8, condition="without")[1]} == {""}


# ---- the order of the choices ----------------------------------------------------------------------------------------


def test_the_order_of_the_choices_depends_on_seed_person_and_problem_and_not_on_case():
    problems = [sheet_problem(number) for number in range(1, 9)]

    def orders(seed, person):
        return [choice_order(seed, person, problem) for problem in problems]

    assert orders(0, "Eve") == orders(0, "EVE")
    assert len({str(orders(seed, person)) for seed in (0, 1) for person in ("Eve", "Fay", "")}) == 6
    for problem, order in zip(problems, orders(0, "Eve"), strict=True):
        assert sorted(order) == list(range(len(problem.choices)))


# ---- folders ---------------------------------------------------------------------------------------------------------


def test_different_options_have_different_names():
    given = {"problems": 5, "seed": 1, "source": "test", "condition": "codes", "task": "phenomena"}
    names = {DrawOptions(**{option: value}).name for option, value in given.items()}
    assert DrawOptions().name == "100-seed-0-passage"
    assert len(names - {DrawOptions().name}) == len(given)

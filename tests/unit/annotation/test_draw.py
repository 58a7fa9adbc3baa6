"""Drawing a sheet: the same options draw the same problems, strata get their share, and a used sheet is kept."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import make, renaming, stage_runs
from support.make import day
from support.sheets import sheet, sheet_folder, sheet_problem
from wdw_build.annotation.sheet_draw import (
    BEFORE,
    DrawOptions,
    allocate,
    choice_order,
    draw_apart,
    draw_sheet,
    twins_among,
)
from wdw_build.annotation.sheet_folder import open_or_draw, open_sheet, read_judged, sheet_with_hash
from wdw_build.core.hashing import uniform_hash
from wdw_build.dataset import Run
from wdw_build.errors import CorpusError, UsageError
from wdw_build.pipeline import STAGES
from wdw_build.records import (
    AdversaryPredictions,
    Problem,
    Pseudonyms,
    SplitAssignment,
)

NAMES = ["Ann Ames", "Bob Beck", "Cy Cole", "Dan Dorn"]
LEAD = "Mayor Ann Ames told Bob Bell on Monday that bridge {} must close ."
SPLITS = ["train", "train", "train", "train", "train", "validation", "test", "test", ""]


def made(number):
    asked = make.question(f"q{number}", LEAD.format(number), "Mayor Ann Ames", others=["Bob Bell"], person="Ann Ames")
    choices = NAMES[: 2 + number % 3]
    passage = f"Passage {number}. " + " ".join(f"{name} came." for name in choices)
    return make.problem(f"q{number}", asked, passage, choices, 0)


@pytest.fixture
def run(tmp_path):
    """Nine problems; suppression dropped q8, and q0 is only relaxed."""
    problems = [made(number) for number in range(len(SPLITS))]
    placed = [
        SplitAssignment(id=f"q{n}", date=day(n), level="relaxed" if n == 0 else "strict", split=split)
        for n, split in enumerate(SPLITS)
        if split
    ]
    guesses = [
        AdversaryPredictions(
            id=one.id,
            date=one.date,
            choices=len(one.choices),
            answer=0,
            scores={},
            guesses={"first-person": 0, "unigram": len(one.choices) - 1},
        )
        for one in problems
    ]
    outputs = {
        "split": stage_runs.stored(tmp_path / "split", SplitAssignment, placed),
        "problems": stage_runs.stored(tmp_path / "problems", Problem, problems),
        "adversary": stage_runs.stored(tmp_path / "adversary", AdversaryPredictions, guesses),
    }
    return Run(tmp_path, STAGES, outputs)


def drawn(run, count, **more):
    return draw_sheet(run, DrawOptions(problems=count, **more))


def with_problems(run, folder, problems):
    """The run with other problems after deduplication."""
    return Run(run.folder, run.stages, {**run.outputs, "problems": stage_runs.stored(folder, Problem, problems)})


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def test_the_same_seed_draws_the_same_sheet_and_another_seed_another(run):
    assert drawn(run, 5, seed=1) == drawn(run, 5, seed=1)
    orders = {tuple(problem.id for problem in drawn(run, 8, seed=seed)[1]) for seed in range(4)}
    assert len(orders) == 4


def test_a_sheet_problem_has_what_people_see_and_its_key(run):
    for problem in drawn(run, 8)[1]:
        stored = run.distinct_problems.find(problem.id)
        assert problem.question == f"XXX{stored.question.right}"
        assert problem.passage == stored.passage.text
        assert problem.choices == tuple(choice.name for choice in stored.choices)
        assert problem.answer == stored.answer
        assert problem.guesses == {"first-person": 0, "unigram": len(stored.choices) - 1}
        assert problem.split == SPLITS[int(problem.id[1:])]
        assert problem.level == ("relaxed" if problem.id == "q0" else "strict")


@pytest.mark.parametrize(
    ("source", "ids"),
    [("", 8), ("train", 4), ("train.relaxed", 5), ("validation", 1), ("test", 2), (BEFORE, 9)],
)
def test_a_source_is_drawn_from_whole_and_no_more(run, source, ids):
    names = {problem.id for problem in drawn(run, ids, source=source)[1]}
    assert len(names) == ids
    assert ("q0" in names) == (source in ("", "train.relaxed", BEFORE))
    assert ("q8" in names) == (source == BEFORE)
    with pytest.raises(UsageError, match=f"has {ids} problems, fewer than the {ids + 1} asked for") as caught:
        drawn(run, ids + 1, source=source)
    assert caught.value.hint == f"--problems {ids}"
    all_there_are = drawn(run, ids + 1, source=source, or_all=True)
    assert all_there_are == drawn(run, ids, source=source)
    assert all_there_are[0].name.startswith(f"{ids}-seed-0")


def test_a_suppressed_problem_says_so(run):
    suppressed = next(
        problem for problem in drawn(run, 9, source=BEFORE, strata=("part", "choices"))[1] if problem.id == "q8"
    )
    assert (suppressed.split, suppressed.level, suppressed.strata) == ("", "suppressed", ("suppressed", "4"))


def test_the_parts_of_the_dataset_get_their_share(run):
    # train 4, relaxed only 1, validation 1, test 2: half of each, and the two halves go to the first names.
    parts = [problem.strata for problem in drawn(run, 4)[1]]
    assert sorted(parts) == [("relaxed only",), ("test",), ("train",), ("train",)]


@pytest.mark.parametrize(("more", "message"), [({"strata": ("size",)}, "stratum 'size'"), ({"source": "dev"}, "'dev'")])
def test_an_unknown_option_is_refused(run, more, message):
    with pytest.raises(UsageError, match=message):
        drawn(run, 2, **more)


def test_phenomena_are_asked_under_conditions_with_a_passage_only(run, tmp_path):
    for condition in ("without", "codes-without"):
        with pytest.raises(UsageError, match="needs a condition with a passage"):
            drawn(run, 2, task="phenomena", condition=condition)
    replaced = [renaming.pseudonyms_of(made(1), ["Bob Bell"])]
    outputs = {**run.outputs, "pseudonyms": stage_runs.stored(tmp_path / "pseudonyms", Pseudonyms, replaced)}
    sheet, _ = drawn(Run(run.folder, run.stages, outputs), 1, task="phenomena", condition="codes")
    assert (sheet.task, sheet.condition) == ("phenomena", "codes")


@given(st.dictionaries(st.tuples(st.text(max_size=2)), st.integers(1, 50), min_size=1, max_size=8), st.data())
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
    assert allocate({("a",): 47, ("b",): 16, ("c",): 37}, 10) == {("a",): 5, ("b",): 1, ("c",): 4}


# ---- twins -----------------------------------------------------------------------------------------------------------


def pairs_of(ids):
    """Every even problem is the twin of the next one."""
    numbers = [int(record_id) for record_id in ids]
    return {str(number): {str(number ^ 1)} & set(ids) for number in numbers}


@given(st.integers(0, 60), st.integers(1, 60), st.integers(0, 5), st.integers(1, 3))
def test_twins_are_drawn_only_where_nothing_else_is_left_and_come_last(count, size, seed, parts):
    strata = {
        (str(part),): [str(number) for number in range(size) if number % 7 % parts == part] for part in range(parts)
    }
    shares = allocate({stratum: len(ids) for stratum, ids in strata.items()}, min(count, size))
    ids, twins = draw_apart(strata, shares, seed, pairs_of)
    assert {stratum: len(set(ids) & set(members)) for stratum, members in strata.items()} == shares
    assert len(ids) == len(set(ids)) == sum(shares.values())
    assert twins == pairs_of(ids)
    late = [place for place, record_id in enumerate(ids) if any(twin in ids[:place] for twin in twins[record_id])]
    assert late == list(range(len(ids) - len(late), len(ids)))
    for stratum in {stratum for stratum, members in strata.items() if {ids[place] for place in late} & set(members)}:
        spared = [each for each in strata[stratum] if each not in ids]
        assert all(pairs_of([each, *ids])[each] for each in spared), "a problem without a twin on the sheet was left"


def test_a_draw_compares_few_problems_and_gives_what_comparing_all_gives():
    strata = {("train",): [str(number) for number in range(4000)]}
    sizes = []

    def compare(ids):
        ids = list(ids)
        sizes.append(len(ids))
        # All problems below 2000 are twins of each other.
        low = {each for each in ids if int(each) < 2000}
        return {each: low - {each} for each in low}

    ids, twins = draw_apart(strata, {("train",): 20}, 0, compare)
    assert sizes == [16 * 20]
    by_hash = sorted(strata["train",], key=lambda each: uniform_hash(0, "annotate", each))
    first = next(each for each in by_hash if int(each) < 2000)
    assert ids == [each for each in by_hash if each == first or int(each) >= 2000][:20]
    assert not any(twins.values())


SENTENCES = {
    "a": "Mayor Ann Ames opened the old harbour bridge after a long winter .",
    "b": "Coach Ann Ames sold three horses at the fair in the hills .",
    "c": "Judge Ann Ames freed a baker whose oven had burnt the mill .",
    "d": "Singer Ann Ames cancelled her tour because of a sore throat .",
}


def test_a_question_in_a_passage_and_a_shared_passage_make_twins():
    told = "Rain fell . Mayor Ann Ames opened the old harbour bridge after a long winter . It is old ."
    passages = {"a": "A text .", "b": told, "c": "Another text .", "d": "Another text ."}
    problems = [
        make.problem(
            name,
            make.question(name, sentence, "Ann Ames"),
            passages[name],
            ["Ann Ames", "Bob Beck"],
            0,
            article_id=f"article {passages[name]}",
        )
        for name, sentence in SENTENCES.items()
    ]
    twins = twins_among(problems, lambda text: text.split(" . "), 0)
    assert {each: set(others) for each, others in twins.items() if others} == {
        "a": {"b"},
        "b": {"a"},
        "c": {"d"},
        "d": {"c"},
    }


def test_a_sheet_says_which_of_its_problems_are_twins(run, tmp_path):
    shared = run.distinct_problems.find("q1").passage
    problems = [
        msgspec.structs.replace(one, passage=shared) if one.id in ("q6", "q8") else one for one in run.distinct_problems
    ]
    twinned = with_problems(run, tmp_path / "twinned", problems)
    options = DrawOptions(problems=9, source=BEFORE)
    sheet, listed = draw_sheet(twinned, options, lambda text: [text])
    number = {problem.id: problem.number for problem in listed}
    trio = {"q1", "q6", "q8"}
    for problem in listed:
        others = trio - {problem.id} if problem.id in trio else set()
        assert problem.twins == tuple(sorted(number[other] for other in others))
    assert sheet.twins == 3
    assert sum(number[each] > 7 for each in trio) == 2
    without, unknown = draw_sheet(twinned, options)
    assert (without.twins, {problem.twins for problem in unknown}) == (None, {None})


# ---- conditions ------------------------------------------------------------------------------------------------------


def test_with_codes_only_problems_whose_names_can_be_replaced_are_drawn_and_no_name_is_left(run, tmp_path):
    replaced = [renaming.pseudonyms_of(made(number), ["Bob Bell"]) for number in (1, 2, 6)]
    outputs = {**run.outputs, "pseudonyms": stage_runs.stored(tmp_path / "pseudonyms", Pseudonyms, replaced)}
    renamed = Run(run.folder, run.stages, outputs)
    _, problems = drawn(renamed, 3, condition="codes")
    assert {problem.id for problem in problems} == {"q1", "q2", "q6"}
    for problem in problems:
        shown = f"{problem.question} {problem.passage} {problem.choices}"
        assert not any(word in shown for name in [*NAMES, "Bob Bell"] for word in name.split())
        assert all(choice in problem.passage for choice in problem.choices)
    with pytest.raises(UsageError, match="3 problems whose names can be replaced"):
        drawn(renamed, 4, condition="codes-without")


def test_without_the_passage_nothing_of_it_is_on_the_sheet(run):
    assert {problem.passage for problem in drawn(run, 8, condition="without")[1]} == {""}


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
    options = [
        DrawOptions(),
        DrawOptions(problems=5),
        DrawOptions(seed=1),
        DrawOptions(source="test"),
        DrawOptions(strata=()),
        DrawOptions(strata=("part", "choices")),
        DrawOptions(condition="codes"),
        DrawOptions(task="phenomena"),
    ]
    assert DrawOptions().name == "100-seed-0-passage"
    assert len({one.name for one in options}) == len(options)


def test_sheets_of_the_same_problems_have_different_hashes_so_that_an_import_finds_the_right_one(run):
    sheets = [drawn(run, 8, strata=strata)[0] for strata in ((), ("part",), ("source",), ("window",))]
    assert len({sheet.hash for sheet in sheets}) == len(sheets)


def test_an_answer_outside_the_choices_is_an_error_that_names_the_event(tmp_path):
    folder = sheet_folder(tmp_path, 2)
    number = folder.log.append("Eve", "answered", "q1", 7).number
    with pytest.raises(CorpusError, match=rf"event {number} \(answered\): q1 has no choice with the index 7"):
        read_judged(folder.path)


def test_a_sheet_that_was_used_goes_on_with_the_same_problems_and_is_not_replaced_by_others(run, tmp_path):
    def opened(of):
        return open_or_draw(tmp_path, "s", lambda: drawn(of, 8))

    first = opened(run)
    first.log.append("Eve", "answered", first.problems[0].id, 0)
    assert opened(run) == first
    assert len(read_judged(first.path).judgements) == 1
    longer = [
        msgspec.structs.replace(one, passage=msgspec.structs.replace(one.passage, text=f"{one.passage.text} More."))
        for one in run.distinct_problems
    ]
    with pytest.raises(UsageError, match="drawn before the run changed, and has 1 answer") as caught:
        opened(with_problems(run, tmp_path / "longer", longer))
    assert "--sheet s" in caught.value.hint
    assert open_sheet(tmp_path, "s").problems == first.problems


def test_a_sheet_that_nobody_used_is_drawn_again(tmp_path):
    sheet_folder(tmp_path, 2)
    assert len(sheet_folder(tmp_path, 3, hash="other").problems) == 3
    assert read_judged(tmp_path / "annotate" / "toy").sheet == sheet(3, hash="other")


def test_the_key_of_a_used_sheet_follows_the_run_while_people_see_the_same(run, tmp_path):
    changed = [msgspec.structs.replace(one, answer=1) for one in run.distinct_problems]
    folder = open_or_draw(tmp_path, "s", lambda: drawn(run, 8))
    folder.log.append("Eve", "answered", "q0", 0)
    again = open_or_draw(tmp_path, "s", lambda: drawn(with_problems(run, tmp_path / "changed", changed), 8))
    assert again.sheet.hash == folder.sheet.hash
    assert {problem.answer for problem in read_judged(folder.path).problems} == {1}


def test_a_run_says_which_sheets_it_has(tmp_path):
    with pytest.raises(UsageError, match="has no sheet"):
        open_sheet(tmp_path)
    first = sheet_folder(tmp_path, 2, name="a", hash="aa")
    assert open_sheet(tmp_path) == first
    first.log.append("Eve", "answered", "q1", 0)
    sheet_folder(tmp_path, 2, name="b", hash="bb")
    with pytest.raises(UsageError, match="2 sheets") as caught:
        open_sheet(tmp_path)
    assert caught.value.hint == "--sheet with one of: a (1 answers), b (0 answers)"
    with pytest.raises(UsageError, match="no sheet 'c'"):
        open_sheet(tmp_path, "c")
    assert sheet_with_hash(tmp_path, "bb").sheet.name == "b"
    with pytest.raises(UsageError, match=r"does not have \(sheets: aa, bb\)"):
        sheet_with_hash(tmp_path, "cc")


def test_a_damaged_sheet_is_said(tmp_path):
    folder = sheet_folder(tmp_path, 2)
    (folder.path / "problems.jsonl").write_text("{")
    with pytest.raises(UsageError, match="holds no sheet"):
        open_sheet(tmp_path, "toy")

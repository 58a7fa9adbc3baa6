"""Rows of several calls of ``bench``: which tables show them, what replaces them, what is kept of each problem."""

import msgspec
import pytest

from support import systems
from support.systems import Counting
from wdw_bench import rendering as bench_tables
from wdw_bench import results as bench_results
from wdw_bench.populations import GivenFile
from wdw_bench.results import ADVERSARY, BASELINE, RESULTS, read_results
from wdw_bench.rows import FOLDER, answers_to, forget
from wdw_bench.systems.pretrained import ClosedBookConfig
from wdw_build.dataset import TEST, TRAIN
from wdw_build.errors import UsageError


def names(results):
    return [row.name for row in results.systems if row.group not in (BASELINE, ADVERSARY)]


def test_a_later_call_for_other_systems_keeps_the_earlier_rows_and_compares_with_them(bench, run):
    alone = bench("first")
    both = bench("counting")
    assert names(both) == ["first", "counting"]
    assert both.systems[: len(alone.systems)] == alone.systems
    assert ("first", "counting") in {(test.first, test.second) for test in both.comparisons}
    assert read_results(run) == both
    assert bench("first", "counting") == both


def test_the_order_of_the_calls_does_not_change_the_tables(bench, run):
    bench("counting")
    one = bench("first")
    forget(run, [])
    bench("first")
    assert bench("counting") == one


def test_another_setting_is_another_row_that_names_the_setting(bench, run):
    bench("counting")
    bench("counting", settings={"counting": {"bonus": 1}})
    results = bench("counting", train="relaxed")
    assert names(results) == ["counting", "counting [bonus=1]", "counting [train=relaxed]"]
    assert {row.system for row in results.systems if row.setting} == {"counting"}
    assert results.problems["train.relaxed"] == len(list(run.problems("train.relaxed")))


def test_a_setting_with_a_path_shows_the_name_of_the_folder_alone(bench, monkeypatch):
    entry = systems.entry("pathy", lambda settings: systems.FirstChoice(), settings=ClosedBookConfig)
    monkeypatch.setattr(systems, "FIRST", entry)
    results = bench("first", settings={"first": {"model": "/home/me/models/gpt2"}})
    assert names(results) == ["first [model=gpt2]"]


def test_a_row_of_the_same_setting_is_replaced(bench):
    bench("counting")
    results = bench("counting", seeds=2)
    assert names(results) == ["counting"]
    assert len(results.systems[-1].test.seeds) == 2


def test_given_predictions_stay_in_the_table_of_a_later_call(bench, run, tmp_path):
    path = tmp_path / "oracle.jsonl"
    lines = (f'{{"id": "{one.problem.id}", "choice": {one.problem.answer}}}\n' for one in run.problems(TEST))
    path.write_text("".join(lines))
    bench("first", predictions=[GivenFile(path)])
    results = bench("counting", against="oracle")
    assert names(results) == ["first", "counting", "oracle"]
    assert results.systems[-1].test.accuracy == 1.0


def test_rows_of_other_problems_are_in_no_table_and_a_line_says_so(bench, monkeypatch):
    before = bench("first")
    monkeypatch.setattr(bench_results, "content_of", lambda run: "another hash")
    monkeypatch.setattr("wdw_bench.run.content_of", lambda run: "another hash")
    after = bench("counting")
    assert names(after) == ["counting"]
    assert after.data != before.data
    (hidden,) = after.hidden
    assert (hidden.name, hidden.data) == ("first", before.data)
    assert f"not shown, measured on data {before.data}: first ({hidden.measured})" in bench_tables.provenance(after)[-1]
    monkeypatch.undo()


def test_the_table_says_which_rows_are_of_which_day(bench):
    results = bench("first", "counting")
    first, counting = (row for row in results.systems if row.name in ("first", "counting"))
    dated = msgspec.structs.replace(
        results,
        systems=(
            msgspec.structs.replace(first, measured="2026-01-02"),
            msgspec.structs.replace(counting, measured="2026-01-09"),
        ),
    )
    assert bench_tables.provenance(dated) == [f"measured on data {results.data}: 2026-01-02 first; 2026-01-09 counting"]


def test_the_same_row_keeps_its_first_day(bench, monkeypatch, run):
    bench("first")
    (path,) = [path for path in (run.folder / FOLDER).iterdir() if b'"system":"first"' in path.read_bytes()]
    text = path.read_text()
    today = msgspec.json.decode(text.partition("\n")[0])["result"]["measured"]
    path.write_text(text.replace(today, "2020-02-03"))
    assert bench("first").systems[-1].measured == "2020-02-03"


def test_reading_conditions_accumulate_for_the_same_folds_alone(bench):
    settings = {"evaluation": "cross-fitted", "folds": 3}
    bench("first", conditions=("without",), **settings)
    both = bench("counting", **settings)
    assert both.conditions.conditions == ("passage", "without")
    shown = {(row.system, row.condition) for row in both.conditions.measurements}
    assert {("first", "without"), ("counting", "passage")} <= shown
    other = bench("counting", evaluation="cross-fitted", folds=4)
    assert other.conditions.conditions == ("passage",)
    assert {(row.name, row.folds) for row in other.hidden} == {("first", 3), ("counting", 3)}


def test_forgotten_rows_leave_the_tables_and_the_others_stay(bench, run):
    bench("first", "counting")
    bench("counting", settings={"counting": {"bonus": 1}})
    assert forget(run, ["counting [bonus=1]"]) == ["counting [bonus=1]"]
    assert names(read_results(run)) == ["first", "counting"]
    assert forget(run, ["counting"]) == ["counting"]
    assert names(read_results(run)) == ["first"]
    with pytest.raises(UsageError, match="no row of 'counting' is kept"):
        forget(run, ["counting"])
    assert forget(run, [])
    assert not (run.folder / RESULTS).exists()
    assert not (run.folder / FOLDER).exists()


def test_the_answers_of_every_row_to_a_problem_are_kept_for_each_seed(bench, run):
    bench("first", "counting", "extracting", seeds=2)
    problem = next(iter(run.problems(TEST))).problem
    kept = {head.result.name: line for head, line in answers_to(run.folder, problem.id)}
    assert kept["first"].choices == tuple(choice.name for choice in problem.choices)
    assert kept["first"].answer == problem.answer
    assert kept["first"].scores == (tuple(float(-at) for at in range(len(problem.choices))),)
    assert len(kept["counting"].scores) == 2
    assert kept["extracting"].spans == ((problem.choices[-1].name,),)
    assert "ngram" in kept


def test_a_damaged_row_is_named(bench, run):
    bench("first")
    next((run.folder / FOLDER).iterdir()).write_text("{}")
    with pytest.raises(UsageError, match=r"cannot read .*bench-rows"):
        bench("first")


def test_accuracy_by_number_of_choices_adds_up_to_the_accuracy(bench):
    results = bench("first")
    row = results.systems[-1]
    total = sum(results.choices[count] * accuracy for count, accuracy in row.by_choices.items())
    assert total / sum(results.choices.values()) == pytest.approx(row.test.accuracy)


def test_problems_on_which_systems_disagree_are_listed_with_who_solves_them(bench, run):
    results = bench("first", "extracting")
    right = {
        "first": lambda problem: problem.answer == 0,
        "extracting": lambda problem: problem.answer == len(problem.choices) - 1,
    }
    expected = {
        one.problem.id: tuple(name for name, solves in right.items() if solves(one.problem))
        for one in run.problems(TEST)
    }
    divided = {problem: solved for problem, solved in expected.items() if len(solved) == 1}
    assert {one.id for one in results.disagreements} <= divided.keys()
    assert len(results.disagreements) == min(10, len(divided))
    assert all(one.solved == divided[one.id] for one in results.disagreements)


def test_a_learning_curve_has_a_row_for_each_share_of_the_training_problems(bench, run):
    whole = len(list(run.problems(TRAIN)))
    for share in (4, 2):
        bench("first", "counting", share=share)
    results = bench("first", "counting")
    sizes = {row.name: row.training for row in results.systems if row.system in ("first", "counting")}
    assert sizes == {
        "first": None,
        "counting": whole,
        "counting [training=1/2]": whole // 2,
        "counting [training=1/4]": max(1, whole // 4),
    }
    compared = {name for one in results.disagreements for name in (*one.solved, *one.missed)}
    assert compared <= {"first", "counting"}
    assert {training for _, training, *_ in Counting.fits} == set(sizes.values()) - {None}

"""``bench`` over a toy run: what is stored, what runs again, what fails and how."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec
import pytest

from support import systems
from support.stage_runs import stored
from support.systems import Counting
from wdw_bench import rendering as bench_tables
from wdw_bench import training
from wdw_bench.populations import GivenFile
from wdw_bench.predictions import read_predictions
from wdw_bench.problems import FOLDER
from wdw_bench.results import BASELINE
from wdw_build.core.dataset_size import Interval
from wdw_build.core.engine.worker_process import end_with_parent
from wdw_build.errors import ConfigError, MissingResourceError, StageError, UsageError
from wdw_build.views.dataset import TEST, TRAIN, VALIDATION


def row(results, name):
    return next(row for row in results.systems if row.name == name)


def test_a_system_is_scored_on_validation_and_test(bench, run):
    results = bench("first")
    for split in (VALIDATION, TEST):
        joined = list(run.problems(split))
        share = sum(one.problem.answer == 0 for one in joined) / len(joined)
        assert getattr(row(results, "first"), split).accuracy == share
        assert results.problems[split] == len(joined)
        assert results.chance[split] == pytest.approx(sum(1 / len(one.problem.choices) for one in joined) / len(joined))


def test_the_suppressed_baselines_have_rows_from_the_runs_own_predictions(bench, run):
    results = bench("first")
    joined = list(run.problems(TEST))
    names = joined[0].predictions.guesses
    shares = {name: sum(name in one.solved_by for one in joined) / len(joined) for name in names}
    assert {row.name: row.test.accuracy for row in results.systems if row.group == BASELINE} == shares


def test_a_second_call_trains_nothing_unless_forced_and_gives_the_same_results(bench):
    first = bench("first", "counting", seeds=2)
    assert bench("first", "counting", seeds=2) == first
    assert len(Counting.fits) == 2
    assert row(bench("counting", seeds=2, force=True), "counting").test == row(first, "counting").test
    assert len(Counting.fits) == 4


def test_more_seeds_train_only_the_new_ones_and_have_an_interval(bench):
    assert row(bench("counting"), "counting").test.seed_interval is None
    results = bench("counting", seeds=3)
    assert len({seed for seed, *_ in Counting.fits}) == 3 == len(Counting.fits)
    assert [len(one.test.seeds) for one in results.systems if one.name == "counting"] == [3]
    assert row(results, "counting").test.seed_interval is not None


def test_benches_of_neighbouring_seeds_share_no_training(bench):
    bench("counting", seeds=3)
    bench("counting", seeds=3, seed=1)
    assert len({seed for seed, *_ in Counting.fits}) == 6


@pytest.mark.parametrize(
    ("settings", "message"),
    [({}, "no system 'typo' in the table"), ({"evaluation": "cross-fitted", "folds": 3}, "systems on the test set")],
)
def test_a_system_to_compare_with_is_checked_before_anything_is_trained(bench, settings, message):
    with pytest.raises(UsageError, match=message):
        bench("counting", against="typo", **settings)
    assert Counting.fits == []


def test_the_interval_over_seeds_is_shown_with_both_ends(bench):
    results = bench("counting", seeds=2)
    counting = row(results, "counting")
    test = msgspec.structs.replace(counting.test, seed_interval=Interval(0.0, 1.0))
    shown = msgspec.structs.replace(counting, test=test)
    table = bench_tables.systems(msgspec.structs.replace(results, systems=(shown,)))
    assert table.rows[-1][table.head.index("over seeds")] == ".000-1.000"


def test_relaxed_training_sees_the_relaxed_problems(bench, run, tmp_path):
    first, *others = sorted(run.assignments, key=lambda one: one.split != TRAIN)
    relaxed = msgspec.structs.replace(first, level="relaxed")
    output = stored(tmp_path / "split", type(first), [relaxed, *others])
    for train in ("relaxed", "strict"):
        bench("counting", runs=[replace(run, outputs=run.outputs | {"split": output})], train=train)
    relaxed, strict = [training for _, training, _ in Counting.fits]
    assert relaxed == strict + 1 == len(list(run.problems(TRAIN)))


def test_systems_are_trained_on_a_share_of_the_training_problems(bench, run):
    for share in (0.3, 0.6, 1):
        results = bench("counting", train_share=share)
    sizes = [training for _, training, *_ in Counting.fits]
    assert 0 < sizes[0] < sizes[1] < sizes[2] == len(list(run.problems(TRAIN)))
    names = [result.name for result in results.systems if result.system == "counting"]
    assert names == ["counting", "counting [train_share=0.3]", "counting [train_share=0.6]"]


def test_the_time_of_a_long_training_is_said_before_it_starts(bench, monkeypatch, capsys):
    monkeypatch.setattr(training, "_WORTH_TIMING", 0)
    monkeypatch.setattr(training, "_fit_seconds", lambda training, problems, epochs: 60.0 * len(problems) * epochs)
    results = bench("first", "counting", seeds=2, mode="lines", settings={"counting": {"epochs": 5}})
    minutes = 5 * results.problems[TRAIN]
    time = f"at most about {2 * minutes} min (counting {minutes} min per training)"
    assert f"bench: {time} with 1 worker (execution.workers: 1)\n" in capsys.readouterr().err


def test_two_workers_give_the_table_of_one(bench, monkeypatch):
    seen = []

    def in_this_process(workers, context, begin):
        """A pool that sees the systems of the tests."""
        seen.append((workers, begin))
        return ThreadPoolExecutor(1)

    monkeypatch.setattr(training, "ProcessPoolExecutor", in_this_process)
    two = bench("first", "counting", seeds=2, workers=2)
    assert seen == [(2, end_with_parent)]
    one = bench("first", "counting", seeds=2, workers=1, force=True)
    assert [row.test for row in one.systems] == [row.test for row in two.systems]


def test_the_predictions_of_each_training_are_a_file_of_json_lines(bench, run):
    folder = run.folder / FOLDER / bench("counting", seeds=2).data
    files = list(read_predictions(folder / "predictions"))
    assert [file.head.seed for file in files] == [0, 1]
    for file in files:
        assert file.head.training == len(list(run.problems(TRAIN)))
        for part in (VALIDATION, TEST):
            assert sorted(file.answers[part]) == sorted(one.problem.id for one in run.problems(part))
    assert not (folder / "unfinished").exists()


def test_extracted_spans_are_scored_by_exact_match_and_f1(bench, run):
    test = row(bench("extracting"), "extracting").test
    right = [one.problem.answer == len(one.problem.choices) - 1 for one in run.problems(TEST)]
    assert test.accuracy == test.em == sum(right) / len(right)
    assert test.f1 >= test.em
    assert row(bench("first"), "first").test.em is None


def test_every_pair_of_rows_is_compared_on_the_problems_that_only_one_solves(bench):
    results = bench("first", "extracting")
    pairs = {(test.first, test.second) for test in results.comparisons}
    names = [row.name for row in results.systems]
    assert pairs == {(first, second) for at, first in enumerate(names) for second in names[at + 1 :]}
    (test,) = (test for test in results.comparisons if (test.first, test.second) == ("first", "extracting"))
    difference = row(results, "first").test.accuracy - row(results, "extracting").test.accuracy
    assert test.first_only - test.second_only == pytest.approx(difference * row(results, "first").test.problems)


FAILURES = [
    ("too-short", "gave [0-9]+ scores, not a finite number for each"),
    ("silent", "without a prediction"),
    ("failing", "system failing .* ZeroDivisionError: by zero .systems.py:"),
]


@pytest.mark.parametrize(("name", "message"), FAILURES)
def test_a_system_that_fails_is_named_and_writes_nothing(bench, run, name, message):
    with pytest.raises(StageError, match=message):
        bench("first", name)
    written = (path.name for path in (run.folder / FOLDER).glob("*/predictions/*"))
    assert [name.partition("-")[0] for name in written] == ["first"]


@pytest.mark.parametrize("settings", [{}, {"evaluation": "cross-fitted", "folds": 3}])
def test_a_missing_resource_is_said_before_anything_is_trained(bench, settings):
    with pytest.raises(MissingResourceError, match="no model of the lacking system"):
        bench("counting", "lacking", **settings)
    assert Counting.fits == []


def test_all_systems_are_those_that_have_their_model_and_the_log_names_the_others(bench, monkeypatch, capsys):
    systems.use_only(monkeypatch, ("first", "lacking"))
    names = [result.name for result in bench(mode="lines").systems]
    assert "first" in names
    assert "lacking" not in names
    assert "left out, because no model is set in bench.settings: lacking" in capsys.readouterr().err


UNKNOWN = [
    (["nobody"], {}, "unknown system 'nobody'"),
    (["no-entry"], {}, "system 'no-entry' is not a SystemEntry"),
    (["first"], {"nobody": {}}, "bench.settings: unknown system 'nobody'"),
    (["counting"], {"counting": {"bonsu": 1}}, "bench.settings.counting: .*bonsu"),
    (["counting"], {"counting": {"bonus": -1}}, "bench.settings.counting: .*>= 0"),
]


@pytest.mark.parametrize(("arguments", "settings", "message"), UNKNOWN)
def test_an_unknown_system_or_setting_is_named(bench, arguments, settings, message):
    with pytest.raises(ConfigError, match=message):
        bench(*arguments, settings=settings)


def test_a_run_cannot_be_pooled_with_itself(bench, run):
    with pytest.raises(UsageError, match="two runs are named 'toy'"):
        bench("first", runs=[run, run])
    with pytest.raises(UsageError, match="two of the pooled runs have a problem"):
        bench("first", runs=[run, replace(run, folder=run.folder.with_name("other"))])


def test_a_file_of_predictions_cannot_have_the_name_of_a_system(bench, tmp_path):
    with pytest.raises(UsageError, match="two systems are named 'first'"):
        bench("first", predictions=[GivenFile(tmp_path / "first.jsonl")])

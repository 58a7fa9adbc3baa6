"""Predictions of several calls of ``bench``: which tables show them, what replaces them, what leaves with a file."""

import msgspec
import pytest

from support import systems
from support.bench_tables import read_results
from wdw_bench.populations import EvaluatedProblem, EvaluatedProblems, GivenFile
from wdw_bench.predictions import PredictionFile, PredictionHead
from wdw_bench.problems import FOLDER
from wdw_bench.results import ADVERSARY, BASELINE
from wdw_bench.systems.pretrained import QaModelConfig
from wdw_bench.table import Adversaries, table
from wdw_build.errors import UsageError
from wdw_build.reading import Prediction
from wdw_build.views.dataset import TEST, VALIDATION


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


def test_another_setting_is_trained_again_and_is_another_row_that_names_the_setting(bench, run):
    bench("counting")
    bench("counting", settings={"counting": {"bonus": 1}})
    results = bench("counting", train="relaxed")
    assert names(results) == ["counting", "counting [bonus=1]", "counting [train=relaxed]"]
    assert len(systems.Counting.fits) == 3
    assert {row.system for row in results.systems if row.setting} == {"counting"}
    assert results.problems["train.relaxed"] == len(list(run.problems("train.relaxed")))


def test_a_setting_with_a_path_shows_the_name_of_the_folder_alone(bench, monkeypatch):
    entry = systems.entry("pathy", lambda settings: systems.FirstChoice(), settings=QaModelConfig)
    monkeypatch.setattr(systems, "FIRST", entry)
    results = bench("first", settings={"first": {"model": "/home/me/models/bert-squad"}})
    assert names(results) == ["first [model=bert-squad]"]


def test_given_predictions_stay_in_the_table_of_a_later_call(bench, run, tmp_path):
    path = tmp_path / "oracle.jsonl"
    path.write_text("".join(f'{{"id": "{one.id}", "choice": {one.problem.answer}}}\n' for one in run.problems(TEST)))
    bench("first", predictions=[GivenFile(path)])
    results = bench("counting", against="oracle")
    assert names(results) == ["first", "counting", "oracle"]
    assert results.systems[-1].test.accuracy == 1.0


def test_rows_of_other_problems_are_in_no_table(bench, monkeypatch):
    before = bench("first")
    with monkeypatch.context() as patched:
        patched.setattr("wdw_bench.problems.content_of", lambda run: "another hash")
        patched.setattr("wdw_bench.run.content_of", lambda run: "another hash")
        after = bench("counting")
    assert names(after) == ["counting"]
    assert after.data != before.data
    assert names(bench("counting")) == ["first", "counting"]


def test_reading_conditions_accumulate_for_the_same_folds_alone(bench):
    settings = {"evaluation": "cross-fitted", "folds": 3}
    bench("first", conditions=("without",), **settings)
    both = bench("counting", **settings)
    assert both.conditions.conditions == ("passage", "without")
    shown = {(row.system, row.condition) for row in both.conditions.measurements}
    assert {("first", "without"), ("counting", "passage")} <= shown
    assert bench("counting", evaluation="cross-fitted", folds=4).conditions.conditions == ("passage",)


def test_a_row_leaves_the_tables_with_its_file(bench, run):
    bench("first", "counting")
    for path in (run.folder / FOLDER).glob("*/predictions/first-*"):
        path.unlink()
    assert names(bench("counting")) == ["counting"]


def test_a_line_has_the_score_of_each_choice_and_the_extracted_spans(bench, run):
    bench("first", "extracting")
    problem = next(iter(run.problems(TEST))).problem
    lines = {
        path.name.partition("-")[0]: msgspec.json.decode(line)
        for path in (run.folder / FOLDER).glob("*/predictions/*")
        for line in path.read_bytes().splitlines()
        if f'"id":"{problem.id}"'.encode() in line
    }
    assert lines["first"]["scores"] == [float(-at) for at in range(len(problem.choices))]
    assert lines["extracting"]["spans"] == [problem.choices[-1].name]


def test_a_damaged_file_is_named(bench, run):
    bench("first")
    next((run.folder / FOLDER).glob("*/predictions/*")).write_text("{}")
    with pytest.raises(UsageError, match=r"cannot read .*predictions"):
        bench("first")


def test_the_table_is_a_function_of_problems_and_predictions():
    def file(name, seed, scores):
        head = PredictionHead(
            name=name, title=name, source="", group="today", system=name, condition="passage", seed=seed, problems=""
        )
        return PredictionFile(head, {TEST: {"a": Prediction(scores)}})

    problem = EvaluatedProblem(frozenset({TEST}), ("Ann Fox", "Bo Lee"), 0, (), {"ngram": 1})
    problems = {"passage": EvaluatedProblems((VALIDATION, TEST), {"a": problem})}
    files = [file("b", 1, (0.0, 1.0)), file("a", 0, (1.0, 1.0)), file("b", 0, (1.0, 0.0))]
    nobody = Adversaries((), "original")
    rows = table(problems, files, nobody)
    seeds = [(row.result.name, row.result.test.seeds) for row in rows]
    assert seeds == [("ngram", (0.0,)), ("a", (0.5,)), ("b", (1.0, 0.0))]
    assert table(problems, reversed(files), nobody) == rows

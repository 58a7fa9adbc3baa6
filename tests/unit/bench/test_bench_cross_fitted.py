"""``bench`` under reading conditions and cross-fitted: what is trained, stored, compared, left out and refused."""

import json
from dataclasses import replace

import msgspec
import pytest

from support.bench_tables import read_results
from support.fakes import FakeAdversaries
from support.renaming import pseudonyms_of
from support.stage_runs import stored
from support.systems import Counting
from support.toy_pipeline import pipeline, ports
from wdw_bench.populations import EvaluatedProblem, EvaluatedProblems, GivenFile
from wdw_bench.problem_file import write_alternatives, write_problems
from wdw_bench.problems import PSEUDONYMS
from wdw_bench.results import ADVERSARY
from wdw_bench.table import baseline_rows
from wdw_build.core.hashing import derived_seed
from wdw_build.core.progress import Progress
from wdw_build.errors import UsageError
from wdw_build.reading.settings import BenchConfig
from wdw_build.selection.settings import AdversaryConfig
from wdw_build.stages import adversary
from wdw_build.stages import pseudonyms as pseudonyms_stage

CROSS_FITTED = {"evaluation": "cross-fitted", "folds": 3}


def accuracy(results, system, condition="passage", population="after"):
    measured = {(one.system, one.condition, one.population): one.accuracy for one in results.conditions.measurements}
    return measured[system, condition, population]


def without_first(run, stage, records, folder):
    """The run with an output of a stage that holds all records but the first."""
    output = stored(folder / stage.name, stage.writes, list(records)[1:])
    return replace(run, outputs=run.outputs | {stage.name: output})


@pytest.fixture
def renamable(run, tmp_path):
    """The toy run with pseudonyms for all problems but the first."""
    return without_first(run, pseudonyms_stage.STAGE, map(pseudonyms_of, run.distinct_problems), tmp_path)


# ---- conditions ------------------------------------------------------------------------------------------------------


def test_the_table_of_the_passage_is_the_same_beside_other_conditions(bench):
    alone = bench("first", "counting")
    assert alone.conditions is None
    both = bench("first", "counting", conditions=("passage", "without"))
    assert both.systems == alone.systems
    assert both.conditions.conditions == ("passage", "without")
    assert accuracy(both, "first", population="test") == next(row.test for row in both.systems if row.name == "first")
    pair = {(test.system, test.first, test.second) for test in both.conditions.differences}
    assert pair == {("first", "passage", "without"), ("counting", "passage", "without")}


def test_problems_without_pseudonyms_are_left_out_under_all_conditions(bench, renamable):
    results = bench("first", runs=[renamable], conditions=("passage", "codes", "codes-without"), **CROSS_FITTED)
    table = results.conditions
    left = len(renamable.distinct_problems) - 1
    assert (table.left_out, table.populations["all"].problems) == (1, left)
    assert {one.accuracy.problems for one in table.measurements if one.population == "all"} == {left}
    assert accuracy(results, "first", "codes") == accuracy(results, "first", "passage")


def test_names_cannot_be_replaced_without_pseudonyms(bench, run):
    bare = replace(run, outputs={name: output for name, output in run.outputs.items() if name != PSEUDONYMS})
    with pytest.raises(UsageError, match="has no output of pseudonyms"):
        bench("first", runs=[bare], conditions=("codes",))


def test_other_pseudonyms_are_other_data(bench, run, renamable, tmp_path):
    stored = bench("first", runs=[renamable], conditions=("passage", "codes"))
    assert read_results(renamable) == stored
    made = list(map(pseudonyms_of, run.distinct_problems))
    others = without_first(run, pseudonyms_stage.STAGE, made[1:], tmp_path / "others")
    again = bench("first", runs=[others], conditions=("codes",))
    assert again.conditions.data != stored.conditions.data
    assert again.conditions.conditions == ("codes",)
    assert bench("first", runs=[renamable]).conditions is None


# ---- cross-fitted ----------------------------------------------------------------------------------------------------


def test_every_problem_is_answered_by_a_fresh_system_that_was_not_trained_on_it(bench, run):
    results = bench("counting", **CROSS_FITTED)
    problems = len(run.distinct_problems)
    assert results.conditions.populations["all"].problems == problems
    assert {seed for seed, *_ in Counting.fits} == {derived_seed(0, "bench", 0)}
    assert all(training + validation < problems for _, training, validation in Counting.fits)
    fits = len(Counting.fits)
    assert bench("counting", **CROSS_FITTED) == results
    assert len(Counting.fits) == fits
    assert results.systems == ()


def test_baselines_have_their_stored_accuracy_on_each_population(bench, run):
    results = bench("first", **CROSS_FITTED)
    joined = list(run.joined_problems())
    strict = [one for one in joined if one.in_dataset and one.assignment.level == "strict"]
    for population, problems in (("all", joined), ("after", strict)):
        share = sum("ngram" in one.solved_by for one in problems) / len(problems)
        assert accuracy(results, "ngram", population=population).accuracy == pytest.approx(share)


def test_a_problem_that_the_filter_dropped_keeps_the_predictions_of_the_baselines(bench, run, tmp_path):
    filtered = without_first(run, adversary.STAGE, run.predictions, tmp_path)
    before = bench("first", **CROSS_FITTED)
    after = bench("first", runs=[filtered], **CROSS_FITTED)
    assert accuracy(after, "ngram", population="all") == accuracy(before, "ngram", population="all")


def test_adversaries_are_marked_and_have_no_row_where_they_did_not_judge():
    choices = ("Ann Fox", "Bo Lee")
    both = EvaluatedProblem(frozenset({"all", "after"}), choices, 0, (), {"ngram": 1, "shallow": 0})
    dropped = EvaluatedProblem(frozenset({"all"}), choices, 0, (), {"ngram": 0})
    ngram, shallow = baseline_rows(EvaluatedProblems(("all", "after"), {"a": both, "b": dropped}), {"shallow"})
    assert (shallow.result.name, shallow.result.group) == ("shallow (adversary)", ADVERSARY)
    assert shallow.accuracies["all"] is None
    assert shallow.accuracies["after"].accuracy == 1.0
    assert [ngram.accuracies[name].accuracy for name in ("all", "after")] == [0.5, 0.0]


# ---- outside models --------------------------------------------------------------------------------------------------


@pytest.fixture
def shown(toy, run, tmp_path):
    """Write the problems for an outside model under some settings, and read the file."""

    def write(runs=None, **settings):
        config = msgspec.structs.replace(toy.config, output_dir=str(tmp_path), bench=BenchConfig(**settings))
        path = tmp_path / "problems.jsonl"
        count = write_problems(config, runs or [run], Progress("quiet"), path)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert len(lines) == count
        return lines

    return write


def test_the_problems_for_an_outside_model_have_no_answer_and_no_passage_if_it_is_not_read(shown, run, renamable):
    lines = shown(conditions=("passage",))
    held_out = [one.id for one in run.joined_problems() if {"validation", "test"} & set(one.splits)]
    assert [line["id"] for line in lines] == held_out
    assert all(line.keys() == {"id", "question", "choices", "passage"} for line in lines)
    coded = shown([renamable], conditions=("codes-without",), evaluation="cross-fitted")
    assert [line["id"] for line in coded] == [problem.id for problem in run.distinct_problems][1:]
    assert all(line.keys() == {"id", "question", "choices"} for line in coded)
    assert all(choice.startswith("@entity") for line in coded for choice in line["choices"])


def test_the_answers_to_the_written_problems_are_a_row(shown, bench, run, tmp_path):
    answers = {problem.id: problem.choices[problem.answer].name for problem in run.distinct_problems}
    lines = shown(conditions=("without",), evaluation="cross-fitted")
    path = tmp_path / "oracle-without.jsonl"
    path.write_text("".join(json.dumps({"id": line["id"], "choice": answers[line["id"]]}) + "\n" for line in lines))
    given = [GivenFile(path, "without")]
    results = bench("first", predictions=given, conditions=("without",), **CROSS_FITTED)
    for population in ("all", "after", "control"):
        assert accuracy(results, "oracle", "without", population).accuracy == 1.0
    assert "oracle" in {measured.system for measured in results.conditions.exposed}
    with pytest.raises(UsageError, match="this condition is not measured"):
        bench("first", predictions=given, **CROSS_FITTED)


def test_problems_are_written_under_one_condition(shown):
    with pytest.raises(UsageError, match="exactly one condition"):
        shown(conditions=("passage", "without"))


def test_every_alternative_is_written_as_the_adversary_shows_it(toy, run, tmp_path):
    path = tmp_path / "alternatives.jsonl"
    count = write_alternatives(toy.config, [run], path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == count == sum(len(record.alternatives) for record in run.alternatives)
    adversaries = FakeAdversaries("last")
    judged = AdversaryConfig(systems=("last",), min_problems=1, folds=3, rounds=1)
    pipeline(tmp_path, ports(adversaries=adversaries), adversary=judged).run(["adversary"])
    shown = {one.id: one.problem for one in adversaries.problems}
    assert [line["id"] for line in lines] == list(shown)
    for line, problem in zip(lines, shown.values(), strict=True):
        assert (line["question"], line["passage"]) == (problem.question, problem.passage)
        assert line["choices"] == [choice.name for choice in problem.choices]


def test_alternatives_are_written_with_original_names_only(toy, run, tmp_path):
    for changes in ({"adversary": AdversaryConfig(names="codes")}, {"bench": BenchConfig(conditions=("codes",))}):
        with pytest.raises(UsageError, match="original names"):
            write_alternatives(msgspec.structs.replace(toy.config, **changes), [run], tmp_path / "alternatives.jsonl")

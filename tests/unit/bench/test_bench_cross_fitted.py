"""``bench`` under reading conditions and cross-fitted: what is trained, stored, compared, left out and refused."""

import json
from dataclasses import replace

import msgspec
import pytest

from support.bench_tables import read_results
from support.fakes import FakeAdversaries
from support.stage_runs import write_output
from support.systems import Counting
from support.toy_pipeline import pipeline, ports
from wdw_bench.populations import EvaluatedProblem, EvaluatedProblems, GivenFile
from wdw_bench.problem_file import write_alternatives, write_problems
from wdw_bench.problems import PSEUDONYMS
from wdw_bench.results import ADVERSARY
from wdw_bench.table import baseline_rows
from wdw_build.core.hashing import derived_seed
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output
from wdw_build.errors import UsageError
from wdw_build.reading.settings import BenchConfig
from wdw_build.records import NameReplacement, Pseudonyms, RenamedPerson
from wdw_build.selection.settings import AdversaryConfig
from wdw_build.stages import adversary
from wdw_build.stages import pseudonyms as pseudonyms_stage


def accuracy(results, system, condition="passage", population="after"):
    return next(
        measured.accuracy
        for measured in results.conditions.measurements
        if (measured.system, measured.condition, measured.population) == (system, condition, population)
    )


def pseudonyms(problem):
    """Codes for the choices of a problem; the question stays as it is."""
    persons = tuple(
        RenamedPerson(name=choice.name, choice=at, code=f"@entity{at}") for at, choice in enumerate(problem.choices)
    )
    replacements = (
        NameReplacement(start=span.start, end=span.end, person=at, kind="mention", code=f"@entity{at}")
        for at, choice in enumerate(problem.choices)
        for span in choice.mentions
    )
    ordered = tuple(sorted(replacements, key=lambda replacement: replacement.start))
    return Pseudonyms(id=problem.id, persons=persons, passage=ordered, question=(), title=())


def without_first(run, stage, records, folder):
    """The run with an output of a stage that holds all records but the first."""
    folder.mkdir()
    lines = [jsonl.encode(record) for record in records][1:]
    write_output(folder, lines, Ingredients(stage=stage.name, version=1, config={}, seed=0, inputs={}, backends={}))
    return replace(run, outputs=run.outputs | {stage.name: Output(folder, stage.writes)})


@pytest.fixture
def renamable(run, tmp_path):
    """The toy run with pseudonyms for all problems but the first."""
    made = map(pseudonyms, run.distinct_problems)
    return without_first(run, pseudonyms_stage.STAGE, made, tmp_path / PSEUDONYMS)


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


def test_a_difference_counts_the_problems_that_are_solved_under_one_condition_alone(bench):
    results = bench("first", conditions=("passage", "without"))
    for test in results.conditions.differences:
        gain = accuracy(results, "first", "passage", test.population).accuracy
        gain -= accuracy(results, "first", "without", test.population).accuracy
        assert test.gain == pytest.approx(gain)


def test_problems_without_pseudonyms_are_left_out_under_all_conditions(bench, renamable):
    results = bench(
        "first", runs=[renamable], conditions=("passage", "codes", "codes-without"), evaluation="cross-fitted", folds=3
    )
    everything = len(renamable.distinct_problems)
    table = results.conditions
    assert table.left_out == 1
    assert table.populations["all"].problems == everything - 1
    assert {measured.accuracy.problems for measured in table.measurements if measured.population == "all"} == {
        everything - 1
    }
    assert accuracy(results, "first", "codes") == accuracy(results, "first", "passage")


def test_names_cannot_be_replaced_without_pseudonyms(bench, run):
    bare = replace(run, outputs={name: output for name, output in run.outputs.items() if name != PSEUDONYMS})
    with pytest.raises(UsageError, match="has no output of pseudonyms"):
        bench("first", runs=[bare], conditions=("codes",))


def test_other_pseudonyms_are_other_data(bench, run, renamable, tmp_path):
    stored = bench("first", runs=[renamable], conditions=("passage", "codes"))
    assert read_results(renamable) == stored
    others = without_first(
        run, pseudonyms_stage.STAGE, list(map(pseudonyms, run.distinct_problems))[1:], tmp_path / "b"
    )
    again = bench("first", runs=[others], conditions=("codes",))
    assert again.conditions.data != stored.conditions.data
    assert again.conditions.conditions == ("codes",)
    assert bench("first", runs=[renamable]).conditions is None


# ---- cross-fitted ----------------------------------------------------------------------------------------------------


def test_every_problem_is_answered_by_a_fresh_system_that_was_not_trained_on_it(bench, run):
    results = bench("counting", evaluation="cross-fitted", folds=3)
    problems = list(run.distinct_problems)
    assert results.conditions.populations["all"].problems == len(problems)
    assert {seed for seed, *_ in Counting.fits} == {derived_seed(0, "bench", 0)}
    assert all(training + validation < len(problems) for _, training, validation in Counting.fits)
    fits = len(Counting.fits)
    assert bench("counting", evaluation="cross-fitted", folds=3) == results
    assert len(Counting.fits) == fits
    assert results.systems == ()


def test_baselines_have_their_stored_accuracy_on_each_population(bench, run):
    results = bench("first", evaluation="cross-fitted", folds=3)
    joined = list(run.joined_problems())
    for population, problems in (
        ("all", joined),
        ("after", [one for one in joined if one.in_dataset and one.assignment.level == "strict"]),
    ):
        share = sum("ngram" in one.solved_by for one in problems) / len(problems)
        assert accuracy(results, "ngram", population=population).accuracy == pytest.approx(share)


def test_a_problem_that_the_filter_dropped_keeps_the_predictions_of_the_baselines(bench, run, tmp_path):
    filtered = without_first(run, adversary.STAGE, run.predictions, tmp_path / "adversary")
    before = accuracy(bench("first", evaluation="cross-fitted", folds=3), "ngram", population="all")
    results = bench("first", runs=[filtered], evaluation="cross-fitted", folds=3)
    assert accuracy(results, "ngram", population="all") == before


def test_adversaries_are_marked_and_have_no_row_where_they_did_not_judge():
    def problem(populations, guesses):
        return EvaluatedProblem(frozenset(populations), ("Ann Fox", "Bo Lee"), 0, (), guesses)

    evaluated = EvaluatedProblems(
        ("all", "after"),
        {
            "a": problem(("all", "after"), {"ngram": 1, "shallow": 0}),
            "b": problem(("all",), {"ngram": 0}),
        },
    )
    ngram, shallow = baseline_rows(evaluated, {"shallow"})
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
    assert [line["id"] for line in lines] == [
        one.id for one in run.joined_problems() if {"validation", "test"} & set(one.splits)
    ]
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
    settings = {"evaluation": "cross-fitted", "folds": 3}
    results = bench("first", predictions=[GivenFile(path, "without")], conditions=("without",), **settings)
    for population in ("all", "after", "control"):
        assert accuracy(results, "oracle", "without", population).accuracy == 1.0
    assert "oracle" in {measured.system for measured in results.conditions.exposed}
    with pytest.raises(UsageError, match="this condition is not measured"):
        bench("first", predictions=[GivenFile(path, "without")], **settings)


def test_problems_are_written_under_one_condition(shown, tmp_path):
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
    for line in lines:
        problem = shown[line["id"]]
        assert (line["question"], line["passage"]) == (problem.question, problem.passage)
        assert line["choices"] == [choice.name for choice in problem.choices]


def test_alternatives_are_written_with_original_names_only(toy, run, tmp_path):
    replaced = msgspec.structs.replace(toy.config, adversary=AdversaryConfig(names="codes"))
    coded = msgspec.structs.replace(toy.config, bench=BenchConfig(conditions=("codes",)))
    for config in (replaced, coded):
        with pytest.raises(UsageError, match="original names"):
            write_alternatives(config, [run], tmp_path / "alternatives.jsonl")

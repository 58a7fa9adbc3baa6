"""``bench`` at the command line: the table, JSON, options and messages, over the real run of forty sample articles."""

import importlib.metadata
import importlib.util
import json
import shutil

import pytest

from support import systems
from wdw_build import registry


@pytest.fixture(autouse=True)
def _toy_systems(monkeypatch):
    monkeypatch.setattr(registry, "SYSTEMS", registry.SYSTEMS | systems.SYSTEMS)


@pytest.fixture
def bench(call, built):
    shutil.rmtree(built.folder / "bench", ignore_errors=True)
    return lambda *arguments: call("bench", "-q", "-c", built.config, *arguments)


def test_the_table_has_chance_the_suppressed_baselines_and_the_systems_by_group(bench):
    answer = bench("--systems", "first,counting", "--set", "bench.seeds=2")
    assert answer.code == 0, answer
    heads = [line.split()[0] for line in answer.out.splitlines()[2:] if line and not line.startswith("warning")]
    baselines = ["first-person", "most-frequent", "ngram", "unigram"]
    assert heads[:10] == ["system", "chance", "[suppressed", *baselines, "[probe]", "first", "[today]"]
    assert heads[10] == "counting"
    assert any(line.startswith("the test set has") for line in answer.out.splitlines())
    assert any(line.endswith("show little") for line in answer.out.splitlines())
    assert answer.out.startswith("runs: tiny; problems: ")


def test_json_holds_every_number_of_the_table_and_the_paired_tests(bench, built):
    answer = bench("--systems", "first,extracting", "--json")
    results = json.loads(answer.out)
    assert results == json.loads((built.folder / "bench.json").read_text())
    assert [row["name"] for row in results["systems"]][-2:] == ["first", "extracting"]
    assert {"first", "second", "first_only", "second_only", "p"} == results["comparisons"][0].keys()


def test_against_prints_a_p_value_beside_each_other_system(bench):
    answer = bench("--systems", "first, extracting", "--against", "first")
    lines = answer.out.splitlines()
    assert lines[3].endswith("p against first")
    (extracting,) = (line for line in lines if line.strip().startswith("extracting"))
    assert 0 <= float(extracting.split()[-1]) <= 1


def test_training_on_alternatives_says_how_many_there_are_and_what_was_left_out(bench):
    answer = bench("--systems", "counting", "--set", "bench.train=alternatives")
    assert answer.code == 0, answer
    first, second = answer.out.splitlines()[:2]
    assert first.endswith(" train.alternatives")
    assert " training alternatives; left out: " in second
    refused = bench("--systems", "counting", "--set", "bench.train=alternatives", "--cross-fit", 3)
    assert refused.code == 2
    assert "try: omit --cross-fit" in refused.message


def test_conditions_are_columns_and_a_second_table_has_their_differences(bench):
    answer = bench("--systems", "first,counting", "--conditions", "passage,without", "--cross-fit", 3)
    assert answer.code == 0, answer
    lines = answer.out.splitlines()
    assert lines[0].startswith("Reading conditions, cross-fitted in 3 folds of events; problems: all ")
    assert lines[3].split() == ["passage", "without"]
    assert lines[4].split() == ["system", *["all", "after", "control"] * 2]
    (ngram,) = (line.split() for line in lines if line.strip().startswith("ngram"))
    assert ngram[-3:] == ["-"] * 3
    (head,) = (line for line in lines if line.startswith("difference"))
    assert head.split("  ")[-1].strip() == "passage - without"


def test_held_out_conditions_follow_the_usual_table(bench):
    usual = bench("--systems", "first").out
    both = bench("--systems", "first", "--conditions", "passage,without").out
    assert both.startswith(usual.rstrip("\n"))
    assert "Reading conditions, trained on train" in both
    assert bench("--systems", "first", "--conditions", "without").out.startswith("Reading conditions, ")


def test_an_outside_model_answers_the_written_problems(bench, tmp_path):
    problems, answers = tmp_path / "problems.jsonl", tmp_path / "llm.jsonl"
    setting = ["--systems", "first", "--conditions", "without", "--cross-fit", 3]
    written = bench(*setting, "--write-problems", problems)
    assert written.out == f"{len(problems.read_text().splitlines())} problems in {problems}\n"
    ids = [json.loads(line)["id"] for line in problems.read_text().splitlines()]
    answers.write_text("".join(json.dumps({"id": name, "choice": 0}) + "\n" for name in ids))
    results = json.loads(bench(*setting, "--predictions", f"without={answers}", "--json").out)
    accuracies = {
        (row["system"], row["population"]): row["accuracy"]["accuracy"] for row in results["conditions"]["measurements"]
    }
    assert accuracies["llm", "all"] == accuracies["first", "all"]


def test_every_alternative_is_written_for_an_outside_adversary(bench, tmp_path):
    problems, every = tmp_path / "problems.jsonl", tmp_path / "every.jsonl"
    assert bench("--cross-fit", 3, "--write-problems", problems).code == 0
    written = bench("--write-problems", every, "--alternatives")
    assert written.out == f"{len(every.read_text().splitlines())} alternatives in {every}\n"
    ids = [{json.loads(line)["id"] for line in path.read_text().splitlines()} for path in (problems, every)]
    assert ids[0] < ids[1]
    assert {name.partition("~")[0] for name in ids[1]} == ids[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--conditions", "passage,nothing"], "no condition 'nothing'"),
        (["--write-problems", "/nowhere/x.jsonl"], "cannot write /nowhere/x.jsonl"),
        (["--alternatives"], "--alternatives needs --write-problems"),
    ],
)
def test_wrong_use_of_conditions_is_named(bench, arguments, message):
    answer = bench("--systems", "first", *arguments)
    assert answer.code == 2
    assert message in answer.message


def test_the_list_has_every_system_and_needs_no_configuration_which_a_measurement_does(call, monkeypatch):
    systems.use_only(monkeypatch, ("first", "counting"))
    assert [line.split()[0] for line in call("bench", "--list").out.splitlines()] == ["first", "counting"]
    assert [row["name"] for row in json.loads(call("bench", "--list", "--json").out)] == ["first", "counting"]
    answer = call("bench", "--systems", "first")
    assert answer.code == 2
    assert answer.message == "error: Missing option '-c' / '--config'.   try: wdw-build bench --help"


@pytest.mark.parametrize(("form", "begins"), [("latex", "% runs: tiny"), ("markdown", "runs: tiny")])
def test_the_table_has_the_wanted_form(bench, form, begins):
    answer = bench("--systems", "first", "--format", form)
    assert answer.code == 0, answer
    assert answer.out.startswith(begins)
    assert "first" in answer.out


def test_without_the_extra_the_command_says_what_to_install(bench, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "transformers" else found(name))
    answer = bench("--systems", "first")
    assert answer.code != 0
    assert "needs transformers" in answer.message
    assert "pip install 'wdw-build[bench]'" in answer.message

"""``bench`` at the command line: the table, JSON, options and messages, over the real run of forty sample articles."""

import importlib.metadata
import importlib.util
import json
import shutil

import pytest

from support import systems
from wdw_build.pipeline import registry


@pytest.fixture(autouse=True)
def _toy_systems(monkeypatch):
    monkeypatch.setattr(registry, "SYSTEMS", registry.SYSTEMS | systems.SYSTEMS)


@pytest.fixture
def bench(call, built):
    shutil.rmtree(built.folder / "bench", ignore_errors=True)
    return lambda *arguments: call("bench", "-q", "-c", built.config, *arguments)


def test_the_table_has_chance_the_suppressed_baselines_and_the_systems_by_group(bench):
    lines = bench("--systems", "first,counting", "--set", "bench.seeds=2").ok().out.splitlines()
    heads = [line.split()[0] for line in lines[2:] if line and not line.startswith("warning")]
    baselines = ["first-person", "most-frequent", "ngram", "unigram"]
    assert heads[:11] == ["system", "chance", "[suppressed", *baselines, "[probe]", "first", "[today]", "counting"]
    assert any(line.startswith("the test set has") for line in lines)
    assert any(line.endswith("show little") for line in lines)
    assert lines[0].startswith("runs: tiny; problems: ")


def test_json_holds_every_number_of_the_table_and_the_paired_tests(bench, built):
    results = bench("--systems", "first,extracting", "--json").json
    assert results == json.loads((built.folder / "bench.json").read_text())
    assert [row["name"] for row in results["systems"]][-2:] == ["first", "extracting"]
    assert {"first", "second", "first_only", "second_only", "p"} == results["comparisons"][0].keys()


def test_against_prints_a_p_value_beside_each_other_system(bench):
    lines = bench("--systems", "first, extracting", "--against", "first").out.splitlines()
    assert lines[3].endswith("p against first")
    (extracting,) = (line for line in lines if line.strip().startswith("extracting"))
    assert 0 <= float(extracting.split()[-1]) <= 1


def test_conditions_are_columns_and_a_second_table_has_their_differences(bench):
    answer = bench("--systems", "first,counting", "--conditions", "passage,without", "--cross-fit", 3)
    lines = answer.ok().out.splitlines()
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


def ids_of(path):
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_an_outside_model_answers_the_written_problems(bench, tmp_path):
    problems, answers = tmp_path / "problems.jsonl", tmp_path / "llm.jsonl"
    setting = ["--systems", "first", "--conditions", "without", "--cross-fit", 3]
    written = bench(*setting, "--write-problems", problems)
    ids = ids_of(problems)
    assert written.out == f"{len(ids)} problems in {problems}\n"
    answers.write_text("".join(json.dumps({"id": name, "choice": 0}) + "\n" for name in ids))
    results = bench(*setting, "--predictions", f"without={answers}", "--json").json["conditions"]["measurements"]
    found = {row["system"]: row["accuracy"]["accuracy"] for row in results if row["population"] == "all"}
    assert found["llm"] == found["first"]


def test_every_alternative_is_written_for_an_outside_adversary(bench, tmp_path):
    problems, every = tmp_path / "problems.jsonl", tmp_path / "every.jsonl"
    bench("--cross-fit", 3, "--write-problems", problems).ok()
    written, ids = bench("--write-problems", every, "--alternatives"), ids_of(every)
    assert written.out == f"{len(ids)} alternatives in {every}\n"
    assert {name.partition("~")[0] for name in ids} == set(ids_of(problems)) < set(ids)


def test_wrong_use_of_conditions_is_named(bench):
    bench("--systems", "first", "--conditions", "passage,nothing").fails(2, "no condition 'nothing'")
    bench("--systems", "first", "--write-problems", "/nowhere/x.jsonl").fails(2, "cannot write /nowhere/x.jsonl")
    bench("--systems", "first", "--alternatives").fails(2, "--alternatives needs --write-problems")


def test_the_list_has_every_system_and_needs_no_configuration_which_a_measurement_does(call, monkeypatch):
    systems.use_only(monkeypatch, ("first", "counting"))
    assert [line.split()[0] for line in call("bench", "--list").out.splitlines()] == ["first", "counting"]
    assert [row["name"] for row in call("bench", "--list", "--json").json] == ["first", "counting"]
    answer = call("bench", "--systems", "first")
    assert (answer.code, answer.out) == (2, "")
    assert answer.message == "error: Missing option '-c' / '--config'.   try: wdw-build bench --help"


@pytest.mark.parametrize(("form", "begins"), [("latex", "% runs: tiny"), ("markdown", "runs: tiny")])
def test_the_table_has_the_wanted_form(bench, form, begins):
    out = bench("--systems", "first", "--format", form).ok().out
    assert out.startswith(begins)
    assert "first" in out


def test_without_the_extra_the_command_says_what_to_install(bench, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "transformers" else found(name))
    bench("--systems", "first").fails(3, "needs transformers", "pip install 'wdw-build[bench]'")

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

    def benched(*arguments):
        return call("bench", "-q", "-c", built.config, *arguments)

    return benched


def test_the_table_has_chance_the_suppressed_baselines_and_the_systems_by_group(bench):
    answer = bench("--systems", "first,counting", "--set", "bench.seeds=2")
    assert answer.code == 0, answer
    heads = [line.split()[0] for line in answer.out.splitlines()[2:] if line and not line.startswith("warning")]
    baselines = ["first-person", "most-frequent", "ngram", "unigram"]
    assert heads[:10] == ["system", "chance", "[suppressed", *baselines, "[probe]", "first", "[today]"]
    assert heads[10] == "counting"
    assert any(line.startswith("the test set has") for line in answer.out.splitlines())
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
    wrong = bench("--systems", "first", "--against", "second")
    assert wrong.code == 2
    assert "no system 'second' in the table" in wrong.message


def test_given_predictions_are_a_row_of_the_table(bench, built, tmp_path):
    problems = [
        json.loads(line)
        for split in ("validation", "test")
        for line in (built.folder / "export" / "jsonl" / f"{split}.jsonl").read_text().splitlines()
    ]
    path = tmp_path / "oracle.jsonl"
    path.write_text("".join(json.dumps({"id": row["id"], "choice": row["answer"]}) + "\n" for row in problems))
    results = json.loads(bench("--systems", "first", "--predictions", path, "--json").out)
    assert results["systems"][-1]["name"] == "oracle"
    assert results["systems"][-1]["test"]["accuracy"] == 1.0
    path.write_text("[]")
    assert bench("--systems", "first", "--predictions", path).code == 2


def test_conditions_are_columns_and_a_second_table_has_their_differences(bench):
    answer = bench("--systems", "first,counting", "--conditions", "passage,without", "--cross-fit", 3)
    assert answer.code == 0, answer
    lines = answer.out.splitlines()
    assert lines[0].startswith("Reading conditions, cross-fitted in 3 folds of events; problems: before ")
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
        (["--conditions", "passage,without", "--write-problems", "x.jsonl"], "exactly one condition"),
        (["--write-problems", "/nowhere/x.jsonl"], "cannot write /nowhere/x.jsonl"),
        (["--predictions", "without=x.jsonl"], "this condition is not measured"),
        (["--alternatives"], "--alternatives needs --write-problems"),
        (["--conditions", "without", "--write-problems", "x.jsonl", "--alternatives"], "original names"),
    ],
)
def test_wrong_use_of_conditions_is_named(bench, arguments, message):
    answer = bench("--systems", "first", *arguments)
    assert answer.code == 2
    assert message in answer.message


def test_list_prints_every_system(bench, monkeypatch):
    systems.use_only(monkeypatch, ("first", "counting"))
    answer = bench("--list")
    assert [line.split()[0] for line in answer.out.splitlines()] == ["first", "counting"]
    assert [row["name"] for row in json.loads(bench("--list", "--json").out)] == ["first", "counting"]


def test_list_names_a_system_of_another_package_that_cannot_be_loaded_beside_the_others(bench, monkeypatch):
    monkeypatch.setattr(registry, "SYSTEMS", {"first": "support.systems:FIRST"})
    point = importlib.metadata.EntryPoint("mine", "my_package.nothing:SYSTEM", "wdw_build.systems")
    points = importlib.metadata.entry_points
    monkeypatch.setattr(
        importlib.metadata,
        "entry_points",
        lambda **wanted: [point] if wanted == {"group": "wdw_build.systems"} else points(**wanted),
    )
    answer = bench("--list")
    assert answer.code == 0
    first, mine = answer.out.splitlines()
    assert first.split()[:2] == ["first", "probe"]
    assert mine.split()[:2] == ["mine", "broken"]
    assert "my_package.nothing:SYSTEM, cannot be loaded: ModuleNotFoundError" in mine


@pytest.mark.parametrize(
    ("wanted", "names"),
    [("today", ["extracting"]), ("today, first", ["extracting", "first"]), ("all but probes", ["extracting"])],
)
def test_a_group_of_systems_can_be_named(bench, monkeypatch, wanted, names):
    # The run needs its adversary, `shallow`, a probe.
    systems.use_only(monkeypatch, ("first", "shallow", "extracting"))
    answer = bench("--systems", wanted, "--json")
    assert answer.code == 0, answer
    rows = json.loads(answer.out)["systems"]
    assert {row["name"] for row in rows if row["group"] in ("probe", "table 4", "today")} == set(names)


def test_an_unknown_system_is_a_wrong_use(bench):
    answer = bench("--systems", "first,nobody")
    assert answer.code == 2
    assert "unknown system 'nobody'" in answer.message
    assert "counting" in answer.message


def test_a_run_that_is_not_up_to_date_is_refused(bench):
    answer = bench("--systems", "first", "--set", "questions.min_tokens=9")
    assert answer.code == 2
    assert "not up to date" in answer.message


def test_a_later_call_prints_the_rows_of_the_earlier_one_until_their_files_are_deleted(bench, built):
    bench("--systems", "first")
    assert [line.split()[0] for line in bench("--systems", "extracting").out.splitlines() if line.startswith("  ")][
        -2:
    ] == [
        "first",
        "extracting",
    ]
    for path in built.folder.glob("bench/*/predictions/first-*"):
        path.unlink()
    assert "  first " not in bench("--systems", "extracting").out


@pytest.mark.parametrize(
    ("form", "begins"),
    [("latex", "% runs: tiny"), ("markdown", "runs: tiny")],
)
def test_the_table_has_the_wanted_form(bench, form, begins):
    answer = bench("--systems", "first", "--format", form)
    assert answer.code == 0, answer
    assert answer.out.startswith(begins)
    assert "first" in answer.out


def test_a_small_test_set_is_said_to_show_little(bench):
    assert any(line.endswith("show little") for line in bench("--systems", "first").out.splitlines())


def test_without_the_extra_the_command_says_what_to_install(bench, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "transformers" else found(name))
    answer = bench("--systems", "first")
    assert answer.code != 0
    assert "needs transformers" in answer.message
    assert "pip install 'wdw-build[bench]'" in answer.message

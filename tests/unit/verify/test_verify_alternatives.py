"""verify on exports with training alternatives: a correct one, and lines that break its promise."""

import json

import pytest

from support.forged_run import FORMATS, copied, failing, forge
from wdw_build.core.store.output import Output
from wdw_build.records import SplitAssignment
from wdw_build.stages.export import ExportConfig

FILE = "export/jsonl/train.alternatives.jsonl"


@pytest.fixture
def run(tmp_path):
    copied(tmp_path, alternatives=True)
    return tmp_path


def verified(run):
    """The failing checks, and the check of training alternatives."""
    report, failed = failing(run, export=ExportConfig(formats=FORMATS, alternatives=True))
    return failed, next(check for check in report.checks if check.name == "training-alternatives")


def lines(run):
    return [json.loads(line) for line in (run / FILE).read_text(encoding="utf-8").splitlines()]


def add_line(run, name):
    """Export one more alternative, without the stage."""
    with (run / FILE).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(lines(run)[0] | {"id": name}) + "\n")


def held_out(run):
    return [one.id for one in Output(run / "split", SplitAssignment).records() if one.split != "train"]


def test_a_correct_export_keeps_its_promise(run):
    failed, check = verified(run)
    assert failed == []
    assert check.checked == len(lines(run)) > 0


def test_an_alternative_of_a_held_out_article_is_named(run):
    name = held_out(run)[0]
    add_line(run, f"{name}~0")
    failed, check = verified(run)
    assert {"exports", "training-alternatives"} <= set(failed)
    assert any(example.startswith(f"{name}~0: has the article {name} of the held-out") for example in check.examples)
    assert any("is of 2014-" in example for example in check.examples)


def test_an_id_that_is_no_alternative_of_the_run_is_named(run):
    add_line(run, "q00~99")
    failed, check = verified(run)
    assert "training-alternatives" in failed
    assert "'q00~99' is not an alternative of this run" in check.examples[-1]


def test_persons_that_a_held_out_problem_shares_are_named(run):
    first, asked = lines(run)[0], held_out(run)[0]

    def change(records):
        record = next(one for one in records if one["id"] == asked)
        names = list(dict.fromkeys([*first["choices"], first["question"]["name"]]))
        for choice, name in zip(record["choices"], names, strict=False):
            choice["name"] = name
        record["passage"]["date"] = first["passage"]["date"]

    forge(run, "problems", change)
    failed, check = verified(run)
    assert "training-alternatives" in failed
    assert any(f"as the held-out problem {asked}" in example for example in check.examples)

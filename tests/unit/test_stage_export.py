"""export: every placed problem goes to every configured format, and its record names the files it stands in."""

import fakes
from fakes import day
from wdw_build.adapters.export_jsonl import JsonlExporter
from wdw_build.records import Placed
from wdw_build.stages.export import STAGE

PLACES = {
    "a": ("strict", "train"), "b": ("relaxed", "train"), "c": ("strict", "validation"), "d": ("strict", "test"),
}  # fmt: skip


def export(tmp_path, formats, places=PLACES):
    problems = [
        fakes.problem(name, fakes.question(name, "Ann Ames met Bob Beck .", "Ann Ames"), "Ann Ames met Cleo Cole.",
                      ["Ann Ames", "Cleo Cole"], 0)
        for name in "zdcba"
    ]  # fmt: skip
    inputs = {
        "split": [Placed(id=name, date=day(0), level=level, split=split) for name, (level, split) in places.items()],
        "dedup": problems,
    }
    exporters = {"list": fakes.ListExporter(), "jsonl": JsonlExporter()}
    return fakes.run_stage(STAGE, tmp_path, inputs, section=STAGE.config(formats=formats), exporters=exporters)


def test_a_record_names_the_files_of_all_formats_in_their_order(tmp_path):
    ran = export(tmp_path, ("list", "jsonl"))
    assert ran.records["a"].files == (
        "list/train.txt", "list/train.relaxed.txt", "jsonl/train.jsonl", "jsonl/train.relaxed.jsonl",
    )  # fmt: skip
    assert ran.records["b"].files == ("list/train.relaxed.txt", "jsonl/train.relaxed.jsonl")
    assert ran.records["d"].files == ("list/test.txt", "jsonl/test.jsonl")
    assert [*ran.records] == [*PLACES]


def test_only_the_configured_formats_are_written(tmp_path):
    export(tmp_path, ("list",))
    assert not (tmp_path / "export" / "jsonl").exists()
    assert (tmp_path / "export" / "list" / "train.relaxed.txt").read_text().split() == ["a", "b"]


def test_a_problem_that_split_left_out_is_in_no_file(tmp_path):
    export(tmp_path, ("list", "jsonl"))
    assert not any('"z"' in path.read_text() for path in (tmp_path / "export" / "jsonl").iterdir())


def test_files_follow_the_order_of_split(tmp_path):
    same = dict.fromkeys("cab", ("strict", "train"))
    export(tmp_path, ("list",), same)
    assert (tmp_path / "export" / "list" / "train.txt").read_text().split() == ["c", "a", "b"]

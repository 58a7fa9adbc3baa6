"""Outputs that are missing or damaged."""

import json

import pytest

from wdw_build.errors import CheckError, UsageError


@pytest.mark.parametrize(
    "gone",
    ["split/manifest.json", "dedup/rejections.jsonl", "export/jsonl/test.jsonl", "export/wdw-xml/Relaxed/train.xml"],
)
def test_a_missing_output_says_which_command_makes_it(failing, gone):
    with pytest.raises(UsageError) as caught:
        failing(after=lambda folder: (folder / gone).unlink())
    assert "wdw-build all" in caught.value.hint
    assert gone.split("/")[0] in caught.value.message


@pytest.mark.parametrize("name", ["dedup/part-00000.jsonl", "suppress/manifest.json", "export/jsonl/test.jsonl"])
def test_a_damaged_file_is_named(failing, name):
    with pytest.raises(CheckError, match=name.rsplit("/", 1)[1]):
        failing(after=lambda folder: (folder / name).write_bytes(b'{"id": 1\n'))


@pytest.mark.parametrize("stage", ["adversary"])
def test_a_run_of_a_version_without_a_stage_is_refused_by_the_name_of_the_stage(failing, stage):
    def earlier(folder):
        (folder / stage / "manifest.json").unlink()
        for path in folder.glob("*/manifest.json"):
            manifest = json.loads(path.read_bytes())
            manifest["ingredients"]["inputs"].pop(stage, None)
            path.write_text(json.dumps(manifest), encoding="utf-8")

    with pytest.raises(UsageError, match=f"has no output of {stage}"):
        failing(after=earlier)

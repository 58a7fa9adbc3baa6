"""Outputs that are missing or damaged."""

import pytest

from wdw_build.errors import CheckError, UsageError


@pytest.mark.parametrize(
    "gone",
    [
        *("split/manifest.json", "adversary/manifest.json", "dedup/rejections.jsonl"),
        *("export/jsonl/test.jsonl", "export/wdw-xml/Relaxed/train.xml"),
    ],
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

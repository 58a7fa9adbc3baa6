"""Look-ups of rejections: every one of an id is found, in order, and no other."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.core import jsonl, rejected
from wdw_build.errors import FixCommand
from wdw_build.records import Rejection

IDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), max_size=40)


def written(folder, ids):
    every = [Rejection(id=name, reason="r", detail=str(at)) for at, name in enumerate(ids)]
    (Path(folder) / "rejections.jsonl").write_bytes(b"".join(map(jsonl.encode, every)))
    rejected.write_keys(Path(folder))
    return every


@given(IDS, IDS)
def test_every_rejection_of_an_id_is_found_in_order(present, asked):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(rejected, "_RUN", 7)
        every = written(folder, present)
        for name in {*present, *asked}:
            assert rejected.find(Path(folder), name) == [one for one in every if one.id == name]
        assert sorted(path.name for path in Path(folder).iterdir()) == ["rejections.jsonl", "rejections.keys"]


def test_without_rejections_none_is_found(tmp_path):
    written(tmp_path, [])
    assert rejected.find(tmp_path, "a") == []


def test_a_folder_without_keys_is_answered_with_the_command_that_makes_them(tmp_path):
    with pytest.raises(FixCommand) as error:
        rejected.find(tmp_path / "questions" / "0123", "a")
    assert "wdw-build run questions --force" in error.value.hint

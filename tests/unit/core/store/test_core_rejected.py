"""Look-ups of rejections: every one of an id is found, in order, and no other."""

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages
from wdw_build.core.store import jsonl, manifest
from wdw_build.core.store import rejection_index as rejected
from wdw_build.errors import CorpusError, DamagedOutputError, UsageError
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


def sealed(folder, ids):
    """Rejections with the manifest of a committed stage."""
    every = written(folder, ids)
    made = toy_stages.job(toy_stages.source()).ingredients
    found = manifest.Manifest(
        fingerprint="",
        ingredients=made,
        read=0,
        written=0,
        rejected=len(every),
        reasons={},
        parts=(),
        rejections_sha256="",
        content="",
    )
    manifest.write(Path(folder) / "manifest.json", found)
    return every


SHARES = st.floats(0, 1)


@settings(deadline=None, max_examples=400)
@given(
    IDS,
    IDS,
    st.sampled_from(["rejections.keys", "rejections.jsonl"]),
    st.one_of(st.just(1.0), SHARES),
    st.lists(st.tuples(SHARES, st.integers(0, 255)), max_size=4),
)
def test_damaged_files_give_every_rejection_of_an_id_or_an_error(present, asked, file, cut, changes):
    with tempfile.TemporaryDirectory() as folder:
        every, path = sealed(folder, present), Path(folder, file)
        left = bytearray(path.read_bytes()[: round(cut * path.stat().st_size)])
        for share, value in changes:
            if left:
                left[min(int(share * len(left)), len(left) - 1)] = value
        path.write_bytes(left)
        for name in {*present, *asked}:
            with contextlib.suppress(DamagedOutputError, CorpusError):
                found = rejected.find(Path(folder), name)
                assert [one.id for one in found] == [one.id for one in every if one.id == name]
                assert file == "rejections.jsonl" or found == [one for one in every if one.id == name]


def test_places_of_a_key_file_that_was_cut_off_are_an_error(tmp_path):
    sealed(tmp_path, ["a", "b"])
    path = tmp_path / "rejections.keys"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(DamagedOutputError, match="1 keys for 2 records"):
        list(rejected.places(tmp_path))


def test_a_folder_without_keys_is_answered_with_the_command_that_makes_them(tmp_path):
    with pytest.raises(UsageError) as error:
        rejected.find(tmp_path / "questions" / "0123", "a")
    assert "wdw-build run questions --force" in error.value.hint


def test_the_places_of_all_rejections_come_in_the_order_of_their_keys_and_mark_their_lines(tmp_path):
    every = written(tmp_path, ["b", "a", "b", "é"])
    stored = (tmp_path / rejected.REJECTIONS).read_bytes()
    found = list(rejected.places(tmp_path))
    assert [key.decode() for key, _, _ in found] == ['"a"', '"b"', '"b"', '"é"']
    lines = [stored[offset : offset + length] for _, offset, length in found]
    assert lines == [jsonl.encode(every[at]) for at in (1, 0, 2, 3)]


def test_a_rejection_that_cannot_be_decoded_is_named_with_its_file(tmp_path):
    written(tmp_path, ["a"])
    path = tmp_path / rejected.REJECTIONS
    path.write_bytes(path.read_bytes().replace(b'"reason":"r"', b'"reason":null'))
    rejected.write_keys(tmp_path)
    with pytest.raises(CorpusError, match=rejected.REJECTIONS):
        rejected.find(tmp_path, "a")

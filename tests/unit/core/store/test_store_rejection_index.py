"""Look-ups of rejections: all rejections of an id are found, in order, and no others."""

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toys
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


def test_an_output_without_rejections_has_none_for_any_id(tmp_path):
    written(tmp_path, [])
    assert rejected.find(tmp_path, "a") == []


def sealed(folder, ids):
    """Rejections and the manifest of a committed output."""
    every = written(folder, ids)
    made = toys.job(toys.source()).ingredients
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
def test_a_look_up_in_damaged_files_gives_all_rejections_of_an_id_or_an_error(present, asked, file, cut, changes):
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


def test_reading_a_truncated_key_file_raises_an_error(tmp_path):
    sealed(tmp_path, ["a", "b"])
    path = tmp_path / "rejections.keys"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(DamagedOutputError, match="1 keys for 2 records"):
        list(rejected.locations(tmp_path))


def test_the_error_for_a_missing_key_file_names_the_command_that_makes_it(tmp_path):
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

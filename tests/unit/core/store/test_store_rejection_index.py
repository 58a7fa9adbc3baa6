"""Look-ups of rejections: all rejections of an id are found, in order, and no others."""

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages
from wdw_build.core.store import jsonl, manifest
from wdw_build.core.store.file_list import write_file_list
from wdw_build.core.store.key_index import id_of, key_of
from wdw_build.core.store.output import REJECTIONS, Output, write_rejection_keys
from wdw_build.errors import CorpusError, DamagedOutputError, UsageError
from wdw_build.records import Rejection

IDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), max_size=40)


def written(folder, ids):
    every = [Rejection(id=name, reason="r", detail=str(at)) for at, name in enumerate(ids)]
    (Path(folder) / "rejections.jsonl").write_bytes(b"".join(map(jsonl.encode, every)))
    assert write_rejection_keys(Path(folder)) == len(ids)
    write_file_list(Path(folder), {})
    return every


def find(folder, name):
    return Output(Path(folder), toy_stages.Note).rejections_of(name)


@given(IDS, IDS)
def test_every_rejection_of_an_id_is_found_in_order(present, asked):
    with tempfile.TemporaryDirectory() as folder:
        every = written(folder, present)
        for name in {*present, *asked}:
            assert find(folder, name) == [rejection for rejection in every if rejection.id == name]
        names = sorted(path.name for path in Path(folder).iterdir())
        assert names == ["files.json", "rejections.jsonl", "rejections.keys"]


def test_an_output_without_rejections_has_none_for_any_id(tmp_path):
    written(tmp_path, [])
    assert find(tmp_path, "a") == []


def sealed(folder, ids):
    """Rejections and the manifest of a committed output."""
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
        content_hash="",
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
                found = find(folder, name)
                assert [rejection.id for rejection in found] == [
                    rejection.id for rejection in every if rejection.id == name
                ]
                assert file == "rejections.jsonl" or found == [rejection for rejection in every if rejection.id == name]


def test_reading_a_truncated_index_raises_an_error(tmp_path):
    sealed(tmp_path, ["a", "b"])
    path = tmp_path / "rejections.keys"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamagedOutputError, match=r"rejections\.keys: the file is not as it was written"):
        list(Output(tmp_path, toy_stages.Note).rejection_keys)


def test_the_error_for_a_missing_index_names_the_command_that_makes_it(tmp_path):
    folder = tmp_path / "questions" / "0123"
    with pytest.raises(UsageError, match=r"rejections\.keys") as error:
        find(folder, "a")
    assert "wdw-build run questions --force" in error.value.hint


@given(IDS)
def test_locations_are_in_the_order_of_the_keys_and_lead_to_the_lines(ids):
    with tempfile.TemporaryDirectory() as folder:
        written(folder, ids)
        found = list(Output(Path(folder), toy_stages.Note).rejection_keys)
        text = Path(folder, REJECTIONS).read_bytes()
    assert [key for key, *_ in found] == sorted(map(key_of, ids))
    for key, (_, offset, length) in found:
        assert key_of(id_of(text[offset : offset + length])) == key


def test_a_rejection_that_cannot_be_decoded_is_named_with_its_file(tmp_path):
    written(tmp_path, ["a"])
    path = tmp_path / REJECTIONS
    path.write_bytes(path.read_bytes().replace(b'"reason":"r"', b'"reason":null'))
    (tmp_path / "rejections.keys").unlink()
    write_rejection_keys(tmp_path)
    write_file_list(tmp_path, {})
    with pytest.raises(CorpusError, match=REJECTIONS):
        find(tmp_path, "a")

"""Look-ups by id: every id is found where its line is, and no other id is."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toys
from wdw_build.core import jsonl, store
from wdw_build.core.lookup import KeyFile, key_of, write_keys
from wdw_build.core.manifest import Manifest, write
from wdw_build.core.store import Output, PartWriter

IDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), unique=True, max_size=60)


def keys(path, names):
    """A key file of lines as long as their ids; returns what should be found."""
    offset, entries = 0, []
    for name in names:
        entries.append((key_of(name), offset, len(key_of(name))))
        offset += len(key_of(name))
    write_keys(path, 3, entries)
    return {name: (3, *entry[1:]) for name, entry in zip(names, entries, strict=True)}


@settings(deadline=None)
@given(IDS, IDS)
def test_every_id_is_found_and_no_other_is(present, asked):
    with tempfile.TemporaryDirectory() as folder:
        expected = keys(Path(folder, "keys"), present)
        found = KeyFile(Path(folder, "keys"))
        assert {name: found.find(name) for name in present} == expected
        assert all((found.find(name) is None) == (name not in expected) for name in asked)


@pytest.mark.parametrize("near", ["", "a", "ab", "abc ", "abc\t", "abc\n", "abcd", "ab\\", 'abc"', "ABC", "abç"])
def test_an_id_that_is_nearly_one_is_not_found(tmp_path, near):
    keys(tmp_path / "keys", ["abc", "abe", "b"])
    assert KeyFile(tmp_path / "keys").find(near) is None


def test_an_empty_key_file_finds_nothing(tmp_path):
    keys(tmp_path / "keys", [])
    assert KeyFile(tmp_path / "keys").find("a") is None


@settings(deadline=None)
@given(IDS)
def test_records_are_found_across_parts(names):
    notes = [toys.Note(id=name, value=number) for number, name in enumerate(names)]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", 7)
        output = Output(Path(folder), toys.Note)
        parts = PartWriter(output.folder).write(jsonl.encode(note) for note in notes)
        made = toys.job(toys.source()).ingredients
        write(
            output.folder / "manifest.json",
            Manifest(
                fingerprint="", ingredients=made, read=0, written=len(notes), rejected=0, reasons={}, parts=parts,
                rejections_sha256="", content="",
            ),
        )  # fmt: skip
        assert len(parts) == max(1, -(-len(notes) // 7))
        assert [output.find(note.id) for note in notes] == notes
        assert output.find("none of these") is None
        assert list(output.records()) == notes

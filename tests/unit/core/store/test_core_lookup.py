"""Look-ups by id: every id is found where its line is, and no other id is."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages
from wdw_build.core.store import jsonl
from wdw_build.core.store import output as store
from wdw_build.core.store.key_index import KeyFile, key_of, write_keys
from wdw_build.core.store.manifest import Manifest, write
from wdw_build.core.store.output import Output, PartWriter
from wdw_build.errors import CorpusError, DamagedOutputError, WdwError

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
        assert {name: found.find(name).place for name in present} == expected
        assert all((found.find(name).place is None) == (name not in expected) for name in asked)


@pytest.mark.parametrize("near", ["", "a", "ab", "abc ", "abc\t", "abc\n", "abcd", "ab\\", 'abc"', "ABC", "abç"])
def test_an_id_that_is_nearly_one_is_not_found(tmp_path, near):
    keys(tmp_path / "keys", ["abc", "abe", "b"])
    assert KeyFile(tmp_path / "keys").find(near).place is None


def test_an_empty_key_file_finds_nothing(tmp_path):
    keys(tmp_path / "keys", [])
    assert KeyFile(tmp_path / "keys").find("a").place is None


def stored(folder, names):
    """Notes with these ids as a stage's output, a part for every seven."""
    notes = [toy_stages.Note(id=name, value=number) for number, name in enumerate(names)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", 7)
        parts = PartWriter(folder).write(jsonl.encode(note) for note in notes)
    made = toy_stages.job(toy_stages.source()).ingredients
    write(
        folder / "manifest.json",
        Manifest(
            fingerprint="",
            ingredients=made,
            read=0,
            written=len(notes),
            rejected=0,
            reasons={},
            parts=parts,
            rejections_sha256="",
            content="",
        ),
    )
    assert len(parts) == max(1, -(-len(notes) // 7))
    return notes


@settings(deadline=None)
@given(IDS)
def test_records_are_found_across_parts(names):
    with tempfile.TemporaryDirectory() as folder:
        notes, output = stored(Path(folder), names), Output(Path(folder), toy_stages.Note)
        assert [output.find(note.id) for note in notes] == notes
        assert output.find("none of these") is None
        assert list(output.records()) == notes


def harmed(content, cut, changes):
    """Bytes cut off at a place and changed at others; the places are shares of the length."""
    left = bytearray(content[: round(cut * len(content))])
    for share, value in changes:
        if left:
            left[min(int(share * len(left)), len(left) - 1)] = value
    return bytes(left)


SHARES = st.floats(0, 1)
CHANGES = st.lists(st.tuples(SHARES, st.integers(0, 255)), max_size=4)
CUTS = st.one_of(st.just(1.0), SHARES)


def said(look_up, name):
    """What a look-up gives, the error included."""
    try:
        return look_up(name)
    except (DamagedOutputError, CorpusError) as error:
        return error


@settings(deadline=None, max_examples=400)
@given(IDS, IDS, st.sampled_from(["records.keys", "part-00000.jsonl"]), CUTS, CHANGES)
def test_a_look_up_in_damaged_files_gives_the_record_or_an_error_and_none_only_if_it_is_not_there(
    names, absent, file, cut, changes
):
    with tempfile.TemporaryDirectory() as folder:
        notes = {note.id: note for note in stored(Path(folder), names)}
        path = Path(folder, file)
        path.write_bytes(harmed(path.read_bytes(), cut, changes))
        try:
            output = Output(Path(folder), toy_stages.Note)
            for name in {*names, *absent}:
                found = said(output.find, name)
                assert isinstance(found, WdwError) or (found is None) == (name not in notes)
                if isinstance(found, toy_stages.Note):
                    assert found.id == name
                    assert file != "records.keys" or found == notes[name]
        except DamagedOutputError:
            pass


@pytest.mark.parametrize("size", range(60))
def test_a_key_file_cut_off_anywhere_says_so_for_what_it_lost(tmp_path, size):
    notes = stored(tmp_path, ["a", "b", "c", "d"])
    path = tmp_path / "records.keys"
    whole = path.read_bytes()
    kept = whole[: min(size, len(whole) - 1)]
    path.write_bytes(kept)
    left = kept.count(b"\n") if kept.endswith(b"\n") else 0
    for at, note in enumerate(notes):
        found = said(Output(tmp_path, toy_stages.Note).find, note.id)
        assert found == note if at < left else isinstance(found, DamagedOutputError)
    assert isinstance(said(Output(tmp_path, toy_stages.Note).find, "zzz"), DamagedOutputError)


def test_the_error_names_the_file_and_the_command_that_makes_it_again(tmp_path):
    folder = tmp_path / "questions" / "0123"
    folder.mkdir(parents=True)
    stored(folder, ["a"])
    (folder / "records.keys").write_bytes(b"")
    with pytest.raises(DamagedOutputError, match=r"0123/records\.keys: 0 keys for 1 records") as error:
        Output(folder, toy_stages.Note).find("a")
    assert "wdw-build run questions --force" in error.value.hint
    assert error.value.exit_code == 1


def test_keys_that_are_not_sorted_are_an_error_when_they_are_read_in_order(tmp_path):
    (tmp_path / "keys").write_bytes(b'"b"\t0\t0\t5\n"a"\t0\t5\t7\n')
    with pytest.raises(DamagedOutputError, match=r"byte 10 .*order"):
        list(KeyFile(tmp_path / "keys"))

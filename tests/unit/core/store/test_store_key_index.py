"""Look-ups by id: every stored id is found at its line, no other id is found, and damage is never an answer."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages
from wdw_build.core.store import jsonl
from wdw_build.core.store import output as store
from wdw_build.core.store.key_index import FileBytes, KeyFile, KeyLines, key_of, write_keys
from wdw_build.core.store.manifest import Manifest, write
from wdw_build.core.store.output import Output, write_parts
from wdw_build.errors import CorpusError, DamagedOutputError, WdwError

IDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), unique=True, max_size=60)


def keys(path, names):
    """Write a key file for lines as long as their ids; returns the expected locations."""
    offset, entries = 0, []
    for name in names:
        entries.append((key_of(name), offset, len(key_of(name))))
        offset += len(key_of(name))
    write_keys(path, 3, entries)
    return {name: (3, *entry[1:]) for name, entry in zip(names, entries, strict=True)}


@settings(deadline=None)
@given(IDS, IDS)
def test_every_stored_id_is_found_and_no_other(present, asked):
    with tempfile.TemporaryDirectory() as folder:
        expected = keys(Path(folder, "keys"), present)
        found = KeyFile(Path(folder, "keys"))
        assert {name: found.find(name).location for name in present} == expected
        assert all((found.find(name).location is None) == (name not in expected) for name in asked)


@pytest.mark.parametrize("near", ["", "a", "ab", "abc ", "abc\t", "abc\n", "abcd", "ab\\", 'abc"', "ABC", "abç"])
def test_an_id_that_resembles_a_stored_one_is_not_found(tmp_path, near):
    keys(tmp_path / "keys", ["abc", "abe", "b"])
    assert KeyFile(tmp_path / "keys").find(near).location is None


def test_an_empty_key_file_finds_nothing(tmp_path):
    keys(tmp_path / "keys", [])
    assert KeyFile(tmp_path / "keys").find("a").location is None


def stored(folder, names):
    """A stage output of notes with these ids, in parts of seven."""
    notes = [toy_stages.Note(id=name, value=number) for number, name in enumerate(names)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", 7)
        parts = write_parts(folder, (jsonl.encode(note) for note in notes))
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
            content_hash="",
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


def damaged_copy(content, cut, changes):
    """The bytes up to ``cut``, with some changed; positions are shares of the length."""
    left = bytearray(content[: round(cut * len(content))])
    for share, value in changes:
        if left:
            left[min(int(share * len(left)), len(left) - 1)] = value
    return bytes(left)


SHARES = st.floats(0, 1)
CHANGES = st.lists(st.tuples(SHARES, st.integers(0, 255)), max_size=4)
CUTS = st.one_of(st.just(1.0), SHARES)


def outcome(look_up, name):
    """The result of a look-up, or the error that it raises."""
    try:
        return look_up(name)
    except (DamagedOutputError, CorpusError) as error:
        return error


@settings(deadline=None, max_examples=400)
@given(IDS, IDS, st.sampled_from(["records.keys", "part-00000.jsonl"]), CUTS, CHANGES)
def test_a_look_up_in_damaged_files_gives_the_record_or_an_error_and_none_only_if_there_is_no_record(
    names, absent, file, cut, changes
):
    with tempfile.TemporaryDirectory() as folder:
        notes = {note.id: note for note in stored(Path(folder), names)}
        path = Path(folder, file)
        path.write_bytes(damaged_copy(path.read_bytes(), cut, changes))
        try:
            output = Output(Path(folder), toy_stages.Note)
            for name in {*names, *absent}:
                found = outcome(output.find, name)
                assert isinstance(found, WdwError) or (found is None) == (name not in notes)
                if isinstance(found, toy_stages.Note):
                    assert found == notes[name]
        except DamagedOutputError:
            pass


@pytest.mark.parametrize("size", range(60))
def test_a_truncated_key_file_raises_an_error_for_every_id_that_it_lost(tmp_path, size):
    notes = stored(tmp_path, ["a", "b", "c", "d"])
    path = tmp_path / "records.keys"
    whole = path.read_bytes()
    kept = whole[: min(size, len(whole) - 1)]
    path.write_bytes(kept)
    left = kept.count(b"\n") if kept.endswith(b"\n") else 0
    for at, note in enumerate(notes):
        found = outcome(Output(tmp_path, toy_stages.Note).find, note.id)
        assert found == note if at < left else isinstance(found, DamagedOutputError)
    assert isinstance(outcome(Output(tmp_path, toy_stages.Note).find, "zzz"), DamagedOutputError)


@pytest.mark.parametrize("folder", ["store/questions/0123", "runs/careful/questions"])
def test_the_error_names_the_file_and_the_command_that_repairs_it(tmp_path, folder):
    folder = tmp_path / folder
    folder.mkdir(parents=True)
    stored(folder, ["a"])
    (folder / "records.keys").write_bytes(b"")
    with pytest.raises(DamagedOutputError, match=r"/records\.keys: 0 keys for 1 records") as error:
        Output(folder, toy_stages.Note).find("a")
    assert "wdw-build run questions --force" in error.value.hint
    assert error.value.exit_code == 1


def test_a_key_that_names_the_part_after_the_last_is_an_error_that_names_the_key_file(tmp_path):
    stored(tmp_path, ["a"])
    keys = tmp_path / "records.keys"
    keys.write_bytes(keys.read_bytes().replace(b"\t0\t0\t", b"\t1\t0\t"))
    with pytest.raises(DamagedOutputError, match=r"records\.keys: it names part 1 of 1"):
        Output(tmp_path, toy_stages.Note).find("a")


def test_reading_unsorted_keys_in_order_raises_an_error(tmp_path):
    (tmp_path / "keys").write_bytes(b'"b"\t0\t0\t5\n"a"\t0\t5\t7\n')
    with pytest.raises(DamagedOutputError, match=r"byte 10 .*order"):
        list(KeyFile(tmp_path / "keys"))


def test_a_key_file_is_read_in_order(tmp_path):
    (tmp_path / "keys").write_bytes(b'"a"\t0\t0\t5\n"b c"\t1\t5\t7\n')
    assert list(KeyFile(tmp_path / "keys")) == [(b'"a"', (0, 0, 5)), (b'"b c"', (1, 5, 7))]


def test_a_search_ends_if_the_file_was_truncated_after_it_was_opened(tmp_path):
    stored(tmp_path, [f"{number:06d}" for number in range(5000)])
    path = tmp_path / "records.keys"
    output = Output(tmp_path, toy_stages.Note)
    assert output.find("000000").value == 0
    with path.open("r+b") as stream:
        stream.truncate(5000)
    found = {name: outcome(output.find, name) for name in ("000100", "001700", "002500", "004000", "004999")}
    assert all(isinstance(each, DamagedOutputError) or each.id == name for name, each in found.items())
    assert isinstance(found["004000"], DamagedOutputError)
    with pytest.raises(DamagedOutputError, match="no line ends after byte"):
        list(output._keys)


def test_a_search_ends_at_lines_without_an_end(tmp_path):
    path = tmp_path / "keys"
    path.write_bytes(b'"a"\t1\n"b"\t2')
    with path.open("rb") as stream:
        lines = KeyLines(path, 1, FileBytes(stream.fileno(), 0, 11))
        with pytest.raises(DamagedOutputError, match="no line ends after byte 6"):
            lines.line_at(6)
        with pytest.raises(DamagedOutputError, match="no line ends after byte 6"):
            lines.lower_bound(b'"c"')

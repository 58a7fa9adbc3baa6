"""Look-ups by id: every stored id is found at its line, no other id is found, and damage is never an answer."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages
from wdw_build.core.store import jsonl
from wdw_build.core.store import output as store
from wdw_build.core.store.file_list import write_file_list
from wdw_build.core.store.key_index import KeyIndex, key_of, write_keys
from wdw_build.core.store.manifest import Manifest, write
from wdw_build.core.store.output import Output, write_parts
from wdw_build.errors import CorpusError, DamagedOutputError, WdwError

IDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), unique=True, max_size=60)


def keys(path, names):
    """Write an index of lines as long as their ids; returns the expected locations."""
    offset, rows = 0, []
    for name in names:
        rows.append((key_of(name), 3, offset, len(key_of(name))))
        offset += len(key_of(name))
    assert write_keys(path, rows) == len(names)
    return {name: [row[1:]] for name, row in zip(names, rows, strict=True)}


@settings(deadline=None)
@given(IDS, IDS)
def test_every_stored_id_is_found_and_no_other(present, asked):
    with tempfile.TemporaryDirectory() as folder:
        expected = keys(Path(folder, "keys"), present)
        found = KeyIndex(Path(folder, "keys"))
        assert {name: found.find(name) for name in present} == expected
        assert all((not found.find(name)) == (name not in expected) for name in asked)


@pytest.mark.parametrize("near", ["", "a", "ab", "abc ", "abc\t", "abc\n", "abcd", "ab\\", 'abc"', "ABC", "abç"])
def test_an_id_that_resembles_a_stored_one_is_not_found(tmp_path, near):
    keys(tmp_path / "keys", ["abc", "abe", "b"])
    assert not KeyIndex(tmp_path / "keys").find(near)


def test_an_empty_index_finds_nothing(tmp_path):
    keys(tmp_path / "keys", [])
    assert not KeyIndex(tmp_path / "keys").find("a")


def stored(folder, names):
    """A stage output of notes with these ids, in parts of seven."""
    notes = [toy_stages.Note(id=name, value=number) for number, name in enumerate(names)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", 7)
        parts = write_parts(folder, (jsonl.encode(note) for note in notes))
    write_file_list(folder, {})
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


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_truncated_index_raises_an_error_for_every_id_that_it_lost_and_for_every_absent_id(tmp_path, share):
    notes = stored(tmp_path, [f"{number:04d}" for number in range(400)])
    path = tmp_path / "records.keys"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    for note in notes:
        found = outcome(Output(tmp_path, toy_stages.Note).find, note.id)
        assert found == note or isinstance(found, DamagedOutputError)
    assert isinstance(outcome(Output(tmp_path, toy_stages.Note).find, "zzz"), DamagedOutputError)


@pytest.mark.parametrize("folder", ["store/questions/0123", "runs/careful/questions"])
def test_the_error_names_the_file_and_the_command_that_repairs_it(tmp_path, folder):
    folder = tmp_path / folder
    folder.mkdir(parents=True)
    stored(folder, ["a"])
    (folder / "records.keys").write_bytes(b"")
    with pytest.raises(DamagedOutputError, match=r"/records\.keys: ") as error:
        Output(folder, toy_stages.Note).find("a")
    assert "wdw-build run questions --force" in error.value.hint
    assert error.value.exit_code == 1


@pytest.mark.parametrize(
    ("location", "fault"), [((1, 0, 9), "it names part 1 of 1"), ((0, -1, 9), "Expected `int` >= 0")]
)
def test_a_row_that_leads_nowhere_is_an_error_that_names_the_index(tmp_path, location, fault):
    stored(tmp_path, ["a"])
    (tmp_path / "records.keys").unlink()
    write_keys(tmp_path / "records.keys", [(key_of("a"), *location)])
    with pytest.raises(DamagedOutputError, match=rf"records\.keys: {fault}"):
        Output(tmp_path, toy_stages.Note).find("a")


def test_an_index_is_read_in_the_order_of_the_keys(tmp_path):
    write_keys(tmp_path / "keys", [(key_of("b c"), 1, 5, 7), (key_of("a"), 0, 0, 5)])
    write_file_list(tmp_path, {})
    assert list(KeyIndex(tmp_path / "keys")) == [(b'"a"', (0, 0, 5)), (b'"b c"', (1, 5, 7))]


def test_a_changed_index_is_not_read_in_order(tmp_path):
    write_keys(tmp_path / "keys", [(key_of("a"), 0, 0, 5)])
    write_file_list(tmp_path, {})
    content = (tmp_path / "keys").read_bytes()
    (tmp_path / "keys").write_bytes(content.replace(b'"a"', b'"b"'))
    with pytest.raises(DamagedOutputError, match="keys: the file is not as it was written"):
        list(KeyIndex(tmp_path / "keys"))


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


def test_an_index_is_the_same_whenever_and_wherever_it_is_written(tmp_path):
    rows = [(key_of(f"{number * 7919 % 5000:06d}"), 0, number, 9) for number in range(5000)]
    for name in "ab":
        write_keys(tmp_path / name, rows)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()

"""Stage outputs: parts, index and hashes; look-ups by id and by number; the lock; commit by one rename; links."""

import hashlib
import pickle
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages as toys
from wdw_build.core.store import jsonl
from wdw_build.core.store import output as store
from wdw_build.core.store.atomic_output import commit
from wdw_build.core.store.output import Output, OutputWriter, final_folder, link, locked, staging_folder
from wdw_build.errors import UsageError
from wdw_build.records import Rejection

IDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=40)


def written(folder, ids, rejected=(), part=7):
    """An output of notes with these ids, in small parts; each rejection has its number as its detail."""
    notes = [toys.Note(id=name, value=number) for number, name in enumerate(dict.fromkeys(ids))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", part)
        writer = OutputWriter(Path(folder))
        for note in notes:
            assert writer.add(jsonl.encode(note))
        for number, name in enumerate(rejected):
            writer.reject(jsonl.encode(Rejection(id=name, reason="r", detail=str(number))))
        writer.finish(toys.job(toys.source()).ingredients, {"r": len(rejected)})
    return notes, Output(Path(folder), toys.Note)


@pytest.mark.parametrize("count", [0, 1, 6, 7, 8, 14, 15, 30])
def test_parts_hold_all_records_in_order_with_their_counts_and_hashes(tmp_path, count):
    notes, output = written(tmp_path, map(toys.name, range(count)))
    parts = output.manifest.parts
    assert len(parts) == max(1, -(-count // 7))
    assert sum(part.records for part in parts) == output.manifest.written == count
    contents = [(tmp_path / part.name).read_bytes() for part in parts]
    assert b"".join(contents) == b"".join(map(jsonl.encode, notes))
    for part, content in zip(parts, contents, strict=True):
        assert (part.bytes, part.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    assert list(output.records()) == notes
    for first in range(count):
        assert list(output.records_from(first, 10)) == notes[first : first + 10]


@settings(deadline=None)
@given(IDS, IDS, IDS)
def test_every_record_and_rejection_is_found_by_its_id_and_nothing_else_is(ids, rejected, asked):
    with tempfile.TemporaryDirectory() as folder:
        notes, output = written(folder, ids, rejected)
        by_id = {note.id: note for note in notes}
        for name in {*ids, *rejected, *asked}:
            assert output.find(name) == by_id.get(name)
            found = [int(rejection.detail) for rejection in output.rejections_of(name)]
            assert found == [number for number, other in enumerate(rejected) if other == name]
        assert [rejection.id for rejection in output.rejections()] == rejected


def test_a_record_whose_id_an_earlier_record_has_is_not_added(tmp_path):
    writer = OutputWriter(tmp_path)
    lines = [jsonl.encode(toys.Note(id=name, value=value)) for value, name in enumerate("aba")]
    assert [writer.add(line) for line in lines] == [True, True, False]
    writer.finish(toys.job(toys.source()).ingredients, {})
    assert [note.value for note in Output(tmp_path, toys.Note).records()] == [0, 1]


def test_an_index_is_the_same_whenever_it_is_written(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        written(tmp_path / name, [f"{number * 7919 % 5000:06d}" for number in range(5000)], ["a", "b"])
    assert (tmp_path / "a" / "index.sqlite").read_bytes() == (tmp_path / "b" / "index.sqlite").read_bytes()


def test_reading_a_missing_output_names_the_command_that_makes_it(tmp_path):
    with pytest.raises(UsageError, match="no stage output in") as caught:
        list(Output(tmp_path, toys.Note).records())
    assert "wdw-build run" in caught.value.hint


def test_a_pickled_output_leaves_its_open_files_behind(tmp_path):
    output = toys.make(tmp_path, toys.job(toys.source()))
    assert output.find(toys.name(5)).value == 5
    again = pickle.loads(pickle.dumps(output))
    assert again == output
    assert again.find(toys.name(6)).value == 6


def test_each_output_has_its_own_lock(tmp_path):
    outputs = [("toy", "f"), ("toy", "g"), ("other", "f")]
    with locked(tmp_path, *outputs[0]), locked(tmp_path, *outputs[1]), locked(tmp_path, *outputs[2]):
        for output in outputs:
            with pytest.raises(UsageError, match="another wdw-build process is running"), locked(tmp_path, *output):
                pass


def test_a_commit_renames_the_folder_and_replaces_an_older_one(tmp_path):
    for content in ("old", "new"):
        staging, final = staging_folder(tmp_path, "toy", "f"), final_folder(tmp_path, "toy", "f")
        staging.mkdir(parents=True)
        (staging / content).touch()
        commit(staging, final)
        assert not staging.exists()
        assert [path.name for path in final.iterdir()] == [content]
        assert [path.name for path in final.parent.iterdir()] == ["f"]


def test_a_link_is_relative_and_points_to_the_newest_output(tmp_path):
    for fingerprint in ("f", "g"):
        final = final_folder(tmp_path, "toy", fingerprint)
        final.mkdir(parents=True)
        path = link(tmp_path / "runs" / "run" / "toy", final)
        assert path.resolve() == final.resolve()
        assert not path.readlink().is_absolute()
    assert [entry.name for entry in path.parent.iterdir()] == ["toy"]
    moved = tmp_path.rename(tmp_path.with_name("moved"))
    assert (moved / "runs" / "run" / "toy").resolve() == (moved / "store" / "toy" / "g").resolve()


def test_the_new_link_of_a_process_that_was_killed_before_its_rename_is_replaced(tmp_path):
    final = final_folder(tmp_path, "toy", "f")
    final.mkdir(parents=True)
    runs = tmp_path / "runs" / "run"
    runs.mkdir(parents=True)
    (runs / ".toy.new").symlink_to(final)
    link(runs / "toy", final)
    assert sorted(entry.name for entry in runs.iterdir()) == ["toy"]


def test_a_folder_in_the_place_of_a_link_is_kept_if_it_is_a_copy_and_otherwise_an_error_names_it(tmp_path):
    output = toys.make(tmp_path, toys.job(toys.source()))
    place = tmp_path / "runs" / "toy" / "source"
    place.unlink()
    shutil.copytree(output.folder, place)
    assert link(place, output.folder) == place
    assert place.is_dir()
    assert not place.is_symlink()
    (place / "manifest.json").unlink()
    with pytest.raises(UsageError, match="runs/toy/source is not a link to an output"):
        link(place, output.folder)
    assert any(place.iterdir())


def test_the_lock_excludes_other_processes_until_it_is_released(tmp_path):
    code = (
        "import sys; from pathlib import Path; from wdw_build.core.store.output import locked\n"
        "from wdw_build.errors import UsageError\n"
        "try:\n    locked(Path(sys.argv[1]), 'toy', 'f').__enter__()\n"
        "except UsageError as error: print(error.message)\nelse: print('free')"
    )

    def other():
        return subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True).stdout

    with locked(tmp_path, "toy", "f"):
        assert "another wdw-build process is running stage toy" in other()
    assert other() == "free\n"

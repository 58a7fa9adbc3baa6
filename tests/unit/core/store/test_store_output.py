"""Stage outputs: parts with marks, keys and hashes; the lock; commit by one rename; links."""

import hashlib
import pickle
import shutil
import subprocess
import sys

import pytest

from support import toy_stages
from wdw_build.core.store import jsonl
from wdw_build.core.store import output as store
from wdw_build.core.store.atomic_output import commit
from wdw_build.core.store.output import (
    Output,
    final_folder,
    link,
    locked,
    staging_folder,
    write_parts,
)
from wdw_build.core.store.part_slice import MARK_EVERY
from wdw_build.errors import UsageError
from wdw_build.pipeline import STAGES


def lines(count):
    return [jsonl.encode(toy_stages.Note(id=toy_stages.name(number), value=number)) for number in range(count)]


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 128, 129, 300])
def test_parts_hold_all_records_in_order_with_correct_hashes_and_marks(tmp_path, monkeypatch, count):
    monkeypatch.setattr(store, "PART_RECORDS", 2 * MARK_EVERY)
    parts = write_parts(tmp_path, iter(lines(count)))
    assert len(parts) == max(1, -(-count // 128))
    assert sum(part.records for part in parts) == count
    written = [(tmp_path / part.name).read_bytes() for part in parts]
    assert b"".join(written) == b"".join(lines(count))
    for part, content in zip(parts, written, strict=True):
        assert part.sha256 == hashlib.sha256(content).hexdigest()
        assert part.bytes == len(content)
        assert len(part.seek_offsets) == -(-part.records // MARK_EVERY)
        firsts = [content[mark:].split(b"\n")[0] for mark in part.seek_offsets]
        starts = [jsonl.decode(line, toy_stages.Note, part.name).value for line in firsts]
        first = int(part.name[5:10]) * 128
        assert starts == [first + MARK_EVERY * number for number in range(len(part.seek_offsets))]


def test_the_distance_between_marks_divides_the_block_size_of_every_stage():
    assert all(stage.block % MARK_EVERY == 0 for stage in STAGES)
    assert store.PART_RECORDS % MARK_EVERY == 0


def test_reading_a_missing_output_names_the_command_that_makes_it(tmp_path):
    with pytest.raises(UsageError, match="no stage output in") as caught:
        list(Output(tmp_path, toy_stages.Note).records())
    assert "wdw-build run" in caught.value.hint


def test_a_pickled_output_leaves_its_open_files_behind(tmp_path):
    output = toy_stages.make(tmp_path, toy_stages.job(toy_stages.source()))
    assert output.find(toy_stages.name(5)).value == 5
    again = pickle.loads(pickle.dumps(output))
    assert again == output
    assert again.find(toy_stages.name(6)).value == 6


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


def test_each_output_has_its_own_lock(tmp_path):
    outputs = [("toy", "f"), ("toy", "g"), ("other", "f")]
    with locked(tmp_path, *outputs[0]), locked(tmp_path, *outputs[1]), locked(tmp_path, *outputs[2]):
        for output in outputs:
            with (
                pytest.raises(UsageError, match="another wdw-build process is running stage"),
                locked(tmp_path, *output),
            ):
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
        path = link(tmp_path, "run", "toy", final)
        assert path.resolve() == final.resolve()
        assert not path.readlink().is_absolute()
    assert [entry.name for entry in path.parent.iterdir()] == ["toy"]
    moved = tmp_path.rename(tmp_path.with_name("moved"))
    assert (moved / "runs" / "run" / "toy").resolve() == (moved / "store" / "toy" / "g").resolve()


def test_the_new_link_of_a_process_that_was_killed_before_its_rename_is_removed(tmp_path):
    final = final_folder(tmp_path, "toy", "f")
    final.mkdir(parents=True)
    runs = tmp_path / "runs" / "run"
    runs.mkdir(parents=True)
    (runs / ".toy.1").symlink_to(final)
    (runs / ".toys.1").symlink_to(final)
    link(tmp_path, "run", "toy", final)
    assert sorted(entry.name for entry in runs.iterdir()) == [".toys.1", "toy"]


def test_a_folder_in_the_place_of_a_link_is_kept_if_it_is_a_copy_and_otherwise_an_error_names_it(tmp_path):
    output = toy_stages.make(tmp_path, toy_stages.job(toy_stages.source()))
    place = tmp_path / "runs" / "toy" / "source"
    place.unlink()
    shutil.copytree(output.folder, place)
    assert link(tmp_path, "toy", "source", output.folder) == place
    assert place.is_dir()
    assert not place.is_symlink()
    (place / "manifest.json").unlink()
    with pytest.raises(UsageError, match="runs/toy/source is not a link to an output"):
        link(tmp_path, "toy", "source", output.folder)
    assert any(place.iterdir())

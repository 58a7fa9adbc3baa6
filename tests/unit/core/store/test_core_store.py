"""The store: parts with marks, keys and hashes; a lock; one rename; links."""

import hashlib
import pickle
import subprocess
import sys

import pytest

from support import toy_stages
from wdw_build.core.store import jsonl
from wdw_build.core.store import output as store
from wdw_build.core.store.output import (
    MARK_EVERY,
    Output,
    PartWriter,
    commit,
    final_folder,
    link,
    locked,
    staging_folder,
)
from wdw_build.errors import UsageError
from wdw_build.stages import choices, questions


def lines(count):
    return [jsonl.encode(toy_stages.Note(id=toy_stages.name(number), value=number)) for number in range(count)]


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 128, 129, 300])
def test_parts_hold_all_records_in_order_with_true_hashes_and_marks(tmp_path, monkeypatch, count):
    monkeypatch.setattr(store, "PART_RECORDS", 2 * MARK_EVERY)
    parts = PartWriter(tmp_path).write(iter(lines(count)))
    assert len(parts) == max(1, -(-count // 128))
    assert sum(part.records for part in parts) == count
    written = [(tmp_path / part.name).read_bytes() for part in parts]
    assert b"".join(written) == b"".join(lines(count))
    for part, content in zip(parts, written, strict=True):
        assert part.sha256 == hashlib.sha256(content).hexdigest()
        assert part.bytes == len(content)
        assert len(part.marks) == -(-part.records // MARK_EVERY)
        starts = [next(jsonl.read(tmp_path / part.name, toy_stages.Note, mark, 1)).value for mark in part.marks]
        first = int(part.name[5:10]) * 128
        assert starts == [first + MARK_EVERY * number for number in range(len(part.marks))]


def test_the_distance_of_marks_divides_every_stages_block():
    assert questions.STAGE.block % MARK_EVERY == 0
    assert choices.STAGE.block % MARK_EVERY == 0
    assert store.PART_RECORDS % MARK_EVERY == 0


def test_a_missing_output_is_reported(tmp_path):
    with pytest.raises(UsageError, match="no stage output in") as caught:
        list(Output(tmp_path, toy_stages.Note).records())
    assert "wdw-build run" in caught.value.hint


def test_an_output_travels_to_workers_without_its_mapped_files(tmp_path):
    output = toy_stages.make(tmp_path, toy_stages.job(toy_stages.source()))
    assert output.find(toy_stages.name(5)).value == 5
    again = pickle.loads(pickle.dumps(output))
    assert again == output
    assert again.find(toy_stages.name(6)).value == 6


def test_the_lock_is_held_against_other_processes_and_given_back(tmp_path):
    code = (
        "import sys; from pathlib import Path; from wdw_build.core.store.output import locked\n"
        "from wdw_build.errors import UsageError\n"
        "try:\n    locked(Path(sys.argv[1]), 'toy', 'f').__enter__()\n"
        "except UsageError as error: print(error.message)\nelse: print('free')"
    )

    def other():
        return subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True).stdout

    with locked(tmp_path, "toy", "f"):
        assert "stage toy is being made by another wdw-build" in other()
    assert other() == "free\n"


def test_each_output_has_a_lock_of_its_own(tmp_path):
    outputs = [("toy", "f"), ("toy", "g"), ("other", "f")]
    with locked(tmp_path, *outputs[0]), locked(tmp_path, *outputs[1]), locked(tmp_path, *outputs[2]):
        for output in outputs:
            with pytest.raises(UsageError, match="is being made"), locked(tmp_path, *output):
                pass


def test_a_commit_gives_the_folder_its_name_and_replaces_an_older_one(tmp_path):
    for content in ("old", "new"):
        staging, final = staging_folder(tmp_path, "toy", "f"), final_folder(tmp_path, "toy", "f")
        staging.mkdir(parents=True)
        (staging / content).touch()
        commit(staging, final)
        assert not staging.exists()
        assert [path.name for path in final.iterdir()] == [content]
        assert [path.name for path in final.parent.iterdir()] == ["f"]


def test_a_link_is_relative_and_is_moved_to_the_newest(tmp_path):
    for fingerprint in ("f", "g"):
        final = final_folder(tmp_path, "toy", fingerprint)
        final.mkdir(parents=True)
        path = link(tmp_path, "run", "toy", final)
        assert path.resolve() == final.resolve()
        assert not path.readlink().is_absolute()
    assert [entry.name for entry in path.parent.iterdir()] == ["toy"]
    moved = tmp_path.rename(tmp_path.with_name("moved"))
    assert (moved / "runs" / "run" / "toy").resolve() == (moved / "store" / "toy" / "g").resolve()

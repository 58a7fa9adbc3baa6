"""Tasks and outputs after a power failure: what is declared done is on the disk, and what is not done is done again."""

import errno
import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import toy_stages
from wdw_build.core.stage import RUN
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output, commit, replace_file
from wdw_build.core.store.output import locked
from wdw_build.core.store.segments import Segments
from wdw_build.core.tasks.job import Job
from wdw_build.core.tasks.merging import PartTask, ShardSlice
from wdw_build.core.tasks.stage_tasks import RECORDS, REJECTIONS, step_folder
from wdw_build.core.tasks.task import perform, result_of
from wdw_build.errors import DamagedOutputError, StageError, UsageError


class Disk:
    """Notes which files were changed after their last synchronization, from the calls that a process makes."""

    def __init__(self, patch):
        self.synced, self.violations = {}, []
        self._fsync, self._rename, self._replace = os.fsync, Path.rename, Path.replace
        patch.setattr(os, "fsync", self.fsync)
        patch.setattr(Path, "rename", lambda path, target: self.rename(path, target))
        patch.setattr(Path, "replace", lambda path, target: self.rename(path, target, Path(target).exists()))

    def fsync(self, file):
        stat = os.fstat(file)
        self.synced[stat.st_ino] = (stat.st_size, stat.st_mtime_ns)
        self._fsync(file)

    def rename(self, path, target, replace=False):
        for each in [path, *path.rglob("*")] if path.is_dir() else [path]:
            stat = each.stat()
            if self.synced.get(stat.st_ino) != (stat.st_size, stat.st_mtime_ns) and not self._may_be_lost(each):
                self.violations.append((each, Path(target).name))
        return self._replace(path, target) if replace else self._rename(path, target)

    @staticmethod
    def _may_be_lost(path):
        """The state for ``status``, links (made again), and folders that are moved away to be deleted."""
        return ".running.json" in path.name or path.is_symlink() or ".old-" in path.name


def test_every_file_and_folder_is_on_the_disk_before_the_rename_that_declares_it_done(tmp_path, monkeypatch):
    disk = Disk(monkeypatch)
    monkeypatch.setattr("wdw_build.core.run.runner._discard_tasks", lambda staging: None)
    toy_stages.chain(tmp_path, toy_stages.with_steps())
    with atomic_output(tmp_path / "out", replace=False) as folder:
        (folder / "a").write_text("a")
        (folder / "deep").mkdir()
        (folder / "deep" / "b").write_text("b")
    replace_file(tmp_path / "file", b"content")
    segments = Segments(tmp_path / "segments")
    segments.add([("a", b"1")])
    segments.flush()
    assert disk.synced
    assert disk.violations == []


@dataclass(frozen=True)
class Seven:
    """A task with one file."""

    folder: Path
    result_type = int

    def work(self, folder):
        (folder / "data").write_text("new")
        return 7


def commit_a_file(folder):
    (folder / ".new").touch()
    commit(folder / ".new", folder / "new")


RENAMES = [
    commit_a_file,
    lambda folder: replace_file(folder / "new", b""),
    lambda folder: perform(Seven(folder / "new")),
]


@pytest.mark.parametrize("rename", RENAMES, ids=["commit", "replace_file", "perform"])
def test_the_new_name_is_on_the_disk_when_a_rename_returns(tmp_path, monkeypatch, rename):
    named, fsync = [], os.fsync

    def noted(file):
        fsync(file)
        named.append((os.fstat(file).st_ino, (tmp_path / "new").exists()))

    monkeypatch.setattr(os, "fsync", noted)
    rename(tmp_path)
    assert (tmp_path.stat().st_ino, True) in named


@pytest.mark.parametrize("stored", [b"", b"{", b'"text"', b"\xff", b"null"])
def test_a_task_without_a_readable_result_is_done_again(tmp_path, stored):
    made = Seven(tmp_path / "task")
    made.folder.mkdir()
    (made.folder / ".result").write_bytes(stored)
    (made.folder / "data").write_text("old")
    assert result_of(made) is None
    assert perform(made) == 7
    assert result_of(made) == 7
    assert (made.folder / "data").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["task"]


def test_a_folder_without_a_result_is_not_taken_for_the_work_of_another_worker(tmp_path):
    made = Seven(tmp_path / "task")
    made.folder.mkdir()
    (made.folder / "stray").touch()
    assert perform(made) == 7
    assert sorted(path.name for path in made.folder.iterdir()) == [".result", "data"]


def test_the_folder_of_the_worker_that_was_first_stays(tmp_path, monkeypatch):
    made = Seven(tmp_path / "task")

    def work(self, folder):
        if not made.folder.exists():
            made.folder.mkdir()
            (made.folder / ".result").write_text("8")
        return 7

    monkeypatch.setattr(Seven, "work", work)
    assert perform(made) == 8
    assert [path.name for path in made.folder.iterdir()] == [".result"]


def finished_shard(staging, count):
    folder = step_folder(staging, RUN) / "00000"
    folder.mkdir(parents=True)
    notes = [toy_stages.Note(id=toy_stages.name(number), value=number) for number in range(count)]
    (folder / RECORDS).write_bytes(b"".join(map(jsonl.encode, notes)))
    return folder


@pytest.mark.parametrize("lost", ["records", "bytes"])
def test_a_shard_that_lost_records_after_it_was_finished_is_not_merged(tmp_path, lost):
    records = finished_shard(tmp_path, 100) / RECORDS
    lines = records.read_bytes().splitlines(keepends=True)
    records.write_bytes(b"".join(lines[:60]) if lost == "records" else b"".join(lines)[:-1])
    (tmp_path / "part").mkdir()
    with pytest.raises(DamagedOutputError, match="the shard has lost records") as caught:
        PartTask(tmp_path, 0, (ShardSlice("00000", 0, 100),)).work(tmp_path / "part")
    assert str(tmp_path) in caught.value.hint


def test_rejections_that_were_lost_after_their_shard_was_finished_end_the_stage(tmp_path, monkeypatch):
    def begin(staging, shards):
        if len(shards) > 1:
            (step_folder(staging, RUN) / shards[3] / REJECTIONS).write_bytes(b"")

    monkeypatch.setattr("wdw_build.core.run.runner.begin_merge", begin)
    with pytest.raises(
        DamagedOutputError, match=r"the shards wrote 666 records and 334 rejections, but .* 666 and 31\d"
    ):
        toy_stages.chain(tmp_path, toy_stages.mapped(toy_stages.double))


def test_a_stage_whose_shards_read_fewer_records_than_its_input_has_is_not_committed(tmp_path, monkeypatch):
    cut = Job.shards
    monkeypatch.setattr(Job, "shards", lambda job, most: cut(job, most)[:-1] if job.stage.reads else cut(job, most))
    with pytest.raises(StageError, match="records of source were read, but it has 1000"):
        toy_stages.chain(tmp_path, toy_stages.mapped(toy_stages.double))


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_refused(tmp_path, monkeypatch, code):
    def flock(*arguments):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(UsageError, match="has no file locks") as caught, locked(tmp_path, "toy", "f"):
        pass
    assert "output_dir" in caught.value.hint

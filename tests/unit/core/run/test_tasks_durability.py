"""Tasks and outputs after a power failure: what is declared done is on the disk, and what is not done is done again."""

import os
from pathlib import Path

import msgspec
import pytest

from support import toy_stages as toys
from wdw_build.core.progress import Progress
from wdw_build.core.run.staging import Staging, finished
from wdw_build.core.run.task import RECORDS, REJECTIONS, Job, StageTask, cut, perform
from wdw_build.core.stage import RUN
from wdw_build.core.store.atomic_output import atomic_output, commit, replace_file
from wdw_build.errors import DamagedOutputError, StageError


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
            if self.synced.get(stat.st_ino) != (stat.st_size, stat.st_mtime_ns) and not self._may_be_lost(each, target):
                self.violations.append((each, Path(target).name))
        return self._replace(path, target) if replace else self._rename(path, target)

    @staticmethod
    def _may_be_lost(path, target):
        """Links (made again), and folders that are moved away to be deleted."""
        return path.is_symlink() or ".old-" in path.name or ".unused-" in Path(target).name


def test_every_file_and_folder_is_on_the_disk_before_the_rename_that_declares_it_done(tmp_path, monkeypatch):
    disk = Disk(monkeypatch)
    toys.chain(tmp_path, toys.WITH_STEPS)
    with atomic_output(tmp_path / "out", replace=False) as folder:
        (folder / "a").write_text("a")
        (folder / "deep").mkdir()
        (folder / "deep" / "b").write_text("b")
    replace_file(tmp_path / "file", b"content")
    assert disk.synced
    assert disk.violations == []


def commit_a_folder(folder):
    (folder / ".new").mkdir()
    commit(folder / ".new", folder / "new")


RENAMES = [commit_a_folder, lambda folder: replace_file(folder / "new", b"")]


@pytest.mark.parametrize("rename", RENAMES, ids=["commit", "replace_file"])
def test_the_new_name_is_on_the_disk_when_a_rename_returns(tmp_path, monkeypatch, rename):
    named, fsync = [], os.fsync

    def noted(file):
        fsync(file)
        named.append((os.fstat(file).st_ino, (tmp_path / "new").exists()))

    monkeypatch.setattr(os, "fsync", noted)
    rename(tmp_path)
    assert (tmp_path.stat().st_ino, True) in named


@pytest.fixture
def task(tmp_path):
    """The second shard of a toy stage."""
    source = toys.make(tmp_path, toys.job(toys.source()))
    job, progress = toys.job(toys.mapped(toys.double), {"source": source}), Progress("quiet")
    bar = progress.bar("double", 64, "records")
    return StageTask(job, cut(source, 64)[1], Staging(tmp_path / "staging"), progress, bar)


@pytest.mark.parametrize("stored", [None, b"", b"{", b'"text"', b"\xff", b"null"])
def test_a_task_without_a_readable_result_is_done_again(task, stored):
    task.folder.mkdir(parents=True)
    (task.folder / "stray").touch()
    if stored is not None:
        (task.folder / ".result").write_bytes(stored)
    assert finished(task.folder) is None
    tally = perform(task)
    assert (tally.read, tally.written) == (64, 43)
    assert finished(task.folder) == tally
    assert {path.name for path in task.folder.iterdir()} == {".result", ".records", ".rejections", ".places"}
    assert [path.name for path in task.folder.parent.iterdir()] == [task.folder.name]


def test_the_folder_of_the_worker_that_was_first_stays(task, monkeypatch):
    work = StageTask.work

    def second(self, folder):
        monkeypatch.setattr(StageTask, "work", work)
        first = perform(task)
        (task.folder / "first").touch()
        work(self, folder)
        return msgspec.structs.replace(first, devices=("cuda",))

    monkeypatch.setattr(StageTask, "work", second)
    assert perform(task).devices == ()
    assert (task.folder / "first").exists()


@pytest.mark.parametrize("name", [RECORDS, REJECTIONS])
@pytest.mark.parametrize("lost", ["lines", "bytes"])
def test_a_finished_shard_that_lost_lines_is_not_merged_and_is_computed_again(tmp_path, monkeypatch, name, lost):
    job = toys.job(toys.mapped(toys.double), {"source": toys.make(tmp_path, toys.job(toys.source()))})
    staging, _ = toys.places(tmp_path, job)
    with monkeypatch.context() as patch:
        patch.setattr("wdw_build.core.run.runner.OutputWriter", lambda _: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            toys.make(tmp_path, job)
    path = sorted(Staging(staging).step(RUN).iterdir())[3] / name
    path.write_bytes(path.read_bytes()[: -1 if lost == "bytes" else path.read_bytes().index(b"\n") + 1])
    with pytest.raises(DamagedOutputError, match="the shards wrote 666 records and 334 rejections, but") as caught:
        toys.make(tmp_path, job)
    assert "the same command again" in caught.value.hint
    assert toys.make(tmp_path, job).manifest.written == 666


def test_a_stage_whose_shards_read_fewer_records_than_its_input_has_is_not_committed(tmp_path, monkeypatch):
    cut = Job.shards
    monkeypatch.setattr(Job, "shards", lambda job, *given: cut(job, *given)[: -1 if job.stage.reads else None])
    with pytest.raises(StageError, match="records of source were read, but it has 1000"):
        toys.chain(tmp_path, toys.mapped(toys.double))

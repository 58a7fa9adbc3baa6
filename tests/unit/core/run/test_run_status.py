"""The state of a stage that runs, as other machines see it."""

import os

import pytest

from support import toy_stages
from wdw_build.core.run import run_status
from wdw_build.core.run.run_status import LiveState, Running, read_status


def test_a_run_is_seen_with_its_step_and_its_finished_tasks(tmp_path):
    state = LiveState(tmp_path, "3 processes on this machine")
    with state.shown():
        state.step("run", 7, 2)
        state.task_done()
        state._write()
        found = read_status(tmp_path)
        assert found.is_alive
        assert (found.state.step, found.state.done, found.state.tasks) == ("run", 3, 7)
        assert (found.state.pid, found.state.engine) == (os.getpid(), "3 processes on this machine")


def test_a_run_that_raised_says_why_and_is_not_alive(tmp_path):
    state = LiveState(tmp_path, "")
    with pytest.raises(KeyboardInterrupt), state.shown():
        raise KeyboardInterrupt
    found = read_status(tmp_path)
    assert (found.state.ended, found.is_alive) == ("KeyboardInterrupt", False)


def test_a_silent_run_is_not_alive(tmp_path):
    with LiveState(tmp_path, "").shown():
        pass
    path = tmp_path / run_status._FILE
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - run_status.SILENT_SECONDS - 1))
    assert not read_status(tmp_path).is_alive


def test_a_folder_without_a_run_and_a_damaged_file_show_nothing(tmp_path):
    assert read_status(tmp_path) is None
    (tmp_path / run_status._FILE).write_bytes(b'{"host": ')
    assert read_status(tmp_path) is None


def test_a_finished_stage_leaves_no_state_and_a_failed_one_does(tmp_path):
    made = toy_stages.chain(tmp_path, toy_stages.mapped(toy_stages.double))
    assert not list(made.folder.glob(".*"))
    stage = toy_stages.mapped(toy_stages.explode)
    with pytest.raises(Exception, match="explode stopped"):
        toy_stages.chain(tmp_path, stage)
    (staging,) = (tmp_path / "store" / "explode").glob(".*.staging")
    state = read_status(staging).state
    assert isinstance(state, Running)
    assert (state.ended, state.tasks, state.done) == ("StageError", 16, 700 // 64)

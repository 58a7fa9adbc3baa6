"""The state of a stage that runs, as other machines see it."""

import os

import pytest

from support import toy_stages
from wdw_build.core.run import run_status
from wdw_build.core.run.run_status import LiveState, read_status
from wdw_build.core.store.output import locked, staging_folder

KEY = "toy", "0" * 16


@pytest.fixture
def staging(tmp_path):
    folder = staging_folder(tmp_path, *KEY)
    folder.mkdir(parents=True)
    return folder


def test_a_run_is_seen_with_its_step_and_its_finished_tasks_and_is_alive_while_it_holds_the_lock(tmp_path, staging):
    state = LiveState(staging, "3 processes on this machine")
    with locked(tmp_path, *KEY), state.shown():
        state.step("run", 7, 2)
        state.task_done()
        found = read_status(tmp_path, *KEY)
        assert found.is_alive
        assert (found.state.step, found.state.done, found.state.tasks) == ("run", 3, 7)
        assert (found.state.pid, found.state.engine) == (os.getpid(), "3 processes on this machine")
    assert not read_status(tmp_path, *KEY).is_alive


def test_a_run_that_raised_says_why(tmp_path, staging):
    with pytest.raises(KeyboardInterrupt), LiveState(staging, "").shown():
        raise KeyboardInterrupt
    assert read_status(tmp_path, *KEY).state.ended == "KeyboardInterrupt"


def test_a_folder_without_a_run_and_a_damaged_file_show_nothing(tmp_path, staging):
    assert read_status(tmp_path, *KEY) is None
    (staging / run_status._FILE).write_bytes(b'{"host": ')
    assert read_status(tmp_path, *KEY) is None


def test_a_finished_stage_leaves_no_state_and_a_failed_one_does(tmp_path):
    made = toy_stages.chain(tmp_path, toy_stages.mapped(toy_stages.double))
    assert not list(made.folder.parent.glob(".*.staging"))
    with pytest.raises(Exception, match="explode stopped"):
        toy_stages.chain(tmp_path, toy_stages.mapped(toy_stages.explode))
    (folder,) = (tmp_path / "store" / "explode").glob(".*.staging")
    state = read_status(tmp_path, "explode", folder.name.split(".")[1]).state
    assert (state.ended, state.tasks, state.done) == ("StageError", 16, 700 // 64)

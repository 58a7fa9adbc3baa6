"""The local engine: in order, counted, and its workers never outlive it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import toy_stages as toys
from wdw_build.core.engine.engines import LocalEngine, WorkerDiedError
from wdw_build.errors import WdwError


def start(root, *arguments):
    """``toy_stages.main`` with its marks in ``root``."""
    return toys.start(root, *arguments, TOYS=str(root))


def sitting(root, count):
    """The process ids of the workers that sit, once there are ``count``."""
    toys.eventually(lambda: len(list(root.glob("sitting-*"))) >= count)
    return [int(path.name.removeprefix("sitting-")) for path in root.glob("sitting-*")]


def test_one_worker_is_this_process():
    with LocalEngine(1) as engine:
        assert list(engine.map(toys.square, range(4))) == [(number**2, os.getpid()) for number in range(4)]


def test_two_workers_keep_the_order_and_are_kept_until_the_pool_ends():
    with LocalEngine(2) as engine:
        first = list(engine.map(toys.square, range(20)))
        second = list(engine.map(toys.square, range(5)))
    assert [value for value, _ in first + second] == [number**2 for number in (*range(20), *range(5))]
    own = {pid for _, pid in first + second}
    assert len(own) <= 2
    assert os.getpid() not in own
    toys.wait_for_end(own)


def test_a_worker_has_one_thread_a_library_and_leaves_ctrl_c_and_the_end_of_the_terminal_to_its_parent():
    with LocalEngine(2) as engine:
        assert set(engine.map(toys.threads, range(2))) == {("1", True, True)}
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_worker_that_dies_ends_the_call_and_the_next_call_has_new_workers():
    with LocalEngine(2) as engine:
        with pytest.raises(WorkerDiedError, match="a worker process died"):
            list(engine.map(toys.die, range(4)))
        assert [value for value, _ in engine.map(toys.square, range(3))] == [0, 1, 4]


def test_an_error_ends_the_call_though_other_tasks_never_end():
    with LocalEngine(2) as engine, pytest.raises(ZeroDivisionError) as caught:
        list(engine.map(toys.divide, (0, *range(-50, 0))))
    assert "in divide" in str(caught.value.__cause__)


def test_workers_for_tasks_with_models_share_what_was_loaded_once(tmp_path):
    """In a process of its own, because a process has one fork server."""
    parent = start(tmp_path, "models", "2")
    out, errors = parent.communicate(timeout=300)
    assert parent.returncode == 0, errors
    # The process checks what it says, in order, and ends at the first check that fails.
    assert out.splitlines()[-1] == "it also forks the workers for tasks after them"


def test_tasks_without_models_do_not_wait_until_they_are_loaded(tmp_path):
    parent = start(tmp_path, "prepare", "2")
    pids = sitting(tmp_path, 2)
    parent.kill()
    parent.communicate(timeout=300)
    toys.wait_for_end(pids)


def test_an_error_in_a_worker_keeps_its_hint():
    with pytest.raises(WdwError, match="no 0") as caught, LocalEngine(2) as engine:
        list(engine.map(toys.fail, range(2)))
    assert caught.value.hint == "count again"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_when_their_parent_is_killed(tmp_path, number):
    parent = start(tmp_path, "sit", "2")
    pids = sitting(tmp_path, 2)
    os.kill(parent.pid, number)
    parent.communicate(timeout=300)
    toys.wait_for_end(pids)


def test_ctrl_c_never_hits_a_worker_not_even_while_it_starts(tmp_path):
    parent = start(tmp_path, "sit", "2")
    end = time.monotonic() + 300
    while len(list(tmp_path.glob("sitting-*"))) < 2:
        assert time.monotonic() < end
        assert parent.poll() is None
        for pid in Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGINT)
        time.sleep(0.002)
    pids = sitting(tmp_path, 2)
    parent.kill()
    assert "KeyboardInterrupt" not in parent.communicate(timeout=300)[1]
    toys.wait_for_end(pids)


def test_a_worker_whose_command_has_gone_before_it_sent_the_task_prints_no_traceback():
    """Ctrl-C can come just then: the fork server has begun the worker, and nothing more is sent to it."""
    program = (
        "import multiprocessing, os, time\n"
        "from multiprocessing import forkserver\n"
        "from wdw_build.core.engine.engines import LocalEngine\n"
        "engine = LocalEngine(2)\n"
        "engine.start(print)\n"
        "sentinel, task = forkserver.connect_to_new_process([])\n"
        "forkserver.read_signed(sentinel)\n"
        "os.close(task)\n"
        "os.read(sentinel, 1)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True)
    assert done.stderr == ""

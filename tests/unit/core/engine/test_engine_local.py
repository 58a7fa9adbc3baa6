"""The local engine: in order, counted, and its workers never outlive it."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import toy_stages
from wdw_build.core.engine import local
from wdw_build.core.engine.local import LocalEngine
from wdw_build.core.engine.protocol import listening, tick
from wdw_build.errors import StageError, WdwError

TESTS = Path(toy_stages.__file__).parents[1]


def start(root, *arguments):
    """``toy_stages.main`` in a process group of its own."""
    environment = os.environ | {"TOYS": str(root), "PYTHONPATH": f"{TESTS}:{os.environ.get('PYTHONPATH', '')}"}
    return subprocess.Popen(
        [sys.executable, "-c", "from support import toy_stages; toy_stages.main()", root, *arguments],
        env=environment,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def sitting(root, count):
    """The process ids of the workers that sit, once there are ``count``."""
    end = time.monotonic() + 300
    while len(found := list(root.glob("sitting-*"))) < count:
        assert time.monotonic() < end
        time.sleep(0.01)
    return [int(path.name.removeprefix("sitting-")) for path in found]


def test_one_worker_is_this_process():
    with LocalEngine(1) as engine:
        assert list(engine.map(toy_stages.square, range(4))) == [(number**2, os.getpid()) for number in range(4)]


def test_two_workers_keep_the_order_and_the_count_and_are_kept():
    seen = []
    with LocalEngine(2) as engine:
        first = list(engine.map(toy_stages.square, range(20), seen.append))
        second = list(engine.map(toy_stages.square, range(5), seen.append))
    assert [value for value, _ in first] == [number**2 for number in range(20)]
    assert sum(seen) == 25
    own = {pid for _, pid in first + second}
    assert len(own) <= 2
    assert os.getpid() not in own


def test_a_worker_has_one_thread_a_library_and_leaves_ctrl_c_and_the_end_of_the_terminal_to_its_parent():
    with LocalEngine(2) as engine:
        assert set(engine.map(toy_stages.threads, range(2))) == {("1", True, True)}


def test_ctrl_c_works_again_once_the_workers_have_started():
    with LocalEngine(2) as engine:
        list(engine.map(toy_stages.square, range(2)))
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_worker_that_dies_costs_only_its_task(tmp_path):
    seen = []
    tasks = [(tmp_path, task, signal.SIGKILL if task < 4 else signal.SIGSEGV) for task in range(8)]
    with LocalEngine(3) as engine:
        assert list(engine.map(toy_stages.die_once, tasks, seen.append)) == list(range(8))
    assert sum(seen) == 24  # the records that were counted twice count once
    assert min(seen) > 0
    assert len(list(tmp_path.glob("died-*"))) == 4


def test_a_task_that_kills_every_worker_is_named():
    with (
        pytest.raises(StageError, match=r"8 worker processes died one after another .* at 2(?m:$)") as caught,
        LocalEngine(2) as engine,
    ):
        list(engine.map(toy_stages.die, range(4)))
    assert "resumes after the finished shards" in caught.value.hint


def test_workers_and_a_server_that_are_killed_between_two_calls_are_replaced():
    with LocalEngine(2) as engine:
        first = {pid for _, pid in engine.map(toy_stages.square, range(4))}
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        assert toy_stages.gone(first)
        assert [value for value, _ in engine.map(toy_stages.square, range(3))] == [0, 1, 4]
        engine._server.kill()
        engine._server.join()
        engine.retire()
        assert [value for value, _ in engine.map(toy_stages.square, range(3))] == [0, 1, 4]


def test_an_error_is_raised_in_the_place_of_its_task_and_later_tasks_are_not_given():
    """The later tasks never end, so that only the error can end the call."""
    given, results = [], []

    def tasks():
        for number in (6, 3, 0, *range(-500, 0)):
            given.append(number)
            yield number

    with LocalEngine(2) as engine, pytest.raises(ZeroDivisionError) as caught:
        results.extend(engine.map(toy_stages.divide, tasks()))
    assert results == [2, 4]
    assert len(given) <= 4
    assert "in divide" in caught.value.__notes__[0]


def test_an_error_that_cannot_be_pickled_is_a_failed_stage():
    with pytest.raises(StageError, match="Stubborn: 1 and 1"), LocalEngine(2) as engine:
        list(engine.map(toy_stages.complain, [1]))


def test_tasks_are_taken_as_they_are_needed(monkeypatch):
    monkeypatch.setattr(local, "_WINDOW", 5)
    taken = []

    def tasks():
        for number in itertools.count():
            taken.append(number)
            yield number

    with LocalEngine(2) as engine:
        for number, (value, _) in enumerate(engine.map(toy_stages.square, tasks())):
            assert value == number**2
            assert len(taken) <= number + 6
            if number == 20:
                break


def test_the_workers_share_what_the_server_prepared():
    with LocalEngine(2) as engine:
        engine.start(toy_stages.prepare)
        found = list(engine.map(toy_stages.prepared_by, range(4)))
        server = engine._server.pid
    assert found == [([server], server)] * 4


def test_new_workers_share_what_the_server_loaded_before_and_since_the_last_workers():
    with LocalEngine(2) as engine:
        list(engine.map(toy_stages.square, range(4)))
        engine.retire()
        engine.start(toy_stages.prepare)
        ((first, server), *_) = engine.map(toy_stages.prepared_by, range(4))
        engine.retire()
        engine.start(toy_stages.prepare)
        ((second, last), *_) = engine.map(toy_stages.prepared_by, range(4))
    assert server == last
    assert (first, second) == ([server], [server, server])


def test_idle_workers_do_not_wait_until_the_server_has_loaded_for_later_ones(tmp_path, monkeypatch):
    monkeypatch.setenv("TOYS", str(tmp_path))
    with LocalEngine(2) as engine:
        first = {pid for _, pid in engine.map(toy_stages.square, range(20))}
        engine.start(toy_stages.prepare_slowly)
        sitting(tmp_path, 1)
        assert {pid for _, pid in engine.map(toy_stages.square, range(len(first)))} <= first
        server = engine._server.pid
    assert not toy_stages.alive(server)


def test_nothing_is_left_of_a_pool_after_its_end():
    with LocalEngine(2) as engine:
        pids = {pid for _, pid in engine.map(toy_stages.square, range(4))} | {engine._server.pid}
    assert not any(toy_stages.alive(pid) for pid in pids)


def test_a_pool_ends_at_once_while_its_server_still_loads(tmp_path, monkeypatch):
    monkeypatch.setenv("TOYS", str(tmp_path))
    with LocalEngine(2) as engine:
        engine.start(toy_stages.prepare_slowly)
        (server,) = sitting(tmp_path, 1)
    assert not toy_stages.alive(server)


def test_a_signal_just_before_the_server_starts_ends_the_pool_as_that_signal(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(local, "signals_held", interrupted)
    with pytest.raises(KeyboardInterrupt), LocalEngine(2) as engine:
        engine.start()


def test_an_error_in_a_worker_keeps_its_hint():
    with pytest.raises(WdwError, match="no 0") as caught, LocalEngine(2) as engine:
        list(engine.map(toy_stages.fail, range(2)))
    assert caught.value.hint == "count again"


def test_a_pool_that_was_never_used_starts_nothing():
    with LocalEngine(2) as engine:
        pass
    assert engine._server is None


def test_a_tick_counts_where_an_engine_listens_and_nothing_elsewhere():
    heard = []
    tick(3)
    with listening(heard.append):
        tick(3)
        tick()
    tick(3)
    assert heard == [3, 1]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_when_their_parent_is_killed(tmp_path, number):
    parent = start(tmp_path, "sit", "2")
    pids = sitting(tmp_path, 2)
    os.kill(parent.pid, number)
    parent.communicate(timeout=300)
    assert toy_stages.gone(pids)


def test_a_server_that_still_loads_ends_when_its_parent_is_killed(tmp_path):
    parent = start(tmp_path, "prepare", "2")
    pids = sitting(tmp_path, 1)
    parent.kill()
    parent.communicate(timeout=300)
    assert toy_stages.gone(pids)


def test_ctrl_c_ends_parent_and_workers(tmp_path):
    parent = start(tmp_path, "sit", "2")
    pids = sitting(tmp_path, 2)
    os.killpg(parent.pid, signal.SIGINT)
    _, errors = parent.communicate(timeout=300)
    assert parent.returncode != 0
    assert errors.count("KeyboardInterrupt") == 1  # the parent's own; the command line makes a message of it
    assert toy_stages.gone(pids)


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
    assert toy_stages.gone(pids)


def _hangs_once(marker):
    if not marker.exists():
        marker.touch()
        time.sleep(1000)
    return "done"


def test_a_worker_that_says_nothing_for_too_long_is_killed_and_its_task_is_done_again(tmp_path):
    with LocalEngine(2, hang_seconds=1) as engine:
        assert list(engine.map(_hangs_once, [tmp_path / "hung"])) == ["done"]

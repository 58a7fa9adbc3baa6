"""The dask engine on real worker processes: order, deaths, errors, ticks, and the checks of workers."""

import multiprocessing.spawn
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from unittest.mock import AsyncMock, Mock

import pytest
from distributed import LocalCluster, Nanny
from wdw_build.adapters.dask import cluster
from wdw_build.adapters.dask import engine as dask_engine
from wdw_build.adapters.dask import worker as dask_worker
from wdw_build.adapters.dask.engine import DaskEngine
from wdw_build.adapters.dask.worker import Session, problem_of

from support import dask_tasks, toy_stages
from wdw_build.core.config.execution_settings import DaskConfig, ExecutionConfig
from wdw_build.core.engine.local import LocalEngine
from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import Runner
from wdw_build.errors import ConfigError, CorpusError, MissingResourceError, StageError, UsageError

SQUARES = [number**2 for number in range(30)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("dask")
    (path / "corpus.jsonl").write_text("{}\n")
    return path


def engine_on(folder, said=None, **settings):
    said = [] if said is None else said
    return DaskEngine(DaskConfig(**settings), 1, folder / "store", str(folder / "corpus.jsonl"), said.append)


@pytest.fixture(scope="module")
def engine(folder):
    """Three workers. One that dies does not start again, which would take long."""
    with engine_on(folder, workers=3) as engine, pytest.MonkeyPatch.context() as patch:
        assert engine.workers == 3
        patch.setattr(Nanny, "instantiate", AsyncMock())
        yield engine


@pytest.fixture
def joined(tmp_path):
    """Makes an engine that joins a scheduler within this process, with one worker of so many threads or none."""
    clusters = []
    (tmp_path / "corpus.jsonl").write_text("{}\n")

    def join(threads, said=None):
        clusters.append(
            LocalCluster(
                n_workers=min(threads, 1),
                threads_per_worker=threads,
                processes=False,
                dashboard_address=":0",
                silence_logs=50,
            )
        )
        return engine_on(tmp_path, said, scheduler=clusters[-1].scheduler_address, wait_seconds=1)

    yield join
    for made in clusters:
        made.close()


def test_workers_on_this_machine_do_not_import_the_script_of_the_caller(monkeypatch, tmp_path):
    script = ModuleType("__main__")
    script.__file__ = str(tmp_path / "script.py")
    monkeypatch.setitem(sys.modules, "__main__", script)
    spawned = []
    monkeypatch.setattr(
        cluster, "LocalCluster", lambda **_: spawned.append(multiprocessing.spawn.get_preparation_data("")) or Mock()
    )
    made = cluster.Cluster(DaskConfig(workers=1), 1, print, print)
    made._start()
    assert not {"init_main_from_name", "init_main_from_path"} & spawned[0].keys()
    made.close()
    assert {"init_main_from_name", "init_main_from_path"} & multiprocessing.spawn.get_preparation_data("").keys()


def test_results_come_in_the_order_of_the_tasks_from_several_processes(engine):
    results = list(engine.map(dask_tasks.square, range(30)))
    assert [value for value, _ in results] == SQUARES
    processes = {pid for _, pid in results}
    assert len(processes) > 1
    assert os.getpid() not in processes


def test_ticks_arrive_while_the_task_runs_and_none_is_lost_or_counted_twice(engine, tmp_path):
    seen = []

    def arrived(count):
        seen.append(count)
        (tmp_path / "arrived").touch()

    (ticked,) = engine.map(dask_tasks.ticks_until, [tmp_path / "arrived"], arrived)
    assert sum(seen) == ticked > 0


def test_a_worker_has_one_thread_for_each_library_and_runs_one_task_at_a_time(engine):
    assert list(engine.map(dask_tasks.threads, [None])) == [("1", 1)]


def test_a_worker_on_this_machine_leaves_ctrl_c_and_the_end_of_the_terminal_to_the_command(engine):
    (blocked,) = engine.map(dask_tasks.blocked_signals, [None])
    assert blocked >= {signal.SIGINT, signal.SIGHUP}
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {signal.SIGINT, signal.SIGHUP}


def test_the_error_of_a_task_keeps_its_type_message_and_hint(engine):
    with pytest.raises(CorpusError, match="number 3 is odd") as caught:
        list(engine.map(dask_tasks.refuse, [3]))
    assert caught.value.hint == "take another"
    with pytest.raises(ZeroDivisionError):
        list(engine.map(dask_tasks.fail, [0]))


def committed(engine, root, stage, section=None):
    """The files of a toy stage's output, run on an engine."""
    first = toy_stages.make(root, toy_stages.job(toy_stages.source()))
    job = toy_stages.job(stage, {"source": first}, section=section)
    runner = Runner(root, "toy", ExecutionConfig(shard_size=64), Progress("quiet"), engine)
    return toy_stages.contents(runner.make(job).folder)


def test_steps_and_shards_end_in_the_bytes_of_a_local_run(engine, tmp_path):
    stage = toy_stages.with_steps()
    assert committed(engine, tmp_path / "dask", stage) == committed(LocalEngine(1), tmp_path / "local", stage)


def test_two_workers_killed_in_the_middle_of_a_stage_change_no_byte(engine, tmp_path):
    stage = toy_stages.mapped(dask_tasks.die_twice, config=dask_tasks.MarksConfig)
    marks = tmp_path / "marks"
    marks.mkdir()
    made = committed(engine, tmp_path / "dask", stage, dask_tasks.MarksConfig(marks=str(marks)))
    assert {path.name for path in marks.iterdir()} == {"200", "600"}
    expected = committed(LocalEngine(1), tmp_path / "local", stage, dask_tasks.MarksConfig())
    assert {name for name in made if made[name] != expected[name]} == {"manifest.json"}


def test_a_worker_with_two_threads_is_refused_with_the_option_to_give(joined):
    with joined(2) as engine, pytest.raises(UsageError, match="runs 2 tasks at a time") as caught:
        list(engine.map(dask_tasks.square, [1]))
    assert "--nthreads 1" in caught.value.hint


def test_a_run_without_workers_says_so_and_then_stops(joined, monkeypatch):
    monkeypatch.setattr(cluster, "_SAY_AFTER_SECONDS", 0.1)
    said = []
    with joined(0, said) as engine, pytest.raises(MissingResourceError, match="no worker at") as caught:
        list(engine.map(dask_tasks.square, [1]))
    assert any("no worker at inproc://" in line and "waiting up to 1 s" in line for line in said)
    assert "dask worker inproc://" in caught.value.hint


def test_a_joined_cluster_outlives_the_run_and_no_file_of_the_run_is_left(joined, tmp_path):
    with joined(1) as engine:
        assert [value for value, _ in engine.map(dask_tasks.square, range(5))] == SQUARES[:5]
        address = engine._cluster.place
    assert list((tmp_path / "store").iterdir()) == []
    with engine_on(tmp_path, scheduler=address) as again:
        assert [value for value, _ in again.map(dask_tasks.square, range(2))] == SQUARES[:2]


def test_a_consumer_that_stops_cancels_the_other_tasks(joined):
    with joined(1) as engine:
        results = engine.map(dask_tasks.square, range(100))
        next(results)
        results.close()
        assert [value for value, _ in engine.map(dask_tasks.square, [7])] == [49]


def test_standard_input_is_refused(folder):
    with pytest.raises(ConfigError, match="standard input"):
        DaskEngine(DaskConfig(), 1, folder, "-", print)


def test_a_scheduler_file_that_does_not_come_ends_the_run(folder):
    said = []
    with (
        engine_on(folder, said, scheduler_file=str(folder / "none.json"), wait_seconds=1) as engine,
        pytest.raises(MissingResourceError, match=r"no scheduler answers at .*none\.json"),
    ):
        list(engine.map(dask_tasks.square, [1]))


@pytest.fixture
def session(tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("{}\n")
    session = Session("a1", tmp_path / "store", str(corpus), dask_worker.state_of(str(corpus)))
    session.folder.mkdir()
    session.probe.write_text("a1")
    return session


def worker(threads=1):
    return SimpleNamespace(address="tcp://10.0.0.7:4000", state=SimpleNamespace(nthreads=threads))


def test_a_worker_like_this_process_passes_and_answers_in_the_store(session):
    assert problem_of(session, worker()) is None
    assert session.reply("tcp://10.0.0.7:4000").read_text() == "a1"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda session: replace(session, versions=session.versions | {"torch": "1.0"}), "instead of 1.0"),
        (lambda session: replace(session, corpus_state="a file of 9 bytes"), "a file of 3 bytes at"),
        (lambda session: replace(session, run="b2"), "another store"),
        (lambda session: replace(session, folder=session.folder / "elsewhere"), "cannot use the store"),
    ],
)
def test_a_worker_with_other_versions_or_files_is_refused(session, change, message, monkeypatch):
    monkeypatch.setattr(dask_worker, "VISIBLE_SECONDS", 0)
    error = problem_of(change(session), worker())
    assert isinstance(error, MissingResourceError)
    assert "tcp://10.0.0.7:4000" in error.message
    assert message in error.message


def test_the_state_of_a_corpus_tells_files_folders_and_globs_apart(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text("{}")
    states = [dask_worker.state_of(str(tmp_path / name)) for name in ("a.jsonl", "", "*.jsonl", "c.jsonl")]
    assert states == ["a file of 2 bytes", "a folder", "2 files", "nothing"]


def test_a_task_that_kills_every_worker_ends_the_run_by_name(engine, tmp_path, monkeypatch):
    # One death is enough for the scheduler and for the engine. The last test, because it takes the last worker.
    monkeypatch.setattr(engine._cluster._local.scheduler, "allowed_failures", 0)
    monkeypatch.setattr(dask_engine, "_RESUBMISSIONS", 0)
    with pytest.raises(StageError, match=r"every worker that ran die_always \(task 1 of 1\) died"):
        list(engine.map(dask_tasks.die_always, [tmp_path / "deaths"]))
    assert (tmp_path / "deaths").read_text() == "x"


def test_workers_on_this_machine_share_what_one_process_loaded(tmp_path):
    # In a process of its own, because multiprocessing has one fork server in each.
    script = f"""
from pathlib import Path
from support import dask_tasks
from wdw_build.adapters.dask.engine import DaskEngine
from wdw_build.core.config.execution_settings import DaskConfig
Path({str(tmp_path / "corpus.jsonl")!r}).touch()
with DaskEngine(DaskConfig(workers=2), 1, Path({str(tmp_path / "store")!r}), {str(tmp_path / "corpus.jsonl")!r}, print) as engine:
    engine.start(dask_tasks.load)
    rows = set(engine.map(dask_tasks.who_loaded, range(8)))
loaders, workers = map(set, zip(*rows))
assert len(workers) == 2 and len(loaders) == 1 and 0 not in loaders and not loaders & workers, rows
"""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr


@pytest.fixture
def command(tmp_path):
    """Starts a dask command, whose output goes to a file; ends it with the test."""
    running = []
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}

    def start(*words, **variables):
        with (tmp_path / f"{words[0]}.log").open("wb") as log:
            arguments = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1"]
            running.append(subprocess.Popen(arguments, env=environment | variables, stdout=log, stderr=log))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()


def wait_until(holds):
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_that_join_share_what_one_process_loaded_and_all_end_with_their_command(tmp_path, command, number):
    file = tmp_path / "scheduler.json"
    (tmp_path / "corpus.jsonl").touch()
    command("scheduler", "--scheduler-file", str(file), "--port", "0", "--no-dashboard")
    preload = "import support.dask_tasks as t, wdw_build.adapters.dask.preloaded as p; p.fork_workers(t.load)"
    options = ["--nthreads", "1", "--nworkers", "2", "--no-dashboard", "--preload-nanny", preload]
    joined = command("worker", "--scheduler-file", str(file), *options)
    with engine_on(tmp_path, scheduler_file=str(file)) as engine:
        wait_until(lambda: len(engine._cluster.workers()) == 2)
        (loader,), workers = map(set, zip(*engine.map(dask_tasks.who_loaded, range(8)), strict=True))
        assert len(workers) == 2
        assert loader not in {0, *workers}
        # One that dies is replaced by another that shares the same.
        assert list(engine.map(dask_tasks.die_once, [tmp_path / "death"])) == ["killed"]
        wait_until(lambda: len(engine._cluster.workers()) == 2)
        loaders, after = map(set, zip(*engine.map(dask_tasks.who_loaded, range(8)), strict=True))
        assert loaders == {loader}
        assert len(after) == 2
        assert after != workers
    joined.send_signal(number)
    joined.wait()
    wait_until(lambda: not any(map(is_running, {loader, *after})))


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "no configuration file"), ("nlp: {models: nowhere}", "no Stanza models in")],
)
def test_a_preload_without_its_configuration_or_models_says_so_and_starts_no_worker(
    tmp_path, command, content, message
):
    config = tmp_path / "wire.yaml"
    (tmp_path / "corpus.jsonl").touch()
    if content:
        config.write_text(f"run: wire\noutput_dir: out\ncorpus: {{reader: jsonl, path: corpus.jsonl}}\n{content}\n")
    options = ["tcp://127.0.0.1:1", "--preload-nanny", "wdw_build.preload"]
    assert command("worker", *options, WDW_CONFIG=str(config)).wait() == 1
    said = (tmp_path / "worker.log").read_text()
    assert f"Error: {message}" in said
    assert "Traceback" not in said

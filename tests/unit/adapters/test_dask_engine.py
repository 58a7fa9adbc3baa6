"""The dask engine on real worker processes: order, deaths, errors, counts, and the checks of workers."""

import os
import signal
from contextlib import ExitStack

import pytest
from distributed import LocalCluster

from support import dask_tasks, toy_stages
from wdw_build.adapters import dask_engine
from wdw_build.adapters.dask_engine import DaskEngine
from wdw_build.core.engine.engines import GPU, LocalEngine, WorkerDiedError
from wdw_build.core.engine.execution import DaskConfig
from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import Runner
from wdw_build.errors import CorpusError, MissingResourceError, UsageError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("dask")
    (path / "corpus.jsonl").write_text("{}\n")
    return path


def engine_on(folder, **settings):
    return DaskEngine(DaskConfig(**settings), 1, folder / "store", str(folder / "corpus.jsonl"), lambda _: None)


@pytest.fixture(scope="module")
def engine(folder):
    with engine_on(folder, workers=3) as engine:
        assert engine.workers == 3
        yield engine


@pytest.fixture
def scheduler():
    """Makes the address of a scheduler within this process, with one worker of so many threads."""
    with ExitStack() as clusters:

        def start(threads, **options):
            within = {"n_workers": 1, "processes": False, "dashboard_address": ":0", "silence_logs": 50}
            made = LocalCluster(threads_per_worker=threads, **within, **options)
            return clusters.enter_context(made).scheduler_address

        yield start


def test_results_come_in_the_order_of_the_tasks_from_several_processes(engine):
    values, processes = zip(*engine.map(dask_tasks.square, range(30)), strict=True)
    assert list(values) == [number**2 for number in range(30)]
    assert len(set(processes)) > 1
    assert os.getpid() not in processes


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


def committed(engine, root, stage, section=None):
    """The files of a toy stage's output, run on an engine."""
    first = toy_stages.make(root, toy_stages.job(toy_stages.source()))
    job = toy_stages.job(stage, {"source": first}, section=section)
    return toy_stages.contents(Runner(root, 64, Progress("quiet"), engine).make(job).folder)


def test_steps_and_shards_end_in_the_bytes_of_a_local_run(engine, tmp_path):
    stage = toy_stages.WITH_STEPS
    assert committed(engine, tmp_path / "dask", stage) == committed(LocalEngine(1), tmp_path / "local", stage)


def test_two_workers_killed_in_the_middle_of_a_stage_change_no_byte(engine, tmp_path):
    stage = toy_stages.mapped(dask_tasks.die_twice, config=dask_tasks.MarksConfig)
    marks = tmp_path / "marks"
    marks.mkdir()
    made = committed(engine, tmp_path / "dask", stage, dask_tasks.MarksConfig(marks=str(marks)))
    assert {path.name for path in marks.iterdir()} == {"200", "600"}
    expected = committed(LocalEngine(1), tmp_path / "local", stage, dask_tasks.MarksConfig())
    assert {name for name in made if made[name] != expected[name]} == {"manifest.json"}


def test_a_task_that_kills_every_worker_ends_the_run(engine, tmp_path):
    with pytest.raises(WorkerDiedError, match="4 workers that ran one task died"):
        list(engine.map(dask_tasks.die_always, [tmp_path / "deaths"]))
    # A worker may die before the task has begun.
    assert 1 <= len((tmp_path / "deaths").read_text()) <= dask_engine._DEATHS


def test_a_joined_cluster_outlives_the_run_and_a_task_with_a_gpu_goes_to_a_worker_that_offers_one(folder, scheduler):
    address = scheduler(1, resources={"GPU": 1})
    for _ in range(2):
        with engine_on(folder, scheduler=address) as engine:
            assert [value for value, _ in engine.map(dask_tasks.square, [3], needs=(GPU,))] == [9]
            assert address in engine.description
    assert list((folder / "store").glob(".workers*")) == []


def hint_of(folder, error, message, **settings):
    """What to do about the error of a task on an engine with these settings."""
    with engine_on(folder, **settings) as engine, pytest.raises(error, match=message) as caught:
        list(engine.map(dask_tasks.square, [1]))
    return caught.value.hint


def test_a_worker_with_two_threads_is_refused_with_the_option_to_give(folder, scheduler):
    assert "--nthreads 1" in hint_of(folder, UsageError, "2 tasks at a", scheduler=scheduler(2))


def test_a_worker_with_other_versions_is_refused(folder, scheduler, monkeypatch):
    found = iter([{"torch": "1"}, {"torch": "2"}])
    monkeypatch.setattr(dask_engine, "environment", lambda: next(found))
    hint_of(folder, MissingResourceError, "torch 2 inst", scheduler=scheduler(1))


def test_a_worker_that_does_not_see_the_corpus_is_refused(tmp_path, scheduler):
    hint_of(tmp_path, MissingResourceError, r"does not see .*corpus\.jsonl", scheduler=scheduler(1))


def test_a_scheduler_that_does_not_answer_ends_the_run_with_the_commands_to_start_one(folder):
    address, said = "tcp://127.0.0.1:9", r"no scheduler with workers at tcp://127\.0\.0\.1:9"
    hint = hint_of(folder, MissingResourceError, said, scheduler=address, wait_seconds=1)
    assert "dask worker ADDRESS --nthreads 1" in hint
    hint_of(folder, MissingResourceError, "is not a scheduler file", scheduler_file=str(folder / "none.json"))

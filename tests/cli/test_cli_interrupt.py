"""Ctrl-C and other signals, sent to the whole process group: an exit code, a message, no process left behind."""

import os
import signal
import time
from pathlib import Path

import pytest
from cli_corpora import sample_lines, start, write_config, write_corpus

from support import toy_stages

pytestmark = pytest.mark.real


def descendants(pid):
    """Every process below one, by /proc; a process that ends while we look has none."""
    try:
        below = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return below + [one for child in below for one in descendants(child)]


def wait_until(true, process, seconds=600.0):
    end = time.monotonic() + seconds
    while not true():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)


def interrupted(process, known, number=signal.SIGINT):
    """Send a signal, and check how the command ends."""
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 128 + number, err
    assert out == ""
    assert "Traceback" not in err
    assert "resource_tracker" not in err
    assert err.splitlines()[-1].endswith("; a run keeps its finished shards, and the same command resumes from them")
    toy_stages.wait_for_end(known)


@pytest.mark.parametrize("begun", [0, 2], ids=["starting", "at-work"])
def test_ctrl_c_with_two_workers_at_the_models(tmp_path, begun):
    """While the workers start, and when two tasks have begun."""
    settings = {"execution": {"workers": 2, "shard_size": 512}, "ingest": {"max_bad_input": 1.0}}
    settings["rules"] = {"off": ["ingest.reject_copies"]}
    process = start("run", "sentences", "-c", write_config(tmp_path, repeated(tmp_path, 100), **settings))
    store = tmp_path / "out" / "store" / "sentences"
    wait_until(lambda: list(store.glob(".*.staging")), process)
    wait_until(lambda: len(descendants(process.pid)) >= 2, process)
    wait_until(lambda: len(tasks_begun(store)) >= begun, process)
    # Any moment will do: loading the models and tagging take several seconds.
    time.sleep(0.5)
    interrupted(process, descendants(process.pid))
    assert [path for path in store.iterdir() if not path.name.startswith(".")] == []


def tasks_begun(store):
    """The tasks of the stage's step that write records, and those that have ended; on a loaded machine one ends before the next."""
    return [*store.glob(".*.staging/.tasks/run/.*/.records"), *store.glob(".*.staging/.tasks/run/[!.]*")]


def repeated(folder, times):
    """A corpus in which the sample's articles recur, each with its own id and first sentence: there is work for two workers."""
    lines = [line.replace('{"id": "', f'{{"id": "{at}-', 1) for at, line in enumerate(sample_lines() * times)]
    return write_corpus(
        folder, [line.replace('"text": "', f'"text": "In letter {at}, ', 1) for at, line in enumerate(lines)]
    )


def test_ctrl_c_with_the_search_index_at_work(tmp_path):
    """The JVM is in the process; it must leave the signal to Python."""
    process = start("run", "index", "-c", write_config(tmp_path, repeated(tmp_path, 60)))
    wait_until(lambda: list((tmp_path / "out" / "store" / "index").glob(".*.staging/.tasks/run/*/lucene/*")), process)
    interrupted(process, descendants(process.pid))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_before_anything_runs(tmp_path, number):
    """While the corpus is hashed and read."""
    config = write_config(tmp_path, repeated(tmp_path, 200), execution={"workers": 2})
    process = start("run", "ingest", "-c", config)
    wait_until(lambda: (tmp_path / "out" / "runs").exists(), process)
    interrupted(process, [], number)

"""Peak memory of the whole family of processes."""

import multiprocessing
import subprocess
import sys
import time

from support import toy_stages
from wdw_build.core.run import peak_memory as usage
from wdw_build.core.run.peak_memory import PeakMemory, tree_kb


def test_the_memory_of_a_child_process_counts():
    before = tree_kb()
    code = "x = bytearray(80_000_000); print(len(x), flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        assert tree_kb() - before > 60_000
        child.communicate(b"\n")


def test_memory_that_processes_share_counts_once():
    shared = bytearray(80_000_000)
    child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,))
    before = tree_kb()
    child.start()
    assert tree_kb() - before < 40_000
    child.kill()
    child.join()
    assert len(shared) == 80_000_000


def test_the_peak_is_kept_after_the_memory_is_gone(monkeypatch):
    samples = iter([10_000, 900_000])
    monkeypatch.setattr(usage, "_EVERY_SECONDS", 0.001)
    monkeypatch.setattr(usage, "tree_kb", lambda: next(samples, 20_000))
    with PeakMemory() as memory:
        while memory.mb < 100:
            pass
    assert memory.mb == 900_000 // 1024


def test_a_process_that_ended_meanwhile_counts_nothing():
    assert usage._proportional_kb("999999999") == 0
    assert usage._parent("999999999") == ""


def test_a_stage_records_what_it_cost(tmp_path):
    from wdw_build.core.store.manifest import read_timing

    found = read_timing(toy_stages.make(tmp_path, toy_stages.job(toy_stages.source())).folder)
    assert found.seconds >= 0
    assert found.peak_mb > 5
    assert found.workers == 1

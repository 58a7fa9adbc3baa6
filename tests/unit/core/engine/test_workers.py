"""The number of worker processes: the configured one, or what affinity, control groups and memory allow."""

import os

import pytest

from wdw_build.core.engine import execution
from wdw_build.core.engine.execution import ExecutionConfig, free_memory, usable_cores, workers_of

GIGABYTE = 1 << 30


def machine(root, files, available=64):
    """A folder with ``proc`` and ``sys``: the files, and as many GB of available memory."""
    for name, text in {"proc/meminfo": f"MemAvailable: {available << 20} kB\n", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)))


def set_machine(monkeypatch, cores, memory):
    monkeypatch.setattr(execution, "usable_cores", lambda: cores)
    monkeypatch.setattr(execution, "free_memory", lambda: memory)


def test_a_configured_number_is_used_as_it_is(monkeypatch):
    set_machine(monkeypatch, cores=1, memory=1)
    assert str(workers_of(ExecutionConfig(workers=3))) == "3 workers (execution.workers: 3)"


def test_by_default_there_is_a_worker_for_each_core_if_memory_allows(monkeypatch):
    set_machine(monkeypatch, cores=16, memory=64_000)
    assert str(workers_of(ExecutionConfig())) == "16 workers (execution.workers: auto; 16 cores)"


def test_too_little_memory_lowers_the_number_and_is_said(monkeypatch):
    set_machine(monkeypatch, cores=16, memory=execution._SHARED + 3 * execution._OF_A_WORKER)
    assert str(workers_of(ExecutionConfig())) == "3 workers (execution.workers: auto; 16 cores, memory for 3)"


def test_there_is_always_one_worker(monkeypatch):
    set_machine(monkeypatch, cores=1, memory=100)
    assert str(workers_of(ExecutionConfig())) == "1 worker (execution.workers: auto; 1 core)"
    set_machine(monkeypatch, cores=4, memory=100)
    assert workers_of(ExecutionConfig()).count == 1


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 16),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, 16),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "400000 100000\n"}, 4),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"}, 2),
        # A group within one that has a smaller quota.
        (
            {
                "proc/self/cgroup": "0::/user/job\n",
                "sys/fs/cgroup/user/cpu.max": "300000 100000",
                "sys/fs/cgroup/user/job/cpu.max": "800000 100000",
            },
            3,
        ),
        (
            {
                "proc/self/cgroup": "2:cpu,cpuacct:/\n1:memory:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "250000\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            3,
        ),
        (
            {
                "proc/self/cgroup": "2:cpu:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            16,
        ),
    ],
)
def test_a_quota_of_a_control_group_limits_the_cores(tmp_path, cores, files, expected):
    assert usable_cores(machine(tmp_path, files)) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 64),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 64),
        # Cached files can be dropped, so they are not counted.
        (
            {
                "proc/self/cgroup": "0::/\n",
                "sys/fs/cgroup/memory.max": f"{8 * GIGABYTE}\n",
                "sys/fs/cgroup/memory.stat": f"anon {3 * GIGABYTE}\nfile {5 * GIGABYTE}\n",
            },
            5,
        ),
        (
            {
                "proc/self/cgroup": "3:memory:/docker/0123\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{4 * GIGABYTE}\n",
                "sys/fs/cgroup/memory/memory.stat": f"cache 9\ntotal_rss {GIGABYTE}\n",
            },
            3,
        ),
        (
            {
                "proc/self/cgroup": "3:memory:/\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            },
            64,
        ),
    ],
)
def test_the_limit_of_a_control_group_limits_the_memory(tmp_path, files, expected):
    assert free_memory(machine(tmp_path, files)) == expected * 1024


def test_this_machine_has_cores_and_memory():
    assert 1 <= usable_cores() <= os.cpu_count()
    assert free_memory() > 100

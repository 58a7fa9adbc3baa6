"""The number of worker processes: the configured one, or what affinity, control groups and memory allow."""

import os

import pytest

from wdw_build.core.engine import execution
from wdw_build.core.engine.execution import ExecutionConfig, free_memory, usable_cores, workers_of

GB = 1 << 30


def machine(root, groups, files):
    """A folder with ``proc`` and ``sys``: 64 GB of available memory, the control groups of the process and their files."""
    texts = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    texts["proc/meminfo"] = f"MemAvailable: {64 << 20} kB\n"
    if groups:
        texts["proc/self/cgroup"] = f"{groups}\n"
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)))


MACHINES = [
    (3, 1, 1, "3 workers (execution.workers: 3)"),
    ("auto", 16, 64_000, "16 workers (execution.workers: auto; 16 cores)"),
    (
        "auto",
        16,
        execution._SHARED + 3 * execution._OF_A_WORKER,
        "3 workers (execution.workers: auto; 16 cores, memory for 3)",
    ),
    ("auto", 1, 100, "1 worker (execution.workers: auto; 1 core)"),
    ("auto", 4, 100, "1 worker (execution.workers: auto; 4 cores, memory for 1)"),
]


@pytest.mark.parametrize(("wanted", "cores", "memory", "said"), MACHINES)
def test_there_are_as_many_workers_as_wanted_or_possible_but_at_least_one(monkeypatch, wanted, cores, memory, said):
    monkeypatch.setattr(execution, "usable_cores", lambda: cores)
    monkeypatch.setattr(execution, "free_memory", lambda: memory)
    assert str(workers_of(ExecutionConfig(workers=wanted))) == said


QUOTAS = [
    ("", {}, 16),
    ("0::/", {"cpu.max": "max 100000\n"}, 16),
    ("0::/", {"cpu.max": "400000 100000\n"}, 4),
    ("0::/", {"cpu.max": "150000 100000\n"}, 2),
    # A group within one that has a smaller quota.
    ("0::/user/job", {"user/cpu.max": "300000 100000", "user/job/cpu.max": "800000 100000"}, 3),
    ("2:cpu,cpuacct:/\n1:memory:/", {"cpu/cpu.cfs_quota_us": "250000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
    ("2:cpu:/", {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 16),
]


@pytest.mark.parametrize(("groups", "files", "expected"), QUOTAS)
def test_a_quota_of_a_control_group_limits_the_cores(tmp_path, cores, groups, files, expected):
    assert usable_cores(machine(tmp_path, groups, files)) == expected


V1 = "memory/memory.limit_in_bytes"


LIMITS = [
    ("", {}, 64),
    ("0::/", {"memory.max": "max\n"}, 64),
    # Cached files can be dropped, so they are not counted.
    ("0::/", {"memory.max": f"{8 * GB}\n", "memory.stat": f"anon {3 * GB}\nfile {5 * GB}\n"}, 5),
    ("3:memory:/docker/0123", {V1: f"{4 * GB}\n", "memory/memory.stat": f"cache 9\ntotal_rss {GB}\n"}, 3),
    ("3:memory:/", {V1: "9223372036854771712\n"}, 64),
]


@pytest.mark.parametrize(("groups", "files", "expected"), LIMITS)
def test_the_limit_of_a_control_group_limits_the_memory(tmp_path, groups, files, expected):
    assert free_memory(machine(tmp_path, groups, files)) == expected * 1024


def test_this_machine_has_cores_and_memory():
    assert 1 <= usable_cores() <= os.cpu_count()
    assert free_memory() > 100

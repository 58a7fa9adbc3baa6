"""The golden corpus on dask, with the real components: three workers, of which two are killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import accept
import pytest

pytestmark = pytest.mark.real
LAST = "choices"
WAIT_SECONDS = 800


def kill_a_worker_in(process, output, stage):
    end = time.monotonic() + WAIT_SECONDS
    while not list(output.glob(f"store/{stage}/.*.staging/.tasks/run/.*")):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    # The workers are the processes below the command that run a dask worker.
    workers = [pid for pid in descendants(process.pid) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(workers[0], signal.SIGKILL)


def descendants(pid):
    """Every process below one, by /proc."""
    below = [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
    return below + [one for child in below for one in descendants(child)]


def test_three_workers_of_which_two_are_killed_make_the_golden_files(tmp_path):
    settings = [f"output_dir={tmp_path}", "execution.engine=dask", "execution.workers=3"]
    overrides = [word for setting in settings for word in ("--set", setting)]
    command = ["run", LAST, "-q", "-c", str(accept.HERE / "golden.yaml"), *overrides]
    process = subprocess.Popen([sys.executable, "-m", "wdw_build.cli", *command], stderr=subprocess.PIPE, text=True)
    for stage in ("sentences", "retrieve"):
        kill_a_worker_in(process, tmp_path, stage)
    errors = process.communicate(timeout=WAIT_SECONDS)[1]
    assert process.returncode == 0, errors[-3000:]
    found = accept.collect(tmp_path / "runs" / "golden")
    assert f"{LAST}/part-00000.jsonl" in found
    assert found == {name: text for name, text in accept.expected().items() if name in found}

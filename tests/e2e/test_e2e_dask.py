"""A part of the embedded corpus on dask, with the real components: three workers, of which two are killed."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]
ARTICLES = 40
LAST = "choices"
WAIT_SECONDS = 800


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "articles.jsonl"
    with (ROOT / "data" / "sample" / "articles.jsonl").open("rb") as lines:
        path.write_bytes(b"".join(itertools.islice(lines, ARTICLES)))
    return path


def start(corpus, output, **settings):
    changed = [
        f"output_dir={output}",
        f"corpus.path={corpus}",
        *(f"execution.{key}={settings[key]}" for key in settings),
    ]
    words = [word for setting in changed for word in ("--set", setting)]
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "wdw_build.cli",
            "run",
            LAST,
            "-q",
            "-c",
            str(ROOT / "configs" / "sample.yaml"),
            *words,
        ],
        stderr=subprocess.PIPE,
        text=True,
    )


def outputs(process, output):
    """What every stage made, once the command has ended well."""
    errors = process.communicate(timeout=WAIT_SECONDS)[1]
    assert process.returncode == 0, errors[-3000:]
    manifests = {path.parent.name: json.loads(path.read_bytes()) for path in output.glob("runs/sample/*/manifest.json")}
    assert LAST in manifests
    names = ("fingerprint", "content_hash", "read", "written", "rejected", "reasons", "rejections_sha256", "parts")
    return {stage: {name: manifest[name] for name in names} for stage, manifest in manifests.items()}


@pytest.fixture(scope="module")
def local(corpus, tmp_path_factory):
    output = tmp_path_factory.mktemp("local")
    return outputs(start(corpus, output, engine="local", workers=1), output)


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


def test_three_workers_of_which_two_are_killed_make_the_bytes_of_a_local_run(corpus, local, tmp_path):
    process = start(corpus, tmp_path, engine="dask", workers=3)
    for stage in ("sentences", "retrieve"):
        kill_a_worker_in(process, tmp_path, stage)
    assert outputs(process, tmp_path) == local

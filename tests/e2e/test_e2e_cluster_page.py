"""The commands of docs/howto/cluster.md and its files: those for one site run here, those for Kubernetes are checked."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from distributed import Client

from support.command_lines import parsed
from wdw_build.adapters.stanza.pipeline import loaded_pipeline

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "howto" / "cluster.md").read_text(encoding="utf-8")
FILES = ROOT / "configs" / "cluster"
ARTICLE = """<DOC id="ABC_ENG_2010010{day}.0001" type="story">
<HEADLINE>
A bridge opens
</HEADLINE>
<TEXT>
<P>
{text}
</P>
</TEXT>
</DOC>
"""
BIN = Path(sys.executable).parent


def section(title):
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def blocks(title, language):
    return re.findall(rf"^```{language}\n(.*?)^```", section(title), re.DOTALL | re.MULTILINE)


def file(name):
    """A file of configs/cluster that the page names."""
    assert f"configs/cluster/{name}" in PAGE
    return (FILES / name).read_text(encoding="utf-8")


def commands(title, start):
    lines = [line[2:] for block in blocks(title, "console") for line in block.splitlines() if line.startswith("$ ")]
    return [line for line in lines if line.startswith(start)]


def adapted(text, folder):
    """A file or command of the page with the folders of this test, one worker, and this machine's addresses."""
    table = {
        "/shared/venv/bin/python": sys.executable,
        "/shared": str(folder),
        "/scratch": str(folder / "scratch"),
        "16": "1",
        "32": "1",
        "ib0": "lo",
        ":8787": "127.0.0.1:0",
    }
    # In one pass: the test's folder may hold one of the numbers.
    return re.sub("|".join(map(re.escape, table)), lambda found: table[found[0]], text)


@pytest.fixture
def start(tmp_path):
    """Starts commands in the folder that stands for the shared one; ends them with the test."""
    running = []
    path = os.pathsep.join([str(tmp_path / "bin"), str(BIN), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src")}

    def run(*words):
        with (tmp_path / f"{len(running)}.log").open("wb") as log:
            running.append(
                subprocess.Popen(words, cwd=tmp_path, env=environment, stdout=log, stderr=log, start_new_session=True)
            )
        return running[-1]

    yield run
    for process in reversed(running):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=300)


def wait_for(path, seconds=600.0):
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, path
        time.sleep(0.05)
    return path.read_text(encoding="utf-8")


def test_the_commands_for_workstations_run_the_configuration_of_the_page(tmp_path, start):
    (tmp_path / "gigaword").mkdir()
    documents = [
        ARTICLE.format(day=day, text=f"Ann Adler opened bridge {day} in Arden on Monday.") for day in (1, 2, 3)
    ]
    (tmp_path / "gigaword" / "abc_eng_201001.sgml").write_text("".join(documents), encoding="utf-8")
    (tmp_path / "wire.yaml").write_text(adapted(file("wire.yaml"), tmp_path), encoding="utf-8")
    (scheduler,) = commands("Workstations", "dask scheduler")
    (variable,) = commands("Workstations", "export")
    (worker,) = commands("Workstations", "dask worker")
    (run,) = commands("Workstations", "wdw-build")
    alone = " --host 127.0.0.1 --port 0 --dashboard-address 127.0.0.1:0"
    start(*shlex.split(adapted(scheduler, tmp_path) + alone))
    # In front of the command, because each command here has a shell's variables of its own.
    words = shlex.split(adapted(f"{variable} {worker}", tmp_path) + " --host 127.0.0.1 --no-dashboard")
    start("env", *words[1:])
    # The first stage only: the others need the models.
    words = shlex.split(run.replace("wdw-build all", "-m wdw_build.cli run ingest"))
    assert start(sys.executable, *words).wait(timeout=600) == 0, (tmp_path / "2.log").read_text()
    said = (tmp_path / "2.log").read_text()
    assert "ingest: 3 read, 3 written, 0 rejected" in said
    assert re.search(r"dask: scheduler tcp://127\.0\.0\.1:\d+, dashboard http://", said)
    assert list(tmp_path.glob("wire/runs/wire/logs/ingest.log"))
    with Client(scheduler_file=str(tmp_path / "scheduler.json")) as client:
        (loaded,) = client.run(lambda: loaded_pipeline.cache_info().currsize).values()
    assert loaded == 1


def test_the_script_for_slurm_submits_a_job_whose_workers_take_one_task_each(tmp_path, start):
    pytest.importorskip("dask_jobqueue")
    (tmp_path / "slurm_cluster.py").write_text(adapted(file("slurm_cluster.py"), tmp_path), encoding="utf-8")
    (tmp_path / "bin").mkdir()
    for program, body in {
        "sbatch": f'cp "$1" {tmp_path}/job.new; mv {tmp_path}/job.new {tmp_path}/job; echo 7',
        "scancel": ":",
    }.items():
        (tmp_path / "bin" / program).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / "bin" / program).chmod(0o755)
    start(sys.executable, "slurm_cluster.py")
    job = wait_for(tmp_path / "job")
    assert re.findall(r"^#SBATCH (-p|-t) (\S+)$", job, re.MULTILINE) == [("-p", "standard"), ("-t", "04:00:00")]
    worker = next(line for line in job.splitlines() if "dask_worker" in line)
    options = shlex.split(worker)
    assert f"export WDW_CONFIG={tmp_path}/wire.yaml" in job.splitlines()
    assert options[options.index("--preload-nanny") + 1] == "wdw_build.preload"
    assert options[:3] == [sys.executable, "-m", "distributed.cli.dask_worker"]
    assert options[options.index("--nthreads") + 1] == "1"
    assert options[3] in wait_for(tmp_path / "scheduler.json")
    minutes = int(options[options.index("--lifetime") + 1].rstrip("m"))
    stagger = int(options[options.index("--lifetime-stagger") + 1].rstrip("m"))
    assert minutes + stagger < 4 * 60


def resources():
    documents = [made for name in ("volume.yaml", "cluster.yaml") for made in yaml.safe_load_all(file(name))]
    return {made["kind"]: made for made in documents}


def pods():
    """The pod templates of the files by name."""
    made = resources()
    return {
        "files": made["Pod"]["spec"],
        "worker": made["DaskCluster"]["spec"]["worker"]["spec"],
        "scheduler": made["DaskCluster"]["spec"]["scheduler"]["spec"],
        "run": made["Job"]["spec"]["template"]["spec"],
    }


def test_the_job_for_one_node_runs_a_command_that_exists():
    (line,) = [line for line in file("node.sbatch").splitlines() if line.startswith("wdw-build ")]
    _, command, *words = shlex.split(line)
    assert command == "all"
    assert parsed([command, *words])["overrides"] == ["execution.workers=$SLURM_CPUS_PER_TASK"]
    assert line in PAGE


def test_all_pods_have_the_image_of_the_page_and_the_volume_of_the_page_where_they_need_it():
    (image,) = re.findall(r"docker build -t (\S+)", section("Kubernetes"))
    claim = resources()["PersistentVolumeClaim"]
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    shared = yaml.safe_load(file("wire.yaml"))["output_dir"]
    for name, pod in pods().items():
        (container,) = pod["containers"]
        assert container["image"] == image
        if name != "scheduler":
            (volume,) = pod["volumes"]
            (mount,) = container["volumeMounts"]
            assert volume["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
            assert mount["name"] == volume["name"]
            assert shared.startswith(f"{mount['mountPath']}/")


def test_the_pods_run_commands_that_exist_with_options_that_exist():
    worker = pytest.importorskip("distributed.cli.dask_worker").main
    scheduler = pytest.importorskip("distributed.cli.dask_scheduler").main
    arguments = {name: pod["containers"][0]["args"] for name, pod in pods().items()}
    assert arguments["worker"][:2] == ["dask", "worker"]
    given = worker.make_context("worker", arguments["worker"][2:]).params
    assert given["nthreads"] == 1
    assert arguments["scheduler"][:2] == ["dask", "scheduler"]
    scheduler.make_context("scheduler", arguments["scheduler"][2:])
    assert arguments["run"][1] == "all"
    (setting,) = parsed(arguments["run"][1:])["overrides"]
    service, port = re.search(r"tcp://([\w-]+):(\d+)", setting).groups()
    assert service == resources()["DaskCluster"]["metadata"]["name"] + "-scheduler"
    assert int(port) in [entry["port"] for entry in resources()["DaskCluster"]["spec"]["scheduler"]["service"]["ports"]]


def test_the_image_is_made_of_files_of_the_repository():
    dockerfile = file("Dockerfile")
    sources = [
        word for line in re.findall(r"^COPY (?!--from)(.*) \S+$", dockerfile, re.MULTILINE) for word in line.split()
    ]
    assert {"constraints.txt", "pyproject.toml", "src"} <= set(sources)
    assert all((ROOT / source).exists() for source in sources)
    assert "-c constraints.txt" in dockerfile
    assert "wdw-build setup" in dockerfile

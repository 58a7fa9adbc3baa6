"""The wheel, made from the source archive, is enough: in a new environment it makes the golden dataset."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import accept
import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.real
BUILD = "from setuptools import build_meta; build_meta.build_sdist('dist')"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that is built from the source archive, which holds the tracked files alone."""
    folder = tmp_path_factory.mktemp("source")
    tracked = run("git", "ls-files", "-z", cwd=ROOT).split("\0")
    for name in filter(None, tracked):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name, follow_symlinks=False)
    run(sys.executable, "-c", BUILD, cwd=folder)
    (archive,) = (folder / "dist").glob("*.tar.gz")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder / "dist", archive)
    (made,) = (folder / "dist").glob("*.whl")
    return made


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """A new environment with the wheel, and the libraries of the environment of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    run(sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    # The libraries come last, and the .pth files among them are not read: this package is the wheel's.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def test_the_wheel_has_every_file_of_the_package_and_a_description_without_dead_links(wheel):
    tracked = run("git", "ls-files", "src/wdw_build", cwd=ROOT).split()
    wanted = {name.removeprefix("src/") for name in tracked if (ROOT / name).exists()}
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        description = packed.read(metadata).decode()
    assert not wanted - names
    assert "Description-Content-Type: text/markdown" in description
    assert "](docs/" not in description


def test_the_golden_dataset_is_built_and_verified_from_an_empty_folder(environment, tmp_path):
    wdw = environment / "bin" / "wdw-build"
    tools = os.environ.get("WDW_KENLM_BIN") or str(Path(sys.prefix) / "bin")
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"WDW_KENLM_BIN": tools}
    options = {"cwd": tmp_path, "env": clean}
    place = run(environment / "bin" / "python", "-c", "import wdw_build; print(wdw_build.__file__)", **options)
    assert Path(place.strip()).is_relative_to(environment)
    assert all(finding["ok"] for finding in json.loads(run(wdw, "doctor", "--json", **options)))
    run(wdw, "init", "--sample", **options)
    run(wdw, "config", "check", "-c", "sample.yaml", **options)
    for name in ("golden.yaml", "corpus.jsonl"):
        shutil.copyfile(accept.HERE / name, tmp_path / name)
    run(wdw, "all", "-q", "-c", "golden.yaml", **options)
    run(wdw, "run", "pseudonyms", "-q", "-c", "golden.yaml", **options)
    assert accept.collect(tmp_path / "out" / "runs" / "golden") == accept.expected()
    run(wdw, "verify", "-q", "-c", "out/runs/golden", **options)

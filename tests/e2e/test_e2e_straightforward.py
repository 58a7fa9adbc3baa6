"""The plain program of docs/performance.md makes the same problems as the pipeline, on the golden corpus."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import accept

from benchmarks.whole import differences, our_rows, read_rows
from wdw_build.core.loading import load_config
from wdw_build.core.progress import Progress
from wdw_build.pipeline import Pipeline

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    run = accept.build(folder / "ours")
    config = load_config(run / "config.yaml").config
    subprocess.run(
        [sys.executable, "-P", ROOT / "scripts" / "benchmarks" / "straightforward.py", "--config", run / "config.yaml",
         "--out", folder / "plain.jsonl"], check=True, timeout=300,
    )  # fmt: skip
    return our_rows(Pipeline(config, Progress("quiet"))), read_rows(folder / "plain.jsonl")


def test_both_make_the_same_problems(sides):
    assert differences(*sides) == []


def test_there_are_problems_in_every_split_to_compare(sides):
    assert {row["split"] for row in sides[0].values()} >= {"train", "validation", "test"}
    assert len(sides[0]) >= 8, json.dumps(list(sides[0]))

"""The plain program of docs/performance.md makes the same problems as the pipeline, on the golden corpus."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import accept

from benchmarks.straightforward import build, read_options
from benchmarks.whole import differences, our_rows
from wdw_build.core.loading import load_config
from wdw_build.core.progress import Progress
from wdw_build.pipeline import Pipeline

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    run = accept.build(tmp_path_factory.mktemp("ours"))
    config = load_config(run / "config.yaml").config
    rows = build(read_options(run / "config.yaml"), tmp_path_factory.mktemp("plain"))
    return our_rows(Pipeline(config, Progress("quiet"))), {row["id"]: row for row in rows}


def test_both_make_the_same_problems(sides):
    assert differences(*sides) == []


def test_there_are_problems_in_every_split_to_compare(sides):
    assert {row["split"] for row in sides[0].values()} >= {"train", "validation", "test"}
    assert len(sides[0]) >= 8, json.dumps(list(sides[0]))

"""The plain program of docs/development/performance.md makes the same problems as the pipeline with ``preset: paper``."""

import sys
from pathlib import Path

import accept
import pytest

from benchmarks.straightforward import build, main, read_paper_config
from benchmarks.whole import differences, our_rows
from wdw_build.core.progress import Progress
from wdw_build.pipeline.config.file import as_yaml, load_config
from wdw_build.pipeline.pipeline import Pipeline

pytestmark = pytest.mark.real
ROOT = Path(__file__).resolve().parents[2]


# The golden configuration gives some of the preset's keys, and what is given wins over a preset.
PAPER = [
    "preset=paper",
    "retrieve.min_event_score=0.0",
    "choices.min_evidence=0.0",
    "suppress.max_per_event=0",
    "suppress.max_per_answer=0.0",
]


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    run = accept.build(tmp_path_factory.mktemp("ours"), PAPER)
    config = read_paper_config(run / "config.yaml")
    rows = build(config, tmp_path_factory.mktemp("plain"))
    return our_rows(Pipeline(config, Progress("quiet"))), {row["id"]: row for row in rows}


def test_the_plain_program_and_the_pipeline_make_the_same_problems(sides):
    assert differences(*sides) == []
    assert {row["split"] for row in sides[0].values()} >= {"train", "validation", "test"}


@pytest.mark.parametrize("key", ["suppress.max_per_passage=3", "choices.above_max=draw", "split.by_event=true"])
def test_the_plain_program_refuses_a_configuration_with_another_value_and_names_the_key(
    key, tmp_path, monkeypatch, capsys
):
    config = load_config(ROOT / "configs" / "sample.yaml", ["preset=paper", key])
    (tmp_path / "c.yaml").write_text(as_yaml(config), encoding="utf-8")
    arguments = ["--config", str(tmp_path / "c.yaml"), "--out", str(tmp_path / "rows")]
    monkeypatch.setattr(sys, "argv", ["straightforward.py", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert key.partition("=")[0] in capsys.readouterr().err
    assert not (tmp_path / "rows").exists()

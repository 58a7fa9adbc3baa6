"""The arithmetic of the benchmarks, their table, and the page that describes them."""

import functools
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import measure, whole
from benchmarks.measure import Figure, Goal
from benchmarks.setting import as_paper, forget_annotations
from benchmarks.straightforward import read_paper_config
from run_benchmarks import LINES
from wdw_build.core.progress import Progress
from wdw_build.errors import ConfigError
from wdw_build.pipeline.backends import backend
from wdw_build.pipeline.config.file import as_yaml
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.records import Tokens

PAGE = (Path(__file__).parents[3] / "docs" / "development" / "performance.md").read_text(encoding="utf-8")


def figure(name="help", values=(0.2, 0.1, 0.4), **more):
    told = {"title": "seconds", "unit": "s", "goal": Goal("<", 0.3), "size": "3 articles", **more}
    return Figure(name, values=values, **told)


def test_sides_take_turns_and_each_round_begins_with_the_other():
    calls = []
    timed = measure.in_turn(3, *[functools.partial(calls.append, name) for name in ("ours", "other", "before")])
    assert " ".join(calls) == "before ours before other before other before ours before ours before other"
    assert len(timed) == 3


def test_a_figure_is_judged_by_its_median_and_keeps_its_spread():
    assert figure().median == 0.2
    assert figure().spread == (0.1, 0.4)
    assert figure().reached
    assert not figure(goal=Goal("≥", 0.3)).reached
    assert figure(goal=Goal("≤", 0.2)).reached
    assert not figure(goal=Goal("<", 0.2)).reached


def test_problems_that_differ_are_told_by_field_and_those_of_one_side_by_id():
    mine = {"1": {"answer": 0}, "2": {"answer": 1}, "3": {"answer": 1}}
    theirs = {"1": {"answer": 0}, "2": {"answer": 0}, "4": {"answer": 1}}
    one_side = ["3: only one side has it", "4: only one side has it"]
    assert whole.differences(mine, theirs) == [*one_side, "2: answer: 1, the yardstick 0"]


def configured(folder, **more):
    corpus = CorpusConfig(reader="jsonl", path=str(folder / "a.jsonl"))
    return Config(run="x", output_dir=str(folder), corpus=corpus, **more)


def test_forgotten_annotations_are_made_again_by_the_same_process(tmp_path, monkeypatch):
    config = configured(tmp_path)
    store, sentence, made = backend(config, "annotations"), Tokens(text="Ann", words=("Ann",), spans=((0, 3),)), []

    def names(sentences):
        made.extend(sentences)
        return [()] * len(sentences)

    annotator = SimpleNamespace(identity="fake", device="cpu", names=names, take_devices=lambda: frozenset({"cpu"}))
    monkeypatch.setattr(store, "_annotator", annotator)
    store.names([sentence])
    store.flush()
    store.names([sentence])
    assert len(made) == 1
    forget_annotations(Pipeline(config, Progress("quiet")))
    store.names([sentence])
    assert len(made) == 2


def test_the_line_whole_sets_the_preset_whatever_the_configuration_says(tmp_path):
    given = configured(tmp_path, seed=7)
    (tmp_path / "careful.yaml").write_text(as_yaml(given))
    (tmp_path / "paper.yaml").write_text(as_yaml(as_paper(given)))
    config = read_paper_config(tmp_path / "paper.yaml")
    assert (config.preset, config.seed, config.split) == ("paper", 7, given.split)
    with pytest.raises(ConfigError, match=r"questions\.trim_phrase is True, not False"):
        read_paper_config(tmp_path / "careful.yaml")


def test_the_page_describes_every_line_and_no_other():
    described = set(re.findall(r"^\| `([a-z][\w-]*)` \|", PAGE.split("## Results")[0], re.M))
    assert set(LINES) <= described
    assert all(any(name == line or name.startswith(f"{line}-") for line in LINES) for name in described)

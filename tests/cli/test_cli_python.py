"""The Python API over the real run: every example of docs/howto/python.md runs, from the first to the last."""

import json
import re
from pathlib import Path

import pytest

import wdw_build
from wdw_build.core.store import jsonl
from wdw_build.errors import ConfigError, UsageError

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "python.md"


@pytest.fixture
def place(built, tmp_path, monkeypatch):
    """A working directory in which the paths of the page lead to the real run and to a corpus of one article."""
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "sample.yaml").symlink_to(built.config)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sample").symlink_to(built.folder.parents[1])
    article = {"id": "a1", "date": "2014-03-04", "source": "HP", "kind": "story", "title": "T", "text": "It rained."}
    (tmp_path / "articles.jsonl").write_text(json.dumps(article) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_examples_of_the_page_run_one_after_the_other(place, capsys):
    pytest.importorskip("datasets", reason="the table needs the extra hf")
    scope = {}
    for block in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        exec(compile(block, str(PAGE), "exec"), scope)
    assert scope["dataset"].num_rows == scope["frame"].split.eq("train").sum() > 0
    assert scope["questions"].records[0].name.text == "Bob Beck"
    assert scope["hit"].id == "a1"


def test_the_names_of_the_package_are_there_and_others_are_not():
    for name in wdw_build.__all__:
        assert getattr(wdw_build, name) is not None
    assert set(wdw_build.__all__) <= set(dir(wdw_build))
    with pytest.raises(AttributeError, match="no attribute 'load_runs'"):
        _ = wdw_build.load_runs


def test_a_stage_in_memory_makes_what_the_build_made(built):
    run = wdw_build.load_run(built.folder)
    again = wdw_build.run_stage("dedup", run.raw_problems, config=built.config)
    assert again.records == list(run.distinct_problems)
    assert again.rejections == list(run.distinct_problems.rejections())


def test_records_of_one_stage_and_the_run_for_the_others_are_enough(built):
    run = wdw_build.load_run(built.folder)
    some = list(run.predictions)[:12]
    alone = wdw_build.run_stage("suppress", some, config={"suppress": {"min_kept": 1, "strict": 0.9, "relaxed": 0.9}})
    assert {record.id for record in (*alone.records, *alone.rejections)} == {record.id for record in some}
    assert all(jsonl.encode(record) for record in alone)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "stage questions needs an output of names"),
        ({"names": []}, "stage questions reads files, not only records, of names"),
    ],
)
def test_a_missing_input_is_named_with_the_ways_to_give_it(built, inputs, message):
    run = wdw_build.load_run(built.folder)
    with pytest.raises(UsageError, match=message) as caught:
        wdw_build.run_stage("questions", run.first_sentences, inputs=inputs)
    assert "inputs={'names': run_stage('names', ...)}" in caught.value.hint


def test_an_unknown_key_of_a_mapping_is_refused_as_in_a_file():
    with pytest.raises(ConfigError, match=r"configuration: unknown key 'questions.min_token'") as caught:
        wdw_build.run_stage("questions", [], config={"questions": {"min_token": 5}})
    assert caught.value.hint == "did you mean 'min_tokens'?"

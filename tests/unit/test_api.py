"""The Python API on the toy run: stages in memory, their inputs, configurations given as mappings."""

import json
import traceback
from pathlib import Path

import pytest

import wdw_build
from support.interpreter import python
from support.toy_pipeline import begun, events, ports
from wdw_build import api
from wdw_build.errors import ConfigError, UsageError
from wdw_build.stages import dedup, ingest, names, questions, sentences, suppress


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    made = begun(tmp_path_factory.mktemp("store"))
    made.run()
    return made


@pytest.fixture
def run(toy):
    return wdw_build.load_run(toy.run_folder)


def test_the_names_of_the_package_are_there_and_others_are_not():
    for name in wdw_build.__all__:
        assert getattr(wdw_build, name) is not None
    assert set(wdw_build.__all__) <= set(dir(wdw_build))
    with pytest.raises(AttributeError, match="no attribute 'load_runs'"):
        _ = wdw_build.load_runs


def test_a_stage_in_memory_makes_what_the_pipeline_made(toy, run):
    again = wdw_build.run_stage(dedup.STAGE, run.all_alternatives, config=toy.config)
    assert again.records == list(run.alternatives)
    assert again.rejections == list(run.alternatives.rejections())


def test_a_chain_of_stages_in_memory_makes_what_the_pipeline_made(toy, run):
    options = {"config": toy.config, "ports": ports()}
    articles = wdw_build.run_stage("ingest", events(), **options)
    firsts = wdw_build.run_stage("sentences", articles, **options)
    counted = wdw_build.run_stage("names", firsts, inputs={"ingest": articles}, **options)
    asked = wdw_build.run_stage("questions", firsts, inputs={"names": counted, "ingest": articles}, **options)
    assert articles.rejections == list(run.articles.rejections())
    assert asked.records == list(run.questions)
    assert asked.output.manifest.reasons == run.questions.manifest.reasons


def test_a_run_gives_the_inputs_that_a_stage_reads_besides_its_records(toy, run):
    some = list(run.first_sentences)[:6]
    asked = wdw_build.run_stage(questions.STAGE, some, config=toy.config, inputs=run, ports=ports())
    wanted = {sentence.id for sentence in some}
    assert asked.records == [question for question in run.questions if question.id in wanted]


def test_an_input_that_is_missing_or_lacks_its_files_is_named_with_the_ways_to_give_it(run):
    cases = {"needs an output of names": {}, "reads files, not only records, of names": {names.STAGE.name: []}}
    for message, inputs in cases.items():
        with pytest.raises(UsageError, match=f"stage questions {message}") as caught:
            wdw_build.run_stage("questions", run.first_sentences, inputs=inputs)
        assert "inputs={'names': run_stage('names', ...)}" in caught.value.hint


def test_the_hint_of_an_error_is_below_its_traceback(tmp_path):
    for name in ("one", "two"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    with pytest.raises(UsageError) as caught:
        wdw_build.load_run(tmp_path)
    assert f"try: name one of them: {tmp_path / 'runs' / 'one'}" in "".join(traceback.format_exception(caught.value))


def test_a_run_is_shown_by_its_folder_alone(run):
    assert repr(run) == f"Run(folder={run.folder!r})"


def test_the_folder_of_a_result_goes_with_it(toy, run):
    result = wdw_build.run_stage(suppress.STAGE, run.predictions, config=toy.config, inputs=run, ports=ports())
    folder = result.output.folder
    assert (folder / "manifest.json").exists()
    del result
    assert not folder.exists()


def test_backends_of_a_stage_in_memory_store_nothing_in_the_output_dir(toy, monkeypatch):
    configs = []
    monkeypatch.setattr(api, "Backends", lambda config: configs.append(config) or ports())
    result = wdw_build.run_stage(ingest.STAGE, events(), config=toy.config)
    assert [Path(config.output_dir) in result.output.folder.parents for config in configs] == [True]


def test_a_mapping_is_refused_for_what_a_file_is_refused_for():
    with pytest.raises(ConfigError, match=r"configuration: unknown key 'questions.min_token'") as caught:
        wdw_build.run_stage(sentences.STAGE, [], config={"questions": {"min_token": 5}})
    assert caught.value.hint == "did you mean 'min_tokens'?"


def test_a_build_needs_every_key_that_a_file_needs(tmp_path):
    with pytest.raises(ConfigError, match="missing key `corpus`"):
        wdw_build.build({"run": "r", "output_dir": tmp_path})


SCRIPT = """
import os
import wdw_build

print("begins")
before = dict(os.environ)
config = {"run": "r", "output_dir": "out", "corpus": {"reader": "jsonl", "path": "a.jsonl"}, "execution": {"workers": 2}}
run = wdw_build.build(config, stages=["ingest"])
print(len(run.articles), os.environ == before)
"""


def test_a_script_without_a_main_guard_builds_with_two_workers(tmp_path):
    article = {"id": "a1", "date": "2014-03-04", "source": "HP", "kind": "story", "title": "T", "text": "It rained."}
    (tmp_path / "a.jsonl").write_text(json.dumps(article) + "\n")
    (tmp_path / "script.py").write_text(SCRIPT)
    assert python("script.py", cwd=tmp_path) == "begins\n1 True\n"

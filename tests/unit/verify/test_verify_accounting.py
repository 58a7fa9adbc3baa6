"""Accounting: files, ids, the chain of stages and what they carry on."""

import hashlib
import json

import pytest

from support.consistent_run import candidate, edit, problem


@pytest.mark.parametrize(
    "after",
    [
        edit("index/part-00000.jsonl", '"words":20', '"words":21'),
        edit("ingest/rejections.jsonl", '"detail":""', '"detail":"x"'),
        edit("dedup/manifest.json", '"duplicate-question":1', '"duplicate-question":2'),
        edit("index/manifest.json", '"records":21', '"records":20'),
        lambda folder: (folder / "index/part-00001.jsonl").touch(),
    ],
)
def test_a_changed_file_or_manifest_fails_files(failing, after):
    assert failing(after=after) == ["files"]


@pytest.mark.parametrize("now", [b"garbled", b"", None])
def test_a_file_of_the_list_that_is_not_as_it_was_written_fails_files(failing, now):
    def with_index(folder):
        index, path = folder / "retrieve" / "index.sqlite", folder / "retrieve" / "manifest.json"
        manifest = json.loads(path.read_bytes())
        manifest["files"] = {index.name: {"bytes": 7, "sha256": hashlib.sha256(b"written").hexdigest()}}
        path.write_bytes(json.dumps(manifest).encode())
        if now is not None:
            index.write_bytes(now)

    assert failing(after=with_index) == ["files"]


def lose(stages):
    stages["index"][0].pop()


def make_up(stages):
    stages["index"][0][0]["id"] = "ghost"


@pytest.mark.parametrize("stages", [lose, make_up])
def test_a_lost_or_invented_id_fails_accounting(failing, stages):
    assert failing(stages=stages) == ["accounting"]


def test_accounting_names_lost_and_invented_ids(failing):
    failing(stages=make_up)
    examples = next(check.examples for check in failing.report.checks if check.name == "accounting")
    assert [example.split(":")[0] for example in examples] == ["q0", "ghost"]


def test_a_manifest_with_other_counts_fails_accounting(failing):
    assert failing(after=edit("index/manifest.json", '"read":21', '"read":22')) == ["accounting"]


@pytest.mark.parametrize(
    "after",
    [
        edit("retrieve/manifest.json", "content of index", "older index"),
        edit("dedup/manifest.json", '"threshold":0.8', '"threshold":0.9'),
        edit("split/manifest.json", '"seed":0', '"seed":1'),
    ],
)
def test_a_stage_made_with_another_input_key_or_seed_fails_chain(failing, after):
    assert failing(after=after) == ["chain"]


def other_tree(stages):
    stages["questions"][0][2]["tree"] = "(NP)"


def other_choices(stages):
    stages["choices"][0][2] = stages["choices"][0][2] | {"refused": [candidate(problem(2))]}


def other_passage_score(stages):
    for name in ("choices", "dedup"):
        stages[name][0][2]["passages"][0]["score"] = 9.0
    stages["problems"][0][2]["score"] = 9.0


def other_problem(stages):
    stages["problems"][0][2] = stages["problems"][0][2] | {"score": 9.0}


def other_wording(stages):
    stages["problems"][0][2]["question"] |= {"refused": [{"name": "Carl", "rule": "x"}]}


@pytest.mark.parametrize(
    "stages",
    [
        other_tree,
        other_choices,
        other_passage_score,
        other_problem,
        other_wording,
    ],
)
def test_a_record_that_changes_between_stages_fails_carried(failing, stages):
    assert failing(stages=stages) == ["carried"]


def test_a_passage_that_retrieve_refused_fails_carried(failing):
    def stages(outputs):
        outputs["retrieve"][0][2]["candidates"][0]["rule"] = "left-context"

    assert failing(stages=stages) == ["carried"]


def test_settings_of_another_stage_that_a_stage_was_made_with_fail_chain(failing):
    shared = '"shared":{"suppress":{"strict":0.9}},"seed"'
    assert failing(after=edit("adversary/manifest.json", '"seed"', shared)) == ["chain"]

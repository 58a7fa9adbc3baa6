"""Presets: what they set, and that a key that is given wins."""

import msgspec
import pytest

from wdw_build.core.config.settings import Config
from wdw_build.core.config_file import load_config, paper_values
from wdw_build.errors import ConfigError

BASE = "run: toy\noutput_dir: out\ncorpus: {reader: jsonl, path: articles.jsonl}\n"


@pytest.fixture
def load(tmp_path):
    def loaded(text, *overrides):
        (tmp_path / "c.yaml").write_text(BASE + text, encoding="utf-8")
        return load_config(tmp_path / "c.yaml", overrides)

    return loaded


def test_careful_is_the_default_and_is_what_the_keys_declare(load):
    assert load("") == load("preset: careful\n")
    plain = Config(run="toy", output_dir="", corpus=load("").corpus)
    assert load("").questions == plain.questions


def test_every_value_of_the_paper_preset_is_set_and_differs_from_the_default(load):
    paper, default = load("preset: paper\n"), load("")
    for section, keys in paper_values().items():
        for key, value in keys.items():
            found = getattr(getattr(paper, section), key)
            assert found == msgspec.convert(value, type(found)), f"{section}.{key}"
            assert found != getattr(getattr(default, section), key), f"{section}.{key}"


def test_a_key_in_the_file_wins_over_the_preset(load):
    config = load("preset: paper\nquestions: {refuse_modifier: true}\n")
    assert config.questions.refuse_modifier
    assert not config.questions.refuse_finite_verb


def test_a_key_on_the_command_line_wins_over_the_preset_and_may_choose_it(load):
    config = load("", "preset=paper", "retrieve.max_numeric_ratio=0.5")
    assert config.retrieve.max_numeric_ratio == 0.5
    assert config.retrieve.max_reprint == 0.0


def test_the_stored_configuration_gives_the_same_again(load, tmp_path):
    from wdw_build.core.config_file import as_yaml

    config = load("preset: paper\nquestions: {refuse_modifier: true}\n")
    (tmp_path / "again.yaml").write_text(as_yaml(config), encoding="utf-8")
    assert load_config(tmp_path / "again.yaml") == config


@pytest.mark.parametrize("preset", ["papr", "3", "[paper]"])
def test_an_unknown_preset_is_refused_with_the_key(load, preset):
    with pytest.raises(ConfigError, match="preset"):
        load(f"preset: {preset}\n")


def test_a_section_that_is_not_a_mapping_is_still_refused(load):
    with pytest.raises(ConfigError, match="questions"):
        load("preset: paper\nquestions: 3\n")

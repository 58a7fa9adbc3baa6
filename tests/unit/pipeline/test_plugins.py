"""Plug-in stages: an entry point that is not a usable stage is refused with its cause; the configuration has their sections."""

import pickle
from dataclasses import replace
from typing import Annotated

import msgspec
import pytest

from support import toy_stages
from support.entry_points import Point, provide
from wdw_build.core.section import Section
from wdw_build.errors import ConfigError
from wdw_build.pipeline.config import settings
from wdw_build.pipeline.config.file import as_yaml
from wdw_build.pipeline.config.settings import Config


@pytest.fixture
def install(monkeypatch):
    """Install stages by name, for one test."""

    def installed(**stages):
        provide(monkeypatch, settings.GROUP, *(Point(name, f"module:{name}", stage) for name, stage in stages.items()))

    settings.plugin_stages.cache_clear()
    yield installed
    settings.plugin_stages.cache_clear()


class NoDefault(Section, frozen=True):
    most: int


class CapConfig(Section, frozen=True):
    most: Annotated[int, msgspec.Meta(ge=1)] = 3


CAP = toy_stages.mapped(toy_stages.copy, name="cap", config=CapConfig)


UNUSABLE = [
    (ImportError("no module"), "it cannot be loaded: ImportError: no module"),
    ("text", "module:bad is not a Stage"),
    (replace(CAP, name="My Cap"), "the stage name 'My Cap' is not of the form"),
    (replace(CAP, name="dedup"), "the configuration already has a key 'dedup'"),
    (replace(CAP, name="seed"), "the configuration already has a key 'seed'"),
    (replace(CAP, config=NoDefault), "a key of NoDefault has no default value"),
]


@pytest.mark.parametrize(("stage", "message"), UNUSABLE)
def test_an_unusable_entry_point_is_refused_with_its_cause(install, stage, message):
    install(bad=stage)
    with pytest.raises(ConfigError, match="plug-in stage 'bad' cannot be used") as refused:
        settings.plugin_stages()
    assert message in str(refused.value)


def test_without_plug_ins_the_configuration_is_the_declared_one(install):
    install()
    assert settings.config_type() is Config


@pytest.fixture
def load(install, load):
    install(cap=CAP)
    return load


def test_the_section_of_a_plug_in_is_typed_and_has_its_defaults(load):
    assert load("cap: {most: 2}\n").section("cap") == CapConfig(most=2)
    assert load().section("cap") == CapConfig(most=3)
    assert as_yaml(load()).endswith("cap:\n  most: 3\n")


def test_a_configuration_with_plug_ins_travels_to_workers(load):
    config = load("cap: {most: 2}\n")
    assert pickle.loads(pickle.dumps(config)) == config

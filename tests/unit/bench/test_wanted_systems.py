"""Which systems the names and groups of ``bench.systems`` mean, and packages whose system cannot be loaded."""

from importlib.metadata import EntryPoint

import pytest

from support import systems
from support.entry_points import provide
from wdw_bench.call import wanted_systems
from wdw_bench.cli import _described
from wdw_build.errors import ConfigError
from wdw_build.pipeline.registry import broken_plugins, system_entry, system_names

LOADABLE = ("first", "counting", "extracting", "too-short", "silent", "failing", "lacking")


@pytest.fixture(autouse=True)
def _without_the_wrong_one(monkeypatch):
    systems.use_only(monkeypatch, LOADABLE)


def test_names_and_groups_mean_these_systems():
    assert wanted_systems(())[0] == LOADABLE
    assert wanted_systems(("all",))[0] == LOADABLE
    assert wanted_systems(("counting", "first"))[0] == ("counting", "first")
    assert wanted_systems(("probes",))[0] == ("first",)
    assert wanted_systems(("probe", "neural", "first"))[0] == ("first", "counting")
    assert wanted_systems(("all but neural", "first"))[0] == LOADABLE[2:]
    assert wanted_systems(("all but today",))[0] == ("first",)


def test_a_system_that_was_removed_is_refused_with_what_to_do():
    with pytest.raises(ConfigError) as caught:
        system_entry("span-encoder")
    assert "choice-encoder" in caught.value.hint


def test_only_systems_that_are_named_must_have_their_model():
    assert wanted_systems(("today",))[1] == frozenset()
    assert wanted_systems(("lacking",))[1] == {"lacking"}


def test_a_package_whose_system_cannot_be_imported_is_named(monkeypatch):
    group = "wdw_build.systems"
    provide(monkeypatch, group, EntryPoint("mine", "my_package.nothing:SYSTEM", group))
    assert "mine" in system_names()
    message = "system 'mine', entry point my_package.nothing:SYSTEM, cannot be loaded: ModuleNotFoundError"
    with pytest.raises(ConfigError, match=message):
        system_entry("mine")
    (sentence,) = broken_plugins()
    assert sentence.startswith(message)
    assert _described("mine")[:2] == ("mine", "broken")

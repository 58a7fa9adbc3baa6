"""Stages that other installed packages add: entry points of the group ``wdw_build.stages``, each a ``Stage``."""

from __future__ import annotations

import functools
import importlib.metadata
import re
from typing import Any

import msgspec

from wdw_build.config.settings import Config
from wdw_build.core.stage import Stage
from wdw_build.errors import ConfigError

GROUP = "wdw_build.stages"
# The name of a stage is a key of the configuration and the name of a folder.
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@functools.cache
def plugin_stages() -> tuple[Stage, ...]:
    """The installed plug-in stages, by name. Raises ``ConfigError`` for an entry point that is not a usable stage."""
    points = sorted(importlib.metadata.entry_points(group=GROUP), key=lambda point: point.name)
    return tuple(_loaded(point) for point in points)


def _loaded(point: importlib.metadata.EntryPoint) -> Stage:
    try:
        stage = point.load()
    except Exception as error:
        raise _unusable(point, f"it cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(stage, Stage):
        raise _unusable(point, f"{point.value} is not a Stage")
    if not _NAME.fullmatch(stage.name):
        raise _unusable(point, f"the stage name {stage.name!r} is not of the form {_NAME.pattern}")
    if stage.name in Config.__struct_fields__:
        raise _unusable(point, f"the configuration already has a key {stage.name!r}")
    try:
        stage.config()
    except TypeError as error:
        raise _unusable(point, f"a key of {stage.config.__name__} has no default value") from error
    return stage


def _unusable(point: importlib.metadata.EntryPoint, why: str) -> ConfigError:
    return ConfigError(
        f"plug-in stage {point.name!r} cannot be used: {why}", hint="correct or uninstall the package that provides it"
    )


def config_type() -> type[Config]:
    """``Config`` with a section for each plug-in stage; without plug-ins ``Config`` itself."""
    return _with_sections(tuple((stage.name, stage.config) for stage in plugin_stages()))


@functools.cache
def _with_sections(sections: tuple[tuple[str, Any], ...]) -> type[Config]:
    if not sections:
        return Config
    fields = [(name, kind, kind()) for name, kind in sections]
    extended: Any = msgspec.defstruct(
        "Config",
        fields,
        bases=(Config,),
        module=__name__,
        # pickle cannot import a class that is made at run time, so ``_restored`` makes the class again.
        namespace={"__doc__": Config.__doc__, "__reduce__": lambda self: (_restored, (msgspec.structs.asdict(self),))},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    config: type[Config] = extended
    return config


def _restored(values: dict[str, Any]) -> Config:
    return config_type()(**values)

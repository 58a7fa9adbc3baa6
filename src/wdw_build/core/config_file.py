"""Reads a configuration file: YAML, then ``--set``, then strict decoding; relative paths become absolute.

Errors name the key, what is wrong, and the nearest known key.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import yaml

from wdw_build.core.config.presets import with_preset
from wdw_build.core.config.section import Section
from wdw_build.core.config.settings import Config
from wdw_build.core.plugins import config_type
from wdw_build.errors import ConfigError

_UNKNOWN = re.compile(r"unknown field `(?P<key>[^`]*)`(?: - at `\$\.?(?P<where>[^`]*)`)?")


def load_config(path: Path, overrides: Sequence[str] = ()) -> Config:
    """Load a file and apply ``key.sub=value`` overrides. Raises ``ConfigError``."""
    raw = read_yaml(path)
    for override in overrides:
        _apply(raw, override)
    return decode_config(raw, path, path.resolve().parent)


def decode_config(raw: dict[str, Any], source: Path, base: Path) -> Config:
    """The configuration with these keys; relative paths count from ``base``. Raises ``ConfigError``, which names ``source``."""
    try:
        config = msgspec.convert(with_preset(raw, config_type()), config_type())
    except msgspec.ValidationError as error:
        raise _explained(error, source) from error
    return _with_absolute_paths(config, base)


def read_yaml(path: Path) -> dict[str, Any]:
    """The keys and values of a YAML file. Raises ``ConfigError``."""
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(
            f"no configuration file {path}", hint="configs/ has an example for each kind of corpus"
        ) from error
    except IsADirectoryError as error:
        stored = path / "config.yaml"
        hint = f"-c {stored} is the configuration of this run" if stored.is_file() else "-c FILE"
        raise ConfigError(f"{path} is a folder, and not a configuration file", hint=hint) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error
    except (yaml.YAMLError, ValueError) as error:
        # ValueError: a date that does not exist, such as 2014-02-30.
        raise ConfigError(f"{path} is not YAML: {error}", hint="check the indentation near this line") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"{path} has no keys", hint="run, output_dir and corpus are required")
    return raw


def _apply(raw: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise ConfigError(
            f"--set {override}: not of the form key.sub=value", hint="an example: --set questions.min_tokens=8"
        )
    try:
        # A dash alone means standard input; YAML reads it as a list.
        value = text if text == "-" else yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        raise ConfigError(f"--set {override}: the value is not YAML: {error}", hint="quote the value") from error
    *parents, last = key.split(".")
    section = raw
    for parent in parents:
        section = section.setdefault(parent, {})
        if not isinstance(section, dict):
            raise ConfigError(f"--set {override}: {parent} is not a section")
    section[last] = value


def _explained(error: msgspec.ValidationError, path: Path) -> ConfigError:
    message = str(error)
    unknown = _UNKNOWN.search(message)
    if unknown is None:
        where = re.search(r" - at `\$\.?(?P<where>[^`]*)`", message)
        key = where.group("where") if where else ""
        text = message.split(" - at ")[0].replace("Object missing required field", "missing key")
        allowed = _allowed(key) if "Invalid enum value" in text else []
        hint = (
            f"one of: {', '.join(allowed)}" if allowed else "wdw-build config schema  lists every key, type and bound"
        )
        return ConfigError(f"{path}: {key or 'top level'}: {text}", hint=hint)
    section, key = unknown.group("where") or "", unknown.group("key")
    near = _nearest(section, key)
    hint = f"did you mean {near!r}?" if near else f"known keys: {', '.join(_keys(section))}"
    return ConfigError(f"{path}: unknown key {'.'.join(filter(None, [section, key]))!r}", hint=hint)


def _nearest(section: str, key: str) -> str:
    """The key that the user probably means: one of another section, or a similar one; else empty."""
    elsewhere = [f"{other}.{key}" for other in _keys("") if key in _keys(other)]
    similar = difflib.get_close_matches(key, _keys(section), 1)
    return next(iter((*elsewhere, *similar)), "")


def _allowed(key: str) -> list[str]:
    """The values that a key can take, if it is an enumeration."""
    kind = _type_of(key)
    return [str(value) for value in get_args(kind)] if get_origin(kind) is Literal else []


def _type_of(key: str) -> Any:
    """The declared type of a key or section; for an empty name, of the whole configuration."""
    kind: Any = config_type()
    for name in filter(None, key.split(".")):
        kind = get_type_hints(kind).get(name)
    return kind


def _keys(section: str) -> list[str]:
    kind = _type_of(section)
    return list(kind.__struct_fields__) if isinstance(kind, type) and issubclass(kind, Section) else []


def _with_absolute_paths(config: Config, base: Path) -> Config:
    def absolute(text: str) -> str:
        # Joining keeps an absolute path as it is; links stay links.
        return os.path.normpath(base / os.path.expanduser(text))  # noqa: PTH111 (Path raises for an unknown user)

    # "-" is standard input.
    corpus = config.corpus.path if config.corpus.path == "-" else absolute(config.corpus.path)
    models = config.nlp.models if config.nlp.models in {"bundled", "en"} else absolute(config.nlp.models)
    bench: dict[str, Any] = {
        name: absolute(text) for name in ("vectors", "encoder") if (text := getattr(config.bench, name))
    }
    bench["predictions"] = {name: absolute(text) for name, text in config.bench.predictions.items()}
    bench["settings"] = {
        name: keys
        | ({"model": absolute(keys["model"])} if keys.get("model") and isinstance(keys["model"], str) else {})
        for name, keys in config.bench.settings.items()
    }
    cluster = config.execution.dask
    files = ("scheduler_file", "local_folder", "tls_ca_file", "tls_certificate", "tls_key")
    dask = msgspec.structs.replace(
        cluster, **{name: absolute(text) for name in files if (text := getattr(cluster, name))}
    )
    return msgspec.structs.replace(
        config,
        output_dir=absolute(config.output_dir),
        execution=msgspec.structs.replace(config.execution, dask=dask),
        bench=msgspec.structs.replace(config.bench, **bench),
        corpus=msgspec.structs.replace(config.corpus, path=corpus),
        nlp=msgspec.structs.replace(config.nlp, models=models),
    )


def as_yaml(config: Config) -> str:
    """The whole configuration as YAML, defaults included."""
    plain: Mapping[str, Any] = msgspec.to_builtins(config)
    return yaml.safe_dump(dict(plain), sort_keys=False, allow_unicode=True)

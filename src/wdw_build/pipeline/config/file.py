"""Reads a configuration file: YAML, then ``--set``, then the preset, then strict decoding; relative paths become absolute.

A preset is a named set of values for keys; a key that is given in the file or by ``--set`` wins. ``careful`` is the declared
defaults. ``paper`` is the values that keys declare with ``section.paper``: every rule that the paper does not have is off
(docs/reference/algorithm.md, *Added*), and Algorithms 1 and 2 and the suppression remain. A rule is a field of the section of
its stage, and ``rules.off`` is its key.

Errors name the key, what is wrong, and the nearest known key.
"""

from __future__ import annotations

import fnmatch
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import yaml

from wdw_build.adapters.corpora.reading.files import split_glob
from wdw_build.core.section import extras, field_docs, schema
from wdw_build.core.text_files import has_surrogates, read_utf_8
from wdw_build.errors import ConfigError, meant
from wdw_build.pipeline.config.explain import REMOVED, explained, is_section, refuse_removed
from wdw_build.pipeline.config.settings import Config, config_type
from wdw_build.pipeline.config.yaml_text import check_values, parse_yaml, written_values

# The configuration of the last command that ran stages, in the folder of the run.
STORED_CONFIG = "config.yaml"


def load_config(path: Path, overrides: Sequence[str] = ()) -> Config:
    """Load a file and apply ``key.sub=value`` overrides. Raises ``ConfigError``."""
    raw = read_yaml(path)
    for override in overrides:
        _apply(raw, override, _override_value)
    try:
        return _decoded(raw, path, path.resolve().parent)
    except msgspec.ValidationError as error:
        raise explained(error, path, _as_written(path, overrides), overrides) from error


def decode_config(raw: dict[str, Any], source: Path, base: Path) -> Config:
    """The configuration with these keys; relative paths count from ``base``. Raises ``ConfigError``, which names ``source``."""
    try:
        return _decoded(raw, source, base)
    except msgspec.ValidationError as error:
        raise explained(error, source, raw) from error


def _decoded(raw: dict[str, Any], source: Path, base: Path) -> Config:
    """See ``decode_config``. Raises ``ValidationError`` for what msgspec refuses."""
    check_values(raw, str(source))
    refuse_removed(raw, str(source))
    keys = _with_rules(_with_preset(raw, config_type()), config_type(), source)
    config = _with_absolute_paths(msgspec.convert(keys, config_type()), base)
    _refuse_output_in_corpus(config)
    return config


def _as_written(path: Path, overrides: Sequence[str]) -> dict[str, Any]:
    """The keys with their values as texts: 1.10 is not the number 1.1."""
    written: dict[str, Any] = written_values(path.read_text(encoding="utf-8"))
    for override in overrides:
        _apply(written, override, lambda _, text: written_values(text))
    return written


@functools.cache
def paper_values(config: type[Config] = Config) -> Mapping[str, Mapping[str, Any]]:
    """Section -> key -> value in ``preset: paper``, of the keys whose value is not the default."""
    sections = {name: kind for name, kind in get_type_hints(config).items() if name in config.__struct_fields__}
    values = {name: extras(kind, "paper") for name, kind in sections.items() if is_section(kind)}
    return {name: keys for name, keys in values.items() if keys}


@functools.cache
def added_rules(config: type[Config] = Config) -> Mapping[str, str]:
    """The names that ``rules.off`` may have, each a section and a field of it, with what the rule does."""
    return {
        f"{section}.{key}": field_docs(kind).get(key, "")
        for section, kind in get_type_hints(config).items()
        if section in config.__struct_fields__ and is_section(kind)
        for key in extras(kind, "rule")
    }


def _with_preset(raw: Mapping[str, Any], config: type[Config]) -> dict[str, Any]:
    """The keys of a configuration over those of its preset. An unknown preset is left to the decoder to refuse."""
    merged = dict(raw)
    if raw.get("preset") != "paper":
        return merged
    for section, keys in {**paper_values(config), "rules": {"off": list(added_rules(config))}}.items():
        given = raw.get(section)
        # A section that is not a mapping is an error, which the decoder names.
        if given is None or isinstance(given, Mapping):
            off = extras(get_type_hints(config)[section], "rule")
            merged[section] = {**{key: value for key, value in keys.items() if key not in off}, **(given or {})}
    return merged


def _with_rules(raw: Mapping[str, Any], config: type[Config], source: Path) -> dict[str, Any]:
    """The keys with the field of each rule, true or false. Raises ``ConfigError`` for an unknown rule, or one given as a key."""
    names, merged, rules = added_rules(config), dict(raw), raw.get("rules")
    for section, key in (name.split(".") for name in names):
        given = raw.get(section)
        if isinstance(given, Mapping) and key in given:
            raise ConfigError(
                f"{source}: {section}.{key} is a rule, and not a key",
                hint=f"rules: {{off: [{section}.{key}]}} switches it off",
            )
    off = rules.get("off") if isinstance(rules, Mapping) else None
    if not isinstance(rules, Mapping) or not isinstance(off, list) or not all(isinstance(name, str) for name in off):
        # What is no list of texts is an error that the decoder names.
        return merged
    if unknown := next((name for name in off if name not in names), None):
        hint = REMOVED.get(unknown) or meant(unknown, names).strip() or f"rules: {', '.join(names)}"
        raise ConfigError(f"{source}: rules.off: unknown rule {unknown!r}", hint=hint)
    merged["rules"] = {**rules, "off": [name for name in names if name in off]}
    for section, key in (name.split(".") for name in merged["rules"]["off"]):
        given = merged.get(section)
        if given is None or isinstance(given, Mapping):
            merged[section] = {**(given or {}), key: False}
    return merged


def read_yaml(path: Path) -> dict[str, Any]:
    """The keys and values of a YAML file. Raises ``ConfigError``."""
    try:
        text = read_utf_8(path).decode()
    except FileNotFoundError as error:
        raise ConfigError(f"no configuration file {path}", hint="wdw-build init CORPUS writes one") from error
    except IsADirectoryError as error:
        stored = path / STORED_CONFIG
        hint = f"-c {stored} is the configuration of this run" if stored.is_file() else "-c FILE"
        raise ConfigError(f"{path} is a folder, and not a configuration file", hint=hint) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"cannot read {path}: {error}", hint="-c FILE: a YAML file in UTF-8 that you may read"
        ) from error
    tabs = "; YAML indents with spaces, and not with tabs" * ("\t" in text)
    raw = parse_yaml(text, str(path), f"check the indentation near this line{tabs}")
    if not isinstance(raw, dict):
        raise ConfigError(f"{path} has no keys", hint="run, output_dir and corpus are required")
    return raw


def _apply(raw: dict[str, Any], override: str, value_of: Callable[[str, str], Any]) -> None:
    """Set a key to the value that ``value_of`` gives for its name and the text behind the equals sign."""
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise ConfigError(
            f"--set {override}: not of the form key.sub=value", hint="an example: --set questions.min_tokens=8"
        )
    value = value_of(key, text)
    *parents, last = key.split(".")
    section = raw
    for parent in parents:
        section = section.setdefault(parent, {})
        if not isinstance(section, dict):
            raise ConfigError(
                f"--set {override}: {parent} is not a section", hint=f"set {parent} itself, or a key of a section"
            )
    section[last] = value


def _override_value(key: str, text: str) -> Any:
    quoted = text.replace('"', "'")
    if text.startswith("[") and text.endswith("]"):
        items = ", ".join(f'"{item.strip()}"' for item in quoted[1:-1].split(","))
        hint = f"quote the values within the list: --set '{key}=[{items}]'"
    else:
        hint = f"""quote the value within the argument: --set '{key}="{quoted}"', or for a list --set '{key}=["{quoted}"]'"""
    # YAML reads a dash alone as a list.
    return text if text == "-" else parse_yaml(text, f"--set {key}={text}: the value", hint)


def _with_absolute_paths(config: Config, base: Path) -> Config:
    def absolute(text: str) -> str:
        # Joining keeps an absolute path as it is; links stay links.
        path = os.path.normpath(base / os.path.expanduser(text))  # noqa: PTH111 (Path raises for an unknown user)
        if has_surrogates(path):
            # Manifests, which name the path, are UTF-8.
            raise ConfigError(
                f"the path {path!a} has a byte that is not UTF-8", hint="rename that folder, or use a link to it"
            )
        return path

    if config.corpus.path == "-":
        raise ConfigError("corpus.path is -, but standard input is not read", hint="write the corpus to a file")
    corpus = absolute(config.corpus.path)
    models = config.nlp.models if config.nlp.models in {"bundled", "en"} else absolute(config.nlp.models)
    bench: dict[str, Any] = {
        name: absolute(text) for name in ("vectors", "encoder") if (text := getattr(config.bench, name))
    }
    bench["predictions"] = {name: absolute(text) for name, text in config.bench.predictions.items()}
    bench["settings"] = {
        name: keys | {"model": absolute(keys["model"])} if _has_model_folder(name, keys) else keys
        for name, keys in config.bench.settings.items()
    }
    cluster = config.execution.dask
    files = ("scheduler_file", "tls_ca_file", "tls_certificate", "tls_key")
    dask = msgspec.structs.replace(
        cluster, **{name: absolute(text) for name in files if (text := getattr(cluster, name))}
    )
    return msgspec.structs.replace(
        config,
        output_dir=absolute(config.output_dir),
        execution=msgspec.structs.replace(config.execution, dask=dask),
        bench=msgspec.structs.replace(config.bench, **bench),
        corpus=msgspec.structs.replace(
            config.corpus,
            path=corpus,
            faulty_problems=tuple(map(absolute, config.corpus.faulty_problems)),
            omitted_problems=tuple(map(absolute, config.corpus.omitted_problems)),
        ),
        nlp=msgspec.structs.replace(config.nlp, models=models),
    )


def _has_model_folder(system: str, keys: dict[str, Any]) -> bool:
    """Whether the key ``model`` is a folder; at an endpoint, it is a name."""
    return isinstance(keys.get("model"), str) and keys["model"] != "" and system != "api" and "url" not in keys


# The folders in output_dir.
_CONTENT = ("store", "runs")


def _refuse_output_in_corpus(config: Config) -> None:
    """Raise ``ConfigError`` if a search of ``corpus.path``, a folder or a glob, would enter ``output_dir``.

    Both paths are absolute. A search enters no hidden folder. The reader ``several`` searches the paths of its parts.
    """
    listed = config.corpus.options.get("parts") if config.corpus.reader == "several" else None
    named = [part.get("path") for part in listed if isinstance(part, dict)] if isinstance(listed, list) else [""]
    for corpus in (Path(config.corpus.path, str(path)) for path in named):
        if lies_in_corpus(Path(config.output_dir), corpus):
            raise ConfigError(
                f"output_dir ({config.output_dir}) lies in the corpus ({corpus}), so its files would be read as articles",
                hint=f"set output_dir to a folder outside the corpus, such as {split_glob(corpus)[0].parent / 'out'}",
            )


def lies_in_corpus(output: Path, corpus: Path) -> bool:
    """Whether a search of the corpus, a folder or a glob, would enter this ``output_dir``. Both paths are absolute."""
    searched, pattern = split_glob(corpus)
    root, output = Path(os.path.realpath(searched)), Path(os.path.realpath(output))
    folders = output.relative_to(root).parts if output.is_relative_to(root) else (".",)
    return not any(folder.startswith(".") for folder in folders) and _enters(folders, pattern or ("**",))


def _enters(folders: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether a glob may match a file below the content of the folder."""
    for folder, part in zip(folders, pattern, strict=False):
        if part == "**":
            return True
        if not fnmatch.fnmatchcase(folder, part):
            return False
    rest = pattern[len(folders) :]
    return rest[:1] == ("**",) or (len(rest) > 1 and any(fnmatch.fnmatchcase(name, rest[0]) for name in _CONTENT))


def as_keys(config: Config) -> dict[str, Any]:
    """The whole configuration as keys and values, defaults included: what a file would give."""
    plain: dict[str, Any] = msgspec.to_builtins(config)
    rules = [name.split(".") for name in added_rules(type(config))]
    plain["rules"] = {"off": [f"{section}.{key}" for section, key in rules if not plain[section].pop(key)]}
    return plain


def as_yaml(config: Config) -> str:
    """The whole configuration as YAML, defaults included."""
    return yaml.safe_dump(as_keys(config), sort_keys=False, allow_unicode=True)


def inline_yaml(value: Any) -> str:
    """A value as YAML in one line."""
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000)
    return text.removesuffix("\n").removesuffix("\n...")


def config_schema() -> dict[str, Any]:
    """The JSON schema of a configuration file."""
    json_schema = schema(config_type())
    kinds = get_type_hints(config_type())
    for section, key in (name.split(".") for name in added_rules(config_type())):
        del json_schema["$defs"][kinds[section].__name__]["properties"][key]
    json_schema["$defs"]["RulesConfig"]["properties"]["off"]["items"] = {"enum": list(added_rules(config_type()))}
    return json_schema

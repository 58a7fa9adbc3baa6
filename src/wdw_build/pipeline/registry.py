"""Finds readers, exporters and systems by name.

Other packages add readers (called with path and options), exporters (called without arguments) and systems (each a
``SystemEntry``) by the entry point groups ``wdw_build.readers``, ``wdw_build.exporters`` and ``wdw_build.systems``. An
adapter's module is imported when the adapter is first needed.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.progress import printable
from wdw_build.core.section import Section, write_in_quotes
from wdw_build.errors import ConfigError, meant
from wdw_build.pipeline.config.explain import REMOVED
from wdw_build.ports import CorpusReader
from wdw_build.reading import SystemEntry
from wdw_build.reading.settings import BenchConfig

# Made of other readers, and therefore not among them.
_SEVERAL = "several"
READERS = {
    "jsonl": "wdw_build.adapters.corpora.text_rows:JsonlReader",
    "reuters21578": "wdw_build.adapters.corpora.reuters21578:ReutersReader",
    "gigaword": "wdw_build.adapters.corpora.sgml_newswire:GigawordReader",
    "trec": "wdw_build.adapters.corpora.sgml_newswire:TrecReader",
    "csv": "wdw_build.adapters.corpora.text_rows:CsvReader",
    "parquet": "wdw_build.adapters.corpora.arrow_tables:ParquetReader",
    "hf": "wdw_build.adapters.corpora.arrow_tables:HfReader",
    "warc": "wdw_build.adapters.corpora.warc:WarcReader",
    "nitf": "wdw_build.adapters.corpora.news_xml:NitfReader",
    "newsml": "wdw_build.adapters.corpora.news_xml:NewsmlReader",
    "feed": "wdw_build.adapters.corpora.news_xml:FeedReader",
    "trafilatura": "wdw_build.adapters.corpora.news_xml:TrafilaturaReader",
}
EXPORTERS = {
    "jsonl": "wdw_build.adapters.exports.jsonl:JsonlExporter",
    "wdw-xml": "wdw_build.adapters.exports.published_forms:WdwXmlExporter",
    "squad": "wdw_build.adapters.exports.published_forms:SquadExporter",
    "squad-flat": "wdw_build.adapters.exports.published_forms:FlatSquadExporter",
    "quoref": "wdw_build.adapters.exports.published_forms:QuorefExporter",
    "parquet": "wdw_build.adapters.exports.parquet:ParquetExporter",
    "keys": "wdw_build.adapters.exports.keys:KeysExporter",
}
SYSTEMS = {"shallow": "wdw_build.reading.probes.log_linear:SHALLOW"}


def find(kind: str, name: str, known: dict[str, str]) -> Callable[..., Any]:
    """The class or function with this name. Raises ``ConfigError``, which lists the known names."""
    if name in known:
        module, _, attribute = known[name].partition(":")
        adapter: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
        return adapter
    points = {point.name: point for point in importlib.metadata.entry_points(group=f"wdw_build.{kind}s")}
    if name not in points:
        names = sorted(known.keys() | points.keys())
        raise ConfigError(
            f"unknown {'export format' if kind == 'exporter' else kind} {name!r}",
            hint=REMOVED.get(f"bench.settings.{name}")
            or f"{meant(name, names)}known: {', '.join(names)}; packages can add others through the entry point group "
            f"wdw_build.{kind}s",
        )
    return _loaded(kind, points[name])


def _loaded(kind: str, point: importlib.metadata.EntryPoint) -> Callable[..., Any]:
    """What an entry point names. Raises ``ConfigError`` if its import fails in any way: the code is that of another package."""
    try:
        loaded: Callable[..., Any] = point.load()
    except Exception as error:
        package = f" of the package {point.dist.name}" if point.dist is not None else ""
        raise ConfigError(
            f"{kind} {point.name!r}, entry point {point.value}{package}, cannot be loaded: "
            f"{type(error).__name__}: {printable(str(error))}",
            hint="correct or uninstall the package that provides it",
        ) from error
    return loaded


def broken_plugins() -> list[str]:
    """A sentence for each entry point of another package that cannot be loaded."""
    broken = []
    for kind in ("command", "reader", "exporter", "system"):
        for point in importlib.metadata.entry_points(group=f"wdw_build.{kind}s"):
            try:
                _loaded(kind, point)
            except ConfigError as error:
                broken.append(error.message)
    return broken


def system_names() -> tuple[str, ...]:
    """The names of all systems: the built-in one, then those of other packages by name."""
    return _names("system", SYSTEMS)


def exporter_names() -> tuple[str, ...]:
    """The names of all export formats: the built-in ones, then those of other packages by name."""
    return _names("exporter", EXPORTERS)


def _names(kind: str, known: dict[str, str]) -> tuple[str, ...]:
    points = {point.name for point in importlib.metadata.entry_points(group=f"wdw_build.{kind}s")}
    return (*known, *sorted(points - known.keys()))


def system_entry(name: str) -> SystemEntry:
    """The descriptor of a system. Raises ``ConfigError`` if there is none, or if a package gives something else."""
    entry = find("system", name, SYSTEMS)
    if not isinstance(entry, SystemEntry):
        raise ConfigError(
            f"system {name!r} is not a SystemEntry", hint="correct or uninstall the package that provides it"
        )
    return entry


def system_settings(name: str, config: BenchConfig) -> Section:
    """The settings of a system. Raises ``ConfigError`` for an unknown system, an unknown key or a wrong value."""
    for other in sorted(config.settings.keys() - set(system_names())):
        raise ConfigError(
            f"bench.settings: unknown system {other!r}",
            hint=f"{meant(other, system_names())}systems: {', '.join(system_names())}",
        )
    settings = system_entry(name).settings
    try:
        return msgspec.convert(config.settings.get(name, {}), settings)
    except msgspec.ValidationError as error:
        keys = f"keys of {name}: {', '.join(settings.__struct_fields__) or 'none'}"
        hint = write_in_quotes(error, config.settings[name]) or keys
        raise ConfigError(f"bench.settings.{name}: {error}", hint=hint) from error


def make_reader(name: str, path: Path, options: Mapping[str, object]) -> CorpusReader:
    """The reader with this name over a corpus. Raises ``ConfigError`` for an unknown name or option."""
    from wdw_build.adapters.corpora.composed import Plugin, Several
    from wdw_build.adapters.corpora.reading.base import FileCorpus

    if name == _SEVERAL:
        return Several(path, options, make_reader)
    reader = find("reader", name, READERS)(path, options)
    return reader if isinstance(reader, FileCorpus) else Plugin(reader)

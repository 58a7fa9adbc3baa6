"""Makes the adapters that a configuration names.

Other packages add readers (called with path and options), exporters (called without arguments) and systems (each a
``SystemEntry``) by the entry point groups ``wdw_build.readers``, ``wdw_build.exporters`` and ``wdw_build.systems``. An
adapter's module is imported when the adapter is first needed.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from wdw_build.config.settings import Config
from wdw_build.core.engine.engines import Engine, LocalEngine
from wdw_build.core.engine.workers import usable_cores, workers_of
from wdw_build.core.hashing import digest
from wdw_build.core.installed import installed_version
from wdw_build.core.progress import Progress, printable
from wdw_build.core.section import Section, in_quotes
from wdw_build.core.stage import Port, PortSource
from wdw_build.errors import ConfigError, meant
from wdw_build.ports import READER, Block, CorpusReader, OnDevice, Preloaded, ReleaseConfig, Released
from wdw_build.reading import SystemEntry, TrainingContext
from wdw_build.reading.settings import BenchConfig
from wdw_build.records import RawArticle, Unreadable

T = TypeVar("T")

_CLUSTER = ("distributed", "bokeh", "dask-jobqueue")

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
    "wdw-xml": "wdw_build.adapters.exports.wdw_xml:WdwXmlExporter",
    "squad": "wdw_build.adapters.exports.squad:SquadExporter",
    "squad-flat": "wdw_build.adapters.exports.squad:FlatSquadExporter",
    "quoref": "wdw_build.adapters.exports.squad:QuorefExporter",
    "parquet": "wdw_build.adapters.exports.parquet:ParquetExporter",
    "croissant": "wdw_build.adapters.exports.parquet:CroissantExporter",
    "keys": "wdw_build.adapters.exports.keys:KeysExporter",
}
EVENT_SCORERS = {
    "lexical": "wdw_build.adapters.event_scorers:LexicalScorer",
    "encoder": "wdw_build.adapters.event_scorers:EncoderScorer",
}
SYSTEMS = {"shallow": "wdw_build.reading.probes:SHALLOW"}


def _find(kind: str, name: str, known: dict[str, str]) -> Callable[..., Any]:
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
            hint=f"{meant(name, names)}known: {', '.join(names)}; packages can add others through the entry point group "
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
    for kind in ("command", "reader", "event_scorer", "exporter", "system"):
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
    entry = _find("system", name, SYSTEMS)
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
        keys = ", ".join(settings.__struct_fields__) or "none"
        found = in_quotes(error, config.settings[name])
        hint = (
            "write it in quotes, as it stands in the file, such as {}: {}".format(*found)
            if found
            else f"keys of {name}: {keys}"
        )
        raise ConfigError(f"bench.settings.{name}: {error}", hint=hint) from error


def pick_device(config: Config) -> str:
    """The device of ``execution.device``: ``cpu`` or ``cuda``. Loads torch."""
    from wdw_build.adapters.devices import pick

    return pick(config.execution.device)


def training_context(config: Config) -> TrainingContext:
    """The files that systems may use, on the CPU; the folder is set by the code that trains a system."""
    return TrainingContext(
        vectors=Path(config.bench.vectors) if config.bench.vectors else None,
        encoder=Path(config.bench.encoder) if config.bench.encoder else None,
        answers=Path(config.output_dir, "store", "api-answers"),
    )


def make_reader(name: str, path: Path, options: Mapping[str, object]) -> CorpusReader:
    """The reader with this name over a corpus. Raises ``ConfigError`` for an unknown name or option."""
    from wdw_build.adapters.corpora.plugin import Plugin
    from wdw_build.adapters.corpora.reading.base import FileCorpus
    from wdw_build.adapters.corpora.several import Several

    if name == _SEVERAL:
        return Several(path, options, make_reader)
    reader = _find("reader", name, READERS)(path, options)
    return reader if isinstance(reader, FileCorpus) else Plugin(reader)


def _annotator(config: Config) -> Any:
    from wdw_build.adapters.stanza.annotator import StanzaAnnotator
    from wdw_build.adapters.stanza.models import find_models

    return StanzaAnnotator(find_models(config.nlp.models), config.nlp, config.execution)


def _annotations(config: Config) -> Any:
    from wdw_build.adapters.annotation_store import AnnotationStore

    return AnnotationStore(_kept(config), backend(config, "annotator"))


def kept_results(config: Config) -> Path:
    """The file with what the models of all runs of a store computed."""
    return Path(config.output_dir, "store", "annotations.sqlite")


def _kept(config: Config) -> Any:
    from wdw_build.adapters.kept_results import KeptResults

    return KeptResults(kept_results(config), network=config.execution.engine != "local")


def _index(config: Config) -> Any:
    from wdw_build.adapters.lucene_index import LuceneIndex

    return LuceneIndex(config.execution.java_heap)


def _sentence_splitter(config: Config) -> Any:
    from wdw_build.adapters.punkt import PunktSplitter

    return PunktSplitter()


def _language_detector(config: Config) -> Any:
    from wdw_build.adapters.langid import LangidDetector

    return LangidDetector()


def _event_scorer(config: Config) -> Any:
    make = _find("event_scorer", config.retrieve.event_scorer, EVENT_SCORERS)
    return make(backend(config, "sentence_encoder")) if config.retrieve.event_scorer == "encoder" else make()


def _page_tagger(_: Config) -> Any:
    from wdw_build.adapters.page_tagger import PageTagger

    return PageTagger()


def _sentence_encoder(config: Config) -> Any:
    from wdw_build.adapters.sentence_models import SentenceEncoder
    from wdw_build.adapters.vector_store import VectorStore

    return VectorStore(_kept(config), SentenceEncoder())


def _faulty_problems(config: Config) -> Any:
    from wdw_build.adapters.faulty_problems import FaultyProblemFiles

    return FaultyProblemFiles(tuple(map(Path, config.corpus.faulty_problems)))


def _omitted_problems(config: Config) -> Any:
    from wdw_build.adapters.faulty_problems import FaultyProblemFiles

    return FaultyProblemFiles(tuple(map(Path, config.corpus.omitted_problems)), "corpus.omitted_problems")


def _language_model(config: Config) -> Any:
    from wdw_build.adapters.kenlm_model import KenLm

    return KenLm(config.baselines.ngram_order, config.execution.lm_memory)


def _adversaries(config: Config) -> Any:
    from wdw_build.reading.adversaries import SystemAdversaries

    wanted, files, execution = config.adversary.systems, config.bench.predictions, config.execution
    return SystemAdversaries(
        systems={
            name: (system_entry(name), system_settings(name, config.bench)) for name in wanted if name not in files
        },
        given={name: Path(files[name]) for name in wanted if name in files},
        root=Path(config.output_dir),
        workspace=training_context(config),
        pick_device=lambda: pick_device(config),
        # The other workers of a host wait while adversaries are trained.
        processes=workers_of(execution).count if execution.engine == "local" else usable_cores(),
    )


def _solver(config: Config) -> Any:
    from wdw_build.adapters.pulp_solver import PulpSolver

    return PulpSolver()


def _exporters(config: Config) -> Any:
    from wdw_build.adapters.exports.keys import without_folders

    exporters = _Exporters({name: _find("exporter", name, EXPORTERS)() for name in config.export.formats})
    for exporter in exporters.values():
        if isinstance(exporter, Released):
            exporter.release = config.release
        if hasattr(exporter, "corpus"):
            exporter.corpus = {"reader": config.corpus.reader, "options": without_folders(config.corpus.options)}
    exporters.release = config.release
    return exporters


class _Exporters(dict[str, Any]):
    """The configured exporters by name, and what they state about the dataset."""

    release = ReleaseConfig()

    @property
    def identity(self) -> str:
        """The identities of all exporters, and the statements if there are any."""
        stated = [f"release {digest(self.release)}"] if self.release != ReleaseConfig() else []
        return "; ".join([*(exporter.identity for exporter in self.values()), *stated])


_MAKERS: dict[str, Callable[[Config], Any]] = {
    "reader": lambda config: make_reader(config.corpus.reader, Path(config.corpus.path), config.corpus.options),
    "page_tagger": _page_tagger,
    "annotator": _annotator,
    "annotations": _annotations,
    "index": _index,
    "sentence_splitter": _sentence_splitter,
    "language_detector": _language_detector,
    "event_scorer": _event_scorer,
    "sentence_encoder": _sentence_encoder,
    "faulty_problems": _faulty_problems,
    "omitted_problems": _omitted_problems,
    "language_model": _language_model,
    "adversaries": _adversaries,
    "solver": _solver,
    "exporters": _exporters,
}
# The backends of this process, by configuration and port, so that models and the JVM load once. A worker of a cluster
# outlives many runs: the backends of older configurations are dropped.
_made: dict[str, dict[str, Any]] = {}
_KEPT_CONFIGURATIONS = 4
# The configuration of the last call of ``backend``, and its hash: a stage asks for backends once per record.
_last: tuple[Config | None, str] = (None, "")


def _key(config: Config) -> str:
    """The hash of a configuration, computed again only if the last call was about another object."""
    global _last
    last, key = _last
    if last is not config:
        key = digest(config)
        _last = config, key
    return key


def backend(config: Config, port: str) -> Any:
    """The backend of a port; each is made once in a process."""
    key = _key(config)
    # Moved to the end: the first one is the least recently used.
    backends = _made[key] = _made.pop(key, {})
    if len(_made) > _KEPT_CONFIGURATIONS:
        del _made[next(iter(_made))]
    if port not in backends:
        backends[port] = _MAKERS[port](config)
    return backends[port]


def engine(config: Config, progress: Progress) -> AbstractContextManager[Engine]:
    """The engine that ``execution.engine`` names. Raises ``MissingResourceError`` if dask is not installed."""
    execution = config.execution
    if execution.engine == "local":
        return LocalEngine(workers_of(execution).count)
    installed_version("distributed", "execution.engine: dask", *_CLUSTER)
    from wdw_build.adapters.dask_engine import DaskEngine

    store = Path(config.output_dir) / "store"
    return DaskEngine(execution.dask, workers_of(execution).count, store, config.corpus.path, progress.say)


def cluster_state(config: Config) -> str:
    """The scheduler that ``execution`` names, with its workers. Raises ``MissingResourceError`` if it does not answer."""
    execution = config.execution
    if execution.engine == "local" or not execution.dask.joins:
        return "not needed: the run starts its own worker processes"
    installed_version("distributed", "execution.engine: dask", *_CLUSTER)
    from wdw_build.adapters.dask_engine import state

    return state(execution.dask, Path(config.output_dir, "store"), config.corpus.path)


@dataclass(frozen=True)
class Backends:
    """``PortSource`` for one configuration. Pickling it for a worker process pickles only the configuration."""

    config: Config

    def get(self, port: Port[T]) -> T:
        """The backend of the port."""
        adapter: T = backend(self.config, port)
        return adapter

    def identity(self, port: str) -> str:
        """The backend's identity."""
        return str(backend(self.config, port).identity)

    def check(self, port: str) -> None:
        """See ``PortSource.check``. Only ``execution.device: cuda`` checks for a GPU, because the check loads torch.

        With ``engine: dask``, the workers have the GPU; this machine may have none.
        """
        checked = backend(self.config, port)
        _ = checked.identity
        execution = self.config.execution
        if execution.device == "cuda" and execution.engine == "local" and isinstance(checked, OnDevice):
            _ = checked.device

    def preload(self, ports: Sequence[str]) -> None:
        """See ``PortSource.preload``."""
        for adapter in (backend(self.config, port) for port in ports):
            if isinstance(adapter, Preloaded):
                adapter.preload()

    def take_devices(self, ports: Sequence[Port[Any]]) -> tuple[str, ...]:
        """See ``PortSource.take_devices``. A backend that was not made has computed nothing."""
        made = _made.get(_key(self.config), {})
        adapters = (made.get(port) for port in ports)
        used = (adapter.take_devices() for adapter in adapters if isinstance(adapter, OnDevice))
        return tuple(sorted(frozenset[str]().union(*used)))


class InMemoryReader:
    """A ``CorpusReader`` of entries in memory."""

    identity = "records in memory"

    def __init__(self, entries: Sequence[RawArticle | Unreadable]) -> None:
        self._entries = entries

    def blocks(self) -> list[Block]:
        """See ``CorpusReader.blocks``; one block."""
        return [Block()]

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]:
        """See ``CorpusReader.read``."""
        return iter(self._entries)

    def size(self) -> int:
        """See ``CorpusReader.size``; unknown."""
        return 0

    def file_notes(self) -> list[str]:
        """See ``CorpusReader.file_notes``; none."""
        return []


@dataclass(frozen=True)
class WithReader:
    """``PortSource`` with another reader than the configured one."""

    base: PortSource
    reader: InMemoryReader

    def get(self, port: Port[T]) -> T:
        """The backend of the port."""
        return cast(T, self.reader) if port == READER else self.base.get(port)

    def identity(self, port: str) -> str:
        """The backend's identity."""
        return self.reader.identity if port == READER else self.base.identity(port)

    def check(self, port: str) -> None:
        """See ``PortSource.check``."""
        if port != READER:
            self.base.check(port)

    def preload(self, ports: Sequence[str]) -> None:
        """See ``PortSource.preload``."""
        self.base.preload([port for port in ports if port != READER])

    def take_devices(self, ports: Sequence[Port[Any]]) -> tuple[str, ...]:
        """See ``PortSource.take_devices``."""
        return self.base.take_devices([port for port in ports if port != READER])

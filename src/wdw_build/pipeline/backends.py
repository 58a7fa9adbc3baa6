"""Makes the backends of a configuration: a backend for each port, once in a process, and the engine.

The module of an adapter is imported when the adapter is first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from wdw_build.core.engine.engines import Engine, LocalEngine
from wdw_build.core.engine.execution import usable_cores, workers_of
from wdw_build.core.hashing import digest
from wdw_build.core.installed import installed_version
from wdw_build.core.progress import Progress
from wdw_build.core.stage import Port
from wdw_build.pipeline.config.settings import Config
from wdw_build.pipeline.registry import EXPORTERS, find, make_reader, system_entry, system_settings
from wdw_build.ports import OnDevice, Preloaded, ReleaseConfig, Released
from wdw_build.reading import TrainingContext

T = TypeVar("T")

_CLUSTER = ("distributed", "bokeh", "dask-jobqueue")


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
        backends = _made.get(_key(self.config), {})
        adapters = (backends.get(port) for port in ports)
        used = (adapter.take_devices() for adapter in adapters if isinstance(adapter, OnDevice))
        return tuple(sorted(frozenset[str]().union(*used)))


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


def _annotator(config: Config) -> Any:
    from wdw_build.adapters.stanza.annotator import StanzaAnnotator
    from wdw_build.adapters.stanza.models import find_models

    return StanzaAnnotator(find_models(config.nlp.models), config.nlp, config.execution)


def _annotations(config: Config) -> Any:
    from wdw_build.adapters.kept_results import AnnotationStore

    return AnnotationStore(_kept_results(config), backend(config, "annotator"))


def _kept_results(config: Config) -> Any:
    """What the models of all runs of a store computed."""
    from wdw_build.adapters.kept_results import KeptResults

    file = Path(config.output_dir, "store", "annotations.sqlite")
    return KeptResults(file, network=config.execution.engine != "local")


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
    from wdw_build.adapters.event_scorers import EncoderScorer, LexicalScorer

    is_lexical = config.retrieve.event_scorer == "lexical"
    return LexicalScorer() if is_lexical else EncoderScorer(backend(config, "sentence_encoder"))


def _page_tagger(_: Config) -> Any:
    from wdw_build.adapters.page_tagger import PageTagger

    return PageTagger()


def _sentence_encoder(config: Config) -> Any:
    from wdw_build.adapters.kept_results import VectorStore
    from wdw_build.adapters.sentence_models import SentenceEncoder

    return VectorStore(_kept_results(config), SentenceEncoder())


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

    exporters = _Exporters({name: find("exporter", name, EXPORTERS)() for name in config.export.formats})
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

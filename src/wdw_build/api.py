"""The Python API: build a dataset, open a run, run one stage in memory, and use annotator and search index alone.

The package ``wdw_build`` exports these names; docs/howto/python.md has an example of each.
"""

from __future__ import annotations

import datetime as dt
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from wdw_build.adapters.endpoint import EndpointConfig as EndpointConfig
from wdw_build.adapters.endpoint import check_endpoint as check_endpoint
from wdw_build.adapters.endpoint.client import EndpointClient as EndpointClient
from wdw_build.adapters.endpoint.completion import EndpointAnswer as EndpointAnswer
from wdw_build.adapters.exports.split_files import SplitFiles as SplitFiles
from wdw_build.adapters.exports.split_files import WithRelease as WithRelease
from wdw_build.adapters.faulty_problems import FaultyProblem as FaultyProblem
from wdw_build.adapters.minilm import open_tokenizer as open_tokenizer
from wdw_build.config.file import decode_config, load_config
from wdw_build.config.settings import Config as Config
from wdw_build.core.caller import environment_kept
from wdw_build.core.dataset_size import interval_of_test as interval_of_test
from wdw_build.core.dataset_size import shows_little as shows_little
from wdw_build.core.engine.local import LocalEngine
from wdw_build.core.engine.worker_process import end_with_parent as end_with_parent
from wdw_build.core.hashing import derived_seed as derived_seed
from wdw_build.core.hashing import digest as digest
from wdw_build.core.hashing import file_sha256 as file_sha256
from wdw_build.core.hashing import hash_file as hash_file
from wdw_build.core.hashing import uniform_hash as uniform_hash
from wdw_build.core.installed import install_command as install_command
from wdw_build.core.installed import installed_version as installed_version
from wdw_build.core.intervals import Interval as Interval
from wdw_build.core.intervals import wilson as wilson
from wdw_build.core.progress import Progress as Progress
from wdw_build.core.progress import choose_mode
from wdw_build.core.progress import printable as printable
from wdw_build.core.rounding import DECIMALS as DECIMALS
from wdw_build.core.run.runner import Runner
from wdw_build.core.section import NonNegativeInt as NonNegativeInt
from wdw_build.core.section import PositiveInt as PositiveInt
from wdw_build.core.section import Section as Section
from wdw_build.core.section import Share as Share
from wdw_build.core.stage import PortSource, Stage
from wdw_build.core.store import jsonl as jsonl
from wdw_build.core.store.atomic_output import atomic_output as atomic_output
from wdw_build.core.store.atomic_output import replace_file as replace_file
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output, OutputWriter
from wdw_build.dataset import SPLITS as SPLITS
from wdw_build.dataset import TEST as TEST
from wdw_build.dataset import TRAIN as TRAIN
from wdw_build.dataset import VALIDATION as VALIDATION
from wdw_build.dataset import HashSample as HashSample
from wdw_build.dataset import JoinedProblem, Run, Table
from wdw_build.dataset import adversary_of as adversary_of
from wdw_build.dataset import open_run as open_run
from wdw_build.errors import ConfigError as ConfigError
from wdw_build.errors import CorpusError as CorpusError
from wdw_build.errors import MissingResourceError as MissingResourceError
from wdw_build.errors import StageError as StageError
from wdw_build.errors import UsageError as UsageError
from wdw_build.errors import WdwError as WdwError
from wdw_build.pipeline import STAGES as STAGES
from wdw_build.pipeline import Pipeline, stage_named
from wdw_build.ports import ANNOTATOR as ANNOTATOR
from wdw_build.ports import INDEX, INDEX_FOLDER, Hit, SearchIndex
from wdw_build.ports import SENTENCE_ENCODER as SENTENCE_ENCODER
from wdw_build.ports import SENTENCE_SPLITTER as SENTENCE_SPLITTER
from wdw_build.ports import Annotator as Annotator
from wdw_build.ports import SentenceSplitter as SentenceSplitter
from wdw_build.ports import SpanAdversary as SpanAdversary
from wdw_build.ports import SpanAnswer as SpanAnswer
from wdw_build.ports import TextEncoder as TextEncoder
from wdw_build.reading.settings import BenchConfig as BenchConfig
from wdw_build.records import Article, Record, Rejection
from wdw_build.registry import Backends as Backends
from wdw_build.registry import InMemoryReader, WithReader
from wdw_build.registry import pick_device as pick_device
from wdw_build.registry import system_entry as system_entry
from wdw_build.registry import system_names as system_names
from wdw_build.registry import system_settings as system_settings
from wdw_build.registry import training_context as training_context
from wdw_build.similarity.cosines import cosines_with as cosines_with
from wdw_build.stages.adversary.judge import alternative_id as alternative_id
from wdw_build.text.blanking.trees import Node as Node
from wdw_build.text.blanking.trees import parse_tree as parse_tree
from wdw_build.text.dates import day_number
from wdw_build.text.function_words import STOP_WORDS as STOP_WORDS
from wdw_build.text.names.matching import TITLES as TITLES
from wdw_build.text.names.matching import is_identifying as is_identifying
from wdw_build.text.names.matching import last_name as last_name
from wdw_build.text.names.matching import same_person as same_person
from wdw_build.text.names.matching import without_titles as without_titles
from wdw_build.text.names.word_lists import TITLES_NEVER_LAST as TITLES_NEVER_LAST
from wdw_build.text.passages.connections import event_evidence as event_evidence
from wdw_build.text.pseudonyms.apply import renamed as renamed
from wdw_build.text.tokens import elements as elements
from wdw_build.text.tokens import encodable as encodable
from wdw_build.text.tokens import lm_token_spans as lm_token_spans
from wdw_build.text.tokens import lm_tokens as lm_tokens
from wdw_build.text.tokens import words as words
from wdw_build.views import markdown as markdown
from wdw_build.views import table as table
from wdw_build.views.sections import ReportSection as ReportSection
from wdw_build.views.sections import leave_section as leave_section

__all__ = [
    "ArticleIndex",
    "JoinedProblem",
    "Run",
    "StageResult",
    "Table",
    "annotator",
    "build",
    "load_run",
    "run_stage",
    "search_index",
]

T = TypeVar("T")
ConfigSource = Config | Mapping[str, Any] | str | Path
# Placeholders for the required keys, for functions that need neither corpus nor folder.
_REQUIRED = {"run": "memory", "output_dir": ".", "corpus": {"reader": "jsonl", "path": "no-corpus"}}


def load_run(path: str | Path) -> Run:
    """Open the run of a configuration file, of ``runs/<run>``, or of an ``output_dir`` that holds one run.

    Raises ``UsageError`` if there is no stage output. The run may be unfinished.
    """
    return open_run(Path(path), STAGES)


def build(config: ConfigSource, *, stages: Sequence[str] | None = None, force: bool = False, quiet: bool = True) -> Run:
    """Bring a dataset up to date, like ``wdw-build all``, and return its run.

    ``config`` is a configuration file, or its keys as a mapping (relative paths count from the working directory).
    ``stages`` limits the build to these stages and those that they read; ``force`` runs them even if they are up to date.
    """
    pipeline = Pipeline(_config(config, {}), Progress(choose_mode(quiet)))
    with environment_kept():
        pipeline.run(stages, force=force)
    return open_run(pipeline.run_folder, STAGES)


class _TemporaryFolder:
    """A temporary folder that is deleted with the object, or when Python ends."""

    def __init__(self, prefix: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class StageResult:
    """The records and rejections of one stage. ``run_stage`` of a later stage accepts the result as an input.

    Its files are in a temporary folder that is deleted with the object.
    """

    def __init__(self, folder: _TemporaryFolder, table: Table[Any, Any]) -> None:
        self._folder, self._table = folder, table

    def __repr__(self) -> str:
        return (
            f"<StageResult {self._table.name}: {len(self._table)} records, {self._table.manifest.rejected} rejections>"
        )

    @property
    def output(self) -> Output:
        """The stored output."""
        return self._table.output

    def __iter__(self) -> Iterator[Any]:
        return iter(self._table)

    @property
    def records(self) -> list[Any]:
        """The records, in order."""
        return list(self._table)

    @property
    def rejections(self) -> list[Rejection]:
        """The rejections, in order."""
        return list(self._table.rejections())


StageInput = Iterable[Record] | StageResult | Table[Any, Any]


def run_stage(
    stage: str | Stage,
    records: Iterable[Any],
    *,
    config: ConfigSource | None = None,
    inputs: Run | Mapping[str, StageInput] | None = None,
    ports: PortSource | None = None,
) -> StageResult:
    """Run one stage on records in memory; only a temporary folder is written.

    ``records`` are what the stage reads first: raw articles for ``ingest``, else the records of ``Stage.reads[0]``.
    ``inputs`` gives the other stages that it reads, by name or as a run. ``config`` may leave out run, output_dir and
    corpus. ``ports`` replaces the backends that the configuration names. Raises ``UsageError`` if an input is missing.
    """
    stage = stage_named(stage) if isinstance(stage, str) else stage
    folder = _TemporaryFolder("wdw-stage-")
    root = folder.path
    # Annotations are stored under output_dir, too.
    settings = msgspec.structs.replace(_config(config or {}), output_dir=str(root))
    backends = ports or Backends(settings)
    if stage.reads:
        given = {**_tables(inputs, stage), stage.reads[0]: records}
        known = {
            name: _stored(root / "inputs" / name, stage_named(name), given.get(name), stage) for name in stage.reads
        }
    else:
        known, backends = {}, WithReader(backends, InMemoryReader(tuple(records)))
    pipeline = Pipeline(settings, Progress("quiet"), backends)
    with environment_kept(), LocalEngine(1) as engine:
        runner = Runner(root, settings.run, settings.execution.shard_size, pipeline.progress, engine)
        output = runner.make(pipeline.job(stage, known))
    return StageResult(folder, Table(settings.run, stage, output))


def _tables(inputs: Run | Mapping[str, StageInput] | None, stage: Stage) -> dict[str, Any]:
    if isinstance(inputs, Run):
        return {name: inputs.tables[name] for name in stage.reads if name in inputs.outputs}
    return dict(inputs or {})


def _stored(folder: Path, source: Stage, given: Any, stage: Stage) -> Output:
    """One input of a stage as a stored output; records in memory are written to ``folder``."""
    if isinstance(given, StageResult | Table):
        return given.output
    if given is None or source.has_own_files:
        problem = "needs an output of" if given is None else "reads files, not only records, of"
        raise UsageError(
            f"stage {stage.name} {problem} {source.name}",
            hint=f"inputs=load_run(PATH), or inputs={{{source.name!r}: run_stage({source.name!r}, ...)}}",
        )
    folder.mkdir(parents=True)
    ingredients = Ingredients(stage=source.name, version=source.version, config={}, seed=0, inputs={}, backends={})
    writer = OutputWriter(folder)
    for record in given:
        writer.add(jsonl.encode(record))
    writer.finish(ingredients, {})
    return Output(folder, source.writes)


def annotator(config: ConfigSource | None = None) -> Annotator:
    """The annotator of sentences, names, persons and trees in English text; ``nlp`` and ``execution`` configure it.

    The models load on first use.
    """
    return Backends(_config(config or {})).get(ANNOTATOR)


class ArticleIndex:
    """A BM25 index of articles. A temporary folder that holds the index is deleted with the object."""

    def __init__(self, index: SearchIndex, folder: Path, owned: _TemporaryFolder | None = None) -> None:
        self._index, self._folder, self._owned = index, folder, owned

    def search(
        self,
        sentence: str,
        names: Sequence[str],
        date: dt.date,
        *,
        window: int = 14,
        exclude: str = "",
        limit: int = 10,
    ) -> list[Hit]:
        """The best articles (id and BM25 score) within ``window`` days of a date that hold one of the names as a phrase."""
        (hits,) = self._index.search(
            self._folder,
            sentence=sentence,
            names=names,
            day=day_number(date),
            windows=[window],
            exclude=exclude,
            limit=limit,
        )
        return hits


def search_index(source: Run | Iterable[Article], config: ConfigSource | None = None) -> ArticleIndex:
    """The search index of a run, or a new one of some articles; ``index`` in the configuration sets BM25's parameters."""
    settings = _config(config or {})
    if isinstance(source, Run):
        settings = msgspec.structs.replace(settings, index=source.indexed_articles.settings)
        return ArticleIndex(Backends(settings).get(INDEX), source.indexed_articles.output.folder / INDEX_FOLDER)
    index = Backends(settings).get(INDEX)
    owned = _TemporaryFolder("wdw-index-")
    with index.writer(owned.path) as add:
        for article in source:
            add(article.id, day_number(article.date), article.text)
    return ArticleIndex(index, owned.path, owned)


def _config(source: ConfigSource, default: Mapping[str, Any] = _REQUIRED) -> Config:
    """The configuration of a file or of a mapping, whose missing keys are those of ``default``.

    Raises ``ConfigError``.
    """
    if isinstance(source, Config):
        return source
    if isinstance(source, Mapping):
        keys: dict[str, Any] = msgspec.to_builtins({**default, **source}, enc_hook=str)
        return decode_config(keys, Path("configuration"), Path.cwd())
    return load_config(Path(source))

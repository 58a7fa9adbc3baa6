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

from wdw_build.adapters.corpora.composed import WithEntries
from wdw_build.adapters.corpora.saved_table import read_table as read_table
from wdw_build.adapters.endpoint import EndpointAnswer, EndpointConfig, check_endpoint
from wdw_build.adapters.endpoint.client import EndpointClient
from wdw_build.adapters.exports.split_files import SplitFiles, WithRelease
from wdw_build.adapters.faulty_problems import FaultyProblem
from wdw_build.adapters.minilm import open_tokenizer
from wdw_build.core.dataset_size import Interval, interval_of_test, shows_little, wilson
from wdw_build.core.engine.engines import LocalEngine
from wdw_build.core.engine.execution import Workers, workers_of
from wdw_build.core.engine.worker_process import end_with_parent, environment_kept
from wdw_build.core.hashing import derived_seed, digest, file_sha256, hash_file, hash_order, uniform_hash
from wdw_build.core.installed import install_command, installed_version
from wdw_build.core.progress import Progress, choose_mode, printable
from wdw_build.core.rounding import DECIMALS
from wdw_build.core.run.runner import Runner
from wdw_build.core.section import NonNegativeInt, PositiveInt, Share
from wdw_build.core.section import Section as Section
from wdw_build.core.stage import PortSource, Stage
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output, replace_file
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output, OutputWriter
from wdw_build.errors import ConfigError, CorpusError, MissingResourceError, UsageError, WdwError
from wdw_build.pipeline.backends import Backends, pick_device, training_context
from wdw_build.pipeline.config.file import decode_config, load_config
from wdw_build.pipeline.config.settings import Config
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.pipeline.registry import system_entry, system_names, system_settings
from wdw_build.pipeline.stage_order import stage_named
from wdw_build.ports import (
    ALTERNATIVE,
    ANNOTATOR,
    INDEX,
    INDEX_FOLDER,
    SENTENCE_ENCODER,
    SENTENCE_SPLITTER,
    Annotator,
    Hit,
    SearchIndex,
    SentenceSplitter,
    SpanAdversary,
    SpanAnswer,
    TextEncoder,
)
from wdw_build.reading.settings import BenchConfig
from wdw_build.records import Article, Record, Rejection
from wdw_build.selection.settings import adversary_round as adversary_round
from wdw_build.selection.training_alternatives import account as account_of_alternatives
from wdw_build.stages.adversary.judge import alternative_id
from wdw_build.text.blanking.trees import Node, parse_tree
from wdw_build.text.dates import day_number
from wdw_build.text.lexicon import STOP_WORDS
from wdw_build.text.names.compare import compare as compare_names
from wdw_build.text.names.name import TITLES, TITLES_NEVER_LAST, is_identifying
from wdw_build.text.names.name import parse as parse_name
from wdw_build.text.passages.connections import event_evidence
from wdw_build.text.passages.evidence import cosines_with
from wdw_build.text.pseudonyms.apply import renamed
from wdw_build.text.tokens import elements, encodable, lm_token_spans, lm_tokens, words
from wdw_build.views import pages
from wdw_build.views import table as table
from wdw_build.views.dataset import (
    SPLITS,
    TEST,
    TRAIN,
    VALIDATION,
    HashSample,
    JoinedProblem,
    Run,
    Table,
    open_run,
)
from wdw_build.views.dataset import facts as facts
from wdw_build.views.dataset import training_alternatives as training_alternatives
from wdw_build.views.pages import html_environment as html_environment
from wdw_build.views.sections import ReportSection, leave_section

T = TypeVar("T")
ConfigSource = Config | Mapping[str, Any] | str | Path
# Placeholders for the required keys, for functions that need neither corpus nor folder.
_REQUIRED = {"run": "memory", "output_dir": ".", "corpus": {"reader": "jsonl", "path": "no-corpus"}}


def load_run(path: str | Path) -> Run:
    """Open the run of a configuration file, of ``runs/<run>``, or of an ``output_dir`` that holds one run.

    Raises ``UsageError`` if there is no stage output. The run may be unfinished.
    """
    return open_run(Path(path))


def build(config: ConfigSource, *, stages: Sequence[str] | None = None, force: bool = False, quiet: bool = True) -> Run:
    """Bring a dataset up to date, like ``wdw-build all``, and return its run.

    ``config`` is a configuration file, or its keys as a mapping (relative paths count from the working directory).
    ``stages`` limits the build to these stages and those that they read; ``force`` runs them even if they are up to date.
    """
    pipeline = Pipeline(_config(config, {}), Progress(choose_mode(quiet)))
    with environment_kept():
        pipeline.run(stages, force=force)
    return open_run(pipeline.run_folder)


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
        by_name = {**_tables(inputs, stage), stage.reads[0]: records}
        known = {
            name: _stored(root / "inputs" / name, stage_named(name), by_name.get(name), stage) for name in stage.reads
        }
    else:
        known, backends = {}, WithEntries(backends, tuple(records))
    pipeline = Pipeline(settings, Progress("quiet"), backends)
    with environment_kept(), LocalEngine(1) as engine:
        runner = Runner(root, settings.execution.shard_size, pipeline.progress, engine)
        output = runner.make(pipeline.job(stage, known))
    return StageResult(folder, Table(settings.run, stage, output))


def _tables(inputs: Run | Mapping[str, StageInput] | None, stage: Stage) -> dict[str, Any]:
    if isinstance(inputs, Run):
        return {name: inputs.tables[name] for name in stage.reads if name in inputs.outputs}
    return dict(inputs or {})


def _stored(folder: Path, source: Stage, stage_input: Any, stage: Stage) -> Output:
    """One input of a stage as a stored output; records in memory are written to ``folder``."""
    if isinstance(stage_input, StageResult | Table):
        return stage_input.output
    if stage_input is None or source.has_own_files:
        problem = "needs an output of" if stage_input is None else "reads files, not only records, of"
        raise UsageError(
            f"stage {stage.name} {problem} {source.name}",
            hint=f"inputs=load_run(PATH), or inputs={{{source.name!r}: run_stage({source.name!r}, ...)}}",
        )
    folder.mkdir(parents=True)
    ingredients = Ingredients(stage=source.name, version=source.version, config={}, seed=0, inputs={}, backends={})
    writer = OutputWriter(folder)
    for record in stage_input:
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
    """The search index of a run, or a new one of some articles; ``execution.java_heap`` in the configuration limits its memory."""
    index = Backends(_config(config or {})).get(INDEX)
    if isinstance(source, Run):
        return ArticleIndex(index, source.indexed_articles.output.folder / INDEX_FOLDER)
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

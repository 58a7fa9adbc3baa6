"""The whole configuration file, composed of the sections of the stages, also of those that other packages add.

Every key is declared once, in the section that its stage reads, with type, default, value in ``preset: paper``, bounds and
help. YAML, ``--set``, the presets, the schema and the docs are derived from the declarations. The defaults follow
docs/reference/algorithm.md, which interprets the paper.

Stages of other installed packages are entry points of the group ``wdw_build.stages``, each a ``Stage``.
"""

from __future__ import annotations

import functools
import importlib.metadata
import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from wdw_build.adapters.stanza.models import NlpConfig
from wdw_build.core.engine.execution import ExecutionConfig
from wdw_build.core.section import Section
from wdw_build.core.stage import Stage
from wdw_build.errors import ConfigError
from wdw_build.ports import ReleaseConfig
from wdw_build.reading.settings import BenchConfig
from wdw_build.selection.settings import AdversaryConfig, SplitConfig, SuppressConfig
from wdw_build.stages.baselines import BaselinesConfig
from wdw_build.stages.dedup import DedupConfig
from wdw_build.stages.export import ExportConfig
from wdw_build.stages.ingest import IngestConfig
from wdw_build.text.settings import ChoicesConfig, QuestionsConfig, RetrieveConfig


class CorpusConfig(Section, frozen=True):
    """Where the corpus is, and how it is read."""

    reader: str
    """A corpus reader from docs/reference/readers.md, or from another package."""
    path: str
    """File, folder or glob."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the corpus reader."""
    faulty_problems: tuple[str, ...] = ()
    """Files from `annotate apply`. The articles of the faulty problems in these files are not used, and all problems are
    selected anew."""
    omitted_problems: tuple[str, ...] = ()
    """Files from `annotate apply`. The faulty problems in these files are left out after the selection: all others stay."""


class RulesConfig(Section, frozen=True):
    """The rules that the paper does not have. All are on, except with `preset: paper`, where all are off."""

    off: tuple[str, ...] = ()
    """Names of the rules that are off, such as `questions.refuse_modifier`. With `preset: paper`: all, unless given."""


Preset = Literal["careful", "paper"]


class Config(Section, frozen=True):
    """The whole configuration file."""

    run: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$(?!\n)")]
    """Name of the run: up to 100 letters, digits, `.`, `_` and `-`, beginning with a letter or a digit."""
    output_dir: str
    """Folder that contains `store/` and `runs/`."""
    corpus: CorpusConfig
    preset: Preset = "careful"
    """Default values of the keys: with all rules (`careful`), or with only the paper's algorithms (`paper`)."""
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """Seed for all random sampling."""
    rules: RulesConfig = RulesConfig()
    nlp: NlpConfig = NlpConfig()
    ingest: IngestConfig = IngestConfig()
    questions: QuestionsConfig = QuestionsConfig()
    retrieve: RetrieveConfig = RetrieveConfig()
    choices: ChoicesConfig = ChoicesConfig()
    dedup: DedupConfig = DedupConfig()
    baselines: BaselinesConfig = BaselinesConfig()
    adversary: AdversaryConfig = AdversaryConfig()
    suppress: SuppressConfig = SuppressConfig()
    split: SplitConfig = SplitConfig()
    export: ExportConfig = ExportConfig()
    bench: BenchConfig = BenchConfig()
    execution: ExecutionConfig = ExecutionConfig()
    release: ReleaseConfig = ReleaseConfig()

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` for a bound below chance."""
        self.suppress.check_chance(self.choices.max_choices)

    def section(self, stage: str) -> Section:
        """The settings of a stage; those of a stage without keys are empty."""
        section: Section = getattr(self, stage, Section())
        return section


# ---- stages of other packages ----------------------------------------------------------------------------------------

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

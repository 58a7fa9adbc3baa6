"""The whole configuration file, composed of the sections of the stages.

Every key is declared once, in the section that its stage reads, with type, default, value in ``preset: paper``, bounds and
help. YAML, ``--set``, the presets, the schema and the docs are derived from the declarations. The defaults follow
docs/reference/algorithm.md, which interprets the paper.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from wdw_build.adapters.stanza.settings import NlpConfig
from wdw_build.core.engine.settings import ExecutionConfig
from wdw_build.core.section import Section
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

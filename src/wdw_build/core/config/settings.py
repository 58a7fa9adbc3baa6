"""The whole configuration file: every option is declared once, with type, default, bounds and help.

The sections of the stages are declared in the modules beside this one. YAML, ``--set``, the schema and the docs are derived
from the declarations. The defaults follow docs/reference/algorithm.md, which interprets the paper. ``execution`` changes no
byte of the output, unless it moves the models to another device.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from wdw_build.core.config.bench_settings import BenchConfig
from wdw_build.core.config.dataset_settings import (
    AdversaryConfig,
    BaselinesConfig,
    ExportConfig,
    SplitConfig,
    SuppressConfig,
)
from wdw_build.core.config.execution_settings import DaskConfig, ExecutionConfig
from wdw_build.core.config.passage_settings import (
    ChoicesConfig,
    DedupConfig,
    ProblemsConfig,
    PseudonymsConfig,
    RetrieveConfig,
)
from wdw_build.core.config.question_settings import (
    IndexConfig,
    IngestConfig,
    NamesConfig,
    QuestionsConfig,
    SentencesConfig,
)
from wdw_build.core.config.section import Section

__all__ = [
    "AdversaryConfig",
    "BaselinesConfig",
    "BenchConfig",
    "ChoicesConfig",
    "Config",
    "CorpusConfig",
    "DaskConfig",
    "DedupConfig",
    "ExecutionConfig",
    "ExportConfig",
    "IndexConfig",
    "IngestConfig",
    "NamesConfig",
    "NlpConfig",
    "Preset",
    "ProblemsConfig",
    "PseudonymsConfig",
    "QuestionsConfig",
    "ReleaseConfig",
    "RetrieveConfig",
    "Section",
    "SentencesConfig",
    "SplitConfig",
    "SuppressConfig",
]


class CorpusConfig(Section, frozen=True):
    """Where the corpus is and how to read it."""

    reader: str
    """Name of a reader in docs/reference/readers.md, or of a reader that a package adds by entry point."""
    path: str
    """File, folder, glob, or - for standard input; relative paths count from the configuration file."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the reader, see docs/reference/readers.md."""


class NlpConfig(Section, frozen=True):
    """The models that annotate text, and how their results are corrected."""

    models: str = "bundled"
    """bundled (shipped with the package), en (the full Stanza English package), or a folder."""
    max_sentence_tokens: Annotated[int, Meta(ge=50)] = 400
    """Longer sentences of a passage are cut into pieces of this many tokens."""
    second_opinion: bool = True
    """A second tagger reads the sentences in which the first one finds a person, and both opinions are weighed."""
    repair_mentions: bool = True
    """Extend a person's mention to whole written words (Chen Shui-bian) and over a nickname, and cut web handles,
    slashes, the full stop of the sentence and an office before the name."""
    document_level_names: bool = True
    """Decide once per passage whether a name is a person, from all of its mentions."""


class ReleaseConfig(Section, frozen=True):
    """Statements for the datasheet, which change no byte of the dataset. Empty: the datasheet leaves the statement out."""

    title: str = ""
    """Name of the dataset."""
    licence: str = ""
    """Licence of the dataset."""
    source_licence: str = ""
    """Licence of the source articles."""
    contact: str = ""
    """Address for questions about the dataset."""
    citation: str = ""
    """How to cite the dataset."""


Preset = Literal["careful", "paper"]


class Config(Section, frozen=True):
    """The whole configuration file."""

    run: Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    """Name of the run."""
    output_dir: str
    """Folder for store/ and runs/; relative paths count from the configuration file."""
    corpus: CorpusConfig
    preset: Preset = "careful"
    """Defaults of the keys. careful: every rule on; paper: only the paper's algorithms."""
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """Seed of every random draw."""
    nlp: NlpConfig = NlpConfig()
    ingest: IngestConfig = IngestConfig()
    index: IndexConfig = IndexConfig()
    sentences: SentencesConfig = SentencesConfig()
    names: NamesConfig = NamesConfig()
    questions: QuestionsConfig = QuestionsConfig()
    retrieve: RetrieveConfig = RetrieveConfig()
    choices: ChoicesConfig = ChoicesConfig()
    dedup: DedupConfig = DedupConfig()
    baselines: BaselinesConfig = BaselinesConfig()
    adversary: AdversaryConfig = AdversaryConfig()
    suppress: SuppressConfig = SuppressConfig()
    problems: ProblemsConfig = ProblemsConfig()
    pseudonyms: PseudonymsConfig = PseudonymsConfig()
    split: SplitConfig = SplitConfig()
    export: ExportConfig = ExportConfig()
    bench: BenchConfig = BenchConfig()
    execution: ExecutionConfig = ExecutionConfig()
    release: ReleaseConfig = ReleaseConfig()

    def __post_init__(self) -> None:
        """Fills in the keys whose default is the value of another section's key."""
        if self.adversary.systems and self.adversary.held_out_share is None:
            filled = msgspec.structs.replace(self.adversary, held_out_share=self.split.max_share)
            msgspec.structs.force_setattr(self, "adversary", filled)

    def section(self, stage: str) -> Section:
        """The settings of a stage."""
        section: Section = getattr(self, stage)
        return section

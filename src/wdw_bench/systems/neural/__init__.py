"""The neural readers of the paper's Table 4, in PyTorch: what all of them have, then what each one changes or adds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from wdw_build.api import NonNegativeInt, PositiveInt, Section, installed_version
from wdw_build.reading import System, SystemEntry, TrainingContext

Names = Literal["raw", "anonymised"]
Dropout = Annotated[float, Meta(ge=0.0, lt=1.0)]
Rate = Annotated[float, Meta(gt=0.0)]
Optimiser = Literal["sgd", "adam"]


class ReaderConfig(Section, frozen=True):
    """What every neural reader has."""

    names: Names = "anonymised"
    """With `anonymised`, mentions of choices are replaced by entity markers, numbered by first occurrence."""
    hidden: PositiveInt = 128
    """Units of each recurrent encoder, in each direction."""
    dropout: Dropout = 0.2
    """Dropout probability."""
    vector_size: NonNegativeInt = 0
    """Dimensions of randomly initialised word vectors; 0: use pretrained vectors."""
    train_vectors: bool = True
    """Whether to train the word vectors. Entity markers are always trained."""
    vocabulary: PositiveInt = 50_000
    """Maximum number of words with a vector."""
    fold_case: bool = True
    """Whether to ignore case in words. The character encoder never ignores it."""
    optimiser: Optimiser = "adam"
    """Optimiser."""
    rate: Rate = 0.001
    """Learning rate."""
    batch: PositiveInt = 32
    """Problems per batch."""
    clip: Annotated[float, Meta(ge=0.0)] = 10.0
    """Maximum norm of the gradient; 0: no limit."""
    epochs: PositiveInt = 10
    """Maximum number of passes over the training problems."""
    patience: PositiveInt = 1
    """Training stops after this many epochs in which neither accuracy nor log probability on the validation problems is better."""
    halve_from: NonNegativeInt = 0
    """The rate is halved at this epoch, counted from 1, and at every later one; 0: never."""

    @property
    def reads_characters(self) -> bool:
        """Whether the reader reads the characters of words."""
        return False


class AttentiveConfig(ReaderConfig, frozen=True):
    """The Attentive Reader (Hermann et al. 2015, section 3.2)."""


class StanfordConfig(ReaderConfig, frozen=True):
    """The Stanford Reader (Chen, Bolton & Manning 2016, sections 3.2 and 4.1)."""

    optimiser: Optimiser = "sgd"
    rate: Rate = 0.1
    epochs: PositiveInt = 30
    patience: PositiveInt = 2  # SGD learns little in the first epochs


class AttentionSumConfig(ReaderConfig, frozen=True):
    """The Attention Sum Reader (Kadlec et al. 2016, sections 3 and 4.1)."""

    names: Names = "raw"
    hidden: PositiveInt = 384
    dropout: Dropout = 0.0
    vector_size: NonNegativeInt = 128


class GatedAttentionConfig(ReaderConfig, frozen=True):
    """The Gated-Attention Reader (Dhingra et al. 2017, section 3), with its public code's settings for Who did What."""

    names: Names = "raw"
    dropout: Dropout = 0.3
    train_vectors: bool = False
    rate: Rate = 0.0005
    halve_from: NonNegativeInt = 3
    hops: PositiveInt = 3
    """Layers of the reader (K)."""
    character_hidden: NonNegativeInt = 25
    """Units of the character encoder, in each direction; 0: no characters."""
    in_question_feature: bool = True
    """Whether to mark, for the last layer, the passage words that occur in the question."""

    @property
    def reads_characters(self) -> bool:
        """Whether the character encoder has units."""
        return self.character_hidden > 0


def _backends(settings: ReaderConfig, workspace: TrainingContext) -> dict[str, str]:
    """The version of torch and, if they are used, the hash of the pretrained word vectors."""
    backends = {"torch": installed_version("torch", "the neural reader")}
    if not settings.vector_size:
        from wdw_bench.systems.vectors import Vectors

        backends["word vectors"] = Vectors(workspace.vectors).identity
    return backends


def _entry(name: str, title: str, source: str, settings: type[ReaderConfig], paper: tuple[float, float]) -> SystemEntry:
    def make(settings: Any) -> System:
        from wdw_bench.systems.neural.reader import NeuralReader

        return NeuralReader(name, settings)

    return SystemEntry(
        name=name,
        title=title,
        source=source,
        group="table 4",
        make=make,
        settings=settings,
        trained=True,
        seeded=True,
        version=2,
        backends=_backends,
        paper=paper,
    )


ATTENTIVE_READER = _entry(
    "attentive-reader", "Attentive Reader", "Hermann et al. (2015)", AttentiveConfig, (0.53, 0.55)
)
STANFORD_READER = _entry(
    "stanford-reader", "Stanford Reader", "Chen, Bolton & Manning (2016)", StanfordConfig, (0.64, 0.65)
)
AS_READER = _entry("as-reader", "Attention Sum Reader", "Kadlec et al. (2016)", AttentionSumConfig, (0.57, 0.59))
GA_READER = _entry("ga-reader", "Gated-Attention Reader", "Dhingra et al. (2017)", GatedAttentionConfig, (0.57, 0.60))

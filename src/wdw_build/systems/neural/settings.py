"""Settings of the four neural readers: what all of them have, then what each one changes or adds."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import Section

Names = Annotated[
    Literal["raw", "anonymised"],
    Meta(
        description="anonymised: every mention of a choice becomes an entity marker, numbered by first occurrence; "
        "raw: the words of the names stay."
    ),
]
Hidden = Annotated[int, Meta(ge=1, description="Units of each recurrent encoder, in each direction.")]
Dropout = Annotated[float, Meta(ge=0.0, lt=1.0, description="Probability that a unit is dropped in training.")]
Rate = Annotated[float, Meta(gt=0.0, description="Learning rate.")]
Optimiser = Annotated[Literal["sgd", "adam"], Meta(description="Optimiser.")]
VectorSize = Annotated[
    int,
    Meta(ge=0, description="Dimensions of randomly initialised word vectors; 0: the pretrained vectors are used."),
]
TrainVectors = Annotated[bool, Meta(description="Train the word vectors; entity markers are always trained.")]


class ReaderConfig(Section, frozen=True):
    """What every neural reader has."""

    names: Names = "anonymised"
    hidden: Hidden = 128
    dropout: Dropout = 0.2
    vector_size: VectorSize = 0
    train_vectors: TrainVectors = True
    vocabulary: Annotated[int, Meta(ge=1, description="Most words with a vector; rarer words are unknown.")] = 50_000
    max_passage_tokens: Annotated[
        int,
        Meta(
            ge=0,
            description="Tokens of the passage that are read, more if a choice is first mentioned later; 0: the whole passage.",
        ),
    ] = 0
    fold_case: Annotated[
        bool, Meta(description="Words that differ in case are one word; characters keep their case.")
    ] = True
    optimiser: Optimiser = "adam"
    rate: Rate = 0.001
    batch: Annotated[int, Meta(ge=1, description="Problems in a batch.")] = 32
    clip: Annotated[
        float, Meta(ge=0.0, description="Largest norm of the gradient, above which it is scaled down; 0: no limit.")
    ] = 10.0
    epochs: Annotated[int, Meta(ge=1, description="Most passes over the training problems.")] = 10
    patience: Annotated[
        int,
        Meta(ge=1, description="Epochs without a better accuracy on the validation problems before training stops."),
    ] = 3
    halve_from: Annotated[
        int,
        Meta(ge=0, description="The epoch, counted from 1, from which on the rate is halved every epoch; 0: never."),
    ] = 0

    @property
    def reads_characters(self) -> bool:
        """Whether the reader reads the characters of words."""
        return False


class AttentiveConfig(ReaderConfig, frozen=True):
    """The Attentive Reader (Hermann et al. 2015, section 3.2)."""

    cell: Annotated[Literal["gru", "lstm"], Meta(description="Cell of the recurrent encoders.")] = "gru"


class StanfordConfig(ReaderConfig, frozen=True):
    """The Stanford Reader (Chen, Bolton & Manning 2016, sections 3.2 and 4.1)."""

    optimiser: Optimiser = "sgd"
    rate: Rate = 0.1
    epochs: Annotated[int, Meta(ge=1, description="Most passes over the training problems.")] = 30


class AttentionSumConfig(ReaderConfig, frozen=True):
    """The Attention Sum Reader (Kadlec et al. 2016, sections 3 and 4.1)."""

    names: Names = "raw"
    hidden: Hidden = 384
    dropout: Dropout = 0.0
    vector_size: VectorSize = 128


class GatedAttentionConfig(ReaderConfig, frozen=True):
    """The Gated-Attention Reader (Dhingra et al. 2017, section 3), with its public code's settings for Who did What."""

    names: Names = "raw"
    dropout: Dropout = 0.3
    train_vectors: TrainVectors = False
    rate: Rate = 0.0005
    halve_from: Annotated[
        int,
        Meta(ge=0, description="The epoch, counted from 1, from which on the rate is halved every epoch; 0: never."),
    ] = 3
    hops: Annotated[int, Meta(ge=1, description="Layers of the reader (K).")] = 3
    character_hidden: Annotated[
        int, Meta(ge=0, description="Units of the character encoder, in each direction; 0: no characters are read.")
    ] = 25
    in_question_feature: Annotated[
        bool, Meta(description="The last layer reads whether a passage token's word occurs in the question.")
    ] = True

    @property
    def reads_characters(self) -> bool:
        """See ``ReaderConfig.reads_characters``."""
        return self.character_hidden > 0

"""Readers on a pre-trained transformer encoder, fine-tuned: over choices, over choices without the passage, over spans."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from wdw_build.core.config.section import PositiveInt, Section, Share
from wdw_build.reading import System, SystemEntry
from wdw_build.systems.encoders.files import backends

MaxTokens = Annotated[
    int,
    Meta(ge=16, description="Word pieces of one input of the encoder, special tokens included; at most its positions."),
]


class EncoderConfig(Section, frozen=True):
    """What the readers on an encoder have in common."""

    epochs: Annotated[PositiveInt, Meta(description="Most passes over the training problems.")] = 4
    patience: Annotated[
        PositiveInt,
        Meta(description="Epochs without a better result on the validation problems before training stops."),
    ] = 2
    rate: Annotated[float, Meta(gt=0.0, description="Highest learning rate of AdamW.")] = 1e-4
    warm_up: Annotated[
        Share,
        Meta(description="Share of the training in which the rate rises to its highest value; then it falls to 0."),
    ] = 0.1
    batch: Annotated[PositiveInt, Meta(description="Problems in a batch.")] = 8
    clip: Annotated[float, Meta(gt=0.0, description="Largest norm of the gradient, above which it is scaled down.")] = (
        1.0
    )
    freeze_layers: Annotated[
        int,
        Meta(ge=0, description="Lowest layers of the encoder that are not trained. Its embeddings are never trained."),
    ] = 3


class ChoiceConfig(EncoderConfig, frozen=True):
    """Settings of ``choice-encoder``."""

    max_tokens: MaxTokens = 128


class QuestionConfig(EncoderConfig, frozen=True):
    """Settings of ``encoder-question-only``."""

    max_tokens: MaxTokens = 96


class SpanConfig(EncoderConfig, frozen=True):
    """Settings of ``span-encoder``."""

    max_tokens: MaxTokens = 256
    stride: Annotated[
        PositiveInt, Meta(description="Word pieces of the passage that two neighbouring windows share.")
    ] = 64
    max_windows: Annotated[
        PositiveInt, Meta(description="Windows read of a passage; the text after the last of them is not read.")
    ] = 16
    max_answer: Annotated[PositiveInt, Meta(description="Word pieces of the longest span that is extracted.")] = 12


def _choice(settings: ChoiceConfig) -> System:
    from wdw_build.systems.encoders.system import choice_system

    return choice_system(settings)


def _question(settings: QuestionConfig) -> System:
    from wdw_build.systems.encoders.system import question_system

    return question_system(settings)


def _span(settings: SpanConfig) -> System:
    from wdw_build.systems.encoders.system import span_system

    return span_system(settings)


CHOICE_ENCODER = SystemEntry(
    name="choice-encoder",
    title="Encoder over choices",
    source="Devlin et al. (2019), on all-MiniLM-L6-v2",
    group="today",
    make=_choice,
    settings=ChoiceConfig,
    trained=True,
    seeded=True,
    backends=backends,
)
QUESTION_ONLY_ENCODER = SystemEntry(
    name="encoder-question-only",
    title="Encoder, question only",
    source="Kaushik & Lipton (2018), on all-MiniLM-L6-v2",
    group="probe",
    make=_question,
    settings=QuestionConfig,
    trained=True,
    seeded=True,
    backends=backends,
)
SPAN_ENCODER = SystemEntry(
    name="span-encoder",
    title="Encoder over spans",
    source="Devlin et al. (2019), on all-MiniLM-L6-v2",
    group="today",
    make=_span,
    settings=SpanConfig,
    trained=True,
    seeded=True,
    backends=backends,
)

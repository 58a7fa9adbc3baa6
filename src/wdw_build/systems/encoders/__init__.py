"""Readers on a pre-trained transformer encoder, fine-tuned: over choices, over choices without the passage, over spans."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from wdw_build.core.config.section import PositiveInt, Section, Share
from wdw_build.reading import Group, System, SystemEntry
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


def _entry(name: str, title: str, source: str, group: Group, settings: type[EncoderConfig]) -> SystemEntry:
    def make(settings: Any) -> System:
        from wdw_build.systems.encoders.system import EncoderSystem

        return EncoderSystem(settings)

    return SystemEntry(
        name=name,
        title=title,
        source=f"{source}, on all-MiniLM-L6-v2",
        group=group,
        make=make,
        settings=settings,
        trained=True,
        seeded=True,
        backends=backends,
    )


CHOICE_ENCODER = _entry("choice-encoder", "Encoder over choices", "Devlin et al. (2019)", "today", ChoiceConfig)
QUESTION_ONLY_ENCODER = _entry(
    "encoder-question-only", "Encoder, question only", "Kaushik & Lipton (2018)", "probe", QuestionConfig
)
SPAN_ENCODER = _entry("span-encoder", "Encoder over spans", "Devlin et al. (2019)", "today", SpanConfig)

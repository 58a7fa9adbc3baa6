"""Readers on a pre-trained transformer encoder, fine-tuned: with and without the passage."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from wdw_bench.systems.encoders.files import backends
from wdw_build.api import PositiveInt, Section, Share
from wdw_build.reading import Group, System, SystemEntry

MaxTokens = Annotated[int, Meta(ge=16)]


class EncoderConfig(Section, frozen=True):
    """What the readers on an encoder have in common."""

    epochs: PositiveInt = 4
    """Maximum number of passes over the training problems."""
    patience: PositiveInt = 2
    """Training stops after this many epochs in which neither accuracy nor log probability on the validation problems is better."""
    rate: Annotated[float, Meta(gt=0.0)] = 1e-4
    """Maximum learning rate of AdamW."""
    warm_up: Share = 0.1
    """Share of the training during which the rate rises to its maximum; then it falls to 0."""
    batch: PositiveInt = 8
    """Problems per batch."""
    clip: Annotated[float, Meta(gt=0.0)] = 1.0
    """Maximum norm of the gradient."""
    freeze_layers: Annotated[int, Meta(ge=0)] = 3
    """Number of encoder layers, from the lowest, that are not trained. The embeddings are never trained."""
    max_tokens: MaxTokens = 128
    """Maximum length of an encoder input, in word pieces."""


class ChoiceConfig(EncoderConfig, frozen=True):
    """Settings of ``choice-encoder``."""


class QuestionConfig(EncoderConfig, frozen=True):
    """Settings of ``encoder-question-only``."""

    max_tokens: MaxTokens = 96


def _entry(name: str, title: str, source: str, group: Group, settings: type[EncoderConfig]) -> SystemEntry:
    def make(settings: Any) -> System:
        from wdw_bench.systems.encoders.system import EncoderSystem

        return EncoderSystem(name, settings)

    return SystemEntry(
        name=name,
        title=title,
        source=f"{source}, on all-MiniLM-L6-v2",
        group=group,
        make=make,
        version=3,
        settings=settings,
        trained=True,
        seeded=True,
        backends=backends,
    )


CHOICE_ENCODER = _entry("choice-encoder", "Encoder over choices", "Devlin et al. (2019)", "today", ChoiceConfig)
QUESTION_ONLY_ENCODER = _entry(
    "encoder-question-only", "Encoder, question only", "Kaushik & Lipton (2018)", "probe", QuestionConfig
)

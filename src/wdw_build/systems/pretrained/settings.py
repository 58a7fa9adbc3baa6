"""Settings of the systems on models from disk."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import PositiveInt, Section
from wdw_build.systems.encoders.settings import MaxTokens

Folder = Annotated[
    str,
    Meta(description="Folder of the model, as `save_pretrained` of transformers writes it with its fast tokenizer."),
]


class ClosedBookConfig(Section, frozen=True):
    """Settings of ``closed-book``."""

    model: Folder = ""
    normalisation: Annotated[
        Literal["total", "token"],
        Meta(description="`total`: the log probability of the filled sentence; `token`: its mean for each token."),
    ] = "total"
    contrast: Annotated[
        bool,
        Meta(
            description="Subtract the log probability of the name after `neutral`, so that a common name has no advantage "
            "(Holtzman et al. 2021)."
        ),
    ] = False
    neutral: Annotated[str, Meta(description="Text before the name in the second term of `contrast`.")] = (
        "The person is"
    )
    prompt: Annotated[str, Meta(description="Text before the sentence; its own probability does not count.")] = ""
    batch: Annotated[PositiveInt, Meta(description="Sentences that the model reads at once.")] = 16


class QaModelConfig(Section, frozen=True):
    """Settings of ``qa-model``."""

    model: Folder = ""
    blank: Annotated[
        str,
        Meta(description="Text in the blank of the question, such as `which person`; empty: the model's mask token."),
    ] = "who"
    max_tokens: MaxTokens = 384
    stride: Annotated[
        PositiveInt, Meta(description="Word pieces of the passage that two neighbouring windows share.")
    ] = 128
    max_windows: Annotated[
        PositiveInt, Meta(description="Windows read of a passage; the text after the last of them is not read.")
    ] = 16
    max_answer: Annotated[PositiveInt, Meta(description="Word pieces of the longest span that is extracted.")] = 12

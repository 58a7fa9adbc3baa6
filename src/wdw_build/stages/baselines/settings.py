"""The settings of the stage ``baselines``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.section import PositiveInt, Section, paper


class BaselinesConfig(Section, frozen=True):
    """The four shallow baselines."""

    use: tuple[Literal["ngram", "unigram"], ...] = ("ngram", "unigram")
    """Baselines besides first-person and most-frequent. Without ngram, KenLM is not needed."""
    ngram_order: Annotated[int, Meta(ge=2, le=6)] = 5
    """Order of the n-gram model."""
    max_text: Annotated[PositiveInt | None, paper(None)] = 2000
    """Megabytes of text for the n-gram model; of more text, every so many sentences are taken. `null`: all text."""
    exclude_similar: bool = True
    """Exclude articles with a sentence too similar to a question when estimating the n-gram model."""

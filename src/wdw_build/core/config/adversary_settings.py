"""The section of the stage ``adversary``: which systems suppression bounds besides the four baselines, and how."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import PositiveInt, Section, Share
from wdw_build.errors import ConfigError
from wdw_build.records import Names


class AdversaryConfig(Section, frozen=True):
    """Systems as adversaries: suppression bounds their accuracy, or problems that they solve are dropped."""

    systems: tuple[str, ...] = ("shallow",)
    """Names of systems (docs/reference/systems.md), or of files in bench.predictions. Each system is trained on other
    events than it judges, with its settings in bench."""
    mode: Literal["suppress", "filter"] = "suppress"
    """suppress: the linear program bounds each adversary like a baseline; filter: drop what an adversary solves with
    confidence in several rounds."""
    scope: Literal["training", "all"] = "all"
    """Problems that are bounded or dropped: those before the held-out time, or all."""
    held_out_share: Share | None = None
    """With scope: training, this share of the problems, the most recent ones, is the held-out time; null: the value of
    split.max_share."""
    names: Names = "original"
    """The names that adversaries read: those of the text, codes or surrogates."""
    folds: Annotated[int, Meta(ge=3)] = 5
    """Folds of the cross-fitting; each event is in one fold. One fold decides when to stop."""
    min_problems: PositiveInt = 50
    """With fewer problems in scope, there are no adversaries: they could learn nothing."""
    rounds: PositiveInt = 5
    """suppress: most rounds in which adversaries are trained on the selected problems and bounded, until one trained
    afresh is at chance (with suppress.bounds: pooled, one round on all problems); filter: rounds, each with other folds
    and another seed."""
    least_rounds: PositiveInt = 4
    """filter: drop a problem that an adversary solves with confidence in so many rounds."""
    confidence: Share = 0.75
    """filter: least probability of the right choice, calibrated over the round's predictions."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if ``systems`` names a system twice, or if no problem could be solved in enough rounds."""
        for name, count in Counter(self.systems).items():
            if count > 1:
                raise ConfigError(f"adversary.systems has {name!r} {count} times", hint="name each adversary once")
        if self.mode == "filter" and self.least_rounds > self.rounds:
            raise ConfigError(
                f"adversary.least_rounds ({self.least_rounds}) is above adversary.rounds ({self.rounds})",
                hint="no problem could be solved in so many rounds: lower least_rounds, or raise rounds",
            )

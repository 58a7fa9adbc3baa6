"""The settings of the stages that select problems: ``adversary``, ``suppress`` and ``split``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from wdw_build.core.dataset_size import most_held_out
from wdw_build.core.section import NonNegativeInt, PositiveInt, Section, paper, refuse_repeats
from wdw_build.errors import ConfigError
from wdw_build.records import Names


class AdversaryConfig(Section, frozen=True):
    """Systems whose accuracy suppression bounds, as it bounds that of the baselines."""

    systems: Annotated[tuple[str, ...], paper(())] = ("shallow",)
    """Names of systems (see docs/reference/systems.md), or of files in `bench.predictions`. For settings, use
    `bench.settings`."""
    names: Names = "original"
    """Form of the names that adversaries read."""
    folds: Annotated[int, Meta(ge=3)] = 5
    """Number of folds for cross-fitting. One fold decides when training stops."""
    min_problems: PositiveInt = 50
    """Do not train an adversary on fewer problems."""
    rounds: PositiveInt = 4
    """Maximum number of rounds. Each round trains new adversaries."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if ``systems`` names a system twice."""
        refuse_repeats("adversary.systems", self.systems, "adversary")


def adversary_column(adversary: str, number: int) -> str:
    """The name under which predictions have the answers of an adversary's round, from 1: `shallow`, `shallow-2`, ..."""
    return adversary if number == 1 else f"{adversary}-{number}"


def adversary_round(column: str, adversaries: Collection[str]) -> int:
    """The round, from 1, of a column of predictions; 0 for a baseline."""
    if column in adversaries:
        return 1
    adversary, _, number = column.rpartition("-")
    return int(number) if adversary in adversaries and number.isdecimal() else 0


Bound = Literal["chance"] | Annotated[float, Meta(ge=0.0, le=1.0)]


class SuppressConfig(Section, frozen=True):
    """Selection of problems so that no baseline beats its bound, and caps on repeated passages, events and answers.

    A bound is ``chance`` (1/choices) or a number.
    """

    strict: Bound = "chance"
    """Maximum accuracy of any baseline on the strict problems."""
    relaxed: Bound = 0.5
    """Maximum accuracy of any baseline on the strict and relaxed training problems together."""
    bounds: Annotated[Literal["by_choices", "pooled"], paper("pooled")] = "by_choices"
    """`by_choices`: a bound for each number of choices, and a uniform distribution of answer positions.
    `pooled`: one upper bound for all problems."""
    event_weight: Annotated[float, Meta(ge=0.0, le=10.0), paper(0.0)] = 1.0
    """The weight of an alternative is 1 plus this number times its event score."""
    evidence_weight: Annotated[float, Meta(ge=0.0, le=10.0), paper(0.0)] = 1.0
    """The weight of its evidence score, which is added."""
    max_per_passage: Annotated[NonNegativeInt, paper(0)] = 2
    """Maximum number of selected problems with the same passage; 0: no limit."""
    max_per_event: Annotated[NonNegativeInt, paper(0)] = 1
    """Maximum number of selected problems that have the same answer and share an article; 0: no limit."""
    max_per_answer: Annotated[float, Meta(ge=0.0), paper(0.0)] = 0.2
    """Maximum number of selected problems with the same answer; below 1: share, but 10 are always allowed; 0: no limit."""
    shared_articles: Annotated[Literal["forbid", "within-split", "allow"], paper("allow")] = "within-split"
    """Whether a selected problem's passage may be the question's article of another one: never (`forbid`), only if both
    are training problems (`within-split`), or always (`allow`)."""
    max_enrichment: Annotated[float, Meta(ge=1.0)] | None = None
    """Maximum share of each trait of 20 or more problems among the selected ones, divided by its share before suppression;
    null: no limit."""
    min_kept: NonNegativeInt = 0
    """Fail if fewer strict problems are selected; 0: only warn if the dataset is small."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if the relaxed bound is below the strict one."""
        if isinstance(self.strict, float) and isinstance(self.relaxed, float) and self.relaxed < self.strict:
            raise ConfigError(
                f"suppress.relaxed ({self.relaxed}) is below suppress.strict ({self.strict})",
                hint="raise suppress.relaxed, or lower suppress.strict",
            )
        if self.relaxed == "chance" and self.strict != "chance":
            raise ConfigError(
                "suppress.relaxed: chance needs suppress.strict: chance",
                hint="set suppress.relaxed to a number, such as 0.5",
            )

    def check_chance(self, max_choices: int) -> None:
        """Raise ``ConfigError`` if the relaxed bound is below chance for every number of choices.

        The strict problems are part of the relaxed ones, and guessing already reaches more on them.
        """
        if self.strict == "chance" and isinstance(self.relaxed, float) and self.relaxed < 1 / max_choices:
            raise ConfigError(
                f"suppress.relaxed ({self.relaxed:g}) is below chance (1/{max_choices}), the bound suppress.strict",
                hint=f"set suppress.relaxed to chance, or to {1 / max_choices:.2g} or more",
            )


class SplitConfig(Section, frozen=True):
    """Train, validation and test by date."""

    held_out: Annotated[int, Meta(ge=2)] = 20_000
    """Number of most recent strict problems to hold out for validation and test."""
    max_share: Annotated[float, Meta(gt=0.0, lt=1.0)] = 0.3
    """Maximum share of strict problems to hold out."""
    test_from: dt.date | None = None
    """First day of the test set. Replaces `held_out` and `max_share`."""
    validation_from: dt.date | None = None
    """First day of the validation set, which ends before `test_from`; null: no validation set."""
    gap_days: NonNegativeInt = 0
    """Drop training problems dated fewer than this many days before the first held-out day."""
    by_event: bool = False
    """Keep each event in one split: drop training problems that are connected with a held-out problem."""
    event_days: NonNegativeInt = 1
    """Two problems are connected if they share an article, or two persons in passages at most this many days apart."""
    one_per_group: bool = False
    """Keep at most one held-out problem from each group of problems that reveal each other's answers or share a
    passage."""

    held_out_keys: ClassVar[tuple[str, ...]] = ("held_out", "max_share", "test_from", "validation_from")
    """The keys that decide which problems are held out."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if the keys of the periods contradict each other or the keys of the sizes."""
        if self.test_from is None:
            if self.validation_from is not None:
                raise ConfigError("split.validation_from needs split.test_from", hint="set split.test_from, too")
            return
        if self.validation_from is not None and self.validation_from >= self.test_from:
            raise ConfigError(
                f"split.validation_from ({self.validation_from}) is not before split.test_from ({self.test_from})",
                hint="let validation begin before test",
            )
        default = SplitConfig()
        for key in ("held_out", "max_share"):
            if getattr(self, key) != getattr(default, key):
                raise ConfigError(
                    f"split.test_from and split.{key} exclude each other",
                    hint=f"remove split.{key} to divide by date, or split.test_from to divide by number",
                )

    @property
    def held_out_from(self) -> dt.date | None:
        """The first day of the held-out period; None if numbers of problems decide."""
        return self.validation_from or self.test_from

    def is_within_gap(self, date: dt.date, first_held_out: dt.date) -> bool:
        """Whether a training problem of this date is too near to the first held-out day."""
        return bool(self.gap_days) and date > first_held_out - dt.timedelta(days=self.gap_days)

    def first_held_out(self, keys: Sequence[tuple[dt.date, str]], margin: float = 1.0) -> tuple[dt.date, str]:
        """The key with which the held-out period begins, later than all keys if no problem is held out.

        ``keys``: date and id of each strict problem. ``margin`` times as many as usual are held out.
        """
        if self.held_out_from is not None:
            return self.held_out_from, ""
        number = round(margin * most_held_out(len(keys), self.held_out, self.max_share))
        return sorted(keys)[-min(number, len(keys))] if number else (dt.date.max, "")

    @property
    def periods(self) -> dict[str, str]:
        """Split -> its period, in words; empty if numbers of problems decide."""
        if self.test_from is None:
            return {}
        validation = {"validation": f"from {self.validation_from} until before {self.test_from}"}
        return {
            "train": f"before {self.held_out_from}",
            **(validation if self.validation_from else {}),
            "test": f"of {self.test_from} or later",
        }

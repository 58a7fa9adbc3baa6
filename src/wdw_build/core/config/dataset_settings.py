"""The sections of the stages that bound shallow systems, thin out, split and export the problems."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import NonNegativeInt, PositiveInt, Section, Share
from wdw_build.errors import ConfigError
from wdw_build.records import Names


class BaselinesConfig(Section, frozen=True):
    """The four shallow baselines."""

    ngram_order: Annotated[int, Meta(ge=2, le=6)] = 5
    """Order of the n-gram model."""
    exclude_similar: bool = True
    """Leave articles that are too similar to a question out of the n-gram model."""
    max_sentence_overlap: Share = 0.78
    """Leave out articles with a sentence that shares more of its words with a question."""
    min_sentence_words: PositiveInt = 5
    """Leave shorter sentences out of that test."""
    context_words: NonNegativeInt = 5
    """Leave out articles that contain this many words beside a blank in order; 0: no test."""
    min_context_words: PositiveInt = 3
    """Skip a side of the blank that has fewer words."""


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


Bound = Literal["chance"] | Annotated[float, Meta(ge=0.0, le=1.0)]


class SuppressConfig(Section, frozen=True):
    """Selection of problems so that no baseline beats its bound, and caps on repeated passages, events and answers.

    A bound is ``chance`` (1/choices) or a number.
    """

    strict: Bound = "chance"
    """Highest accuracy of any baseline on the strict problems."""
    relaxed: Bound = 0.5
    """Highest accuracy of any baseline on the relaxed training problems."""
    bounds: Literal["by_choices", "pooled"] = "by_choices"
    """by_choices: a bound for each number of choices apart, at chance from above and from below, and the place of the
    answer is uniform; pooled: one bound from above over all problems."""
    event_weight: Annotated[float, Meta(ge=0.0, le=10.0)] = 1.0
    """Among the alternatives, a problem counts 1 plus this weight times its event score."""
    max_per_passage: NonNegativeInt = 2
    """Most selected problems with the same passage; 0: no limit."""
    max_per_event: NonNegativeInt = 1
    """Most selected problems with the same answer that share an article, as question or as passage; 0: no limit."""
    max_per_answer: Annotated[float, Meta(ge=0.0)] = 0.2
    """Most selected problems with the same answer: below 1 a share of them, else a number; 0: no limit."""
    min_answer_cap: PositiveInt = 10
    """Lowest limit if suppress.max_per_answer is a share."""
    min_kept: NonNegativeInt = 0
    """Fail if fewer strict problems are selected; 0: only a warning for a small dataset."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if the relaxed bound may be below the strict one."""
        if isinstance(self.strict, float) and isinstance(self.relaxed, float) and self.relaxed < self.strict:
            raise ConfigError(
                f"suppress.relaxed ({self.relaxed}) is below suppress.strict ({self.strict})",
                hint="the relaxed bound must be the larger one",
            )
        if self.relaxed == "chance" and self.strict != "chance":
            raise ConfigError(
                "suppress.relaxed: chance needs suppress.strict: chance",
                hint="set suppress.relaxed to a number, such as 0.5",
            )


class SplitConfig(Section, frozen=True):
    """Train, validation and test by date."""

    held_out: Annotated[int, Meta(ge=2)] = 20_000
    """The most recent strict problems that become validation and test."""
    max_share: Annotated[float, Meta(gt=0.0, lt=1.0)] = 0.3
    """At most this share of the strict problems is held out."""
    gap_days: NonNegativeInt = 0
    """Drop training problems closer than this to the first held-out day."""
    by_event: bool = False
    """Keep each event in one split: drop training problems that are connected with a held-out problem."""
    event_days: NonNegativeInt = 1
    """Two problems are connected if they have two persons in common and passages at most this many days apart."""
    one_per_group: bool = False
    """Keep at most one held-out problem of each group in which one problem tells the answer of another or has its
    passage. Training problems are not compared: see by_event."""


class ExportConfig(Section, frozen=True):
    """Formats to write."""

    formats: Annotated[tuple[str, ...], Meta(min_length=1)] = ("jsonl", "wdw-xml")
    """Formats to write: those in docs/reference/export-formats.md, and those that packages add by entry point."""
    choices: Literal["passage", "shuffled"] = "passage"
    """Order of the choices: by first mention in the passage, or shuffled by seed, id and names."""
    names: Names = "original"
    """Names of persons: as in the articles, codes such as `@entity3`, or invented names. Problems that `pseudonyms`
    rejected are left out, unless the names are original."""
    min_event_score: Share = 0.0
    """Leave out problems with a lower event score, or without one; 0: keep all."""

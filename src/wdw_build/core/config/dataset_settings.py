"""The sections of the stages that thin out, split and export the problems."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import Section
from wdw_build.errors import ConfigError
from wdw_build.records import Names


class BaselinesConfig(Section, frozen=True):
    """The four shallow baselines."""

    ngram_order: Annotated[int, Meta(ge=2, le=6, description="Order of the n-gram model.")] = 5
    exclude_similar: Annotated[
        bool, Meta(description="Leave articles that are too similar to a question out of the n-gram model.")
    ] = True
    max_sentence_overlap: Annotated[
        float,
        Meta(
            ge=0.0,
            le=1.0,
            description="Leave out articles with a sentence that shares more of its words with a question.",
        ),
    ] = 0.78
    min_sentence_words: Annotated[
        int, Meta(ge=1, description="Leave shorter sentences out of that test.", extra={"paper": 1})
    ] = 5
    context_words: Annotated[
        int,
        Meta(ge=0, description="Leave out articles that contain this many words beside a blank in order; 0: no test."),
    ] = 5
    min_context_words: Annotated[int, Meta(ge=1, description="Skip a side of the blank that has fewer words.")] = 3


Bound = Literal["chance"] | Annotated[float, Meta(ge=0.0, le=1.0)]


class SuppressConfig(Section, frozen=True):
    """Selection of problems so that no baseline beats its bound, and caps on repeated passages, events and answers.

    A bound is ``chance`` (1/choices) or a number.
    """

    strict: Annotated[Bound, Meta(description="Highest accuracy of any baseline on the strict problems.")] = "chance"
    relaxed: Annotated[
        Bound, Meta(description="Highest accuracy of any baseline on the relaxed training problems.")
    ] = 0.5
    bounds: Annotated[
        Literal["by_choices", "pooled"],
        Meta(
            description="by_choices: a bound for each number of choices apart, at chance from above and from below, and the "
            "place of the answer is uniform; pooled: one bound from above over all problems.",
            extra={"paper": "pooled"},
        ),
    ] = "by_choices"
    event_weight: Annotated[
        float,
        Meta(
            ge=0.0,
            le=10.0,
            description="Among the alternatives, a problem counts 1 plus this weight times its event score.",
            extra={"paper": 0.0},
        ),
    ] = 1.0
    max_per_passage: Annotated[
        int, Meta(ge=0, description="Most selected problems with the same passage; 0: no limit.", extra={"paper": 0})
    ] = 2
    max_per_event: Annotated[
        int,
        Meta(
            ge=0,
            description="Most selected problems with the same answer that share an article, as question or as passage; "
            "0: no limit.",
            extra={"paper": 0},
        ),
    ] = 1
    max_per_answer: Annotated[
        float,
        Meta(
            ge=0.0,
            description="Most selected problems with the same answer: below 1 a share of them, else a number; 0: no limit.",
            extra={"paper": 0.0},
        ),
    ] = 0.2
    min_answer_cap: Annotated[int, Meta(ge=1, description="Lowest limit if suppress.max_per_answer is a share.")] = 10
    min_kept: Annotated[
        int,
        Meta(ge=0, description="Fail if fewer strict problems are selected; 0: only a warning for a small dataset."),
    ] = 0

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

    held_out: Annotated[
        int, Meta(ge=2, description="The most recent strict problems that become validation and test.")
    ] = 20_000
    max_share: Annotated[
        float, Meta(gt=0.0, lt=1.0, description="At most this share of the strict problems is held out.")
    ] = 0.3
    gap_days: Annotated[
        int, Meta(ge=0, description="Drop training problems closer than this to the first held-out day.")
    ] = 0
    by_event: Annotated[
        bool,
        Meta(
            description="Keep each event in one split: drop training problems that are connected with a held-out problem."
        ),
    ] = False
    event_days: Annotated[
        int,
        Meta(
            ge=0,
            description="Two problems are connected if they have two persons in common and passages at most this many days apart.",
        ),
    ] = 1
    one_per_group: Annotated[
        bool,
        Meta(
            description="Keep at most one held-out problem of each group in which one problem tells the answer of another or has "
            "its passage. Training problems are not compared: see by_event."
        ),
    ] = False


class ExportConfig(Section, frozen=True):
    """Formats to write."""

    formats: Annotated[
        tuple[str, ...],
        Meta(
            min_length=1,
            description="Formats to write: those in docs/reference/export-formats.md, and those that packages add by entry point.",
        ),
    ] = ("jsonl", "wdw-xml")
    choices: Annotated[
        Literal["passage", "shuffled"],
        Meta(description="Order of the choices: by first mention in the passage, or shuffled by seed, id and names."),
    ] = "passage"
    names: Annotated[
        Names,
        Meta(
            description="Names of persons: as in the articles, codes such as `@entity3`, or invented names. Problems that "
            "`pseudonyms` rejected are left out, unless the names are original."
        ),
    ] = "original"
    min_event_score: Annotated[
        float,
        Meta(ge=0.0, le=1.0, description="Leave out problems with a lower event score, or without one; 0: keep all."),
    ] = 0.0

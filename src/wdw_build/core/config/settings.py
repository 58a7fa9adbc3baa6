"""The whole configuration file: every option is declared once, with type, default, value in ``preset: paper``, bounds and help.

YAML, ``--set``, the presets, the schema and the docs are derived from the declarations. The defaults follow
docs/reference/algorithm.md, which interprets the paper. The sections of the stages come first, and ``Config`` is the last
class.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, ClassVar, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta

from wdw_build.core.config.bench_settings import BenchConfig
from wdw_build.core.config.corpus_settings import CorpusConfig, NlpConfig, ReleaseConfig
from wdw_build.core.config.execution_settings import ExecutionConfig
from wdw_build.core.config.section import (
    AddedRule,
    NonNegativeInt,
    PositiveInt,
    RulesConfig,
    Section,
    Share,
    paper,
    refuse_empty_range,
    refuse_repeats,
)
from wdw_build.core.dataset_size import most_held_out
from wdw_build.errors import ConfigError
from wdw_build.records import Names

# A century.
Days = Annotated[int, Meta(ge=1, le=36_525)]


class IngestConfig(Section, frozen=True):
    """What counts as an article."""

    kinds: tuple[str, ...] = ("story",)
    """Kinds of articles to keep; empty: all kinds."""
    date_formats: tuple[str, ...] = ()
    """Date formats: strptime codes, `epoch`, `day-first` or `month-first`. ISO 8601 and dates with a month name
    are always accepted. Empty: also YYYYMMDD, and numeric dates (05/09/2016) in the order that fits the whole
    corpus."""
    time_zone: str = ""
    """Convert timestamps with a time zone to this zone, such as `America/New_York`. Empty: keep the day as written."""
    cut_credits: AddedRule = True
    """Remove credits, bylines, photo lines and notes to editors from the text."""
    cut_openings: AddedRule = True
    """Remove headlines, captions and other text before the first sentence, and lines that recur in many articles of a
    source."""
    repair_text: AddedRule = True
    """Repair wrongly decoded characters, lost apostrophes, lost spaces and tokenised text."""
    max_bad_input: Share = 0.01
    """The run fails if a larger share of entries is unreadable."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` for an unknown time zone."""
        try:
            _ = ZoneInfo(self.time_zone) if self.time_zone else None
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            hint = "use a name of the IANA database, such as UTC or America/New_York (pip install tzdata installs it)"
            raise ConfigError(f"ingest.time_zone: no zone {self.time_zone!r}", hint=hint) from error


class QuestionsConfig(Section, frozen=True):
    """Question formation (Algorithm 1)."""

    persons: Annotated[Literal["all", "last"], paper("last")] = "all"
    """Persons to delete, each in its own alternative: all possible persons, or only the last."""
    min_tokens: PositiveInt = 10
    """Minimum length of the first sentence, in tokens."""
    max_tokens: PositiveInt = 120
    """Maximum length of the first sentence, in tokens."""
    max_name_words: PositiveInt = 3
    """Maximum length of a mention, in words."""
    refuse_long_phrase: AddedRule = True
    """Refuse a deleted phrase of more than 10 tokens."""
    refuse_finite_verb: AddedRule = True
    """Refuse a deleted phrase that contains a finite verb."""
    refuse_modifier: AddedRule = True
    """Refuse a name that modifies a noun ('the XXX administration')."""
    refuse_and_beside: AddedRule = True
    """Refuse a blank directly next to a coordinating 'and'."""
    refuse_name_outside: AddedRule = True
    """Refuse a sentence in which a word of the deleted name occurs again."""
    refuse_non_persons: AddedRule = True
    """Drop mentions that are not persons, such as companies, and one-word names without evidence of a person."""
    climb_only_of: AddedRule = True
    """Delete a prepositional phrase with the name only if its preposition is 'of'."""
    refuse_cut_phrase: AddedRule = True
    """Refuse a deleted phrase that cuts through a quotation or bracket, or starts inside a title."""
    extend_titles: AddedRule = True
    """Extend the blank to the left over a title or adjective that the parser omitted."""
    extend_tail: AddedRule = True
    """Extend the blank to the right over an age, a party, a place ('of Ohio') or an apposition."""
    trim_phrase: AddedRule = True
    """Remove words that the parser attached by mistake, such as a weekday or 'that'."""
    repair_phrases: AddedRule = True
    """Correct noun phrases that the parser split or joined wrongly."""
    refuse_introductions: AddedRule = True
    """Refuse a sentence that announces another text ('Here is the text of …:')."""
    refuse_reader_address: AddedRule = True
    """Refuse a sentence that addresses the reader, asks a question or mentions its writer."""
    refuse_joined_sentences: AddedRule = True
    """Refuse a first sentence that is in fact several sentences, a dialogue, or a quotation signed by its speaker."""
    refuse_embedded_posts: AddedRule = True
    """Refuse a sentence with a web address or an embedded post."""
    refuse_broken_text: AddedRule = True
    """Refuse a sentence with damaged characters or lost apostrophes."""
    refuse_fragments: AddedRule = True
    """Refuse text that lacks a main clause with a finite verb, such as bylines, captions and headlines."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if no length of a sentence is allowed."""
        refuse_empty_range("questions.min_tokens", self.min_tokens, "questions.max_tokens", self.max_tokens)


class RetrieveConfig(Section, frozen=True):
    """Passage retrieval (Algorithm 2)."""

    windows: Annotated[tuple[Days, ...], Meta(min_length=1)] = (1, 3, 7, 14)
    """Windows to search, in days before and after the question, narrowest first."""
    name_match: Literal["phrase", "part"] = "phrase"
    """What a passage must contain: the deleted name as a phrase, or one identifying token of the name (`part`)."""
    max_candidates: PositiveInt = 50
    """Maximum number of candidate passages to test per question."""
    search_other_person: AddedRule = True
    """Search only for articles that contain a word from the name of another person in the question."""
    max_sentence_overlap: Share = 0.78
    """Refuse a passage if more than this share of the words in one of its sentences are in the question."""
    ignore_short_sentences: AddedRule = True
    """Do not test sentences of fewer than 5 words with `max_sentence_overlap`."""
    require_other_person: bool = True
    """Refuse a passage that does not name another person in the question."""
    refuse_reprints: AddedRule = True
    """Refuse a passage that has at least 30 % of its 8-grams in common with the question's article, or the article with it."""
    refuse_round_ups: AddedRule = True
    """Refuse round-ups: briefs, highlights, press digests, quotations of the day, chronologies."""
    refuse_schedules: AddedRule = True
    """Refuse schedules, calendars and lists of planned stories."""
    refuse_corrections: AddedRule = True
    """Refuse corrections and notes to editors."""
    refuse_market_reports: AddedRule = True
    """Refuse reports on a trading session, rates or prices."""
    refuse_tables: AddedRule = True
    """Refuse tables: articles in which at least 30 % of the tokens are numbers, symbols or words in capitals."""
    rank_by: Annotated[Literal["bm25", "event"], paper("bm25")] = "event"
    """Order of valid candidate passages: by event score, across windows; or by window, then by BM25 (`bm25`)."""
    event_scorer: Literal["lexical", "encoder"] = "encoder"
    """How events are compared: by shared words, or by a sentence encoder."""
    min_event_score: Annotated[Share, paper(0.0)] = 0.5
    """Refuse a passage with a lower event score; 0: no test."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` unless each window is wider than the one before."""
        if any(later <= earlier for earlier, later in pairwise(self.windows)):
            raise ConfigError(
                f"retrieve.windows: {list(self.windows)} does not increase",
                hint=f"write each window once, the narrowest first: {sorted(set(self.windows))}",
            )


class ChoicesConfig(Section, frozen=True):
    """Choice building."""

    min_choices: Annotated[int, Meta(ge=2)] = 2
    """Minimum number of choices, including the answer."""
    max_choices: Annotated[int, Meta(ge=2)] = 5
    """Maximum number of choices, including the answer."""
    above_max: Annotated[Literal["refuse", "draw"], paper("refuse")] = "draw"
    """If there are more persons than `max_choices`: refuse the passage, or select (`draw`) distractors in several
    ways."""
    max_alternatives: Annotated[PositiveInt, paper(1)] = 24
    """Maximum number of alternatives per article; 1: only the first usable passage."""
    refuse_non_persons: AddedRule = True
    """Drop mentions in the passage that are not persons."""
    drop_shown_names: AddedRule = True
    """Drop a choice whose name occurs word for word in the question, even if the name is not a person there."""
    merge_forms: AddedRule = True
    """Find all forms of each name in the passage, such as short forms (Bill) and misspelt names."""
    keep_namesakes: AddedRule = True
    """Keep a choice that shares only a surname or a given name with a person in the question."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if no number of choices is allowed."""
        refuse_empty_range("choices.min_choices", self.min_choices, "choices.max_choices", self.max_choices)


class DedupConfig(Section, frozen=True):
    """Near-duplicate questions."""

    threshold: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.8
    """Drop a question that has at least this share of words in common with a kept one, relative to the shorter of the
    two."""


class BaselinesConfig(Section, frozen=True):
    """The four shallow baselines."""

    use: tuple[Literal["ngram", "unigram"], ...] = ("ngram", "unigram")
    """Baselines besides first-person and most-frequent. Without ngram, KenLM is not needed."""
    ngram_order: Annotated[int, Meta(ge=2, le=6)] = 5
    """Order of the n-gram model."""
    exclude_similar: bool = True
    """Exclude articles too similar to a question, by the tests of `retrieve` of sentences, when estimating the n-gram
    model."""


class AdversaryConfig(Section, frozen=True):
    """Systems for adversarial filtering: their accuracy is bounded, or the problems they solve are dropped."""

    systems: Annotated[tuple[str, ...], paper(())] = ("shallow",)
    """Names of systems (see docs/reference/systems.md), or of files in `bench.predictions`. For settings, use
    `bench.settings`."""
    mode: Literal["suppress", "filter"] = "suppress"
    """`suppress`: bound each adversary like a baseline. `filter`: drop problems that adversaries solve with
    confidence."""
    scope: Literal["training", "all"] = "all"
    """Problems to which the adversaries apply. `training`: all except the latest problems, which may be held out."""
    names: Names = "original"
    """Form of the names that adversaries read."""
    folds: Annotated[int, Meta(ge=3)] = 5
    """Number of folds for cross-fitting. One fold decides when training stops."""
    min_problems: PositiveInt = 50
    """Do not train an adversary if fewer problems are in scope."""
    rounds: PositiveInt = 4
    """With `suppress`: maximum number of rounds, each of which trains and bounds new adversaries. With `filter`: number
    of rounds."""
    least_rounds: PositiveInt = 3
    """With `filter`: number of rounds in which an adversary must solve a problem with confidence."""
    confidence: Share = 0.75
    """With `filter`: minimum probability of the correct choice, calibrated on the predictions of the round."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if ``systems`` names a system twice, or if no problem could be solved in enough rounds."""
        refuse_repeats("adversary.systems", self.systems, "adversary")
        if self.mode == "filter" and self.least_rounds > self.rounds:
            raise ConfigError(
                f"adversary.least_rounds ({self.least_rounds}) is above adversary.rounds ({self.rounds})",
                hint="no problem could be solved in that many rounds: lower least_rounds, or raise rounds",
            )


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
    max_per_passage: Annotated[NonNegativeInt, paper(0)] = 2
    """Maximum number of selected problems with the same passage; 0: no limit."""
    max_per_event: Annotated[NonNegativeInt, paper(0)] = 1
    """Maximum number of selected problems that have the same answer and share an article; 0: no limit."""
    max_per_answer: Annotated[float, Meta(ge=0.0), paper(0.0)] = 0.2
    """Maximum number of selected problems with the same answer; below 1: maximum share, but 10 are always allowed; 0:
    no limit."""
    shared_articles: Annotated[Literal["forbid", "within-split", "allow"], paper("allow")] = "within-split"
    """Whether the question's article of a selected problem may be the passage of another one, which then gives away the
    answer: never (`forbid`), only if both are training problems (`within-split`), or always (`allow`)."""
    min_kept: NonNegativeInt = 0
    """Fail if fewer strict problems are selected; 0: only warn if the dataset is small."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if the relaxed bound is below the strict one."""
        if isinstance(self.strict, float) and isinstance(self.relaxed, float) and self.relaxed < self.strict:
            raise ConfigError(
                f"suppress.relaxed ({self.relaxed}) is below suppress.strict ({self.strict})",
                hint="the relaxed bound must not be below the strict one",
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

    def before_held_out(self, dates: Mapping[str, dt.date]) -> set[str]:
        """The ids of the problems before the held-out period. ``dates``: id of each problem -> its date."""
        first = self.held_out_from
        if first is not None:
            return {name for name, day in dates.items() if day < first}
        by_date = sorted(dates, key=lambda name: (dates[name], name))
        return set(by_date[: len(dates) - most_held_out(len(dates), self.held_out, self.max_share)])

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


class ExportConfig(Section, frozen=True):
    """Formats to write."""

    formats: Annotated[tuple[str, ...], Meta(min_length=1)] = ("jsonl", "wdw-xml")
    """Formats from docs/reference/export-formats.md, or from other packages."""
    choices: Literal["passage", "shuffled"] = "passage"
    """Order of the choices: by first mention, or shuffled by a hash of seed, id and names."""
    names: Names = "original"
    """Names of persons: original, or codes such as `@entity3`. Renamed exports omit problems that the
    `pseudonyms` stage rejected."""
    min_event_score: Share = 0.0
    """Omit problems with a lower event score, or without a score; 0: no limit."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if ``formats`` names a format twice."""
        refuse_repeats("export.formats", self.formats, "format")


Preset = Literal["careful", "paper"]


class Config(Section, frozen=True):
    """The whole configuration file."""

    run: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$(?!\n)")]
    """Name of the run: up to 100 letters, digits, `.`, `_` and `-`, beginning with a letter or a digit."""
    output_dir: str
    """Folder that contains `store/` and `runs/`."""
    corpus: CorpusConfig
    preset: Preset = "careful"
    """Default values of the keys: with all rules (`careful`), or with only the paper's algorithms (`paper`)."""
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """Seed for all random sampling."""
    rules: RulesConfig = RulesConfig()
    nlp: NlpConfig = NlpConfig()
    ingest: IngestConfig = IngestConfig()
    questions: QuestionsConfig = QuestionsConfig()
    retrieve: RetrieveConfig = RetrieveConfig()
    choices: ChoicesConfig = ChoicesConfig()
    dedup: DedupConfig = DedupConfig()
    baselines: BaselinesConfig = BaselinesConfig()
    adversary: AdversaryConfig = AdversaryConfig()
    suppress: SuppressConfig = SuppressConfig()
    split: SplitConfig = SplitConfig()
    export: ExportConfig = ExportConfig()
    bench: BenchConfig = BenchConfig()
    execution: ExecutionConfig = ExecutionConfig()
    release: ReleaseConfig = ReleaseConfig()

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` for a bound below chance."""
        self.suppress.check_chance(self.choices.max_choices)

    def section(self, stage: str) -> Section:
        """The settings of a stage; those of a stage without keys are empty."""
        section: Section = getattr(self, stage, Section())
        return section

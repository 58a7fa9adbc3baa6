"""The sections of the stages that find passages and choices, and remove similar problems."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import PositiveInt, Section


class RetrieveConfig(Section, frozen=True):
    """Passage retrieval (Algorithm 2)."""

    windows: Annotated[
        tuple[PositiveInt, ...],
        Meta(min_length=1, description="Days before and after the question in which to search, nearest first."),
    ] = (1, 3, 7, 14)
    name_match: Annotated[
        Literal["phrase", "part"],
        Meta(description="The passage must contain the deleted name as a phrase, or any identifying token of it."),
    ] = "phrase"
    max_candidates: Annotated[
        int, Meta(ge=1, description="Candidates tested for one question, refused candidates included.")
    ] = 50
    max_valid: Annotated[
        int, Meta(ge=1, description="Valid candidates kept for one question, the first in rank order.")
    ] = 10
    search_other_person: Annotated[
        bool,
        Meta(
            description="Search only for candidates that contain a word of another person of the question, so that other "
            "candidates do not use up max_candidates.",
            extra={"paper": False},
        ),
    ] = True
    max_sentence_overlap: Annotated[
        float,
        Meta(
            ge=0.0,
            le=1.0,
            description="Refuse a passage if a sentence of it shares more than this share of its words with the question.",
        ),
    ] = 0.78
    min_sentence_words: Annotated[
        int, Meta(ge=1, description="Leave shorter passage sentences out of that test.", extra={"paper": 1})
    ] = 5
    context_words: Annotated[
        int,
        Meta(ge=0, description="Refuse a passage that contains this many words beside the blank in order; 0: no test."),
    ] = 5
    min_context_words: Annotated[int, Meta(ge=1, description="Skip a side of the blank that has fewer words.")] = 3
    require_other_person: Annotated[
        bool, Meta(description="Refuse a passage that names no other person of the question.")
    ] = True
    max_reprint: Annotated[
        float,
        Meta(
            ge=0.0,
            le=1.0,
            description="Refuse a passage that shares this share of 8-grams with the question's article; 0: no test.",
            extra={"paper": 0.0},
        ),
    ] = 0.3
    refuse_round_ups: Annotated[
        bool,
        Meta(
            description="Refuse round-ups: briefs, highlights, press digests, quotations of the day, chronologies.",
            extra={"paper": False},
        ),
    ] = True
    refuse_schedules: Annotated[
        bool, Meta(description="Refuse schedules, calendars and lists of coming stories.", extra={"paper": False})
    ] = True
    refuse_corrections: Annotated[
        bool, Meta(description="Refuse corrections and notes to editors.", extra={"paper": False})
    ] = True
    refuse_market_reports: Annotated[
        bool, Meta(description="Refuse reports of a trading session, of rates or of prices.", extra={"paper": False})
    ] = True
    max_numeric_ratio: Annotated[
        float,
        Meta(
            ge=0.0,
            le=1.0,
            description="Refuse tables: this share of the tokens is numeric, symbols or in capitals; 0: no test.",
            extra={"paper": 0.0},
        ),
    ] = 0.3
    rank_by: Annotated[
        Literal["bm25", "event"],
        Meta(
            description="Try valid candidates by event score over all windows, or by BM25 from the nearest window on.",
            extra={"paper": "bm25"},
        ),
    ] = "event"
    event_scorer: Annotated[
        Literal["lexical", "vectors", "encoder"],
        Meta(description="Compare events by shared words, averaged word vectors, or a sentence encoder."),
    ] = "encoder"
    min_event_score: Annotated[
        float,
        Meta(
            ge=0.0, le=1.0, description="Refuse a passage with a lower event score; 0: no test.", extra={"paper": 0.0}
        ),
    ] = 0.5


class ChoicesConfig(Section, frozen=True):
    """Choice building."""

    min_choices: Annotated[int, Meta(ge=2, description="Fewest choices, the answer included.")] = 2
    max_choices: Annotated[int, Meta(ge=2, description="Most choices, the answer included.")] = 5
    above_max: Annotated[
        Literal["refuse", "draw"],
        Meta(
            description="With more persons than max_choices, refuse the passage, or select the other choices in several ways.",
            extra={"paper": "refuse"},
        ),
    ] = "draw"
    max_alternatives: Annotated[
        int,
        Meta(
            ge=1,
            description="Most alternatives of one article (persons, passages and sets of choices), of which suppression "
            "selects one; 1: only the first usable passage.",
            extra={"paper": 1},
        ),
    ] = 24
    refuse_non_persons: Annotated[
        bool, Meta(description="Drop mentions of the passage that are not persons.", extra={"paper": False})
    ] = True
    drop_shown_names: Annotated[
        bool,
        Meta(
            description="Drop a choice whose name the question contains word for word, or as a mention judged not to be a person.",
            extra={"paper": False},
        ),
    ] = True
    merge_forms: Annotated[
        bool,
        Meta(
            description="Settle the names of one person over the passage: words beside a name that are not of it, left out given "
            "names, unmarked names, short forms (Bill, William), misspelt names, plurals, and second names (Bono, born Paul "
            "Hewson).",
            extra={"paper": False},
        ),
    ] = True
    keep_namesakes: Annotated[
        bool,
        Meta(
            description="Tell namesakes and relatives apart: keep a choice that shares only a surname or only a given name with a "
            "person of the question, and never take a relative (Jr., another given name) for the deleted person.",
            extra={"paper": False},
        ),
    ] = True


class DedupConfig(Section, frozen=True):
    """Near-duplicate questions."""

    threshold: Annotated[
        float,
        Meta(
            gt=0.0,
            le=1.0,
            description="Drop a question that shares this share of the shorter one's words with a kept question.",
        ),
    ] = 0.8


class ProblemsConfig(Section, frozen=True):
    """The selected problems with their passages. There is nothing to set."""


class PseudonymsConfig(Section, frozen=True):
    """Codes and surrogates for the names of persons. There is nothing to set."""

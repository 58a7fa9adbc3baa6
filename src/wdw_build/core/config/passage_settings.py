"""The sections of the stages that find passages and choices, and remove similar problems."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import NonNegativeInt, PositiveInt, Section, Share


class RetrieveConfig(Section, frozen=True):
    """Passage retrieval (Algorithm 2)."""

    windows: Annotated[tuple[PositiveInt, ...], Meta(min_length=1)] = (1, 3, 7, 14)
    """Days before and after the question in which to search, nearest first."""
    name_match: Literal["phrase", "part"] = "phrase"
    """The passage must contain the deleted name as a phrase, or any identifying token of it."""
    max_candidates: PositiveInt = 50
    """Candidates tested for one question, refused candidates included."""
    max_valid: PositiveInt = 10
    """Valid candidates kept for one question, the first in rank order."""
    search_other_person: bool = True
    """Search only for candidates that contain a word of another person of the question, so that other candidates do not
    use up max_candidates."""
    max_sentence_overlap: Share = 0.78
    """Refuse a passage if a sentence of it shares more than this share of its words with the question."""
    min_sentence_words: PositiveInt = 5
    """Leave shorter passage sentences out of that test."""
    context_words: NonNegativeInt = 5
    """Refuse a passage that contains this many words beside the blank in order; 0: no test."""
    min_context_words: PositiveInt = 3
    """Skip a side of the blank that has fewer words."""
    require_other_person: bool = True
    """Refuse a passage that names no other person of the question."""
    max_reprint: Share = 0.3
    """Refuse a passage that shares this share of 8-grams with the question's article; 0: no test."""
    refuse_round_ups: bool = True
    """Refuse round-ups: briefs, highlights, press digests, quotations of the day, chronologies."""
    refuse_schedules: bool = True
    """Refuse schedules, calendars and lists of coming stories."""
    refuse_corrections: bool = True
    """Refuse corrections and notes to editors."""
    refuse_market_reports: bool = True
    """Refuse reports of a trading session, of rates or of prices."""
    max_numeric_ratio: Share = 0.3
    """Refuse tables: this share of the tokens is numeric, symbols or in capitals; 0: no test."""
    rank_by: Literal["bm25", "event"] = "event"
    """Try valid candidates by event score over all windows, or by BM25 from the nearest window on."""
    event_scorer: Literal["lexical", "vectors", "encoder"] = "encoder"
    """Compare events by shared words, averaged word vectors, or a sentence encoder."""
    min_event_score: Share = 0.5
    """Refuse a passage with a lower event score; 0: no test."""


class ChoicesConfig(Section, frozen=True):
    """Choice building."""

    min_choices: Annotated[int, Meta(ge=2)] = 2
    """Fewest choices, the answer included."""
    max_choices: Annotated[int, Meta(ge=2)] = 5
    """Most choices, the answer included."""
    above_max: Literal["refuse", "draw"] = "draw"
    """With more persons than max_choices, refuse the passage, or select the other choices in several ways."""
    max_alternatives: PositiveInt = 24
    """Most alternatives of one article (persons, passages and sets of choices), of which suppression selects one; 1:
    only the first usable passage."""
    refuse_non_persons: bool = True
    """Drop mentions of the passage that are not persons."""
    drop_shown_names: bool = True
    """Drop a choice whose name the question contains word for word, or as a mention judged not to be a person."""
    merge_forms: bool = True
    """Settle the names of one person over the passage: words beside a name that are not of it, left out given names,
    unmarked names, short forms (Bill, William), misspelt names, plurals, and second names (Bono, born Paul Hewson)."""
    keep_namesakes: bool = True
    """Tell namesakes and relatives apart: keep a choice that shares only a surname or only a given name with a person
    of the question, and never take a relative (Jr., another given name) for the deleted person."""


class DedupConfig(Section, frozen=True):
    """Near-duplicate questions."""

    threshold: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.8
    """Drop a question that shares this share of the shorter one's words with a kept question."""


class ProblemsConfig(Section, frozen=True):
    """The selected problems with their passages. There is nothing to set."""


class PseudonymsConfig(Section, frozen=True):
    """Codes and surrogates for the names of persons. There is nothing to set."""

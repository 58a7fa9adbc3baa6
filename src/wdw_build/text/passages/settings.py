"""The settings of the stage ``retrieve``."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.section import AddedRule, NonNegativeInt, PositiveInt, Section, Share, paper, refuse_empty_range
from wdw_build.errors import ConfigError

# A century.
Days = Annotated[int, Meta(ge=1, le=36_525)]


class RetrieveConfig(Section, frozen=True):
    """Passage retrieval (Algorithm 2)."""

    windows: Annotated[tuple[Days, ...], Meta(min_length=1)] = (1, 3, 7, 14)
    """Windows to search, in days before and after the question, narrowest first."""
    name_match: Literal["phrase", "part"] = "phrase"
    """What a passage must contain: the deleted name as a phrase, or one identifying token of the name (`part`)."""
    max_candidates: PositiveInt = 50
    """Maximum number of candidate passages to test per question."""
    min_passage_words: Annotated[NonNegativeInt, paper(0)] = 60
    """Refuse a passage of fewer words (parts of the text between white space), such as the caption of a video."""
    max_passage_words: Annotated[NonNegativeInt, paper(0)] = 2500
    """Refuse a passage of more words, such as a live blog; 0: no bound."""
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
    page_text_last: AddedRule = True
    """With `rank_by: event`: try passages in which text of the web page remains after all others."""
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
        if self.max_passage_words:
            low, high = self.min_passage_words, self.max_passage_words
            refuse_empty_range("retrieve.min_passage_words", low, "retrieve.max_passage_words", high)

"""The settings of the stages that apply rules to texts: ``questions``, ``retrieve`` and ``choices``."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.section import AddedRule, NonNegativeInt, PositiveInt, Section, Share, paper, refuse_empty_range
from wdw_build.errors import ConfigError

# A century.
Days = Annotated[int, Meta(ge=1, le=36_525)]


class QuestionsConfig(Section, frozen=True):
    """Question formation (Algorithm 1)."""

    persons: Annotated[Literal["all", "last"], paper("last")] = "all"
    """Persons to delete, each in its own alternative: all possible persons, or only the last."""
    lead_sentences: Annotated[int, Meta(ge=1, le=3)] = 1
    """Number of sentences to try at the start of an article: the first one that gives a question becomes the question."""
    min_persons: Annotated[int, Meta(ge=1, le=2), paper(2)] = 1
    """Minimum number of different persons in the first sentence, including the deleted one. With 1, a passage need not name
    another person of a question that names none."""
    min_tokens: PositiveInt = 10
    """Minimum length of the first sentence, in tokens."""
    max_tokens: PositiveInt = 120
    """Maximum length of the first sentence, in tokens."""
    max_name_words: PositiveInt = 3
    """Maximum length of a mention, in words."""
    refuse_long_phrase: AddedRule = True
    """Refuse a deleted phrase of more than 10 words."""
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
    """Extend the blank to the right over a party in brackets or a place ('of Ohio')."""
    trim_phrase: AddedRule = True
    """Remove what a comma sets off, such as an age, and words that the parser attached by mistake, such as a weekday."""
    titles: Literal["keep", "delete"] = "delete"
    """What happens to a title or description directly before the name ('Prime Minister', 'the actor'): it stays in the question,
    or is deleted with the name. Forms of address such as 'Mr.', 'Dr.' and 'Queen' are always deleted."""
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
    min_evidence: Annotated[Share, paper(0.0)] = 0.7
    """Drop an alternative with a lower evidence score; 0: no test."""
    max_page_text: Annotated[Share, paper(1.0)] = 0.5
    """Refuse a passage or a question in which words in a row, or before a sentence, are page text with a higher probability; 1:
    no test."""
    refuse_non_persons: AddedRule = True
    """Drop mentions in the passage that are not persons, persons who only report, and given names alone."""
    drop_shown_names: AddedRule = True
    """Drop a choice whose name occurs in the question, word for word or misspelt, even if the name is not a person there."""
    merge_forms: AddedRule = True
    """Find all forms of each name in the passage, such as short forms (Bill) and misspelt names."""
    keep_namesakes: AddedRule = True
    """Keep a choice that shares only a surname or a given name with a person in the question."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if no number of choices is allowed."""
        refuse_empty_range("choices.min_choices", self.min_choices, "choices.max_choices", self.max_choices)

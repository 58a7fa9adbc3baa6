"""The sections of the stages from the corpus to the questions."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import NonNegativeInt, PositiveInt, Section, Share


class IngestConfig(Section, frozen=True):
    """What counts as an article."""

    kinds: tuple[str, ...] = ("story",)
    """Kinds of article to keep; empty: all."""
    date_formats: tuple[str, ...] = (
        "%Y%m%d",
        "%d-%b-%Y",
        "%d %b %Y",
        "%B %d, %Y",
        "%d %B %Y",
        "%m/%d/%Y",
    )
    """Formats (strptime, or epoch) tried after ISO 8601 and before the usual forms."""
    time_zone: str = ""
    """Zone, such as America/New_York, to which timestamps with a zone are converted; empty: the day as written."""
    cut_credits: bool = True
    """Remove credits, bylines, photo lines and notes to editors from the text."""
    cut_openings: bool = True
    """Remove what precedes the first sentence (headlines, captions, time stamps, bylines, labels), and lines that recur
    in many articles of a source."""
    repair_text: bool = True
    """Repair wrongly decoded characters, lost apostrophes, lost spaces and tokenised text where that is certain."""
    max_bad_input: Share = 0.01
    """Share of unreadable places above which the stage fails."""


class SentencesConfig(Section, frozen=True):
    """First sentences, tokenised and tagged. The models are set in ``nlp``."""


class NamesConfig(Section, frozen=True):
    """The table of names."""

    max_names: Annotated[int, Meta(ge=1000)] = 200_000
    """Most names in each part of the table; the rarest are dropped."""


class IndexConfig(Section, frozen=True):
    """BM25's parameters (Anserini's defaults)."""

    k1: Annotated[float, Meta(ge=0.0)] = 0.9
    """BM25 k1."""
    b: Share = 0.4
    """BM25 b."""


class QuestionsConfig(Section, frozen=True):
    """Question formation (Algorithm 1)."""

    persons: Literal["all", "last"] = "all"
    """Keep every person that may be deleted as an alternative, or only the last one."""
    min_tokens: PositiveInt = 10
    """Shortest first sentence, in tokens."""
    max_tokens: PositiveInt = 120
    """Longest first sentence, in tokens."""
    max_name_words: PositiveInt = 3
    """Longest mention, in words."""
    max_phrase_tokens: NonNegativeInt = 10
    """Refuse a deleted phrase of more tokens; 0: no limit."""
    refuse_finite_verb: bool = True
    """Refuse a deleted phrase that contains a finite verb."""
    refuse_modifier: bool = True
    """Refuse a name that modifies a noun ('the XXX administration')."""
    refuse_and_beside: bool = True
    """Refuse a blank with a coordinating 'and' directly beside it."""
    refuse_name_outside: bool = True
    """Refuse a sentence in which a word of the name occurs again outside the blank."""
    refuse_non_persons: bool = True
    """Drop mentions that are not persons: party and state, companies, unsupported words."""
    climb_prepositions: tuple[str, ...] = ("of",)
    """The deleted phrase may include prepositional phrases with these prepositions; empty: with any."""
    refuse_cut_phrase: bool = True
    """Refuse a phrase that cuts a quotation or bracket, or starts inside a title."""
    extend_titles: bool = True
    """Extend the blank left over a title or adjective that the parser left outside it."""
    extend_tail: bool = True
    """Extend the blank right over an age, a party, a home ('of Ohio'), an apposition."""
    trim_phrase: bool = True
    """Remove words that the parser attached to the phrase by mistake: a weekday, 'that', another noun's plural."""
    repair_phrases: bool = True
    """Correct noun phrases that the parser cut or joined wrongly, before the phrase to delete is chosen."""
    refuse_introductions: bool = True
    """Refuse a sentence that announces another text ('Here is the text of …:')."""
    refuse_reader_address: bool = True
    """Refuse a sentence that addresses the reader, asks, or speaks of its writer."""
    refuse_joined_sentences: bool = True
    """Refuse several sentences in one, dialogue, and quotations signed by a speaker."""
    refuse_embedded_posts: bool = True
    """Refuse a sentence with a web address or an embedded post."""
    refuse_broken_text: bool = True
    """Refuse a sentence with damaged characters or lost apostrophes."""
    refuse_fragments: bool = True
    """Refuse bylines, captions, labels and headlines: sentences without a main clause with a finite verb."""

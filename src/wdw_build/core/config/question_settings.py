"""The sections of the stages from the corpus to the questions."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import Section


class IngestConfig(Section, frozen=True):
    """What counts as an article."""

    kinds: Annotated[tuple[str, ...], Meta(description="Kinds of article to keep; empty: all.")] = ("story",)
    date_formats: Annotated[
        tuple[str, ...],
        Meta(description="Formats (strptime, or epoch) tried after ISO 8601 and before the usual forms."),
    ] = (
        "%Y%m%d",
        "%d-%b-%Y",
        "%d %b %Y",
        "%B %d, %Y",
        "%d %B %Y",
        "%m/%d/%Y",
    )
    time_zone: Annotated[
        str,
        Meta(
            description="Zone, such as America/New_York, to which timestamps with a zone are converted; empty: the day as written."
        ),
    ] = ""
    cut_credits: Annotated[
        bool,
        Meta(
            description="Remove credits, bylines, photo lines and notes to editors from the text.",
            extra={"paper": False},
        ),
    ] = True
    cut_openings: Annotated[
        bool,
        Meta(
            description="Remove what precedes the first sentence (headlines, captions, time stamps, bylines, labels), and "
            "lines that recur in many articles of a source.",
            extra={"paper": False},
        ),
    ] = True
    repair_text: Annotated[
        bool,
        Meta(
            description="Repair wrongly decoded characters, lost apostrophes, lost spaces and tokenised text "
            "where that is certain.",
            extra={"paper": False},
        ),
    ] = True
    max_bad_input: Annotated[
        float, Meta(ge=0.0, le=1.0, description="Share of unreadable places above which the stage fails.")
    ] = 0.01


class SentencesConfig(Section, frozen=True):
    """First sentences, tokenised and tagged. The models are set in ``nlp``."""


class NamesConfig(Section, frozen=True):
    """The table of names."""

    max_names: Annotated[
        int, Meta(ge=1000, description="Most names in each part of the table; the rarest are dropped.")
    ] = 200_000


class IndexConfig(Section, frozen=True):
    """BM25's parameters (Anserini's defaults)."""

    k1: Annotated[float, Meta(ge=0.0, description="BM25 k1.")] = 0.9
    b: Annotated[float, Meta(ge=0.0, le=1.0, description="BM25 b.")] = 0.4


class QuestionsConfig(Section, frozen=True):
    """Question formation (Algorithm 1)."""

    persons: Annotated[
        Literal["all", "last"],
        Meta(
            description="Keep every person that may be deleted as an alternative, or only the last one.",
            extra={"paper": "last"},
        ),
    ] = "all"
    min_tokens: Annotated[int, Meta(ge=1, description="Shortest first sentence, in tokens.")] = 10
    max_tokens: Annotated[int, Meta(ge=1, description="Longest first sentence, in tokens.")] = 120
    max_name_words: Annotated[int, Meta(ge=1, description="Longest mention, in words.")] = 3
    max_phrase_tokens: Annotated[
        int, Meta(ge=0, description="Refuse a deleted phrase of more tokens; 0: no limit.", extra={"paper": 0})
    ] = 10
    refuse_finite_verb: Annotated[
        bool, Meta(description="Refuse a deleted phrase that contains a finite verb.", extra={"paper": False})
    ] = True
    refuse_modifier: Annotated[
        bool, Meta(description="Refuse a name that modifies a noun ('the XXX administration').", extra={"paper": False})
    ] = True
    refuse_and_beside: Annotated[
        bool, Meta(description="Refuse a blank with a coordinating 'and' directly beside it.", extra={"paper": False})
    ] = True
    refuse_name_outside: Annotated[
        bool,
        Meta(
            description="Refuse a sentence in which a word of the name occurs again outside the blank.",
            extra={"paper": False},
        ),
    ] = True
    refuse_non_persons: Annotated[
        bool,
        Meta(
            description="Drop mentions that are not persons: party and state, companies, unsupported words.",
            extra={"paper": False},
        ),
    ] = True
    climb_prepositions: Annotated[
        tuple[str, ...],
        Meta(
            description="The deleted phrase may include prepositional phrases with these prepositions; empty: with any.",
            extra={"paper": []},
        ),
    ] = ("of",)
    refuse_cut_phrase: Annotated[
        bool,
        Meta(
            description="Refuse a phrase that cuts a quotation or bracket, or starts inside a title.",
            extra={"paper": False},
        ),
    ] = True
    extend_titles: Annotated[
        bool,
        Meta(
            description="Extend the blank left over a title or adjective that the parser left outside it.",
            extra={"paper": False},
        ),
    ] = True
    extend_tail: Annotated[
        bool,
        Meta(
            description="Extend the blank right over an age, a party, a home ('of Ohio'), an apposition.",
            extra={"paper": False},
        ),
    ] = True
    trim_phrase: Annotated[
        bool,
        Meta(
            description="Remove words that the parser attached to the phrase by mistake: a weekday, 'that', another noun's plural.",
            extra={"paper": False},
        ),
    ] = True
    repair_phrases: Annotated[
        bool,
        Meta(
            description="Correct noun phrases that the parser cut or joined wrongly, before the phrase to delete is chosen.",
            extra={"paper": False},
        ),
    ] = True
    refuse_introductions: Annotated[
        bool,
        Meta(
            description="Refuse a sentence that announces another text ('Here is the text of …:').",
            extra={"paper": False},
        ),
    ] = True
    refuse_reader_address: Annotated[
        bool,
        Meta(
            description="Refuse a sentence that addresses the reader, asks, or speaks of its writer.",
            extra={"paper": False},
        ),
    ] = True
    refuse_joined_sentences: Annotated[
        bool,
        Meta(
            description="Refuse several sentences in one, dialogue, and quotations signed by a speaker.",
            extra={"paper": False},
        ),
    ] = True
    refuse_embedded_posts: Annotated[
        bool, Meta(description="Refuse a sentence with a web address or an embedded post.", extra={"paper": False})
    ] = True
    refuse_broken_text: Annotated[
        bool, Meta(description="Refuse a sentence with damaged characters or lost apostrophes.", extra={"paper": False})
    ] = True
    refuse_fragments: Annotated[
        bool,
        Meta(
            description="Refuse bylines, captions, labels and headlines: sentences without a main clause with a finite verb.",
            extra={"paper": False},
        ),
    ] = True

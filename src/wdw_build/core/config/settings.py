"""Every option, declared once: type, default, bounds and help. YAML, ``--set``, schema and docs all come from here.

The defaults follow docs/reference/algorithm.md, which interprets the paper. ``execution`` never changes a byte of the output,
unless it moves the models to another device.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

PositiveInt = Annotated[int, Meta(ge=1)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the configuration's sections."""


class CorpusConfig(Section, frozen=True):
    """Where the corpus is and how to read it."""

    reader: Annotated[
        str,
        Meta(
            description="Name of a reader in docs/reference/readers.md, or of a reader that a package adds by entry point."
        ),
    ]
    path: Annotated[
        str,
        Meta(
            description="File, folder, glob, or - for standard input; relative paths count from the configuration file."
        ),
    ]
    options: Annotated[dict[str, Any], Meta(description="Options of the reader, see docs/reference/readers.md.")] = (
        field(default_factory=dict)
    )


class NlpConfig(Section, frozen=True):
    """The models that annotate text, and how their results are corrected."""

    models: Annotated[
        str, Meta(description="bundled (shipped with the package), en (the full Stanza English package), or a folder.")
    ] = "bundled"
    max_sentence_tokens: Annotated[
        int, Meta(ge=50, description="Longer sentences of a passage are cut into pieces of this many tokens.")
    ] = 400
    repair_mentions: Annotated[
        bool,
        Meta(
            description="Extend a person's mention to whole written words (Chen Shui-bian), and cut web handles, slashes "
            "and an office before the name.",
            extra={"paper": False},
        ),
    ] = True
    document_level_names: Annotated[
        bool,
        Meta(
            description="Decide once per passage whether a name is a person, from all of its mentions.",
            extra={"paper": False},
        ),
    ] = True


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
            description="Remove notes on the version, labels (WATCH:) and bylines together with the dateline.",
            extra={"paper": False},
        ),
    ] = True
    repair_text: Annotated[
        bool,
        Meta(
            description="Repair wrongly decoded characters and lost apostrophes where that is certain.",
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
    ] = 0.6


class ChoicesConfig(Section, frozen=True):
    """Choice building."""

    min_choices: Annotated[int, Meta(ge=2, description="Fewest choices, the answer included.")] = 2
    max_choices: Annotated[int, Meta(ge=2, description="Most choices, the answer included.")] = 5
    above_max: Annotated[
        Literal["refuse", "draw"],
        Meta(
            description="With more persons than max_choices, refuse the passage, or draw the choices beside the answer.",
            extra={"paper": "refuse"},
        ),
    ] = "draw"
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
            description="Merge forms of one person: misspelt names, plurals, second names (Bono, born Paul Hewson), and names "
            "whose given name the tagger left out.",
            extra={"paper": False},
        ),
    ] = True
    keep_namesakes: Annotated[
        bool,
        Meta(
            description="Keep a choice that shares only a surname or only a given name with a person of the question.",
            extra={"paper": False},
        ),
    ] = True


class DedupConfig(Section, frozen=True):
    """Near-duplicate questions, and caps on repeated passages, events and answers."""

    threshold: Annotated[
        float,
        Meta(
            gt=0.0,
            le=1.0,
            description="Drop a question that shares this share of the shorter one's words with a kept question.",
        ),
    ] = 0.8
    max_per_passage: Annotated[
        int, Meta(ge=0, description="Most problems with the same passage; 0: no limit.", extra={"paper": 0})
    ] = 2
    max_per_event: Annotated[
        int,
        Meta(
            ge=0,
            description="Most problems with the same answer that share an article, as question or as passage; 0: no limit.",
            extra={"paper": 0},
        ),
    ] = 1
    max_per_answer: Annotated[
        float,
        Meta(
            ge=0.0,
            description="Most problems with the same answer: below 1 a share of the kept problems, else a number; 0: no limit.",
            extra={"paper": 0.0},
        ),
    ] = 0.2
    min_answer_cap: Annotated[int, Meta(ge=1, description="Lowest limit if dedup.max_per_answer is a share.")] = 10


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
    """Suppression by linear program. A bound is ``chance`` (the mean of 1/choices over the kept problems) or a number."""

    strict: Annotated[Bound, Meta(description="Highest accuracy of any baseline on the strict problems.")] = "chance"
    relaxed: Annotated[
        Bound, Meta(description="Highest accuracy of any baseline on the relaxed training problems.")
    ] = 0.5
    min_kept: Annotated[int, Meta(ge=1, description="Fail if fewer strict problems are kept.")] = 10


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
    min_event_score: Annotated[
        float,
        Meta(ge=0.0, le=1.0, description="Leave out problems with a lower event score, or without one; 0: keep all."),
    ] = 0.0


class ExecutionConfig(Section, frozen=True):
    """How to run. Of these keys, only ``device`` can affect the output (docs/howto/use-a-gpu.md)."""

    workers: Annotated[int, Meta(ge=1, description="Number of worker processes.")] = 1
    device: Annotated[
        Literal["auto", "cpu", "cuda"],
        Meta(description="Where the models compute; auto: on a GPU if torch sees one, else on the CPU."),
    ] = "auto"
    batch_tokens: Annotated[
        int,
        Meta(
            ge=64,
            description="On a GPU, most tokens in a batch, padding included; halved if memory is short.",
        ),
    ] = 16_384
    shard_size: Annotated[
        int,
        Meta(
            ge=512,
            multiple_of=512,
            description="Records in a shard, after which a stopped stage can resume (2048 or more in sentences and questions).",
        ),
    ] = 2048
    java_heap: Annotated[str, Meta(pattern="^[0-9]+[mg]$", description="Heap of the JVM, such as 1g.")] = "1g"
    lm_memory: Annotated[str, Meta(pattern="^[0-9]+[MG]$", description="Sorting memory of lmplz, such as 1G.")] = "1G"


class ReleaseConfig(Section, frozen=True):
    """Statements for the datasheet, which change no byte of the dataset. Empty: the datasheet leaves the statement out."""

    title: Annotated[str, Meta(description="Name of the dataset.")] = ""
    licence: Annotated[str, Meta(description="Licence of the dataset.")] = ""
    source_licence: Annotated[str, Meta(description="Licence of the source articles.")] = ""
    contact: Annotated[str, Meta(description="Address for questions about the dataset.")] = ""
    citation: Annotated[str, Meta(description="How to cite the dataset.")] = ""


Preset = Literal["careful", "paper"]


class Config(Section, frozen=True):
    """The whole configuration file."""

    run: Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]*$", description="Name of the run.")]
    output_dir: Annotated[
        str, Meta(description="Folder for store/ and runs/; relative paths count from the configuration file.")
    ]
    corpus: CorpusConfig
    preset: Annotated[
        Preset,
        Meta(description="Defaults of the keys. careful: every rule on; paper: only the paper's algorithms."),
    ] = "careful"
    seed: Annotated[int, Meta(ge=0, le=2**53, description="Seed of every random draw.")] = 0
    nlp: NlpConfig = NlpConfig()
    ingest: IngestConfig = IngestConfig()
    index: IndexConfig = IndexConfig()
    sentences: SentencesConfig = SentencesConfig()
    names: NamesConfig = NamesConfig()
    questions: QuestionsConfig = QuestionsConfig()
    retrieve: RetrieveConfig = RetrieveConfig()
    choices: ChoicesConfig = ChoicesConfig()
    dedup: DedupConfig = DedupConfig()
    baselines: BaselinesConfig = BaselinesConfig()
    suppress: SuppressConfig = SuppressConfig()
    split: SplitConfig = SplitConfig()
    export: ExportConfig = ExportConfig()
    execution: ExecutionConfig = ExecutionConfig()
    release: ReleaseConfig = ReleaseConfig()

    def section(self, stage: str) -> Section:
        """The settings of a stage."""
        section: Section = getattr(self, stage)
        return section

"""questions: a first sentence with one person deleted (Algorithm 1), or the reason why there is none.

The sentences come tokenised and tagged from ``sentences``; only those with two persons or more are parsed. Persons are
tried from the end of the sentence; ``text.deletion`` decides on each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wdw_build.core.config.settings import QuestionsConfig
from wdw_build.core.stage import Context, Funnel, Stage, Trial, blocks
from wdw_build.core.store.name_table import read_names
from wdw_build.ports import ANNOTATOR
from wdw_build.records import Article, FirstSentence, Mention, Question, Record, Refusal, Rejection, Tokens, pack_spans
from wdw_build.text.blanking.select_blank import REFUSAL_REASONS, BlankingOptions, select_blank
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.names import matching as names
from wdw_build.text.names import persons
from wdw_build.text.names.article_names import ArticleNames
from wdw_build.text.names.consistency import PERSON
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.sentences import refusals as first_sentences

TokenSpan = tuple[int, int]
# Few first sentences are parsed, and the parser takes as many steps for one as for a batch: they come from many articles.
_BLOCK = 2048


@dataclass(frozen=True)
class _Lead:
    """An article's first sentence with its person mentions (token spans), all and those of ``E``, and what is none."""

    article: Article
    tokens: Tokens
    every: tuple[TokenSpan, ...]
    eligible: tuple[TokenSpan, ...]
    refused: tuple[Refusal, ...]


def _text(tokens: Tokens, span: TokenSpan) -> str:
    return tokens.text[tokens.spans[span[0]][0] : tokens.spans[span[1] - 1][1]]


def _mention(tokens: Tokens, span: TokenSpan) -> Mention:
    start, end = tokens.spans[span[0]][0], tokens.spans[span[1] - 1][1]
    return Mention(start=start, end=end, text=tokens.text[start:end])


def _length_rejection(sentence: FirstSentence, config: QuestionsConfig) -> Rejection | None:
    count = len(sentence.words)
    if count < config.min_tokens:
        return Rejection(id=sentence.id, reason="sentence-too-short", detail=f"{count} tokens")
    if count > config.max_tokens:
        return Rejection(id=sentence.id, reason="sentence-too-long", detail=f"{count} tokens")
    return None


@dataclass(frozen=True)
class _Judged:
    """The mentions that are persons, and those that are not."""

    kept: tuple[TokenSpan, ...]
    refused: tuple[Refusal, ...]


def _persons(
    lead_tokens: Tokens, spans: Sequence[TokenSpan], article: Article, config: QuestionsConfig, evidence: NameEvidence
) -> _Judged:
    """Part mentions into persons and those that are refused as none."""
    if not config.refuse_non_persons:
        return _Judged(tuple(spans), ())
    kept: list[TokenSpan] = []
    refused: list[Refusal] = []
    words = lead_tokens.words
    article_names = ArticleNames(article.text, [names.clean(_text(lead_tokens, span)) for span in spans])
    for start, end in spans:
        name = _text(lead_tokens, (start, end))
        before = words[start - 1] if start else ""
        after = words[end] if end < len(words) else ""
        if why := persons.refusal(name, before, after, article_names, evidence):
            refused.append(Refusal(name=name, rule="not-a-person", detail=why))
        else:
            kept.append((start, end))
    return _Judged(tuple(kept), tuple(refused))


def _eligible(tokens: Tokens, spans: Sequence[TokenSpan], config: QuestionsConfig) -> tuple[TokenSpan, ...]:
    """The set E: mentions of at most ``max_name_words`` words, none sharing a word with an earlier one."""
    short = [span for span in spans if len(names.name_words(_text(tokens, span))) <= config.max_name_words]
    kept: list[TokenSpan] = []
    for span in short:
        name = _text(tokens, span)
        if names.identifying_tokens(name) and not any(names.shares_word(name, _text(tokens, other)) for other in kept):
            kept.append(span)
    return tuple(kept)


def _lead(
    article: Article, tokens: Tokens, spans: Sequence[TokenSpan], config: QuestionsConfig, evidence: NameEvidence
) -> _Lead | Rejection:
    judged = _persons(tokens, spans, article, config, evidence)
    eligible = _eligible(tokens, judged.kept, config)
    if len(eligible) >= 2:
        lead = _Lead(article, tokens, judged.kept, eligible, judged.refused)
        form, shown = first_sentences.refusal(tokens.text, switched_off(config))
        return _form_rejection(lead, form, shown) if form else lead
    reason = "fewer-than-two-persons"
    if judged.refused and len(_eligible(tokens, spans, config)) >= 2:
        reason = "mentions-not-persons"
    elif len(judged.kept) >= 2:
        reason = "persons-not-eligible"
    return Rejection(id=article.id, reason=reason, detail=f"{len(spans)} mentions", refused=judged.refused)


def switched_off(config: QuestionsConfig) -> frozenset[str]:
    """The reasons of ``first_sentences`` that the configuration has off."""
    on = {
        "introduces-text": config.refuse_introductions,
        "addresses-reader": config.refuse_reader_address,
        "joins-sentences": config.refuse_joined_sentences,
        "embedded-post": config.refuse_embedded_posts,
        "broken-text": config.refuse_broken_text,
        "no-main-clause": config.refuse_fragments,
    }
    return frozenset(reason for reason, switch in on.items() if not switch)


def _form_rejection(lead: _Lead, reason: str, words: str) -> Rejection:
    """The rejection of a first sentence for its form."""
    return Rejection(
        id=lead.article.id, reason=reason, detail=f"{words}: {lead.tokens.text[:300]}", refused=lead.refused
    )


def rules_of(config: QuestionsConfig) -> BlankingOptions:
    """The refusals that the configuration has on."""
    return BlankingOptions(
        max_phrase_tokens=config.max_phrase_tokens,
        finite_verb=config.refuse_finite_verb,
        modifier=config.refuse_modifier,
        and_beside=config.refuse_and_beside,
        name_outside=config.refuse_name_outside,
        cut_phrase=config.refuse_cut_phrase,
        extend_titles=config.extend_titles,
        extend_tail=config.extend_tail,
        trim_phrase=config.trim_phrase,
        prepositions=frozenset(config.climb_prepositions),
    )


def _question(lead: _Lead, tree: str, config: QuestionsConfig) -> Question | Rejection:
    """Try the persons from the end of the sentence."""
    sentence, tokens = Sentence(tree, config.repair_phrases), lead.tokens
    if config.refuse_fragments and (label := first_sentences.no_main_clause(sentence)):
        return _form_rejection(lead, "no-main-clause", label)
    refused: list[Refusal] = []
    rules = rules_of(config)
    for span in reversed(lead.eligible):
        found = select_blank(sentence, tokens, span, rules)
        if not found.rule:
            blank = _mention(tokens, (found.start, found.end))
            return Question(
                id=lead.article.id,
                date=lead.article.date,
                source=lead.article.source,
                sentence=tokens.text,
                tokens=tokens.words,
                blank_tokens=(found.start, found.end),
                blank=blank,
                name=_mention(tokens, span),
                others=tuple(
                    _mention(tokens, other) for other in lead.every if other[1] <= found.start or other[0] >= found.end
                ),
                tree=tree,
                refused=(*lead.refused, *refused),
                token_layout=pack_spans(tokens.spans),
            )
        refused.append(Refusal(name=_text(tokens, span), rule=found.rule, detail=found.detail))
    return Rejection(
        id=lead.article.id, reason=refused[0].rule, detail=tokens.text[:300], refused=(*lead.refused, *refused)
    )


def _considered(
    sentence: FirstSentence, config: QuestionsConfig, context: Context, evidence: NameEvidence
) -> _Lead | Rejection:
    """The sentence with the persons to try, or why it makes no question; nothing is parsed here."""
    rejection = _length_rejection(sentence, config)
    if rejection is not None:
        return rejection
    spans = tuple((name.start, name.end) for name in sentence.names if name.kind == PERSON)
    if not spans:
        # Most articles end here: their text is not looked up.
        return Rejection(id=sentence.id, reason="fewer-than-two-persons", detail="0 mentions")
    return _lead(context.find("ingest", sentence.id), sentence.tokens, spans, config, evidence)


def _block(sentences: list[FirstSentence], config: QuestionsConfig, context: Context) -> Iterator[Record | Rejection]:
    """Questions of a block: its surviving sentences are parsed in one batch."""
    evidence = read_names(context.inputs["names"].folder)
    considered = [_considered(sentence, config, context, evidence) for sentence in sentences]
    leads = [one for one in considered if isinstance(one, _Lead)]
    annotator = context.port(ANNOTATOR)
    trees = iter(annotator.trees([lead.tokens for lead in leads]))
    for one in considered:
        yield one if isinstance(one, Rejection) else _question(one, next(trees), config)


def run(inputs: Iterator[FirstSentence], config: QuestionsConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield a question or a rejection for every first sentence."""
    for sentences in blocks(inputs, _BLOCK):
        yield from _block(sentences, config, context)


STAGE = Stage(
    name="questions",
    version=7,
    reads=("sentences", "names", "ingest"),
    writes=Question,
    config=QuestionsConfig,
    run=run,
    ports=(ANNOTATOR,),
    unit="sentences",
    block=_BLOCK,
    funnel=Funnel("questions", key="questions"),
    trial=Trial(most=600),
    summary="Delete a person from each first sentence (Algorithm 1).",
    reasons={
        "sentence-too-short": "the first sentence has fewer tokens than questions.min_tokens",
        "sentence-too-long": "the first sentence has more tokens than questions.max_tokens",
        "fewer-than-two-persons": "the first sentence names fewer than two persons",
        "mentions-not-persons": "two names were tagged, but fewer than two of them are persons",
        "persons-not-eligible": "two persons, but their names are too long or share an identifying token",
        **first_sentences.REASONS,
        **REFUSAL_REASONS,
    },
    rules={
        "not-a-person": "a tagged name that is not a person (organisation, place, lone word without support)",
        **REFUSAL_REASONS,
    },
    decided_by={
        "sentence-too-short": ("min_tokens",),
        "sentence-too-long": ("max_tokens",),
        "phrase-too-long": ("max_phrase_tokens",),
    },
)

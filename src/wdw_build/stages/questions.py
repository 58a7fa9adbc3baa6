"""questions: deletes persons from a first sentence (Algorithm 1), or rejects the sentence with a reason.

The stage ``sentences`` has tokenised and tagged the first sentences. This stage parses the sentences with enough persons (in
the paper: two), and tries the persons from the end of the sentence; ``text.blanking`` decides whether a person can be deleted. The
paper deletes the last person that can be deleted; by default a question keeps every such person as a blank. With
``lead_sentences``, an article whose first sentence gives no question is read on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from wdw_build.core.rule import Rule
from wdw_build.core.stage import Context, Stage, blocks
from wdw_build.ports import ANNOTATIONS, PAGE_TAGGER
from wdw_build.records import (
    PERSON,
    Article,
    Blank,
    FirstSentence,
    Question,
    Record,
    Refusal,
    Rejection,
    TaggedName,
    Tokens,
    TokenSpan,
    pack_spans,
)
from wdw_build.text.blanking.select_blank import REFUSAL_REASONS, select_blank
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.names.evidence import NameEvidence, read_names
from wdw_build.text.names.name import parse
from wdw_build.text.names.person_model import PersonModel
from wdw_build.text.sentences import refusals as sentence_refusals
from wdw_build.text.settings import QuestionsConfig

# Few sentences of a block are parsed, and the parser is slow with few. In larger blocks it is hardly quicker, and a small corpus
# would have one block, and so one worker.
_BLOCK = 512
_SHOWN_CHARACTERS = 300


@dataclass(frozen=True)
class _TaggedSentence:
    """An article's first sentence with the token spans of its persons.

    ``eligible`` is the set E of Algorithm 1; ``refused`` are the tagged names that are not persons.
    """

    sentence: FirstSentence
    article: Article
    tokens: Tokens
    persons: tuple[TokenSpan, ...]
    eligible: tuple[TokenSpan, ...]
    refused: tuple[Refusal, ...]


def _rejection(sentence: FirstSentence, reason: str, detail: str = "", refused: tuple[Refusal, ...] = ()) -> Rejection:
    """A rejection of a sentence, with the detail and the start of the text."""
    start = sentence.text[:_SHOWN_CHARACTERS]
    return Rejection(id=sentence.id, reason=reason, detail=f"{detail}: {start}" if detail else start, refused=refused)


def _tagged_sentence(
    sentence: FirstSentence, config: QuestionsConfig, context: Context, evidence: NameEvidence
) -> _TaggedSentence | Rejection:
    """The sentence with the persons to try, or the rejection of the sentence by a test that needs no tree."""
    count = len(sentence.words)
    if count < config.min_tokens:
        return _rejection(sentence, "sentence-too-short", f"{count} tokens")
    if count > config.max_tokens:
        return _rejection(sentence, "sentence-too-long", f"{count} tokens")
    persons = [name for name in sentence.names if name.kind == PERSON]
    if not persons:
        # Most sentences end here, before their article is looked up.
        return _rejection(sentence, "too-few-persons", "0 mentions")
    article, tokens = context.find("ingest", sentence.id), sentence.tokens
    tagged = {(name.start, name.end): name for name in persons}
    spans = tuple(tagged)
    of_persons, refused = _split_persons(tokens, tagged, article, config, evidence)
    eligible = _eligible(tokens, of_persons, config)
    if len(eligible) < (least := config.min_persons):
        reason = "persons-not-eligible" if len(of_persons) >= least else "too-few-persons"
        if refused and len(_eligible(tokens, spans, config)) >= least:
            reason = "mentions-not-persons"
        detail = _too_few(tokens, of_persons, config) if reason == "persons-not-eligible" else f"{len(spans)} mentions"
        return _rejection(sentence, reason, detail, refused)
    off = frozenset(name for name, rule in sentence_refusals.REASONS.items() if not getattr(config, rule.keys[0]))
    reason, words = sentence_refusals.refusal(tokens.text, [tokens.mention(span) for span in of_persons], off)
    if reason:
        return _rejection(sentence, reason, words, refused)
    return _TaggedSentence(sentence, article, tokens, of_persons, eligible, refused)


def _split_persons(
    tokens: Tokens,
    tagged: Mapping[TokenSpan, TaggedName],
    article: Article,
    config: QuestionsConfig,
    evidence: NameEvidence,
) -> tuple[tuple[TokenSpan, ...], tuple[Refusal, ...]]:
    """The spans of tagged names that are persons, and the refusals of those that are not."""
    if not config.refuse_non_persons:
        return tuple(tagged), ()
    spans: list[TokenSpan] = []
    refused: list[Refusal] = []
    mentions = [
        msgspec.structs.replace(tokens.mention(span), score=name.score, odds=name.odds, given=name.given)
        for span, name in tagged.items()
    ]
    model = PersonModel(article.text, mentions, evidence)
    for span in tagged:
        name = tokens.mention(span).text
        if reason := model.verdict(name).refusal:
            refused.append(Refusal(name=name, rule="not-a-person", detail=reason))
        else:
            spans.append(span)
    return tuple(spans), tuple(refused)


def _eligible(tokens: Tokens, spans: Sequence[TokenSpan], config: QuestionsConfig) -> tuple[TokenSpan, ...]:
    """The set E: mentions of at most ``max_name_words`` words that share no identifying word with an earlier mention."""
    eligible: dict[TokenSpan, str] = {}
    for span in spans:
        name = tokens.mention(span).text
        is_short = _length(name) <= config.max_name_words
        if (
            is_short
            and parse(name).core
            and not any(parse(name).shares_word(parse(other)) for other in eligible.values())
        ):
            eligible[span] = name
    return tuple(eligible)


def _length(name: str) -> int:
    """The number of written words of a name without titles."""
    return len(parse(name).bare.split())


def _too_few(tokens: Tokens, spans: Sequence[TokenSpan], config: QuestionsConfig) -> str:
    """Why mentions are too few of E: the number of words that a name would have to be allowed, or that names share a word."""
    names = [tokens.mention(span).text for span in spans]
    for most in sorted({_length(name) for name in names}):
        if len(_eligible(tokens, spans, msgspec.structs.replace(config, max_name_words=most))) >= config.min_persons:
            return f"{most} words: {'; '.join(name for name in names if _length(name) > config.max_name_words)}"
    return f"names share a word: {'; '.join(names)}"


def _question(
    tagged: _TaggedSentence,
    tree: str,
    starts: Sequence[float],
    config: QuestionsConfig,
    evidence: NameEvidence,
) -> Question | Rejection:
    """The question that deletes the last person that no rule refuses, or a rejection if the rules refuse every person.

    With ``persons: all``, the other persons that no rule refuses are further blanks.
    """
    sentence, tokens = Sentence(tree, config.repair_phrases), tagged.tokens
    if config.refuse_fragments and (label := sentence_refusals.no_main_clause(sentence)):
        return _rejection(tagged.sentence, "no-main-clause", label, tagged.refused)
    if words := sentence_refusals.lost_boundary(tokens.words, starts):
        return _rejection(tagged.sentence, "joins-sentences", words, tagged.refused)
    refused: list[Refusal] = []
    blanks: list[Blank] = []
    for span in reversed(tagged.eligible):
        selection = select_blank(sentence, tokens, span, config, tagged.persons, evidence)
        if selection.rule:
            refused.append(Refusal(name=tokens.mention(span).text, rule=selection.rule, detail=selection.detail))
            continue
        blanks.append(_blank(tagged, span, (selection.start, selection.end)))
        if config.persons == "last":
            break
    if blanks:
        return _with_blanks(tagged, blanks, tree, refused)
    return _rejection(tagged.sentence, refused[0].rule, refused=(*tagged.refused, *refused))


def _blank(tagged: _TaggedSentence, name: TokenSpan, blank: TokenSpan) -> Blank:
    tokens = tagged.tokens
    outside = (span for span in tagged.persons if span[1] <= blank[0] or span[0] >= blank[1])
    return Blank(
        blank_tokens=blank,
        blank=tokens.mention(blank),
        name=tokens.mention(name),
        others=tuple(tokens.mention(span) for span in outside),
    )


def _with_blanks(tagged: _TaggedSentence, blanks: Sequence[Blank], tree: str, refused: Sequence[Refusal]) -> Question:
    article, tokens = tagged.article, tagged.tokens
    first, *more = blanks
    return Question(
        id=article.id,
        date=article.date,
        source=article.source,
        sentence=tokens.text,
        tokens=tokens.words,
        **msgspec.structs.asdict(first),
        tree=tree,
        refused=(*tagged.refused, *refused),
        token_layout=pack_spans(tokens.spans),
        more_blanks=tuple(more),
    )


def _asks_for_starts(config: QuestionsConfig) -> bool:
    return config.refuse_joined_sentences


def _of_sentences(
    sentences: Sequence[FirstSentence], config: QuestionsConfig, context: Context
) -> Iterator[Question | Rejection]:
    """Yield the question or rejection of each sentence; sentences that pass the tests without a tree are parsed together."""
    evidence = read_names(context.inputs["names"].folder)
    tagged = [_tagged_sentence(sentence, config, context, evidence) for sentence in sentences]
    to_parse = [result.tokens for result in tagged if isinstance(result, _TaggedSentence)]
    starts: list[list[float]] = [[]] * len(to_parse)
    if _asks_for_starts(config):
        starts = context.port(PAGE_TAGGER).starts([tokens.words for tokens in to_parse])
    parsed = zip(context.port(ANNOTATIONS).trees(to_parse), starts, strict=True)
    for result in tagged:
        yield result if isinstance(result, Rejection) else _question(result, *next(parsed), config, evidence)


def _questions(
    firsts: Sequence[FirstSentence], config: QuestionsConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Yield the question of each article from the first of ``lead_sentences`` that gives one, or the first one's rejection."""
    results: dict[str, Question | Rejection] = {}
    sentences = list(firsts)
    for number in range(config.lead_sentences):
        if number:
            sentences = _next_sentences(
                [sentence for sentence in sentences if isinstance(results[sentence.id], Rejection)], context
            )
        for sentence, result in zip(sentences, _of_sentences(sentences, config, context), strict=True):
            if not number or isinstance(result, Question):
                results[sentence.id] = result
    yield from results.values()


def _next_sentences(sentences: Sequence[FirstSentence], context: Context) -> list[FirstSentence]:
    """The sentences after these in their articles, tokenised and tagged; none for an article that ends there."""
    annotator = context.port(ANNOTATIONS)
    rests = {
        sentence.id: _rest(context.find("ingest", sentence.id).paragraphs, sentence.text) for sentence in sentences
    }
    rests = {article: rest for article, rest in rests.items() if rest}
    following = annotator.first_sentences(list(rests.values()))
    tokenised = [(article, tokens) for article, tokens in zip(rests, following, strict=True) if tokens]
    names = annotator.names([tokens for _, tokens in tokenised])
    return [
        FirstSentence(id=article, text=tokens.text, words=tokens.words, spans=tokens.spans, names=tagged)
        for (article, tokens), tagged in zip(tokenised, names, strict=True)
    ]


def _rest(paragraphs: Sequence[str], sentence: str) -> str:
    """What follows a sentence in its paragraph, or the next paragraph; empty at the end, or without the sentence."""
    for number, paragraph in enumerate(paragraphs):
        _, here, rest = paragraph.partition(sentence or paragraph)
        if here:
            return rest.strip() or next((later for later in paragraphs[number + 1 :] if later.strip()), "")
    return ""


def run(inputs: Iterator[FirstSentence], config: QuestionsConfig, context: Context) -> Iterator[Record | Rejection]:
    """Delete one person from a sentence of each article: the last, or each in turn (Algorithm 1)."""
    for sentences in blocks(inputs, _BLOCK):
        yield from _questions(sentences, config, context)
    context.port(ANNOTATIONS).flush()


# The rules about the first sentence. Any of them may let a later sentence pass.
_REASONS = {
    "sentence-too-short": Rule(
        "the first sentence has fewer tokens than questions.min_tokens", ("min_tokens",), looser={"min_tokens": -2}
    ),
    "sentence-too-long": Rule(
        "the first sentence has more tokens than questions.max_tokens", ("max_tokens",), looser={"max_tokens": 120}
    ),
    "too-few-persons": Rule(
        "the first sentence names fewer persons than questions.min_persons",
        ("min_persons",),
        looser={"min_persons": -1},
    ),
    "mentions-not-persons": Rule(
        "enough names are tagged as persons, but fewer than questions.min_persons of them are persons",
        ("refuse_non_persons",),
    ),
    "persons-not-eligible": Rule(
        "there are enough mentions of persons, but names are too long, have no identifying token, or share one",
        ("max_name_words",),
        looser={"max_name_words": 2},
    ),
    **sentence_refusals.REASONS,
    **REFUSAL_REASONS,
}


STAGE = Stage(
    name="questions",
    version=24,
    reads=("sentences", "names", "ingest"),
    writes=Question,
    config=QuestionsConfig,
    run=run,
    ports=(ANNOTATIONS, PAGE_TAGGER),
    conditions={PAGE_TAGGER: _asks_for_starts},
    block=_BLOCK,
    reasons={name: replace(rule, looser={**rule.looser, "lead_sentences": 2}) for name, rule in _REASONS.items()},
    rules={
        "not-a-person": Rule(
            "the tagged name is an organisation, a place, or a word without evidence that it is a person"
        ),
        **REFUSAL_REASONS,
    },
)

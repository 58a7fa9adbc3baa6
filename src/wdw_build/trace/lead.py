"""The first sentence: what was tagged, what was refused, and, derived again, the node that the climb ended on."""

from __future__ import annotations

from wdw_build.core.settings import QuestionsConfig
from wdw_build.records import Article, Question, Refusal, Rejection, Tokens
from wdw_build.stages.questions import rules_of
from wdw_build.text.deletion import delete
from wdw_build.text.tokens import sentences
from wdw_build.text.trees import Sentence, climb
from wdw_build.trace.forms import Climb, Lead, Tried
from wdw_build.trace.run import Found, Run


def aligned(text: str, words: tuple[str, ...]) -> Tokens | None:
    """The tokens with their offsets, found again one after the other; None if a word does not stand in the text."""
    spans, at = [], 0
    for word in words:
        start = text.find(word, at)
        if start < 0:
            return None
        at = start + len(word)
        spans.append((start, at))
    return Tokens(text=text, words=words, spans=tuple(spans))


def climbed(question: Question, config: QuestionsConfig) -> Climb | None:
    """The climb of the deleted name, done again on the stored tree; None if its tokens cannot be found again."""
    tokens = aligned(question.sentence, question.tokens)
    if tokens is None:
        return None
    inside = [
        at for at, (start, end) in enumerate(tokens.spans)
        if start < question.name.end and end > question.name.start
    ]  # fmt: skip
    sentence = Sentence(question.tree)
    name = (inside[0], inside[-1] + 1) if inside else (0, 0)
    rules = rules_of(config)
    phrase = climb(sentence, *name, rules.prepositions) if inside else None
    if phrase is None:
        return None
    node = sentence.tree[phrase.position]
    found = delete(sentence, tokens, name, rules)
    return Climb(
        label=node.label(), position=phrase.position, node_tokens=sentence.span(node), deleted_tokens=question.blank_tokens,
        agrees=not found.rule and (found.start, found.end) == question.blank_tokens,
    )  # fmt: skip


def _tried(run: Run, refused: tuple[Refusal, ...]) -> tuple[Tried, ...]:
    return tuple(Tried(name=one.name, rule=one.rule, detail=one.detail, meaning=run.meaning(one.rule)) for one in refused)


def _first_sentence(article: Article, rejection: Rejection) -> str:
    whole = next(iter(sentences(article.paragraphs[0])), "") if article.paragraphs else ""
    # Where the persons were tried, the rejection has the beginning of the sentence as the model cut it.
    kept = rejection.detail if rejection.detail and article.paragraphs[0].startswith(rejection.detail) else ""
    return max(whole, kept, key=len)


def lead(run: Run, found: Found) -> Lead | None:
    """The first sentence of an id, or None if it did not come so far."""
    question, article = found.records.get("questions"), found.records.get("ingest")
    if isinstance(question, Question):
        return Lead(
            sentence=question.sentence, stored=True, blank=question.blank, name=question.name, others=question.others,
            refused=_tried(run, question.refused), tree=question.tree,
            climb=climbed(question, run.section("questions")),
        )  # fmt: skip
    rejection = found.rejection("questions")
    if rejection is None or not isinstance(article, Article):
        return None
    return Lead(sentence=_first_sentence(article, rejection), stored=False, refused=_tried(run, rejection.refused))

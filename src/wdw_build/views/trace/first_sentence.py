"""The first sentence: the names that were tagged, those that were refused, and the node that the climb ended on."""

from __future__ import annotations

from collections.abc import Iterable

from wdw_build.core.config.settings import QuestionsConfig
from wdw_build.dataset import History, Run
from wdw_build.records import Question, Refusal, Tokens
from wdw_build.stages.questions import rules_of
from wdw_build.text.blanking.select_blank import select_blank
from wdw_build.text.blanking.trees import Sentence, climb
from wdw_build.views.trace.records import ClimbedNode, RefusedMention, TracedSentence


def first_sentence(run: Run, history: History) -> TracedSentence | None:
    """The first sentence of an id; None if ``sentences`` wrote none."""
    first, question = history.record(run.first_sentences), history.record(run.questions)
    if first is None:
        return None
    if question is None:
        rejection = history.rejection(run.questions)
        return TracedSentence(sentence=first.text, refused=_refused(run, rejection.refused if rejection else ()))
    return TracedSentence(
        sentence=question.sentence,
        blank=question.blank,
        name=question.name,
        others=question.others,
        refused=_refused(run, question.refused),
        tree=question.tree,
        climb=_climbed_node(question, first.tokens, run.questions.settings),
    )


def _refused(run: Run, refusals: Iterable[Refusal]) -> tuple[RefusedMention, ...]:
    return tuple(
        RefusedMention(name=refusal.name, rule=refusal.rule, detail=refusal.detail, meaning=run.meaning(refusal.rule))
        for refusal in refusals
    )


def _climbed_node(question: Question, tokens: Tokens, config: QuestionsConfig) -> ClimbedNode | None:
    """The climb from the deleted name, done again on the stored tree; None if the name covers no token."""
    inside = [
        index
        for index, (start, end) in enumerate(tokens.spans)
        if start < question.name.end and end > question.name.start
    ]
    if not inside:
        return None
    sentence, name, rules = (
        Sentence(question.tree, config.repair_phrases),
        (inside[0], inside[-1] + 1),
        rules_of(config),
    )
    phrase = climb(sentence, *name, rules.prepositions)
    if phrase is None:
        return None
    node = sentence.tree[phrase.position]
    blank = select_blank(sentence, tokens, name, rules)
    return ClimbedNode(
        label=node.label(),
        position=phrase.position,
        node_tokens=sentence.span(node),
        deleted_tokens=question.blank_tokens,
        agrees=not blank.rule and (blank.start, blank.end) == question.blank_tokens,
    )

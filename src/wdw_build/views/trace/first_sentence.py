"""The first sentence: its accepted and refused names, and the tree node on which the climb from the name ended."""

from __future__ import annotations

from collections.abc import Iterable

from wdw_build.core.config.settings import QuestionsConfig
from wdw_build.dataset import History, Run
from wdw_build.records import Question, Refusal, Tokens
from wdw_build.stages.questions import blanking_options
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
        climb=_climbed_node(question, run.questions.settings),
        more_blanks=tuple(blank.blank for blank in question.more_blanks),
    )


def _refused(run: Run, refusals: Iterable[Refusal]) -> tuple[RefusedMention, ...]:
    return tuple(
        RefusedMention(name=refusal.name, rule=refusal.rule, detail=refusal.detail, meaning=run.meaning(refusal.rule))
        for refusal in refusals
    )


def _climbed_node(question: Question, config: QuestionsConfig) -> ClimbedNode | None:
    """Repeats the climb from the deleted name on the stored tree; None if the record has no token spans."""
    name = question.token_range(question.name)
    if name is None:
        return None
    sentence, options = Sentence(question.tree, config.repair_phrases), blanking_options(config)
    phrase = climb(sentence, *name, options.prepositions)
    if phrase is None or phrase.node is None:
        return None
    tokens = Tokens(text=question.sentence, words=question.tokens, spans=question.token_spans)
    blank = select_blank(sentence, tokens, name, options)
    return ClimbedNode(
        label=phrase.node.label,
        position=phrase.node.position,
        node_tokens=(phrase.node.start, phrase.node.end),
        deleted_tokens=question.blank_tokens,
        agrees=not blank.rule and (blank.start, blank.end) == question.blank_tokens,
    )

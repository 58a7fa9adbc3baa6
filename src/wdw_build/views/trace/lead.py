"""The first sentence: what was tagged, what was refused, and, derived again, the node that the climb ended on."""

from __future__ import annotations

from wdw_build.core.config.settings import QuestionsConfig
from wdw_build.records import FirstSentence, Question, Refusal, Tokens
from wdw_build.stages.questions import blanking_options
from wdw_build.text.blanking.select_blank import select_blank
from wdw_build.text.blanking.trees import Sentence, climb
from wdw_build.views.trace.run import Found, Run
from wdw_build.views.trace.steps import Climb, Lead, Tried


def climbed(question: Question, config: QuestionsConfig) -> Climb | None:
    """The climb of the deleted name, done again on the stored tree; None if the record holds no token spans."""
    name = question.token_range(question.name)
    if name is None:
        return None
    sentence, rules = Sentence(question.tree, config.repair_phrases), blanking_options(config)
    phrase = climb(sentence, *name, rules.prepositions)
    if phrase is None or phrase.node is None:
        return None
    tokens = Tokens(text=question.sentence, words=question.tokens, spans=question.token_spans)
    found = select_blank(sentence, tokens, name, rules)
    return Climb(
        label=phrase.node.label,
        position=phrase.node.position,
        node_tokens=(phrase.node.start, phrase.node.end),
        deleted_tokens=question.blank_tokens,
        agrees=not found.rule and (found.start, found.end) == question.blank_tokens,
    )


def _tried(run: Run, refused: tuple[Refusal, ...]) -> tuple[Tried, ...]:
    return tuple(
        Tried(name=one.name, rule=one.rule, detail=one.detail, meaning=run.meaning(one.rule)) for one in refused
    )


def lead(run: Run, found: Found) -> Lead | None:
    """The first sentence of an id, or None if it did not come so far."""
    question, first = found.records.get("questions"), found.records.get("sentences")
    if not isinstance(first, FirstSentence):
        return None
    if isinstance(question, Question):
        return Lead(
            sentence=question.sentence,
            blank=question.blank,
            name=question.name,
            others=question.others,
            refused=_tried(run, question.refused),
            tree=question.tree,
            climb=climbed(question, run.section("questions")),
        )
    rejection = found.rejection("questions")
    return Lead(sentence=first.text, refused=_tried(run, rejection.refused if rejection else ()))

"""``trace``: one article, question or problem in every stage of a run, from its stored records.

Records are looked up by key, so the time hardly grows with the run. Facts that no record stores (the climbed node, the
results of passed tests, the cell of an alternative) are computed again with the pipeline's rules and the settings in the
stage's manifest; ``Trace.derived`` lists these facts. A trace loads no model and runs no search.

The blank, the passage, its persons and the predictions are those of the problem: the alternative that ``suppress``
selected, or the first alternative of an article of which it selected none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from wdw_build.core.config.settings import QuestionsConfig
from wdw_build.dataset import History, Outcome, Run
from wdw_build.records import Article, Problem, Question, Refusal, Tokens
from wdw_build.text.blanking.select_blank import CLIMBED, select_blank
from wdw_build.text.blanking.trees import Sentence, climb
from wdw_build.views.trace import candidates, records, selection
from wdw_build.views.trace.records import Trace
from wdw_build.views.trace.terminal import shortened

__all__ = ["Trace", "ended", "trace"]


def trace(run: Run, record_id: str, advance: Callable[[int], None] | None = None) -> Trace:
    """The trace of an id. Raises ``UsageError`` if no stage has the id.

    With ``advance``, the trace lists the questions that tried the article as a passage. That reads all of ``retrieve``;
    ``advance`` is called with the number of lines read since its last call.
    """
    history = run.history(record_id)
    outcomes = tuple(_stage_outcome(run, outcome) for outcome in history.outcomes)
    article, question = history.record(run.articles), history.record(run.questions)
    pseudonyms, record = history.record(run.pseudonyms), history.record(run.all_alternatives)
    problem = run.problem_of(record) if record is not None else None
    return Trace(
        id=record_id,
        run=run.name,
        ended=ended([table.name for table in run.main_line], outcomes),
        stations=outcomes,
        article=_article(article) if article else None,
        lead=_first_sentence(run, history, problem),
        query=candidates.query(question, run.retrievals.settings) if question and run.retrievals.exists else None,
        candidates=candidates.candidates(run, history, problem),
        passage=candidates.passage(problem) if problem else None,
        casts=candidates.tried_persons(run, history, problem),
        alternatives=selection.alternatives(record, selection.selection(run, record)) if record else (),
        duplicate=selection.duplicate(run, history),
        pseudonyms=pseudonyms.persons if pseudonyms else (),
        leaks=pseudonyms.leaks if pseudonyms else (),
        guesses=selection.guesses(run, history, problem) if problem else (),
        cell=selection.cell(run, history, problem) if problem else None,
        place=selection.placement(run, history),
        as_passage=candidates.trials(run, record_id, advance) if advance else None,
        derived=tuple(_derived(run, history)),
    )


def _stage_outcome(run: Run, outcome: Outcome) -> records.StageOutcome:
    table, rejections = outcome.table, outcome.rejections
    older = ", ".join(run.changed_inputs(table)) if table.exists else ""
    notes = [f"made from an older output of {older}: wdw-build all brings it up to date"] if older else []
    if outcome.record is not None:
        later = (f"rejected as {rejection.reason} a second time ({rejection.detail})" for rejection in rejections)
        notes = ["; ".join(later), *notes]
    rejection = rejections[0] if outcome.state == "rejected" else None
    return records.StageOutcome(
        stage=table.name,
        outcome=outcome.state,
        reason=rejection.reason if rejection else "",
        meaning=run.meaning(rejection.reason) if rejection else "",
        detail=rejection.detail if rejection else "",
        note="; ".join(filter(None, notes)),
    )


def ended(main_line: Sequence[str], outcomes: tuple[records.StageOutcome, ...]) -> str:
    """The rejection after which no stage of the main line wrote the id, or the last stage that wrote it, in words.

    Stages outside of the main line do not end an id: ``problems`` and ``pseudonyms`` also read articles that ``suppress``
    rejected, and a problem that ``pseudonyms`` rejects goes on to the later stages.
    """
    written = [outcome.stage for outcome in outcomes if outcome.outcome == "written"]
    on_line = [outcome for outcome in outcomes if outcome.stage in main_line]
    last_written = max((at for at, outcome in enumerate(on_line) if outcome.outcome == "written"), default=-1)
    if main_line[-1] in written:
        return "it is in the dataset"
    for outcome in (*on_line[last_written + 1 :], *outcomes):
        if outcome.outcome == "rejected" and outcome.stage not in written:
            detail = f" ({shortened(outcome.detail)})" if outcome.detail else ""
            return f"{outcome.stage} rejected it: {outcome.reason}, {outcome.meaning}{detail}"
    return f"{written[-1]} is the last stage that wrote it: later stages have not run, or not with this record"


def _article(article: Article) -> records.TracedArticle:
    first = article.paragraphs[0] if article.paragraphs else ""
    return records.TracedArticle.like(article, paragraphs=len(article.paragraphs), first=first)


def _first_sentence(run: Run, history: History, problem: Problem | None) -> records.TracedSentence | None:
    """The first sentence of an id; None if ``sentences`` wrote none. Without a problem, it has the first blank."""
    first, question = history.record(run.first_sentences), history.record(run.questions)
    if first is None:
        return None
    if question is None:
        rejection = history.rejection(run.questions)
        return records.TracedSentence(
            sentence=first.text, refused=_refused(run, rejection.refused if rejection else ())
        )
    shown = problem.question if problem else question
    return records.TracedSentence.like(
        shown,
        refused=_refused(run, question.refused),
        climb=_climbed_node(shown, run.questions.settings),
        more_blanks=tuple(each.blank for each in question.each_blank() if each.blank != shown.blank),
    )


def _refused(run: Run, refusals: Iterable[Refusal]) -> tuple[records.RefusedMention, ...]:
    return tuple(
        records.RefusedMention(**msgspec.structs.asdict(refusal), meaning=run.meaning(refusal.rule))
        for refusal in refusals
    )


def _climbed_node(question: Question, config: QuestionsConfig) -> records.ClimbedNode | None:
    """Repeats the climb from the deleted name on the stored tree; None if the record has no token spans."""
    name = question.token_range(question.name)
    if name is None:
        return None
    sentence = Sentence(question.tree, config.repair_phrases)
    phrase = climb(sentence, *name, CLIMBED if config.climb_only_of else frozenset())
    if phrase is None or phrase.node is None:
        return None
    tokens = Tokens(text=question.sentence, words=question.tokens, spans=question.token_spans)
    blank = select_blank(sentence, tokens, name, config)
    return records.ClimbedNode(
        label=phrase.node.label,
        position=phrase.node.position,
        node_tokens=(phrase.node.start, phrase.node.end),
        deleted_tokens=question.blank_tokens,
        agrees=not blank.rule and (blank.start, blank.end) == question.blank_tokens,
    )


def _derived(run: Run, history: History) -> Iterator[str]:
    if history.record(run.questions):
        yield "the climbed node: text.blanking.trees.climb and text.blanking.select_blank on the stored tree"
        yield "the results of the tests: text.passages.validity.diagnose on the stored articles"
    if history.record(run.all_alternatives) or history.rejections(run.all_alternatives):
        yield "the persons of a passage: stages.choices.rules.entities on the stored annotation"
    if any(rejection.reason == selection.DUPLICATE for rejection in history.rejections(run.alternatives)):
        yield "the similarity of the duplicates: text.passages.passage_text.similarity"
    if history.record(run.predictions) and run.decisions.exists:
        yield "the cells of alternatives: stages.suppress.cell_of"

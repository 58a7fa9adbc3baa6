"""``trace``: one article, question or problem in every stage of a run, from its stored records.

Records are looked up by key, so the time hardly grows with the run. Facts that no record stores (the climbed node, the
results of passed tests, the draw of a suppressed problem) are computed again with the pipeline's rules and the settings in
the stage's manifest; ``Trace.derived`` lists these facts. A trace loads no model and runs no search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wdw_build.dataset import History, Outcome, Run
from wdw_build.records import Article
from wdw_build.views.trace import passages, selection
from wdw_build.views.trace.first_sentence import first_sentence
from wdw_build.views.trace.records import StageOutcome, Trace, TracedArticle
from wdw_build.views.trace.view.blocks import shortened

__all__ = ["Trace", "ended", "trace"]


def trace(run: Run, record_id: str, advance: Callable[[int], None] | None = None) -> Trace:
    """The trace of an id. Raises ``UsageError`` if no stage has the id.

    With ``advance``, the trace lists the questions that tried the article as a passage. That reads all of ``retrieve``;
    ``advance`` is called with the number of lines read since its last call.
    """
    history = run.history(record_id)
    outcomes = tuple(_stage_outcome(run, outcome) for outcome in history.outcomes)
    article, question = history.record(run.articles), history.record(run.questions)
    pseudonyms = history.record(run.pseudonyms)
    return Trace(
        id=record_id,
        run=run.name,
        ended=ended(run.exported.name, outcomes),
        stations=outcomes,
        article=_article(article) if article else None,
        lead=first_sentence(run, history),
        query=passages.query(question, run.retrievals.settings) if question and run.retrievals.exists else None,
        candidates=passages.candidates(run, history),
        passage=passages.passage(run, history),
        casts=passages.persons(run, history),
        duplicate=selection.duplicate(run, history),
        pseudonyms=pseudonyms.persons if pseudonyms else (),
        leaks=pseudonyms.leaks if pseudonyms else (),
        guesses=selection.guesses(run, history),
        cell=selection.cell(run, history),
        place=selection.placement(run, history),
        as_passage=passages.trials(run, record_id, advance) if advance else None,
        derived=tuple(_derived(run, history)),
    )


def _stage_outcome(run: Run, outcome: Outcome) -> StageOutcome:
    table, rejections = outcome.table, outcome.rejections
    older = ", ".join(run.changed_inputs(table)) if table.exists else ""
    notes = [f"made from an older output of {older}: wdw-build all brings it up to date"] if older else []
    if outcome.record is not None:
        later = (f"rejected as {rejection.reason} a second time ({rejection.detail})" for rejection in rejections)
        notes = ["; ".join(later), *notes]
    rejection = rejections[0] if outcome.state == "rejected" else None
    return StageOutcome(
        stage=table.name,
        outcome=outcome.state,
        reason=rejection.reason if rejection else "",
        meaning=run.meaning(rejection.reason) if rejection else "",
        detail=rejection.detail if rejection else "",
        note="; ".join(filter(None, notes)),
    )


def ended(last_stage: str, outcomes: tuple[StageOutcome, ...]) -> str:
    """The rejection after which no stage wrote the id, or the last stage that wrote it, in words.

    A problem that ``pseudonyms`` rejects goes on to the later stages.
    """
    last_written = max((at for at, outcome in enumerate(outcomes) if outcome.outcome == "written"), default=-1)
    for outcome in outcomes[last_written + 1 :]:
        if outcome.outcome == "rejected":
            detail = f" ({shortened(outcome.detail)})" if outcome.detail else ""
            return f"{outcome.stage} rejected it: {outcome.reason}, {outcome.meaning}{detail}"
    last = [outcome.stage for outcome in outcomes if outcome.outcome == "written"][-1]
    if last == last_stage:
        return "it is in the dataset"
    return f"{last} is the last stage that wrote it: later stages have not run, or not with this record"


def _article(article: Article) -> TracedArticle:
    return TracedArticle(
        date=article.date,
        source=article.source,
        kind=article.kind,
        title=article.title,
        dateline=article.dateline,
        paragraphs=len(article.paragraphs),
        first=article.paragraphs[0] if article.paragraphs else "",
    )


def _derived(run: Run, history: History) -> Iterator[str]:
    if history.record(run.questions):
        yield "the climbed node: text.blanking.trees.climb and text.blanking.select_blank on the stored tree"
        yield "the results of the tests: text.passages.validity.diagnose on the stored articles"
    if history.record(run.raw_problems) or history.rejections(run.raw_problems):
        yield "the persons of a passage: stages.choices.entities on the stored annotation"
    if any(rejection.reason == selection.DUPLICATE for rejection in history.rejections(run.distinct_problems)):
        yield "the similarity of the duplicates: text.passages.overlap.similarity"
    if history.rejections(run.decisions):
        yield "the draw: core.hashing.uniform_hash; the cell: stages.suppress.cell_of; its rates: another problem of the cell"

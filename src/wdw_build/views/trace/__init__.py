"""``trace``: the way of one article, question or problem through a run, from its stored records.

Every record is found by key, in time that hardly grows with the run. What no record holds (the climbed node, the tests of
candidates that were not refused, the draw of a suppressed problem) is derived again with the pipeline's own pure rules and the
settings that the stage's manifest names; ``Trace.derived`` says which. No model is loaded, nothing is searched anew.
"""

from __future__ import annotations

from collections.abc import Callable

from wdw_build.records import Article, Question
from wdw_build.views.trace import dataset, passages
from wdw_build.views.trace.as_passage import as_passage
from wdw_build.views.trace.lead import lead
from wdw_build.views.trace.run import Found, Run, follow, open_run
from wdw_build.views.trace.steps import Text, Trace
from wdw_build.views.trace.view import shortened

__all__ = ["Run", "Trace", "open_run", "trace"]


def trace(run: Run, record_id: str, seen: Callable[[int], None] | None = None) -> Trace:
    """The trace of an id. Raises ``UsageError`` if no stage knows it.

    With ``seen``, also the questions that tried the article as a passage: that reads all of ``retrieve``.
    """
    found = follow(run, record_id)
    question = found.records.get("questions")
    made = Trace(
        id=record_id,
        run=run.name,
        ended=_ended(found),
        stations=found.stations,
        article=_article(found),
        lead=lead(run, found),
        query=passages.query(run, question) if isinstance(question, Question) and "retrieve" in run.outputs else None,
        candidates=passages.candidates(run, found),
        passage=passages.reading(found),
        casts=passages.casts(run, found),
        duplicate=dataset.duplicate(run, found),
        guesses=dataset.guesses(found),
        cell=dataset.cell(run, found),
        place=dataset.place(run, found),
        as_passage=as_passage(run, record_id, seen) if seen else None,
        derived=_derived(found),
    )
    return made


def _ended(found: Found) -> str:
    for station in found.stations:
        if station.outcome == "rejected":
            detail = f" ({shortened(station.detail)})" if station.detail else ""
            return f"{station.stage} rejected it: {station.reason}, {station.meaning}{detail}"
    last = [station.stage for station in found.stations if station.outcome == "written"]
    if last[-1] == "export":
        return "it is in the dataset"
    return f"it came as far as {last[-1]}: the stages after it have not been run, or not with it"


def _article(found: Found) -> Text | None:
    article = found.records.get("ingest")
    if not isinstance(article, Article):
        return None
    return Text(
        date=article.date,
        source=article.source,
        kind=article.kind,
        title=article.title,
        dateline=article.dateline,
        paragraphs=len(article.paragraphs),
        first=article.paragraphs[0] if article.paragraphs else "",
    )


def _derived(found: Found) -> tuple[str, ...]:
    said = []
    if "questions" in found.records:
        said.append("the climbed node: text.trees.climb and text.deletion on the stored tree")
        said.append("the tests' numbers: text.validity.diagnose on the stored articles")
    if "choices" in found.records or "choices" in found.rejections:
        said.append("the persons of a passage: stages.choices.entities on the stored annotation")
    if any(one.reason == "duplicate-question" for one in found.rejections.get("dedup", ())):
        said.append("the similarity of the duplicates: text.overlap.similarity")
    if "suppress" in found.rejections:
        said.append(
            "the draw: core.hashing.draw; the cell: stages.suppress.cell_of; its rates: of another problem of the cell"
        )
    return tuple(said)

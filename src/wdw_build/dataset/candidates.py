"""The candidate passages that a rule refused, of questions that became problems and of questions that did not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from wdw_build.dataset.run import Run
from wdw_build.dataset.tables import Table
from wdw_build.records import Candidate


class RefusedCandidate(NamedTuple):
    """A candidate, the question it was tried for, and the table of the stage that refused it."""

    table: Table[Any, Any]
    question: str
    candidate: Candidate


def refused_candidates(run: Run) -> Iterator[RefusedCandidate]:
    """Every refused candidate: first those of ``retrieve``, then those of ``choices``."""
    for retrieval in run.retrievals:
        yield from _refused(run.retrievals, retrieval.id, retrieval.candidates)
    for record in run.all_alternatives:
        yield from _refused(run.all_alternatives, record.id, record.refused)
    for table in (run.retrievals, run.all_alternatives):
        for rejection in table.rejections():
            yield from _refused(table, rejection.id, rejection.candidates)


def _refused(table: Table[Any, Any], question: str, candidates: tuple[Candidate, ...]) -> Iterator[RefusedCandidate]:
    return (RefusedCandidate(table, question, candidate) for candidate in candidates if candidate.rule)

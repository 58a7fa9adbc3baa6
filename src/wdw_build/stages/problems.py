"""problems: writes out one problem for each article, with the text of its passage.

It is the alternative that ``suppress`` selected. A problem that ``suppress`` rejected is written, too, as its first
alternative, because the dataset is measured before suppression as well; it has no split, so it is in no export.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.core.section import Section
from wdw_build.core.stage import Context, Stage
from wdw_build.records import Problem, ProblemAlternatives, Record, Rejection, SuppressionDecision


def run(inputs: Iterator[ProblemAlternatives], config: Section, context: Context) -> Iterator[Record | Rejection]:
    """Write out the selected problem of each article, with its passage."""
    for record in inputs:
        decision = context.inputs["suppress"].find(record.id)
        number = decision.alternative if isinstance(decision, SuppressionDecision) else 0
        passage = record.passages[record.alternatives[number].passage]
        yield record.problem(number, context.find("ingest", passage.article))


STAGE = Stage(
    name="problems",
    version=1,
    reads=("dedup", "suppress", "ingest"),
    writes=Problem,
    run=run,
    block=64,  # a problem depends on one record only
)

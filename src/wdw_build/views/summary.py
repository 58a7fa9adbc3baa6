"""The summary of a run as text for a terminal."""

from __future__ import annotations

from wdw_build.core.progress import printable
from wdw_build.views import fact_tables as tables
from wdw_build.views.dataset import Facts
from wdw_build.views.table import terminal


def summary(facts: Facts) -> str:
    """Funnel, kinds of articles, rejections, accuracies, splits, scores, costs, overlap, and what limited the yield."""
    all_tables = [
        tables.funnel(facts),
        tables.kinds(facts),
        tables.removed(facts),
        tables.wires(facts),
        tables.rejections(facts),
        tables.refused(facts),
        tables.accuracies(facts),
        tables.bounds_off(facts),
        tables.traits(facts),
        tables.splits(facts),
        tables.scores(facts, "event score"),
        tables.scores(facts, "evidence score"),
        tables.overlap(facts),
        tables.stages(facts),
        tables.limits(facts),
    ]
    notes = [
        tables.machine(facts),
        tables.answers(facts),
        *facts.size_notes,
        *filter(None, [tables.omitted(facts)]),
    ]
    if enriched := tables.enriched(facts):
        notes.append(f"WARNING: {enriched}; suppress.max_enrichment limits this.")
    blocks = [terminal(table) for table in all_tables if table.rows]
    if examples := tables.limit_examples(facts):
        blocks.append("\n".join(map(printable, examples)))
    return "\n\n".join([*blocks, "\n".join(map(printable, notes)), "\n".join(tables.suppression(facts))])

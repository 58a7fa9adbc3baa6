"""The tables of a summary, for the terminal, the report and the datasheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wdw_build.dataset import most_frequent_first
from wdw_build.views.summary import EventBand, Summary, Table2
from wdw_build.views.table import Row, Table


def funnel_steps(summary: Summary, names: Mapping[str, str] | None = None) -> Iterator[tuple[str, int]]:
    """(step in words with its level or split, records left) of each step; ``names`` has other names of steps."""
    for step, counts in summary.funnel.items():
        name = (names or {}).get(step, step).replace("_", " ")
        if isinstance(counts, int):
            yield name, counts
        else:
            yield from ((f"{name}, {part}", count) for part, count in counts.items())


def funnel(summary: Summary, names: Mapping[str, str] | None = None) -> Table:
    """Records left after each step."""
    return Table(("step", "left"), list(funnel_steps(summary, names)))


def losses(head: Sequence[str], counts: Mapping[str, Mapping[str, int]]) -> Table:
    """What each stage rejected by reason, or refused by rule, the most frequent first."""
    rows = [(stage, why, count) for stage, by in counts.items() for why, count in most_frequent_first(by)]
    return Table(head, rows, words=2)


def table2(head: Sequence[str], accuracies: Table2) -> Table:
    """Table 2: accuracies before suppression and on strict and relaxed problems.

    Each adversary has two rows on the problems that its bound counts (its own and chance), and two on the others.
    """
    rows = [("chance", accuracies.chance), *accuracies.baselines.items()]
    for name, row in accuracies.adversaries.items():
        other = "held-out time" if row.bounded.problems else "not bounded"
        for where, part in (("bounded", row.bounded), (other, row.others)):
            if part.problems:
                rows += [(f"{name}, {where}", part.accuracy), (f"  chance, {where}", part.chance)]
    return Table(
        head, [(name, *(f"{at:.3f}" for at in (by.before, by.after.strict, by.after.relaxed))) for name, by in rows]
    )


def table3(summary: Summary) -> Table:
    """Table 3: the sizes of the splits."""
    rows: list[Row] = [
        (name, row.problems, f"{row.average_choices:.2f}", f"{row.average_passage_tokens:.1f}", row.vocabulary)
        for name, row in summary.table3.items()
    ]
    return Table(("split", "problems", "choices", "passage tokens", "vocabulary"), rows)


def suppression_costs(summary: Summary) -> tuple[str, list[str]]:
    """What suppression kept, as a sentence, and a line for each key whose other value would keep more problems."""
    kept = summary.suppression
    unbounded = next((cost.other_kept for cost in kept.costs if cost.is_all_bounds), None)
    without = "" if unbounded is None else f"; without any bound, it would keep about {unbounded:,}"
    costs = [str(cost) for cost in kept.costs if not cost.is_all_bounds]
    return f"Suppression kept {kept.strict:,} of {kept.problems:,} problems as strict{without}.", costs


def event_scores(summary: Summary) -> list[tuple[str, int, int]]:
    """(lowest event score of a band, problems in the band, problems in it and in higher ones), from the highest band down."""
    rows, total = [], 0
    for band, count in reversed(summary.event_scores.items()):
        total += count
        rows.append((band, count, total))
    return rows


def event_bands(bands: Sequence[EventBand]) -> Table:
    """Articles by the event score of their best passage, and strict problems by theirs, from the highest band down."""
    rows = []
    for band in reversed(bands):
        name = f"{band.least:g} and over" if band.below is None else f"{band.least:g} to {band.below:g}"
        counts = f"{band.before:,}", f"{band.before_share:.1%}", f"{band.after:,}", f"{band.after_share:.1%}"
        rows.append((name, *counts))
    return Table(("Event score", "best passage", "share", "strict", "share"), rows)

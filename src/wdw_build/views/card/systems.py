"""The datasheet's sections on systems and people: the table of ``wdw-build bench``, its intervals, and the scores of sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wdw_build.annotation.score.records import ANY_FAULT
from wdw_build.bench.results import BenchResults, ConditionTable, StoredResults
from wdw_build.dataset import TEST
from wdw_build.views import condition_table, people, system_table
from wdw_build.views.card.markdown import bullets, code, plain, table


def section(stored: StoredResults, humans: Sequence[people.PeopleResult] = ()) -> str:
    """The table with its notes; without a table, why there is none and the command that makes one."""
    notes = system_table.notes(stored)
    if stored.table is None:
        return f"{' '.join(notes)} Measure systems with {code(system_table.COMMAND)}."
    parts, shown = [*notes], people.joined(stored.table, humans)
    if shown.systems:
        parts += [_setting(shown), _table(shown), *_below(stored.table)]
    if shown.conditions is not None:
        parts += _conditions(shown.conditions)
    return "\n\n".join(parts)


def human_performance(humans: Sequence[people.PeopleResult]) -> str:
    """The sheets that people answered: readers, accuracy, agreement, faults and disagreements."""
    parts = [
        "People answered problems of this dataset without seeing the key. `cannot tell` counts as wrong. The interval takes "
        "into account that all persons of a sheet answered the same problems.",
        bullets(people.lines(humans, plain)),
    ]
    current = [result for result in humans if not result.changed]
    if current:
        head = ("sheet", "problems with a fault", "faults", "disagreements")
        parts.append(table([head, *map(_judged, current)], words=4))
        parts.append(
            "Faults: problems that at least one person ticked. Disagreements: problems on which people differ, of which nobody "
            "chose the key, or which somebody marked as faulty. The paper (Onishi et al. 2016) reports .84 for its dataset."
        )
    return "\n\n".join(parts)


def _judged(result: people.PeopleResult) -> tuple[str, ...]:
    faults = ", ".join(f"{label} {count:,}" for label, count in result.faults.items() if label != ANY_FAULT)
    return plain(result.sheet), f"{result.faults.get(ANY_FAULT, 0):,}", faults or "none", f"{result.disagreements:,}"


def warnings(stored: StoredResults) -> Iterator[str]:
    """A line for each probe and suppressed baseline above chance, and for each condition without a passage."""
    if stored.table is None:
        return
    found = system_table.warnings(stored.table, plain)
    if stored.table.conditions is not None:
        found += condition_table.warnings(stored.table.conditions, plain)
    for warning in found:
        yield f"Warning: {warning} (see [Systems](#systems-table-4))."


def _setting(results: BenchResults) -> str:
    return f"Accuracy of reading systems; runs: {', '.join(map(plain, results.runs))}; {system_table.setting(results)}."


def _table(results: BenchResults) -> str:
    rows = [("system", "group", *system_table.HEAD), ("chance", "", *system_table.chance_cells(results))]
    rows += [(plain(row.name), plain(row.group), *system_table.cells(row)) for row in results.systems]
    return table(rows, words=2)


def _below(results: BenchResults) -> Iterator[str]:
    yield (
        "95 %: Wilson's interval of the test accuracy. ± seeds: half of the 95 % interval of the mean over seeds (Student). EM, "
        "F1: exact match and bag F1 on test, for systems that extract spans. Paper: the accuracy on the dataset of Onishi et "
        "al. (2016)."
    )
    tested = [(row.test.interval.high - row.test.interval.low, row) for row in results.systems if row.test is not None]
    if not tested:
        return
    width, row = max(tested, key=lambda pair: pair[0])
    assert row.test is not None  # noqa: S101 (rows without a test accuracy were left out)
    yield (
        f"Accuracy on few problems is uncertain. Test has {results.problems[TEST]:,} problems, and intervals are up to "
        f"{system_table.number(width)} wide ({plain(row.name)}: {system_table.interval(row.test)}): a difference between "
        "systems within their intervals may be due to chance. `wdw-build report` has a paired test of every pair of systems."
    )
    yield (
        "What stands out has a warning for each probe and each suppressed baseline whose whole interval lies above chance. "
        "About one in forty would, if none knew anything."
    )


def _conditions(results: ConditionTable) -> Iterator[str]:
    """The table of reading conditions; a cell has the accuracy on each population."""
    yield " ".join(f"{line}." for line in condition_table.setting(results))
    columns = " / ".join(condition_table.columns(results))
    rows = [("system", "group", *(f"{name}: {columns}" for name in results.conditions))]
    for group, systems in condition_table.groups(results):
        rows += [
            (plain(name), plain(group), *(plain(" / ".join(map(str.strip, each))) for each in cells))
            for name, cells in systems
        ]
    yield table(rows, words=2)
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in condition_table.meanings(results))
    yield f"{plain(condition_table.LEGEND)}. {f'{meanings}.' if meanings else ''}".strip()
    pairs = condition_table.pairs(results)
    if pairs:
        head = ("system", *(f"{first} - {second}" for first, second in pairs))
        differences = ((plain(name), *map(plain, cells)) for name, cells in condition_table.differences(results))
        yield table([head, *differences])
        yield f"{condition_table.differences_legend(results)}."

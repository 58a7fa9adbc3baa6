"""The datasheet's section on systems: the table of ``wdw-build bench`` and the width of its intervals."""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.bench.results import BenchResults, StoredResults
from wdw_build.dataset import TEST
from wdw_build.views import system_table
from wdw_build.views.card.markdown import code, plain, table


def section(stored: StoredResults) -> str:
    """The table with its notes; without a table, why there is none and the command that makes one."""
    notes = system_table.notes(stored)
    if stored.table is None:
        return f"{' '.join(notes)} Measure systems with {code(system_table.COMMAND)}."
    return "\n\n".join([*notes, _setting(stored.table), _table(stored.table), *_below(stored.table)])


def warnings(stored: StoredResults) -> Iterator[str]:
    """A line for each probe and suppressed baseline above chance."""
    for warning in system_table.warnings(stored.table, plain) if stored.table else ():
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

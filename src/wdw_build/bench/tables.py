"""``bench.json``: the tables of the rows that a run's folder keeps."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from wdw_build.bench import rows as kept_rows
from wdw_build.bench.conditions import CONDITIONS, PASSAGE
from wdw_build.bench.results import (
    ADVERSARY,
    BASELINE,
    GIVEN,
    RESULTS,
    BenchResults,
    ConditionTable,
    HiddenRow,
    RowHead,
    read_results,
)
from wdw_build.bench.table import Row, RowsByCondition, comparisons, condition_table, disagreements
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.dataset import Run
from wdw_build.registry import system_names

_GROUPS = (BASELINE, ADVERSARY, "probe", "table 4", "today", GIVEN)


def write_results(folder: Path, results: BenchResults) -> BenchResults:
    """Fill the tables of ``results`` with the kept rows of their data, and write them to ``bench.json``."""
    known = list(kept_rows.heads(folder))
    shown = [
        kept_rows.read_row(path, head)
        for path, head in known
        if _is_in_table(head, results) or _is_under_condition(head, results.conditions)
    ]
    shown.sort(key=lambda row: table_order(row.head))
    main = [row for row in shown if _is_in_table(row.head, results)]
    hidden = {head.file for _, head in known} - {row.head.file for row in shown}
    results = msgspec.structs.replace(
        results,
        systems=tuple(row.result for row in main),
        comparisons=comparisons(main),
        disagreements=disagreements(main),
        hidden=tuple(
            _hidden(head) for _, head in known if head.file in hidden and head.result.group not in (BASELINE, ADVERSARY)
        ),
        conditions=_filled(results.conditions, shown) if results.conditions is not None else None,
    )
    replace_file(folder / RESULTS, jsonl.document(results))
    return results


def forget(run: Run, systems: Collection[str]) -> list[str]:
    """Delete the kept rows of some systems, or all without systems, and return the names of the rows.

    Raises ``UsageError`` if a system has no row.
    """
    names = kept_rows.forget(run.folder, systems)
    results = read_results(run)
    if systems and results is not None:
        write_results(run.folder, results)
    else:
        (run.folder / RESULTS).unlink(missing_ok=True)
    return names


def _filled(empty: ConditionTable, rows: list[Row]) -> ConditionTable:
    rows = [row for row in rows if _is_under_condition(row.head, empty)]
    by_condition: RowsByCondition = {
        condition: found
        for condition in CONDITIONS
        if (found := [row for row in rows if row.head.condition == condition])
    }
    return condition_table(empty, by_condition)


def _is_in_table(head: RowHead, results: BenchResults) -> bool:
    return head.folds is None and head.condition == PASSAGE and head.data == results.data


def _is_under_condition(head: RowHead, table: ConditionTable | None) -> bool:
    if table is None or (head.folds, head.data) != (table.folds, table.data):
        return False
    return not head.pseudonyms or head.pseudonyms == table.pseudonyms


def table_order(head: RowHead) -> tuple[int, int, str]:
    """The order of the rows: by group, then the order of all systems, then name."""
    result, names = head.result, system_names()
    place = names.index(result.system) if result.system in names else len(names)
    return (_GROUPS.index(result.group) if result.group in _GROUPS else len(_GROUPS)), place, result.name


def _hidden(head: RowHead) -> HiddenRow:
    result = head.result
    return HiddenRow(
        name=result.name, condition=head.condition, folds=head.folds, measured=result.measured, data=head.data
    )

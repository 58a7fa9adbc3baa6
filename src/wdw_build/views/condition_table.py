"""The table of reading conditions in cells and sentences, for the terminal, the report and the datasheet.

Rows are systems. Each condition has a column for each population. Each view escapes the names of systems in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from wdw_build.bench.results import Accuracy, ConditionTable, Difference
from wdw_build.views.system_table import interval, number

LEGEND = "*: the whole 95 % interval lies above chance"
_MEANINGS = {
    "without": "no passage, but a list of the choices",
    "codes": "names replaced by codes",
    "surrogate": "names replaced by invented ones",
    "codes-without": "codes and no passage",
    "surrogate-without": "invented names and no passage",
}
_NO_VALUE = "-"

# Accuracies of one system: condition -> population -> accuracy.
ByCondition = dict[str, dict[str, Accuracy]]
Systems = list[tuple[str, list[list[str]]]]


def columns(table: ConditionTable) -> tuple[str, ...]:
    """The populations that are shown: before, after and control; or test."""
    return tuple(name for name in table.populations if name != "validation")


def setting(table: ConditionTable) -> Iterator[str]:
    """The evaluation, and the size and chance of each population."""
    how = f"cross-fitted in {table.folds} folds of events" if table.folds else "trained on train"
    shown = ((name, table.populations[name]) for name in columns(table))
    sizes = "; ".join(f"{name} {size.problems:,} (chance {number(size.chance)})" for name, size in shown)
    yield f"Reading conditions, {how}; problems: {sizes}"
    if table.left_out:
        yield f"Problems left out under all conditions, because their names cannot be replaced: {table.left_out:,}"


def meanings(table: ConditionTable) -> list[tuple[str, str]]:
    """(condition, what systems read) of each condition but `passage`."""
    return [(name, _MEANINGS[name]) for name in table.conditions if name in _MEANINGS]


def accuracies(table: ConditionTable) -> list[tuple[str, list[tuple[str, ByCondition]]]]:
    """(group, its systems with their accuracies), groups and systems in the order of the table."""
    systems: dict[tuple[str, str], ByCondition] = {}
    for measured in table.measurements:
        found = systems.setdefault((measured.group, measured.system), {})
        found.setdefault(measured.condition, {})[measured.population] = measured.accuracy
    ranks = {group: rank for rank, group in enumerate(dict.fromkeys(group for group, _ in systems))}
    ordered = sorted(systems.items(), key=lambda pair: ranks[pair[0][0]])
    return [
        (group, [(name, found) for (_, name), found in pairs])
        for group, pairs in groupby(ordered, key=lambda pair: pair[0][0])
    ]


def groups(table: ConditionTable) -> list[tuple[str, Systems]]:
    """(group, (system, its cells by condition and population)); a star marks accuracies above chance."""
    return [
        (
            group,
            [
                (name, [_cells(found.get(condition, {}), columns(table)) for condition in table.conditions])
                for name, found in systems
            ],
        )
        for group, systems in accuracies(table)
    ]


def _cells(found: dict[str, Accuracy], populations: Sequence[str]) -> list[str]:
    return [cell(found.get(population)) for population in populations]


def cell(accuracy: Accuracy | None) -> str:
    """Two decimals without the leading zero, and a star if the interval lies above chance; - for None."""
    if accuracy is None:
        return _NO_VALUE
    return f"{accuracy.accuracy:.2f}".removeprefix("0") + ("*" if accuracy.above_chance else " ")


def tip(accuracy: Accuracy | None) -> str:
    """What a tooltip says of an accuracy."""
    if accuracy is None:
        return ""
    return f"{number(accuracy.accuracy)}, 95 % interval {interval(accuracy)}, {accuracy.problems:,} problems"


def pairs(table: ConditionTable) -> list[tuple[str, str]]:
    """The pairs of conditions with paired tests on the dataset, in order."""
    return list(dict.fromkeys((test.first, test.second) for test in _shown(table)))


def differences(table: ConditionTable) -> list[tuple[str, list[str]]]:
    """(system, a cell for each of ``pairs``) of the paired tests on the dataset: difference of the accuracies and p value."""
    tests = {(test.system, test.first, test.second): test for test in _shown(table)}
    systems = dict.fromkeys(test.system for test in _shown(table))
    return [(name, [_difference(tests.get((name, *pair))) for pair in pairs(table)]) for name in systems]


def differences_legend(table: ConditionTable) -> str:
    """What the cells of ``differences`` are."""
    return f"Difference of the accuracies on {table.kept}, and p value of McNemar's test (on the same problems)"


def _shown(table: ConditionTable) -> list[Difference]:
    return [test for test in table.differences if test.population == table.kept]


def _difference(test: Difference | None) -> str:
    if test is None:
        return _NO_VALUE
    p = "<.001" if test.p < 0.0005 else number(test.p)
    return f"{test.gain:+.2f} ({p})".replace("0.", ".", 1)


def warnings(table: ConditionTable, escape: Callable[[str], str] = str) -> list[str]:
    """A sentence for each condition under which systems that should be at chance on the dataset exceed it."""
    sentences = []
    for condition in table.conditions:
        above = [measured for measured in table.exposed if measured.condition == condition]
        if not above:
            continue
        names = ", ".join(f"{escape(measured.system)} ({number(measured.accuracy.accuracy)})" for measured in above)
        setting = f"{table.kept}, {condition}, chance is {number(above[0].accuracy.chance)}"
        is_unread = condition.endswith("without")
        what = "can be answered without reading by" if is_unread else "gives answers away to"
        sentences.append(f"the dataset {what} {names} ({setting})")
    return sentences

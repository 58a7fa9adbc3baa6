"""The tables of systems and of reading conditions with the sentences about them, as text, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from wdw_bench.populations import ALTERNATIVES
from wdw_bench.results import (
    ADVERSARY,
    BASELINE,
    Accuracy,
    BenchResults,
    ConditionTable,
    Difference,
    SystemResult,
)
from wdw_build.api import TEST, VALIDATION, Interval, account_of_alternatives, interval_of_test, printable, shows_little
from wdw_build.api import table as forms
from wdw_build.reading.settings import has_passage

Form = Literal["text", "markdown", "latex"]
LEGEND = "*: the whole 95% interval lies above chance"
_ALL = "all: of each article the problem that suppression selected, else the first (before, in the summary: always the first)"
_HEAD = (
    "system",
    "validation",
    "test",
    "95%",
    "tied",
    "over seeds",
    "EM",
    "F1",
    "parameters",
    "fit s",
    "answer s",
    "paper",
)
_COLUMNS = {
    "95%": "interval of the accuracy on test (Wilson)",
    "tied": "share of the test problems with equal highest scores, where the answer counts 1/k",
    "over seeds": "95% interval of the mean",
    "paper": "on the paper's own dataset",
}
_NO_VALUE = "-"


def number(value: float | None) -> str:
    """Three decimals without the leading zero, as ``.470`` and ``-.086``; - for None."""
    if value is None:
        return _NO_VALUE
    sign, digits = "-" if value < 0 else "", f"{abs(value):.3f}"
    return sign + digits.removeprefix("0")


def interval(ends: Interval | None) -> str:
    """A 95% interval, as ``.412-.613``; - for None. It may be truncated at 0 or 1, and is then asymmetric."""
    return f"{number(ends.low)}-{number(ends.high)}" if ends is not None else _NO_VALUE


# ---- the tables of a call ----------------------------------------------------------------------------------------------


class _Shown(NamedTuple):
    """A table with the lines before and after it."""

    before: list[str]
    table: forms.Table
    after: list[str]


def rendered(results: BenchResults, against: str | None = None, form: Form = "text") -> str:
    """The tables as text, Markdown or LaTeX (with the lines around a table as comments).

    ``against`` adds a column with McNemar's p values against that system.
    """
    parts = [_systems(results, against)] if results.systems else []
    if results.conditions is not None:
        parts += _conditions(results.conditions)
    if results.left_out_alternatives:
        trained_on = account_of_alternatives(results.problems[ALTERNATIVES], results.left_out_alternatives)
        parts[0].before.insert(1, trained_on)
    return "\n\n".join(_rendered(part, form) for part in parts)


def _rendered(part: _Shown, form: Form) -> str:
    before, table, after = part
    if form == "latex":
        return "\n".join([*(f"% {printable(line)}" for line in (*before, *after)), forms.latex(table)])
    if form == "markdown":
        # The template engine of Markdown would slow down the start of every command.
        from wdw_build.api import pages

        lines = ("\n\n".join(pages.plain(line) for line in group) for group in (before, after))
        return f"\n\n{pages.table(table)}\n\n".join(lines).strip()
    groups = ("\n".join(map(printable, before)), forms.terminal(table), "\n".join(map(printable, after)))
    return "\n\n".join(filter(None, groups))


def _systems(results: BenchResults, against: str | None) -> _Shown:
    counts = ", ".join(f"{count:,} {split}" for split, count in results.problems.items())
    before = [f"runs: {', '.join(results.runs)}; problems: {counts}", f"measured on data {results.data}"]
    table = systems(results, against)
    after = [*legend(results, table, against), *(f"warning: {warning}" for warning in warnings(results))]
    return _Shown(before, table, after)


def _conditions(results: ConditionTable) -> Iterator[_Shown]:
    """The table of reading conditions, and the one of the differences between conditions."""
    warned = [f"warning: {warning}" for warning in condition_warnings(results)]
    before, table, compared = list(condition_setting(results)), conditions(results), differences(results)
    after = [LEGEND, *([_ALL] if results.folds else [])]
    if compared is None:
        yield _Shown(before, table, [*after, *warned])
    else:
        yield _Shown(before, table, after)
        legend = (
            f"Difference of the accuracies on {results.dataset}, and p value of McNemar's test (on the same problems)"
        )
        yield _Shown([], compared, [legend, *warned])


# ---- systems ---------------------------------------------------------------------------------------------------------


def warnings(results: BenchResults) -> list[str]:
    """A sentence for each probe and suppressed baseline whose whole interval lies above chance."""
    return [
        f"the {row.group} {row.name} reaches {number(row.test.accuracy)} on test (95% interval {interval(row.test.interval)}), and "
        f"chance is {number(row.test.chance)}: the dataset gives answers away"
        for row in results.exposed
        if row.test is not None
    ]


def systems(results: BenchResults, against: str | None = None) -> forms.Table:
    """Chance and the accuracies of all systems, without empty columns.

    ``against`` adds a column with McNemar's p values against that system.
    """
    chance = (number(results.chance.get(split)) for split in (VALIDATION, TEST))
    rows: list[forms.Row | str] = [("chance", *chance, *[""] * (len(_HEAD) - 3))]
    for group, of_group in groupby(results.systems, key=lambda row: row.group):
        rows += [group, *map(_system, of_group)]
    if against is None:
        return _filled(_HEAD, rows)
    # A row is named by its system alone if its settings are the default.
    names = [row.name for row in results.systems if against in (row.name, row.system)]
    other = against if against in names or not names else names[-1]
    tests = [test for test in results.comparisons if other in (test.first, test.second)]
    p = {test.second if test.first == other else test.first: f"{test.p:.3f}" for test in tests}
    with_p = [row if isinstance(row, str) else (*row, p.get(forms.text_of(row[0]), "")) for row in rows]
    return _filled((*_HEAD, f"p against {other}"), with_p)


def _filled(head: Sequence[str], rows: Sequence[forms.Row | str]) -> forms.Table:
    """The table without the columns in which no row has a value."""
    cells = [row for row in rows if not isinstance(row, str)]
    filled = [at for at in range(len(head)) if any(row[at] not in (_NO_VALUE, "") for row in cells)]
    filled_rows = [row if isinstance(row, str) else [row[at] for at in filled] for row in rows]
    return forms.Table([head[at] for at in filled], filled_rows)


def _system(row: SystemResult) -> forms.Row:
    test = row.test
    return (
        forms.Cell(row.name, "name"),
        number(row.validation.accuracy if row.validation else None),
        number(test.accuracy if test else None),
        interval(test.interval if test else None),
        number(test.tied if test and row.group not in (BASELINE, ADVERSARY) else None),
        interval(test.seed_interval if test else None),
        number(test.em if test else None),
        number(test.f1 if test else None),
        f"{row.parameters:,}" if row.parameters is not None else _NO_VALUE,
        f"{row.fit_seconds:.1f}" if row.fit_seconds is not None else _NO_VALUE,
        f"{row.choose_seconds:.1f}" if row.choose_seconds is not None else _NO_VALUE,
        number(row.paper),
    )


def legend(results: BenchResults, table: forms.Table, against: str | None = None) -> Iterator[str]:
    """What the columns of the table are, and what so many test problems can show."""
    yield from (f"{name}: {meaning}" for name, meaning in _COLUMNS.items() if name in table.head)
    if against is not None:
        yield f"p against {against}: McNemar's test on test, each system with the seed of its median validation accuracy"
    if size := interval_of_test(results.problems[TEST]):
        yield size
    if few := shows_little(results.problems[TEST]):
        yield few
    yield from unread(results)


def unread(results: BenchResults) -> list[str]:
    """A sentence for each system whose limit of text makes answers impossible, or that left problems unanswered."""
    sentences = []
    for row in results.systems:
        if row.unread_answers:
            impossible = f"{row.unread_answers:,} of {results.problems[TEST]:,} answers of test impossible"
            sentences.append(f"{row.name} does not read text past its limit, which makes {impossible}")
        if row.unanswered:
            unanswered = f"{row.unanswered:,} of {results.problems[TEST]:,} test problems"
            sentences.append(
                f"{row.name} gave no answer, or none that names one choice, to {unanswered}, which count as wrong"
            )
    return sentences


# ---- reading conditions ----------------------------------------------------------------------------------------------


def condition_setting(table: ConditionTable) -> Iterator[str]:
    """The evaluation, and the size and chance of each population."""
    how = f"cross-fitted in {table.folds} folds of events" if table.folds else "trained on train"
    populations = ((name, table.populations[name]) for name in _populations(table))
    sizes = "; ".join(f"{name} {size.problems:,} (chance {number(size.chance)})" for name, size in populations)
    yield f"Reading conditions, {how}; problems: {sizes}"
    yield f"measured on data {table.data}"
    if table.left_out:
        yield f"Problems left out under all conditions, because their names cannot be replaced: {table.left_out:,}"


def condition_warnings(table: ConditionTable) -> list[str]:
    """A sentence for each condition under which systems that should be at chance on the dataset exceed it."""
    sentences = []
    for condition in table.conditions:
        above = [measured for measured in table.exposed if measured.condition == condition]
        if not above:
            continue
        names = ", ".join(f"{measured.system} ({number(measured.accuracy.accuracy)})" for measured in above)
        setting = f"{table.dataset}, {condition}, chance is {number(above[0].accuracy.chance)}"
        what = "gives answers away to" if has_passage(condition) else "can be answered without reading by"
        sentences.append(f"the dataset {what} {names} ({setting})")
    return sentences


def conditions(table: ConditionTable) -> forms.Table:
    """The accuracies by condition and population; a star marks accuracies above chance. Groups are in the order of the table."""
    columns = [(condition, population) for condition in table.conditions for population in _populations(table)]
    by_group: dict[str, dict[str, dict[tuple[str, str], Accuracy]]] = {}
    for measured in table.measurements:
        of_system = by_group.setdefault(measured.group, {}).setdefault(measured.system, {})
        of_system[measured.condition, measured.population] = measured.accuracy
    rows: list[forms.Row | str] = []
    for group, of_group in by_group.items():
        rows.append(group)
        rows += [
            (forms.Cell(name, "name"), *(_accuracy(by.get(column)) for column in columns))
            for name, by in of_group.items()
        ]
    head = ("system", *(population for _, population in columns))
    return forms.Table(head, rows, over=("", *(condition for condition, _ in columns)))


def _populations(table: ConditionTable) -> list[str]:
    """The populations that are shown: all, after and control; or test."""
    return [name for name in table.populations if name != VALIDATION]


def _accuracy(accuracy: Accuracy | None) -> str:
    """Two decimals without the leading zero, and a star if the interval lies above chance; - for None."""
    if accuracy is None:
        return _NO_VALUE
    return f"{accuracy.accuracy:.2f}".removeprefix("0") + ("*" if accuracy.above_chance else " ")


def differences(table: ConditionTable) -> forms.Table | None:
    """Difference of the accuracies and p value of each paired test between conditions on the dataset; None without tests."""
    on_dataset = [test for test in table.differences if test.population == table.dataset]
    pairs = list(dict.fromkeys((test.first, test.second) for test in on_dataset))
    tests = {(test.system, test.first, test.second): test for test in on_dataset}
    names = dict.fromkeys(test.system for test in on_dataset)
    rows: list[forms.Row] = [
        (forms.Cell(name, "name"), *(_difference(tests.get((name, *pair))) for pair in pairs)) for name in names
    ]
    return forms.Table(("difference", *(f"{first} - {second}" for first, second in pairs)), rows) if rows else None


def _difference(test: Difference | None) -> str:
    if test is None:
        return _NO_VALUE
    p_value = "<.001" if test.p < 0.0005 else number(test.p)
    return f"{test.gain:+.2f} ({p_value})".replace("0.", ".", 1)

"""The report as one HTML page: renders facts and charts with the template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from wdw_build import __version__
from wdw_build.bench.results import ConditionTable, StoredResults
from wdw_build.dataset import PARTS, most_frequent_first
from wdw_build.dataset.yield_limits import remedy, shown_limits
from wdw_build.views import condition_table, people, system_table
from wdw_build.views.event_bands import event_band_rows
from wdw_build.views.html import environment
from wdw_build.views.report import charts, systems
from wdw_build.views.report.against import Against
from wdw_build.views.report.charts import Named
from wdw_build.views.report.facts import Facts, Shown
from wdw_build.views.report.funnel import funnel
from wdw_build.views.report.histograms import by_month, histograms
from wdw_build.views.report.svg import Shape

_TEMPLATES = Path(__file__).parent / "templates"
_MOST_SOURCES = 12
_PASSAGE_CHARACTERS = 12_000


def page(facts: Facts, beside: Against | None = None) -> str:
    """The page. ``beside`` compares the run with another one."""
    template = environment(_TEMPLATES).get_template("report.html.j2")
    return template.render(
        facts=facts,
        summary=facts.summary,
        against=beside,
        version=__version__,
        pictures=_pictures(facts),
        event_bands=list(event_band_rows(facts.summary.event_bands)),
        yield_limits=[(limit, remedy(limit)) for limit in shown_limits(facts.summary.yield_limits)],
        systems=_systems(facts.systems, facts.people),
        groups=[(charts.KINDS[name], name) for name in PARTS],
        levels=charts.LEVELS,
        problems=list(map(_problem, facts.shown)),
        configuration=yaml.safe_dump(facts.config, sort_keys=False, allow_unicode=True),
        funnels=_funnels(facts, beside) if beside else [],
    )


def _pictures(facts: Facts) -> dict[str, Any]:
    summary, dataset = facts.summary, facts.counts.dataset
    costs = summary.stages.items()
    return {
        "funnel": funnel(facts.steps),
        "baselines": charts.baselines(summary.table2),
        "histograms": [(data, charts.histogram(data)) for data in histograms(dataset)],
        "sources": [
            (title, _sources(title, counts))
            for title, counts in (
                ("Sources of the questions", dataset.question_sources),
                ("Sources of the passages", dataset.passage_sources),
            )
        ],
        "months": charts.months(by_month(facts.counts.parts), str(facts.first_held_out or "")),
        "seconds": charts.named(
            "Seconds by stage", [Named(name, cost.seconds, f"{cost.seconds:,.1f} s") for name, cost in costs]
        ),
        "memory": charts.named(
            "Peak memory by stage", [Named(name, cost.peak_mb, f"{cost.peak_mb:,} MB") for name, cost in costs], "b"
        ),
    }


def _systems(stored: StoredResults, humans: Sequence[people.PeopleResult]) -> dict[str, Any]:
    table = people.joined(stored.table, humans) if stored.table is not None else None
    shown: dict[str, Any] = {
        "table": table,
        "people": people.lines(humans),
        "notes": list(system_table.notes(stored)),
        "command": system_table.COMMAND,
    }
    if table is None:
        return shown
    groups = system_table.groups(table)
    return shown | {
        "conditions": _conditions(table.conditions) if table.conditions is not None else None,
        "setting": system_table.setting(table),
        "warnings": system_table.warnings(table),
        "head": system_table.HEAD,
        "chance": system_table.chance_cells(table),
        "groups": [(group, [(row, system_table.cells(row)) for row in rows]) for group, rows in groups],
        "chart": systems.accuracies(table),
        "pairs": systems.paired_tests(table),
        "tests": len(table.comparisons),
        "marked": systems.MARKED,
    }


def _conditions(table: ConditionTable) -> dict[str, Any]:
    """The table of reading conditions; a cell is (text, tooltip)."""
    populations = condition_table.columns(table)
    groups = [
        (group, [(name, _condition_cells(found, table.conditions, populations)) for name, found in systems])
        for group, systems in condition_table.accuracies(table)
    ]
    return {
        "setting": list(condition_table.setting(table)),
        "meanings": condition_table.meanings(table),
        "warnings": condition_table.warnings(table),
        "conditions": table.conditions,
        "populations": populations,
        "groups": groups,
        "legend": condition_table.LEGEND,
        "pairs": condition_table.pairs(table),
        "differences": condition_table.differences(table),
        "differences_legend": condition_table.differences_legend(table),
    }


def _condition_cells(
    found: condition_table.ByCondition, conditions: Sequence[str], populations: Sequence[str]
) -> list[tuple[str, str, str]]:
    """(accuracy, interval, tooltip) for each condition and population."""
    accuracies = [found.get(condition, {}).get(population) for condition in conditions for population in populations]
    return [
        (condition_table.cell(each), system_table.interval(each) if each else "", condition_table.tip(each))
        for each in accuracies
    ]


def _sources(title: str, counts: Counter[str]) -> Shape:
    ordered = most_frequent_first(counts)
    rows = [Named(source or "(none)", count, f"{count:,}") for source, count in ordered[:_MOST_SOURCES]]
    if rest := ordered[_MOST_SOURCES:]:
        total = sum(count for _, count in rest)
        rows.append(Named(f"{len(rest)} others", total, f"{total:,}"))
    return charts.named(title, rows)


def _problem(shown: Shown) -> dict[str, Any]:
    problem = shown.problem
    return {
        "id": problem.id,
        "split": problem.split,
        "level": problem.level,
        "left": shown.left,
        "right": shown.right,
        "paragraphs": problem.passage[:_PASSAGE_CHARACTERS].split("\n\n"),
        "cut": len(problem.passage) > _PASSAGE_CHARACTERS,
        "choices": shown.choices,
        "answer": problem.choices[problem.answer],
        "guesses": [(name, problem.choices[guess], guess == problem.answer) for name, guess in problem.guesses.items()],
    }


def _funnels(facts: Facts, beside: Against) -> list[tuple[str, int, int]]:
    """(step, before, now) of every step of the funnel; each level and each split is a separate step."""
    rows = []
    for name, now in facts.summary.funnel.items():
        before = beside.old_summary.funnel.get(name)
        if isinstance(now, dict) and isinstance(before, dict):
            rows += [(f"{name.replace('_', ' ')}, {key}", before.get(key, 0), count) for key, count in now.items()]
        elif isinstance(now, int) and isinstance(before, int):
            rows.append((name.replace("_", " "), before, now))
    return rows

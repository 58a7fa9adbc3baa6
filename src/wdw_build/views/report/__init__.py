"""The report: one HTML page about a run, without scripts or network access: funnel, tables, charts, examples, problems.

Problems are streamed and counted, and examples are sampled by a hash of seed and id: memory does not grow with the run, and
the same run gives the same bytes. Templates (``page``) and ``charts`` escape the text of articles.
The report only describes: ``verify`` checks the promises of the dataset, ``quality`` measures how well readers answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from wdw_bench import rendering as bench_tables
from wdw_bench.results import StoredResults
from wdw_build import __version__
from wdw_build.core.progress import Progress
from wdw_build.dataset import PARTS, TEST, VALIDATION, HashSample, Run, most_frequent_first
from wdw_build.dataset.yield_limits import remedy, shown_limits
from wdw_build.views import people, summary_tables
from wdw_build.views.blocks import Line
from wdw_build.views.diff import KINDS, Comparison, Difference, StageDifference, change_of_dataset
from wdw_build.views.html import environment
from wdw_build.views.record_blocks import question_line
from wdw_build.views.report import charts
from wdw_build.views.report.charts import Named, Shape
from wdw_build.views.report.facts import Facts, gather
from wdw_build.views.report.histograms import by_month, histograms
from wdw_build.views.summary import Summary, summarise

__all__ = ["Against", "Facts", "against", "gather", "page"]

_TEMPLATES = Path(__file__).parent / "templates"
_MOST_SOURCES = 12
_PASSAGE_CHARACTERS = 12_000
_EXAMPLES = 10
# Keys with the name and the folder of a run, which always differ between two runs.
_NAMES = {"run", "output_dir"}


class Changed(NamedTuple):
    """A problem that appeared, left or changed, with its question."""

    difference: Difference
    question: Line | None


class Against(NamedTuple):
    """A run beside an earlier one."""

    old: Run
    old_summary: Summary
    config: list[tuple[str, str, str]]
    stages: list[StageDifference]
    counts: dict[str, int]
    why: dict[str, Counter[str]]
    examples: dict[str, list[Changed]]


def page(facts: Facts, beside: Against | None = None) -> str:
    """The page. ``beside`` compares the run with another one."""
    template = environment(_TEMPLATES).get_template("report.html.j2")
    # (step, before, now) of every step of the funnel; each level and each split is a separate step.
    funnels = []
    if beside:
        before = dict(summary_tables.funnel_steps(beside.old_summary))
        funnels = [(name, before.get(name, 0), now) for name, now in summary_tables.funnel_steps(facts.summary)]
    held_out = (facts.counts.parts[VALIDATION] + facts.counts.parts[TEST]).first_day
    return template.render(
        facts=facts,
        summary=facts.summary,
        against=beside,
        version=__version__,
        pictures=_pictures(facts, str(held_out or "")),
        table3=summary_tables.table3(facts.summary),
        event_bands=summary_tables.event_bands(facts.summary.event_bands),
        yield_limits=[(limit, remedy(limit)) for limit in shown_limits(facts.summary.yield_limits)],
        suppression_costs=summary_tables.suppression_costs(facts.summary),
        systems=_systems(facts.systems, facts.people),
        groups=[(charts.KINDS[name], name) for name in PARTS],
        levels=charts.LEVELS,
        shown_characters=_PASSAGE_CHARACTERS,
        held_out=held_out,
        configuration=yaml.safe_dump(facts.run.config(), sort_keys=False, allow_unicode=True),
        funnels=funnels,
    )


def _pictures(facts: Facts, held_out: str) -> dict[str, Any]:
    summary, dataset = facts.summary, facts.counts.dataset
    seconds = [
        Named(name, cost.seconds, f"{cost.seconds:,.1f} s, {cost.cpu_seconds:,.1f} s of CPU")
        for name, cost in summary.stages.items()
    ]
    memory = [Named(name, cost.peak_mb, f"{cost.peak_mb:,} MB") for name, cost in summary.stages.items()]
    sources = {"Sources of the questions": dataset.question_sources, "Sources of the passages": dataset.passage_sources}
    return {
        "funnel": charts.funnel(facts.steps),
        "baselines": charts.baselines(summary.table2),
        "histograms": [(data, charts.histogram(data)) for data in histograms(dataset)],
        "sources": [(title, _sources(title, counts)) for title, counts in sources.items()],
        "months": charts.months(by_month(facts.counts.parts), held_out),
        "seconds": charts.named("Seconds by stage", seconds),
        "memory": charts.named("Peak memory by stage", memory, "b"),
    }


def _systems(stored: StoredResults, humans: Sequence[people.PeopleResult]) -> dict[str, Any]:
    """The chapter on systems, with a chart and paired tests."""
    results = stored.table and people.joined(stored.table, humans)
    return {
        **bench_tables.chapter(stored, results),
        "people": list(map(people.line, humans)),
        "chart": results and charts.accuracies(results),
        "pairs": results and bench_tables.paired_tests(results),
        "marked": bench_tables.MARKED,
    }


def _sources(title: str, counts: Counter[str]) -> Shape:
    ordered = most_frequent_first(counts)
    rows = [Named(source or "(none)", count, f"{count:,}") for source, count in ordered[:_MOST_SOURCES]]
    if rest := ordered[_MOST_SOURCES:]:
        total = sum(count for _, count in rest)
        rows.append(Named(f"{len(rest)} others", total, f"{total:,}"))
    return charts.named(title, rows)


# ---- differences from an earlier run: configuration, stages, and the problems that appeared, left or changed ------


def against(old: Run, new: Run, seed: int, progress: Progress) -> Against:
    """Compare ``new`` with ``old``; ``seed`` draws the examples."""
    comparison = Comparison(old, new)
    counts = dict.fromkeys(KINDS, 0)
    why: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    samples: dict[str, HashSample[Difference]] = {kind: HashSample(_EXAMPLES, seed, "report") for kind in KINDS}
    for group in comparison.groups(progress):
        kind, difference = change_of_dataset(group, new)
        if difference is not None:
            counts[kind] += 1
            why[kind].update(difference.why)
            samples[kind].offer(difference.id, difference)
    return Against(
        old=old,
        old_summary=summarise(old),
        config=_config(old.config(), new.config()),
        stages=comparison.stages(),
        counts=counts,
        why=why,
        examples={kind: [_shown(difference, old, new) for difference in samples[kind].by_name()] for kind in KINDS},
    )


def _shown(difference: Difference, old: Run, new: Run) -> Changed:
    problem = new.distinct_problems.find(difference.id) or old.distinct_problems.find(difference.id)
    return Changed(difference, question_line(problem.question) if problem is not None else None)


def _config(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(key, before, after) of every key that differs."""
    before, after = _flat(old), _flat(new)
    return [
        (key, before.get(key, "–"), after.get(key, "–"))
        for key in {**before, **after}
        if key not in _NAMES and before.get(key) != after.get(key)
    ]


def _flat(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat

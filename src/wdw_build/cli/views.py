"""The commands that look at a run: ``summary``, ``trace``, ``verify``, ``datasheet``, ``report`` and ``diff``.

Each command imports its view when called, so other commands start fast.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

from wdw_build.cli import render
from wdw_build.cli.base import (
    complete_run,
    open_pipeline,
    print_json,
    print_result,
    run_with_config,
)
from wdw_build.core.progress import Progress, choose_mode, printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.causes import Unrecorded, in_words
from wdw_build.dataset import open_run
from wdw_build.errors import CheckError, UsageError
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.views.diff import KINDS, Comparison, Difference, StageDifference, change_of_dataset, reason_of_dataset
from wdw_build.views.table import Row, Table, terminal


def summary(options: argparse.Namespace) -> int:
    """``summary``."""
    return show_summary(options, open_pipeline(options))


def show_summary(options: argparse.Namespace, pipeline: Pipeline) -> int:
    """Print the summary of a complete run."""
    from wdw_build.views.summary import summarise

    totals = summarise(complete_run(pipeline))
    paths = f"dataset: {pipeline.run_folder / 'export'}\nsummary: {pipeline.run_folder / 'summary.json'}"
    print_result(options, totals, f"{render.summary(totals)}\n\n{paths}")
    return 0


def trace(options: argparse.Namespace) -> int:
    """``trace``."""
    from wdw_build.views.blocks import terminal
    from wdw_build.views.record_page import page_html, page_text, record_page

    if options.json and options.html:
        raise UsageError("give --json or --html, not both")
    run = open_run(options.config, STAGES, options.overrides)
    page = record_page(run, options.id)
    if options.json:
        print_json(page)
    elif options.html:
        sys.stdout.buffer.write(page_html(page, run).encode())
    else:
        print(page_text(page, terminal(), run))
    return 0


def verify(options: argparse.Namespace) -> int:
    """``verify``."""
    from wdw_build.verify import verify as verified

    pipeline = open_pipeline(options)
    result = verified(pipeline.run_folder, pipeline.config, pipeline.progress.say)
    lines = []
    for check in result.checks:
        lines.append(f"{'ok  ' if not check.failures else 'FAIL'} {check.name:<28} {check.checked:>8}  {check.promise}")
        lines += [f"       {printable(example)}" for example in check.examples]
    print_result(options, result, "\n".join(lines))
    if not result.ok:
        raise CheckError(
            "the dataset breaks a promise (see above)", hint="wdw-build inspect STAGE --id ID shows a record"
        )
    return 0


def datasheet(options: argparse.Namespace) -> int:
    """``datasheet``: writes the datasheet, or with ``--json`` only the audit."""
    from wdw_build.views import card
    from wdw_build.views.summary import summarise

    run, config, progress = run_with_config(options)
    totals = summarise(run)
    audited = card.audit(run, config, totals, progress)
    if options.json:
        content, path = jsonl.document(audited), options.out or "-"
    else:
        content = card.datasheet(audited, totals, config, run).encode("utf-8", "replace")
        path = options.out or str(run.folder / "DATASHEET.md")
    if path == "-":
        sys.stdout.buffer.write(content)
    else:
        Path(path).write_bytes(content)
        print(f"{'audit' if options.json else 'datasheet'}: {path}")
    return 0


def report(options: argparse.Namespace) -> int:
    """``report``."""
    from wdw_build.views.report import against, gather, page

    progress = Progress(choose_mode(options.quiet))
    run = open_run(options.config, STAGES, options.overrides).require_complete()
    old = open_run(options.against, STAGES).require_complete() if options.against is not None else None
    facts = gather(run, options.seed, progress)
    beside = against(old, run, options.seed, progress) if old is not None else None
    name = f"report-against-{old.name}.html" if old is not None else "report.html"
    path = options.out or run.folder / name
    content = page(facts, beside).encode()
    path.write_bytes(content)
    written = {"report": str(path), "bytes": len(content), "problems": facts.counts.dataset.problems}
    print_result(options, written, f"report: {path}")
    return 0


# ---- diff -----------------------------------------------------------------------------------------------------------

_SIGNS = {"added": "+", "removed": "-", "changed": "~", "rejected-otherwise": "!"}


def diff(options: argparse.Namespace) -> int:
    """Compare two runs and print the differences."""
    comparison = Comparison(open_run(options.old, STAGES), open_run(options.new, STAGES))
    groups = comparison.groups(Progress(choose_mode(options.quiet)))
    if options.json:
        for group in groups:
            sys.stdout.buffer.writelines(map(jsonl.encode, group))
        sys.stdout.buffer.writelines(map(jsonl.encode, comparison.stages()))
        return 0
    # By stage, since the comparison yields differences by id: lines, at most ``limit`` of each kind (0: all), and counts by kind.
    lines: dict[str, list[str]] = defaultdict(list)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    problems: Counter[tuple[str, str]] = Counter()
    for group in groups:
        for difference in group:
            counts[difference.stage][difference.change] += 1
            if not options.limit or counts[difference.stage][difference.change] <= options.limit:
                lines[difference.stage].append(_line(difference))
        kind, shown = change_of_dataset(group, comparison.new)
        if shown is not None:
            problems[kind, reason_of_dataset(kind, shown, group)] += 1
    stages = comparison.stages()
    print(f"from {comparison.old.folder}\nto   {comparison.new.folder}\n")
    rows: list[Row] = [(stage.stage, stage.before, stage.after, *stage.changes.values()) for stage in stages]
    print(terminal(Table(("stage", "before", "after", "added", "removed", "changed", "rejected otherwise"), rows)))
    if problems:
        order = sorted(problems.items(), key=lambda pair: (KINDS.index(pair[0][0]), -pair[1], pair[0][1]))
        changes: list[Row] = [(kind, count, printable(reason)) for (kind, reason), count in order]
        print(f"\n{terminal(Table(('problems', 'number', 'why'), changes))}")
    for stage in stages:
        if not stage.same or stage.typed_causes:
            print("\n".join([f"\n{_head(stage)}", *lines[stage.stage]]))
            for change, count in counts[stage.stage].items():
                if options.limit and count > options.limit:
                    print(f"  {_SIGNS[change]} … and {count - options.limit} more {change.replace('-', ' ')}")
    return 0


def _head(stage: StageDifference) -> str:
    causes = stage.typed_causes or (Unrecorded(stage=stage.stage),)
    lines = [f"{stage.stage}: {printable(in_words(causes))}"]
    if stage.same:
        lines.append("  the records and rejections are the same")
    lines += [f"  {count:>8}  because {printable(cause)}" for cause, count in stage.why.items()]
    return "\n".join(lines)


def _line(difference: Difference) -> str:
    outcome = f"{difference.before} -> {difference.after}"
    if difference.change == "changed":
        outcome = ", ".join(difference.fields)
    begins_here = difference.begins == difference.stage
    is_named = any(cause.stage == difference.begins for cause in difference.typed_causes)
    origin = "" if begins_here or is_named else f"since {difference.begins}: "
    sign = _SIGNS[difference.change]
    return printable(f"  {sign} {difference.id}  {outcome}  [{origin}{'; '.join(difference.why)}]")

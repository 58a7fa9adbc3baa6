"""The commands that look at a run: ``summary``, ``trace``, ``verify``, ``datasheet``, ``report`` and ``diff``.

Each command imports its view when called, so other commands start fast.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wdw_build.cli.base import (
    complete_run,
    open_pipeline,
    print_json,
    print_result,
    run_with_config,
)
from wdw_build.core.progress import Progress, choose_mode, printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.causes import in_words
from wdw_build.dataset import Run, open_run
from wdw_build.errors import CheckError, UsageError
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.views.table import Row, Table, terminal

if TYPE_CHECKING:
    from wdw_build.views.diff import Difference


def summary(options: argparse.Namespace) -> int:
    """``summary``."""
    return show_summary(options, open_pipeline(options))


def show_summary(options: argparse.Namespace, pipeline: Pipeline) -> int:
    """Print the summary of a complete run."""
    from wdw_build.dataset import facts
    from wdw_build.views.summary import summary as summary_text

    counted = facts(complete_run(pipeline), pipeline.progress)
    paths = f"dataset: {pipeline.run_folder / 'export'}\nsummary: {pipeline.run_folder / 'summary.json'}"
    print_result(options, counted, f"{summary_text(counted)}\n\n{paths}")
    return 0


def trace(options: argparse.Namespace) -> int:
    """``trace``."""
    from wdw_build.views.trace import trace as trace_record

    if options.json and options.html:
        raise UsageError("give --json or --html, not both")
    pipeline = open_pipeline(options)
    run = open_run(options.config, STAGES, options.overrides)
    if options.as_passage and run.retrievals.exists:
        with pipeline.progress.bar("trace", run.retrievals.manifest.read, "questions") as bar:
            traced = trace_record(run, options.id, bar.advance)
    else:
        traced = trace_record(run, options.id)
    if options.json:
        print_json(traced)
    elif options.html:
        from wdw_build.views.trace.sections import page

        sys.stdout.buffer.write(page(traced).encode())
    else:
        from wdw_build.views.trace.sections import text
        from wdw_build.views.trace.terminal import terminal

        print(text(traced, terminal()))
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
    """``datasheet``."""
    from wdw_build.dataset import facts
    from wdw_build.views.datasheet import datasheet as sheet
    from wdw_build.views.sections import sections

    run, config, progress = run_with_config(options)
    counted = facts(run, progress)
    content = sheet(counted, config, sections(run, counted)).encode("utf-8", "replace")
    path = options.out or str(run.folder / "DATASHEET.md")
    if path == "-":
        sys.stdout.buffer.write(content)
    else:
        Path(path).write_bytes(content)
        print_result(options, {"datasheet": path, "bytes": len(content)}, f"datasheet: {path}")
    return 0


def report(options: argparse.Namespace) -> int:
    """``report``."""
    from wdw_build.dataset import facts
    from wdw_build.views.report import page
    from wdw_build.views.sections import sections

    progress = Progress(choose_mode(options.quiet))
    run = open_run(options.config, STAGES, options.overrides).require_complete()
    counted = facts(run, progress)
    content = page(run, counted, sections(run, counted), options.seed, progress).encode()
    path = options.out or run.folder / "report.html"
    path.write_bytes(content)
    print_result(options, {"report": str(path), "bytes": len(content)}, f"report: {path}")
    return 0


# ---- diff -----------------------------------------------------------------------------------------------------------


def diff(options: argparse.Namespace) -> int:
    """Compare two runs and print the differences."""
    from wdw_build.views.diff import differences, stages

    old, new = (open_run(path, STAGES) for path in (options.old, options.new))
    compared, progress = stages(old, new), Progress(choose_mode(options.quiet))
    if options.json:
        for stage in compared:
            sys.stdout.buffer.writelines(map(jsonl.encode, differences(stage, old, new, progress)))
            sys.stdout.buffer.write(jsonl.encode(stage))
        return 0
    print(f"from {old.folder}\nto   {new.folder}\n\n{_funnels(old, new, progress)}")
    for stage in compared:
        if not stage.same or stage.causes:
            print(f"\n{stage.stage}: {printable(in_words(stage.typed_causes) or 'no recorded cause')}")
            print("\n".join(_differences(differences(stage, old, new, progress), options.limit)))
    return 0


def _funnels(old: Run, new: Run, progress: Progress) -> str:
    """The records left in both runs after each step."""
    from wdw_build.dataset import facts
    from wdw_build.views.fact_tables import funnel_steps

    before = dict(funnel_steps(facts(old, progress)))
    rows: list[Row] = [
        (step, before.get(step, 0), count, f"{count - before.get(step, 0):+}")
        for step, count in funnel_steps(facts(new, progress))
    ]
    return terminal(Table(("funnel", "before", "after", "change"), rows))


def _differences(found: Iterable[Difference], limit: int) -> Iterator[str]:
    """A line for each kind of difference, and below it the ids, at most ``limit`` (0: all)."""
    by_kind: defaultdict[str, list[Difference]] = defaultdict(list)
    for difference in found:
        by_kind[f"{difference.before} -> {difference.after}"].append(difference)
    if not by_kind:
        yield "  the records and rejections are the same"
    for kind, group in by_kind.items():
        yield printable(f"  {len(group)}  {kind}")
        shown = group[:limit] if limit else group
        for difference in shown:
            yield printable(f"    {difference.id}  {', '.join(difference.fields)}".rstrip())
        if len(group) > len(shown):
            yield f"    … and {len(group) - len(shown)} more"

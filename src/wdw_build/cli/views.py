"""The commands that look at a run: ``summary``, ``trace``, ``verify``, ``datasheet``, ``report`` and ``diff``.

Each command imports its view when called, so other commands start fast.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from wdw_build.cli import render
from wdw_build.cli.base import complete_run, open_pipeline, print_json, print_result, progress_of, run_with_config
from wdw_build.cli.options import ConfigFile, Json, Overrides, Quiet, Seed
from wdw_build.core.progress import printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.causes import Unrecorded, in_words
from wdw_build.dataset import open_run
from wdw_build.errors import CheckError, UsageError
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.views.diff import KINDS, Comparison, Difference, StageDifference, change_of_dataset, reason_of_dataset
from wdw_build.views.table import Row, Table, terminal


def summary(config: ConfigFile, overrides: Overrides, quiet: Quiet = False, as_json: Json = False) -> None:
    """``summary``."""
    show_summary(open_pipeline(config, overrides, quiet=quiet), as_json=as_json)


def show_summary(pipeline: Pipeline, *, as_json: bool) -> None:
    """Print the summary of a complete run."""
    from wdw_build.views.summary import summarise

    totals = summarise(complete_run(pipeline))
    paths = f"dataset: {pipeline.run_folder / 'export'}\nsummary: {pipeline.run_folder / 'summary.json'}"
    print_result(totals, f"{render.summary(totals)}\n\n{paths}", as_json=as_json)


def trace(
    config: ConfigFile,
    overrides: Overrides,
    id: Annotated[str, Argument(metavar="ID", help="id of the article, question or problem")],
    quiet: Quiet = False,
    as_json: Json = False,
    html: Annotated[bool, Option("--html", help="print one self-contained HTML page")] = False,
) -> None:
    """``trace``."""
    from wdw_build.views.blocks import terminal
    from wdw_build.views.record_page import page_html, page_text, record_page

    if as_json and html:
        raise UsageError("give --json or --html, not both")
    run = open_run(config, STAGES, overrides)
    page = record_page(run, id)
    if as_json:
        print_json(page)
    elif html:
        sys.stdout.buffer.write(page_html(page, run).encode())
    else:
        print(page_text(page, terminal(), run))


def verify(config: ConfigFile, overrides: Overrides, quiet: Quiet = False, as_json: Json = False) -> None:
    """``verify``."""
    from wdw_build.verify import verify as verified

    pipeline = open_pipeline(config, overrides, quiet=quiet)
    result = verified(pipeline.run_folder, pipeline.config, pipeline.progress.say)
    lines = []
    for check in result.checks:
        lines.append(f"{'ok  ' if not check.failures else 'FAIL'} {check.name:<28} {check.checked:>8}  {check.promise}")
        lines += [f"       {printable(example)}" for example in check.examples]
    print_result(result, "\n".join(lines), as_json=as_json)
    if not result.ok:
        raise CheckError(
            "the dataset breaks a promise (see above)", hint="wdw-build inspect STAGE --id ID shows a record"
        )


def datasheet(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    out: Annotated[
        str,
        Option(
            "-o",
            "--out",
            metavar="FILE",
            show_default=False,
            help="file to write (default: DATASHEET.md in the run's folder; -: standard output)",
        ),
    ] = "",
) -> None:
    """``datasheet``: writes the datasheet, or with ``--json`` only the audit."""
    from wdw_build.views import card
    from wdw_build.views.summary import summarise

    progress = progress_of(quiet=quiet)
    run, built_with = run_with_config(config, overrides, progress)
    totals = summarise(run)
    audited = card.audit(run, built_with, totals, progress)
    if as_json:
        content, path = jsonl.document(audited), out or "-"
    else:
        content = card.datasheet(audited, totals, built_with, run).encode("utf-8", "replace")
        path = out or str(run.folder / "DATASHEET.md")
    if path == "-":
        sys.stdout.buffer.write(content)
    else:
        Path(path).write_bytes(content)
        print(f"{'audit' if as_json else 'datasheet'}: {path}")


def report(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    against: Annotated[
        Path | None,
        Option(
            "--against", metavar="RUN", help="begin the page with the changes since RUN (a configuration or a folder)"
        ),
    ] = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        Option("-o", "--out", metavar="FILE", help="file to write (default: report.html in the run's folder)"),
    ] = None,
) -> None:
    """``report``."""
    from wdw_build.views import report as reports

    progress = progress_of(quiet=quiet)
    run = open_run(config, STAGES, overrides).require_complete()
    old = open_run(against, STAGES).require_complete() if against is not None else None
    facts = reports.gather(run, seed, progress)
    beside = reports.against(old, run, seed, progress) if old is not None else None
    name = f"report-against-{old.name}.html" if old is not None else "report.html"
    path = out or run.folder / name
    content = reports.page(facts, beside).encode()
    path.write_bytes(content)
    written = {"report": str(path), "bytes": len(content), "problems": facts.counts.dataset.problems}
    print_result(written, f"report: {path}", as_json=as_json)


# ---- diff -----------------------------------------------------------------------------------------------------------

_SIGNS = {"added": "+", "removed": "-", "changed": "~", "rejected-otherwise": "!"}


def diff(
    old: Annotated[Path, Argument(metavar="RUN", help="configuration or folder of the earlier run")],
    new: Annotated[Path, Argument(metavar="RUN2", help="configuration or folder of the later run")],
    limit: Annotated[
        int, Option("-n", "--limit", min=0, metavar="N", help="print at most N ids of each kind and stage (0: all)")
    ] = 10,
    quiet: Quiet = False,
    as_json: Annotated[bool, Option("--json", help="print every difference, then every stage, as JSON lines")] = False,
) -> None:
    """Compare two runs and print the differences."""
    comparison = Comparison(open_run(old, STAGES), open_run(new, STAGES))
    groups = comparison.groups(progress_of(quiet=quiet))
    if as_json:
        for group in groups:
            sys.stdout.buffer.writelines(map(jsonl.encode, group))
        sys.stdout.buffer.writelines(map(jsonl.encode, comparison.stages()))
        return
    # By stage, since the comparison yields differences by id: lines, at most ``limit`` of each kind (0: all), and counts by kind.
    lines: dict[str, list[str]] = defaultdict(list)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    problems: Counter[tuple[str, str]] = Counter()
    for group in groups:
        for difference in group:
            counts[difference.stage][difference.change] += 1
            if not limit or counts[difference.stage][difference.change] <= limit:
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
                if limit and count > limit:
                    print(f"  {_SIGNS[change]} … and {count - limit} more {change.replace('-', ' ')}")


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

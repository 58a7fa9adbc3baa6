"""The commands that look at a run: ``summary``, ``trace``, ``explore``, ``verify``, ``card`` and ``report``.

Each command imports its view when called, so other commands start fast.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from wdw_build.cli import render
from wdw_build.cli.base import complete_run, json_of, open_pipeline, print_json, run_with_config
from wdw_build.cli.serving import serve_until_stopped
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.dataset import open_run
from wdw_build.errors import CheckError, UsageError
from wdw_build.pipeline import STAGES, Pipeline


def summary(options: argparse.Namespace) -> int:
    """``summary``."""
    return show_summary(options, open_pipeline(options))


def show_summary(options: argparse.Namespace, pipeline: Pipeline) -> int:
    """Print the summary of a complete run."""
    from wdw_build.views.summary import summarise

    totals = summarise(complete_run(pipeline))
    if options.json:
        print_json(totals)
    else:
        print(render.summary(totals))
        print(f"\ndataset: {pipeline.run_folder / 'export'}\nsummary: {pipeline.run_folder / 'summary.json'}")
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
        from wdw_build.views.trace.page import page

        sys.stdout.buffer.write(page(traced).encode())
    else:
        from wdw_build.views.trace.terminal import terminal, text

        print(text(traced, terminal()))
    return 0


def explore(options: argparse.Namespace) -> int:
    """``explore``: serves until Ctrl-C."""
    from wdw_build.web.base import Access, Listener
    from wdw_build.web.explore import make_app

    pipeline = open_pipeline(options)
    run = open_run(options.config, STAGES, options.overrides)
    listener, access = Listener(options.host, options.port), Access.fresh()
    app = make_app(run, pipeline.progress, access, listener)
    address = listener.address(access.owner)

    def ready() -> None:
        if options.json:
            print_json({"url": address})
        else:
            print(
                f"{address}\nKeep this address secret: anyone who has it can read the corpus. Ctrl-C stops the server."
            )

    serve_until_stopped("explore", app, listener, pipeline.progress, ready)
    return 0


def verify(options: argparse.Namespace) -> int:
    """``verify``."""
    from wdw_build.verify import verify as check

    pipeline = open_pipeline(options)
    result = check(pipeline.run_folder, pipeline.config, pipeline.progress.say)
    if options.json:
        print_json(result)
    else:
        print(render.checks(result))
    if not result.ok:
        raise CheckError(
            "the dataset breaks a promise (see above)", hint="wdw-build inspect STAGE --id ID shows a record"
        )
    return 0


def card(options: argparse.Namespace) -> int:
    """``card``: writes the datasheet, or with ``--json`` only the audit."""
    from wdw_build.views.card import audit, datasheet
    from wdw_build.views.summary import summarise

    run, config, progress = run_with_config(options)
    totals = summarise(run)
    audited = audit(run, config, totals, progress)
    if options.json:
        content, path = json_of(audited), options.out or "-"
    else:
        content = datasheet(audited, totals, config, run).encode("utf-8", "replace")
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
    path = options.output or run.folder / name
    content = page(facts, beside).encode()
    path.write_bytes(content)
    if options.json:
        print_json({"report": str(path), "bytes": len(content), "problems": facts.counts.dataset.problems})
    else:
        print(f"report: {path}")
    return 0

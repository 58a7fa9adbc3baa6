"""What each command does; every function returns the exit code."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from wdw_build import dataset
from wdw_build.cli import render
from wdw_build.cli.doctor import doctor
from wdw_build.cli.export import export, rebuild
from wdw_build.cli.inspect import inspect
from wdw_build.core.config.loading import as_yaml, load_config
from wdw_build.core.config.settings import Config
from wdw_build.core.run.progress import Progress, choose_mode
from wdw_build.core.store import jsonl
from wdw_build.dataset import Run
from wdw_build.errors import CheckError, UsageError
from wdw_build.pipeline import BY_NAME, STAGES, Pipeline, between, stage_named
from wdw_build.views.summary import summarise
from wdw_build.views.trace import open_run
from wdw_build.views.trace.terminal import terminal


def _pipeline(options: argparse.Namespace) -> Pipeline:
    loaded = load_config(options.config, options.overrides)
    progress = Progress(choose_mode(options.quiet))
    for warning in loaded.warnings:
        progress.say(f"warning: {warning}")
    return Pipeline(loaded.config, progress)


def _print_json(value: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def _complete_run(pipeline: Pipeline) -> Run:
    """The run, all of whose outputs are up to date. Raises ``UsageError`` if one is not."""
    return Run(pipeline.run_folder, STAGES, pipeline.ready())


def _rows(pipeline: Pipeline, names: list[str] | None, *, force: bool) -> list[render.StepRow]:
    named = set(names or BY_NAME) if force else set()
    return [render.step_row(step, forced=step.stage.name in named) for step in pipeline.plan(names)]


def _plan(options: argparse.Namespace, pipeline: Pipeline) -> int:
    rows = _rows(pipeline, None, force=False)
    if options.json:
        _print_json(rows)
    else:
        print(render.plan(rows))
    would_run = any(row.would_run for row in rows)
    if getattr(options, "check", False) and would_run:
        raise CheckError("not every stage is up to date", hint="wdw-build all with the same options")
    return 0


def _dry_run(options: argparse.Namespace, pipeline: Pipeline, names: list[str] | None) -> int:
    """The plan; if a stage would run, how long that takes."""
    from wdw_build.cli.estimate import shown
    from wdw_build.estimate import estimate

    rows = _rows(pipeline, names, force=options.force)
    running = [] if options.no_estimate else [row.stage for row in rows if row.would_run]
    if not options.json:
        # Before the estimate: it takes a while, and may find that something is missing.
        print(render.plan(rows), flush=True)
    found = estimate(pipeline, names, running) if running else None
    if options.json:
        _print_json({"plan": rows, "estimate": found})
    elif found is not None:
        print(f"\n{shown(found)}")
    return 0


def run_all(options: argparse.Namespace) -> int:
    """``all``."""
    if options.no_estimate and not options.dry_run:
        raise UsageError("--no-estimate belongs to --dry-run", hint="wdw-build all --dry-run --no-estimate")
    pipeline = _pipeline(options)
    if options.dry_run:
        return _dry_run(options, pipeline, None)
    pipeline.run(force=options.force)
    return _show_summary(options, pipeline)


def _show_summary(options: argparse.Namespace, pipeline: Pipeline) -> int:
    summary = summarise(_complete_run(pipeline))
    if options.json:
        _print_json(summary)
    else:
        print(render.summary(summary))
        print(f"\ndataset: {pipeline.run_folder / 'export'}\nsummary: {pipeline.run_folder / 'summary.json'}")
    return 0


def run_stage(options: argparse.Namespace) -> int:
    """``run``."""
    if options.no_estimate and not options.dry_run:
        raise UsageError("--no-estimate belongs to --dry-run", hint="wdw-build run STAGE --dry-run --no-estimate")
    if options.stage and (options.first or options.last):
        raise UsageError("give a stage or --from/--to, not both")
    if options.only is not None and not options.stage:
        raise UsageError("--only needs one stage", hint="wdw-build run STAGE --only ID")
    if not options.stage and not (options.first or options.last):
        raise UsageError("which stage?", hint=f"wdw-build run STAGE; stages: {', '.join(BY_NAME)}")
    pipeline = _pipeline(options)
    if options.only is not None:
        return _run_only(options, pipeline)
    names = [stage_named(options.stage).name] if options.stage else between(options.first, options.last)
    if options.dry_run:
        return _dry_run(options, pipeline, names)
    ran = pipeline.run(names, force=options.force)
    if options.json:
        _print_json({"ran": ran})
    else:
        print(f"ran: {', '.join(ran)}" if ran else "nothing to do: up to date")
    return 0


def _run_only(options: argparse.Namespace, pipeline: Pipeline) -> int:
    with tempfile.TemporaryDirectory(prefix="wdw-only-") as folder:
        results = list(pipeline.only(options.stage, options.only, Path(folder)))
    if not results:
        raise UsageError(f"{options.stage} gave nothing for {options.only!r}: no such input")
    for result in results:
        if options.json:
            sys.stdout.buffer.write(jsonl.encode(result))
        else:
            print(render.record(result, terminal()))
    return 0


def status(options: argparse.Namespace) -> int:
    """``status``."""
    return _plan(options, _pipeline(options))


def summary(options: argparse.Namespace) -> int:
    """``summary``."""
    return _show_summary(options, _pipeline(options))


def inspect_stage(options: argparse.Namespace) -> int:
    """``inspect``."""
    return inspect(options, _pipeline(options))


def trace(options: argparse.Namespace) -> int:
    """``trace``."""
    from wdw_build.views.trace import trace as follow

    if options.json and options.html:
        raise UsageError("give --json or --html, not both")
    pipeline = _pipeline(options)
    run = open_run(pipeline.run_folder, STAGES)
    if options.as_passage and "retrieve" in run.outputs:
        made = run.outputs["retrieve"].manifest
        with pipeline.progress.bar("trace", made.written + made.rejected, "questions") as bar:
            found = follow(run, options.id, bar.advance)
    else:
        found = follow(run, options.id)
    if options.json:
        _print_json(found)
    elif options.html:
        from wdw_build.views.trace.page import page

        sys.stdout.buffer.write(page(found).encode())
    else:
        from wdw_build.views.trace.terminal import text

        print(text(found, terminal()))
    return 0


def explore(options: argparse.Namespace) -> int:
    """``explore``: serves until it is interrupted."""
    from wdw_build.web.explore import serve

    pipeline = _pipeline(options)

    def ready(address: str) -> None:
        if options.json:
            _print_json({"url": address})
        else:
            print(f"{address}\nThe address is for you alone: who has it can read the corpus. Ctrl-C ends.")
        sys.stdout.flush()

    serve(open_run(pipeline.run_folder, STAGES), options.port, pipeline.progress, ready)
    return 0


def verify(options: argparse.Namespace) -> int:
    """``verify``."""
    from wdw_build.verify import verify as check

    pipeline = _pipeline(options)
    report = check(pipeline.run_folder, pipeline.config, pipeline.progress.say)
    if options.json:
        _print_json(report)
    else:
        print(render.checks(report))
    if not report.ok:
        raise CheckError(
            "the dataset breaks a promise (see above)", hint="wdw-build inspect STAGE --id ID  shows a record"
        )
    return 0


def quality(options: argparse.Namespace) -> int:
    """``quality``: ``--sample`` draws a sheet, ``--score`` scores one."""
    if options.score is not None:
        return _score_sheet(options)
    from wdw_build.views.quality import draw_sheet, write_sheet

    pipeline = _pipeline(options)
    seed, split = options.seed or 0, options.split or ""
    name = f"{seed}-{options.sample}" + (f"-{split}" if split else "")
    lines, key = draw_sheet(pipeline.ready(), options.sample, seed, split)
    written = write_sheet(pipeline.run_folder / "quality" / name, lines, key)
    if options.json:
        _print_json(written)
    else:
        print(render.sheet(written))
    return 0


def _score_sheet(options: argparse.Namespace) -> int:
    from wdw_build.views.quality import find_key, read_answers, score

    if options.split is not None or options.seed is not None:
        raise UsageError("--score takes neither --seed nor --from: the answers say which sheet they are for")
    answers = read_answers(options.score)
    result = score(answers, find_key(_pipeline(options).run_folder / "quality", answers.sheet))
    if options.json:
        _print_json(result)
    else:
        print(render.score(result))
    return 0


def export_format(options: argparse.Namespace) -> int:
    """``export``."""
    return export(options, _pipeline(options))


def card(options: argparse.Namespace) -> int:
    """``card``: the datasheet, or with ``--json`` the audit alone."""
    from wdw_build.views.card import audit, datasheet

    pipeline = _pipeline(options)
    run = _complete_run(pipeline)
    summary = summarise(run)
    found = audit(run, pipeline.config, summary, pipeline.progress)
    if options.json:
        made, place = msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n", options.out or "-"
    else:
        made = datasheet(found, summary, pipeline.config, run).encode("utf-8", "replace")
        place = options.out or str(pipeline.run_folder / "DATASHEET.md")
    if place == "-":
        sys.stdout.buffer.write(made)
    else:
        Path(place).write_bytes(made)
        print(f"{'audit' if options.json else 'datasheet'}: {place}")
    return 0


def report(options: argparse.Namespace) -> int:
    """``report``."""
    from wdw_build.views.report import against, gather, page

    progress = Progress(choose_mode(options.quiet))
    run = dataset.open_run(options.config, STAGES, options.overrides).require_complete()
    old = dataset.open_run(options.against, STAGES).require_complete() if options.against is not None else None
    facts = gather(run, options.seed, progress)
    beside = against(old, run, options.seed, progress) if old is not None else None
    name = f"report-against-{old.name}.html" if old is not None else "report.html"
    path = options.output or run.folder / name
    content = page(facts, beside).encode()
    path.write_bytes(content)
    if options.json:
        _print_json({"report": str(path), "bytes": len(content), "problems": facts.counts.dataset.problems})
    else:
        print(f"report: {path}")
    return 0


def diff(options: argparse.Namespace) -> int:
    """``diff``."""
    from wdw_build.cli.differences import diff as show

    return show(options)


def config(options: argparse.Namespace) -> int:
    """``config show|check|schema``."""
    if options.action == "schema":
        _print_json(msgspec.json.schema(Config))
        return 0
    pipeline = _pipeline(options)
    if options.action == "show":
        if options.json:
            _print_json(pipeline.config)
        else:
            print(as_yaml(pipeline.config), end="")
        return 0
    pipeline.ports.get("reader")
    pipeline.ports.get("exporters")
    if options.json:
        _print_json({"ok": True})
    else:
        print(f"{options.config}: ok")
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "all": run_all,
    "run": run_stage,
    "status": status,
    "inspect": inspect_stage,
    "trace": trace,
    "explore": explore,
    "summary": summary,
    "verify": verify,
    "quality": quality,
    "export": export_format,
    "rebuild": rebuild,
    "card": card,
    "report": report,
    "diff": diff,
    "config": config,
    "doctor": doctor,
}

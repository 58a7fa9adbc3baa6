"""What each command does; every function returns the exit code."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.cli import render
from wdw_build.cli.doctor import doctor
from wdw_build.cli.inspect import inspect
from wdw_build.core import jsonl
from wdw_build.core.loading import as_yaml, load_config
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.settings import Config
from wdw_build.core.store import Output
from wdw_build.errors import CheckFailed, FixCommand
from wdw_build.pipeline import BY_NAME, STAGES, Pipeline, between, stage_named
from wdw_build.summary import Summary, summarise
from wdw_build.trace import open_run
from wdw_build.trace.terminal import terminal


def _pipeline(options: argparse.Namespace) -> Pipeline:
    loaded = load_config(options.config, options.overrides)
    return Pipeline(loaded.config, Progress(choose_mode(options.quiet)))


def _print_json(value: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def _outputs(pipeline: Pipeline) -> dict[str, Output]:
    """The outputs of a run whose stages fit together. Raises ``FixCommand`` if one is not up to date."""
    outputs: dict[str, Output] = {}
    for step in pipeline.plan():
        if step.output is None:
            raise FixCommand(
                f"stage {step.stage.name} is not up to date: {'; '.join(step.reasons)}",
                hint="wdw-build all with the same options brings every stage up to date and summarises",
            )
        outputs[step.stage.name] = step.output
    return outputs


def _summary(pipeline: Pipeline) -> Summary:
    return summarise(pipeline.run_folder, _outputs(pipeline))


def _plan(options: argparse.Namespace, pipeline: Pipeline, names: list[str] | None, *, force: bool) -> int:
    steps = pipeline.plan(names)
    named = set(names or BY_NAME) if force else set()
    rows = [render.step_row(step, forced=step.stage.name in named) for step in steps]
    if options.json:
        _print_json(rows)
    else:
        print(render.plan(rows))
    would_run = any(row.would_run for row in rows)
    if getattr(options, "check", False) and would_run:
        raise CheckFailed("not every stage is up to date", hint="wdw-build all with the same options")
    return 0


def run_all(options: argparse.Namespace) -> int:
    """``all``."""
    pipeline = _pipeline(options)
    if options.dry_run:
        return _plan(options, pipeline, None, force=options.force)
    pipeline.run(force=options.force)
    return _show_summary(options, pipeline)


def _show_summary(options: argparse.Namespace, pipeline: Pipeline) -> int:
    summary = _summary(pipeline)
    if options.json:
        _print_json(summary)
    else:
        print(render.summary(summary))
        print(f"\ndataset: {pipeline.run_folder / 'export'}\nsummary: {pipeline.run_folder / 'summary.json'}")
    return 0


def run_stage(options: argparse.Namespace) -> int:
    """``run``."""
    if options.stage and (options.first or options.last):
        raise FixCommand("give a stage or --from/--to, not both")
    if options.only is not None and not options.stage:
        raise FixCommand("--only needs one stage", hint="wdw-build run STAGE --only ID")
    if not options.stage and not (options.first or options.last):
        raise FixCommand("which stage?", hint=f"wdw-build run STAGE; stages: {', '.join(BY_NAME)}")
    pipeline = _pipeline(options)
    if options.only is not None:
        return _run_only(options, pipeline)
    names = [stage_named(options.stage).name] if options.stage else between(options.first, options.last)
    if options.dry_run:
        return _plan(options, pipeline, names, force=options.force)
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
        raise FixCommand(f"{options.stage} gave nothing for {options.only!r}: no such input")
    for result in results:
        if options.json:
            sys.stdout.buffer.write(jsonl.encode(result))
        else:
            print(render.record(result, terminal()))
    return 0


def status(options: argparse.Namespace) -> int:
    """``status``."""
    return _plan(options, _pipeline(options), None, force=False)


def summary(options: argparse.Namespace) -> int:
    """``summary``."""
    return _show_summary(options, _pipeline(options))


def inspect_stage(options: argparse.Namespace) -> int:
    """``inspect``."""
    return inspect(options, _pipeline(options))


def trace(options: argparse.Namespace) -> int:
    """``trace``."""
    from wdw_build.trace import trace as follow

    if options.json and options.html:
        raise FixCommand("give --json or --html, not both")
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
        from wdw_build.trace.page import page

        sys.stdout.buffer.write(page(found).encode())
    else:
        from wdw_build.trace.terminal import text

        print(text(found, terminal()))
    return 0


def explore(options: argparse.Namespace) -> int:
    """``explore``: serves until it is interrupted."""
    from wdw_build.explore import serve

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
        raise CheckFailed(
            "the dataset breaks a promise (see above)", hint="wdw-build inspect STAGE --id ID  shows a record"
        )
    return 0


def quality(options: argparse.Namespace) -> int:
    """``quality``: ``--sample`` draws a sheet, ``--score`` scores one."""
    if options.score is not None:
        return _score_sheet(options)
    from wdw_build.quality import draw_sheet, write_sheet

    pipeline = _pipeline(options)
    seed, split = options.seed or 0, options.split or ""
    name = f"{seed}-{options.sample}" + (f"-{split}" if split else "")
    lines, key = draw_sheet(_outputs(pipeline), options.sample, seed, split)
    written = write_sheet(pipeline.run_folder / "quality" / name, lines, key)
    if options.json:
        _print_json(written)
    else:
        print(render.sheet(written))
    return 0


def _score_sheet(options: argparse.Namespace) -> int:
    from wdw_build.quality import find_key, read_answers, score

    if options.split is not None or options.seed is not None:
        raise FixCommand("--score takes neither --seed nor --from: the answers say which sheet they are for")
    answers = read_answers(options.score)
    result = score(answers, find_key(_pipeline(options).run_folder / "quality", answers.sheet))
    if options.json:
        _print_json(result)
    else:
        print(render.score(result))
    return 0


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
    "config": config,
    "doctor": doctor,
}

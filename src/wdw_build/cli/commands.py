"""The commands that build and write: ``all``, ``run``, ``status``, ``export``, ``rebuild``; and ``gc``, which deletes.

A command takes the parsed options and returns the exit code.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from wdw_build import rebuild as rebuilding
from wdw_build.cli import render, views
from wdw_build.cli.base import open_pipeline, print_json, print_result
from wdw_build.core.config_file import load_config
from wdw_build.core.progress import Progress, choose_mode, printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output, refuse_existing
from wdw_build.core.store.unused import Unused, delete, find_unused
from wdw_build.dataset import Run
from wdw_build.errors import CheckError, CorpusError, UsageError
from wdw_build.estimate import estimate
from wdw_build.pipeline import BY_NAME, STAGES, Pipeline, between, stage_named
from wdw_build.ports import READER
from wdw_build.registry import Backends
from wdw_build.views.blocks import terminal
from wdw_build.views.record_page import record_text
from wdw_build.views.table import Table
from wdw_build.views.table import terminal as table_text


def _rows(pipeline: Pipeline, names: list[str] | None, *, force: bool) -> list[render.StepRow]:
    named = set(names or BY_NAME) if force else set()
    plan = pipeline.plan(names)
    return [render.step_row(step, pipeline.config.run, forced=step.stage.name in named) for step in plan]


def status(options: argparse.Namespace) -> int:
    """``status``."""
    pipeline = open_pipeline(options)
    rows = _rows(pipeline, None, force=False)
    print_result(options, rows, render.plan(rows))
    if options.check and any(row.would_run for row in rows):
        raise CheckError("not every stage is up to date", hint="wdw-build all with the same options")
    if options.check and not all(row.is_current for row in rows):
        raise CheckError(
            "the outputs of the run are not those of this configuration",
            hint=f"wdw-build all with the same options, or -c {pipeline.run_folder / 'config.yaml'} for the run as it was built",
        )
    return 0


def _dry_run(options: argparse.Namespace, pipeline: Pipeline, names: list[str] | None) -> int:
    """Print the plan, and an estimate of the time if a stage would run."""
    # A missing model or tool is said before the plan, which may hash a large corpus.
    pipeline.check_resources(names)
    rows = _rows(pipeline, names, force=options.force)
    running = [] if options.no_estimate else [row.stage for row in rows if row.would_run]
    if not options.json:
        # Print the plan first: the estimate takes a while and may fail on a missing resource.
        print(render.plan(rows), flush=True)
    estimated = estimate(pipeline, names, running) if running else None
    if options.json:
        print_json({"plan": rows, "estimate": estimated})
    elif estimated is not None:
        print(f"\n{render.estimate(estimated)}")
    return 0


def _check_dry_run(options: argparse.Namespace, command: str) -> None:
    if options.no_estimate and not options.dry_run:
        raise UsageError("--no-estimate needs --dry-run", hint=f"wdw-build {command} --dry-run --no-estimate")


def run_all(options: argparse.Namespace) -> int:
    """``all``."""
    _check_dry_run(options, "all")
    pipeline = open_pipeline(options)
    if options.dry_run:
        return _dry_run(options, pipeline, None)
    pipeline.run(force=options.force)
    return views.show_summary(options, pipeline)


def run_stage(options: argparse.Namespace) -> int:
    """``run``."""
    _check_dry_run(options, "run STAGE")
    has_range = bool(options.first or options.last)
    if options.stage and has_range:
        raise UsageError("give a stage or --from/--to, not both")
    if options.only is not None and not options.stage:
        raise UsageError("--only needs a stage", hint="wdw-build run STAGE --only ID")
    if not options.stage and not has_range:
        raise UsageError("no stage given", hint=f"wdw-build run STAGE, with one of {', '.join(BY_NAME)}")
    pipeline = open_pipeline(options)
    if options.only is not None:
        return _run_only(options, pipeline)
    names = [stage_named(options.stage).name] if options.stage else between(options.first, options.last)
    if options.dry_run:
        return _dry_run(options, pipeline, names)
    ran = pipeline.run(names, force=options.force)
    text = f"ran: {', '.join(ran)}" if ran else "nothing to do: up to date"
    print_result(options, {"ran": ran}, text)
    return 0


def _run_only(options: argparse.Namespace, pipeline: Pipeline) -> int:
    with tempfile.TemporaryDirectory(prefix="wdw-only-") as folder:
        results = list(pipeline.only(options.stage, options.only, Path(folder)))
    if not results:
        raise UsageError(f"{options.stage} wrote and rejected nothing for {options.only!r}")
    for result in results:
        if options.json:
            sys.stdout.buffer.write(jsonl.encode(result))
        else:
            print(record_text(result, terminal(), Run(pipeline.run_folder, STAGES, {}), options.stage))
    return 0


def export(options: argparse.Namespace) -> int:
    """``export``: writes into the run's folder by default, and replaces an earlier export with the same names there."""
    pipeline = open_pipeline(options)
    names = options.names or pipeline.config.export.names
    folder = options.out or pipeline.run_folder / ("exports" if names == "original" else f"exports-{names}")
    replace = options.force or options.out is None
    refuse_existing(folder / options.format, replace=replace)
    with atomic_output(folder, replace=replace) as staging:
        problems, made_from = pipeline.export(options.format, names, staging)
        files = sorted(path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file())
        if options.out is None:
            # Not part of the dataset: ``verify`` finds out from it whether the export is of this run.
            (staging / f"{options.format}.made-from.json").write_bytes(jsonl.document(made_from))
    written = {
        "format": options.format,
        "names": names,
        "folder": str(folder),
        "problems": problems,
        "files": files,
    }
    print_result(options, written, f"{options.format}: {problems} problems in {len(files)} files under {folder}")
    return 0


def rebuild(options: argparse.Namespace) -> int:
    """``rebuild``: writes into ``output_dir`` by default, and replaces an earlier rebuilt dataset there.

    Raises ``CorpusError`` if the corpus lacks an article, ``CheckError`` if the dataset differs from the published dataset.
    """
    keys = rebuilding.Keys(options.keys)
    config = load_config(options.corpus, options.overrides)
    folder = options.out or Path(config.output_dir) / "rebuilt"
    replace = options.force or options.out is None
    refuse_existing(folder / "jsonl", replace=replace)
    with atomic_output(folder, replace=replace) as staging:
        reader = Backends(config).get(READER)
        original = options.names == "original"
        lacking = rebuilding.rebuild(keys, reader, staging, Progress(choose_mode(options.quiet)), original=original)
        if options.verify and not lacking:
            rebuilding.compare(keys, staging, original=original)
    if lacking:
        lines = [f"missing  {printable(name)}" for name in lacking.missing]
        lines += [f"differs  {printable(name)}" for name in lacking.differs]
        print_result(options, {"missing": lacking.missing, "differs": lacking.differs}, "\n".join(lines))
        raise CorpusError(
            f"of {keys.header.articles} articles {len(lacking.missing)} are missing and {len(lacking.differs)} differ; "
            "nothing is written",
            hint="use the edition of the corpus, the reader and the options from which the keys were made",
        )
    written = {"folder": str(folder), "problems": keys.header.problems, "verified": options.verify}
    verdict = ", as published" if options.verify else ""
    print_result(options, written, f"{keys.header.problems} problems under {folder}{verdict}")
    return 0


# ---- the store ----------------------------------------------------------------------------------------------------------

_WHY = {
    "output": "no run links to it",
    "staging": "a stopped run left its finished shards",
    "remains": "a deletion was stopped",
}


def gc(options: argparse.Namespace) -> int:
    """``gc``: prints what is unused; with ``--delete``, what was deleted."""
    pipeline = open_pipeline(options)
    found = find_unused(pipeline.root, options.keep_days)
    if options.delete:
        with pipeline.progress.bar("deleting", len(found), "folders") as bar:
            deleted = []
            for unused in found:
                if delete(pipeline.root, unused):
                    deleted.append(unused)
                bar.advance(1)
        found = deleted
    print_result(options, found, _unused_text(found, deleted=options.delete))
    return 0


def _unused_text(found: list[Unused], *, deleted: bool) -> str:
    if not found:
        return (
            "nothing was deleted" if deleted else "nothing to delete: runs link to all outputs, or the rest is too new"
        )
    rows = [[one.path, _WHY[one.kind], f"{one.bytes / 1e6:.1f}", f"{one.days:.1f}"] for one in found]
    total = f"{sum(one.bytes for one in found) / 1e6:.1f} MB"
    last = f"deleted: {total}" if deleted else f"{total}; wdw-build gc --delete with the same options deletes them"
    table = Table(["folder", "why", "MB", "days"], rows, words=2)
    return f"{table_text(table)}\n{last}"

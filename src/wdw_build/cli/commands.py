"""The commands that build and write: ``all``, ``run``, ``status``, ``export``, ``rebuild``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from wdw_build import rebuild as rebuilding
from wdw_build.cli import render, views
from wdw_build.command import ConfigFile, Force, Json, Overrides, Quiet, Workers, stage_names
from wdw_build.command.opened import open_built, open_pipeline, option_for_output, print_json, print_result, progress_of
from wdw_build.core.progress import printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output, refuse_existing
from wdw_build.core.store.output import link
from wdw_build.corpus_look.estimate import estimate
from wdw_build.errors import CheckError, CorpusError, MissingResourceError, UsageError
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.config.file import load_config
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.pipeline.registry import exporter_names, make_reader
from wdw_build.pipeline.stage_order import BY_NAME, between, stage_named
from wdw_build.ports import READER, CorpusReader
from wdw_build.records import Names
from wdw_build.views.blocks import terminal
from wdw_build.views.dataset import Run, open_run
from wdw_build.views.record_page import record_text

Rerun = Annotated[bool, Option("--force", help="run the requested stages even if they are up to date")]
DryRun = Annotated[bool, Option("--dry-run", help="print which stages would run, why, and the estimated time")]
Folder = Annotated[Path | None, Option("-o", "--out", metavar="DIR", help="folder to write into")]


def status(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    check: Annotated[
        bool, Option("--check", help="exit with code 4 if the run is not up to date, and 3 if that is not known")
    ] = False,
) -> None:
    """``status``."""
    pipeline = open_pipeline(config, overrides, quiet=quiet)
    plan = pipeline.plan()
    rows = [render.step_row(step, pipeline.config.run, forced=False) for step in plan]
    print_result(rows, render.plan(rows), as_json=as_json)
    if check and any(row.would_run for row in rows):
        raise CheckError("not every stage is up to date", hint="wdw-build all with the same options")
    if check and not all(row.is_current for row in rows):
        raise CheckError(
            "the outputs of the run are not those of this configuration",
            hint=f"wdw-build all with the same options, or -c {pipeline.run_folder} for the run as it was built",
        )
    if check and (missing := [error for step in plan for error in step.unexamined.values()]):
        raise MissingResourceError(
            f"not known whether the run is up to date: {missing[0].message}",
            hint=missing[0].hint
            + ("" if pipeline.as_built else f"; -c {pipeline.run_folder} reads the run as it was built"),
        )


def _dry_run(pipeline: Pipeline, names: list[str] | None, *, force: bool, as_json: bool) -> None:
    """Print the plan, and an estimate of the time if a stage would run."""
    # A missing model or tool is said before the plan, which may hash a large corpus.
    pipeline.check_resources(names)
    forced, run = set(names or BY_NAME) if force else set[str](), pipeline.config.run
    rows = [render.step_row(step, run, forced=step.stage.name in forced) for step in pipeline.plan(names)]
    running = [row.stage for row in rows if row.would_run]
    if not as_json:
        # Print the plan first: the estimate takes a while and may fail on a missing resource.
        print(render.plan(rows), flush=True)
    estimated = estimate(pipeline, names, running) if running else None
    if as_json:
        print_json({"plan": rows, "estimate": estimated})
    elif estimated is not None:
        print(f"\n{render.estimate(estimated)}")


def run_all(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    workers: Workers = None,
    force: Rerun = False,
    dry_run: DryRun = False,
) -> None:
    """``all``."""
    pipeline = open_pipeline(config, overrides, quiet=quiet, workers=workers)
    if dry_run:
        _dry_run(pipeline, None, force=force, as_json=as_json)
        return
    pipeline.run(force=force)
    views.show_summary(pipeline, as_json=as_json)


def run_stage(
    config: ConfigFile,
    overrides: Overrides,
    stage: Annotated[
        str, Argument(metavar="STAGE", help="stage to run", show_default=False, autocompletion=stage_names)
    ] = "",
    quiet: Quiet = False,
    as_json: Json = False,
    first: Annotated[
        str | None, Option("--from", metavar="STAGE", help="first stage of a range", autocompletion=stage_names)
    ] = None,
    last: Annotated[
        str | None, Option("--to", metavar="STAGE", help="last stage of a range", autocompletion=stage_names)
    ] = None,
    only: Annotated[
        str | None,
        Option("--only", metavar="ID", help="process a single record and print the result, without storing it"),
    ] = None,
    workers: Workers = None,
    force: Rerun = False,
    dry_run: DryRun = False,
) -> None:
    """``run``."""
    has_range = bool(first or last)
    if stage and has_range:
        raise UsageError(
            "give a stage or --from/--to, not both", hint="wdw-build run STAGE, or wdw-build run --to STAGE"
        )
    if only is not None and not stage:
        raise UsageError("--only needs a stage", hint="wdw-build run STAGE --only ID")
    if not stage and not has_range:
        raise UsageError("no stage given", hint=f"wdw-build run STAGE, with one of {', '.join(BY_NAME)}")
    pipeline = open_pipeline(config, overrides, quiet=quiet, workers=workers)
    if only is not None:
        _run_only(pipeline, stage, only, as_json=as_json)
        return
    names = [stage_named(stage).name] if stage else between(first, last)
    if dry_run:
        _dry_run(pipeline, names, force=force, as_json=as_json)
        return
    before = pipeline.links()
    ran = pipeline.run(names, force=force)
    linked = [name for name, folder in pipeline.links().items() if before.get(name) != folder and name not in ran]
    done = [f"ran: {', '.join(ran)}"] * bool(ran)
    done += [f"taken from the store, so that the run has other outputs now: {', '.join(linked)}"] * bool(linked)
    text = "\n".join(done) or "nothing to do: up to date"
    if stale := open_run(pipeline.run_folder).stale:
        text += (
            f"\nout of date in this run: {', '.join(stale)}; wdw-build all with the same options brings them up to date"
        )
    print_result({"ran": ran, "linked": linked, "stale": stale}, text, as_json=as_json)


def _run_only(pipeline: Pipeline, stage: str, record: str, *, as_json: bool) -> None:
    results = list(pipeline.only(stage, record))
    if not results:
        raise UsageError(f"{stage} wrote and rejected nothing for {record!r}")
    for result in results:
        if as_json:
            sys.stdout.buffer.write(jsonl.encode(result))
        else:
            print(record_text(result, terminal(), Run(pipeline.run_folder, {}), stage))


def export(
    config: ConfigFile,
    overrides: Overrides,
    form: Annotated[
        str, Argument(metavar="FORMAT", help="jsonl, wdw-xml, squad, parquet, keys, …", autocompletion=exporter_names)
    ],
    quiet: Quiet = False,
    as_json: Json = False,
    names: Annotated[Names | None, Option("--names", help="names of persons (default: export.names)")] = None,
    out: Folder = None,
    force: Force = False,
) -> None:
    """``export``: writes into the run's folder by default, and replaces an earlier export with the same names there."""
    pipeline = open_built(config, overrides, quiet=quiet)
    names = names or pipeline.config.export.names
    folder = out or pipeline.run_folder / ("exports" if names == "original" else f"exports-{names}")
    replace = force or out is None
    if folder.resolve().is_relative_to((pipeline.root / "store").resolve()):
        raise UsageError(f"{folder} is a stored output of the run", hint="-o DIR with another folder")
    refuse_existing(folder / form, replace=replace)
    with option_for_output(folder, "-o DIR"), atomic_output(folder, replace=replace) as staging:
        exported = pipeline.export(form, names, staging)
        files = sorted(path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file())
        if out is None:
            # Not part of the dataset: ``verify`` finds out from it whether the export is of this run.
            (staging / f"{form}.made-from.json").write_bytes(jsonl.document(exported.made_from))
    if out is None:
        # The links of a run are not changed. ``gc`` keeps what an export was made from, and ``verify`` finds it.
        for name, output in exported.on_demand.items():
            link(folder / name, output.folder)
    count = exported.problems
    written = {"format": form, "names": names, "folder": str(folder), "problems": count, "files": files}
    print_result(written, f"{form}: {count} problems in {len(files)} files under {folder}", as_json=as_json)


def _corpus_reader(path: Path, overrides: list[str], described: dict[str, Any]) -> tuple[CorpusReader, Path]:
    """The reader of a copy of the corpus, of a configuration or as the keys describe it, and the default output folder."""
    if path.suffix.lower() in (".yaml", ".yml"):
        config = load_config(path, overrides)
        return Backends(config).get(READER), Path(config.output_dir) / "rebuilt"
    if overrides or not described:
        problem = "--set changes a configuration" if overrides else "the keys do not say how to read the corpus"
        raise UsageError(problem, hint="--corpus FILE.yaml, with a section corpus")
    return make_reader(described["reader"], path.absolute(), described["options"]), Path("rebuilt")


def rebuild(
    overrides: Overrides,
    keys: Annotated[Path, Argument(metavar="KEYS", help="folder that contains keys.json")],
    corpus: Annotated[
        Path,
        Option("--corpus", metavar="PATH", help="your copy of the corpus, or a YAML file that says how to read it"),
    ],
    quiet: Quiet = False,
    as_json: Json = False,
    names: Annotated[
        Literal["published", "original"],
        Option("--names", help="names of persons: as published, or as in the articles"),
    ] = "published",
    verify: Annotated[
        bool, Option("--verify", help="compare the result with the published dataset; exit with code 4 if they differ")
    ] = False,
    out: Folder = None,
    force: Force = False,
) -> None:
    """``rebuild``: writes into ``output_dir``, or the folder ``rebuilt``, and replaces an earlier rebuilt dataset there.

    Raises ``CorpusError`` if the corpus lacks an article, ``CheckError`` if the dataset differs from the published dataset.
    """
    published, is_original = rebuilding.Keys(keys), names == "original"
    reader, rebuilt = _corpus_reader(corpus, overrides, published.header.corpus)
    folder = out or rebuilt
    replace = force or out is None
    refuse_existing(folder / "jsonl", replace=replace)
    with option_for_output(folder, "-o DIR"), atomic_output(folder, replace=replace) as staging:
        lacking = rebuilding.rebuild(published, reader, staging, progress_of(quiet=quiet), original=is_original)
        if verify and not lacking:
            rebuilding.compare(published, staging, original=is_original)
    if lacking:
        lines = [f"missing  {printable(name)}" for name in lacking.missing]
        lines += [f"differs  {printable(name)}" for name in lacking.differs]
        print_result({"missing": lacking.missing, "differs": lacking.differs}, "\n".join(lines), as_json=as_json)
        raise CorpusError(
            f"of {published.header.articles} articles {len(lacking.missing)} are missing and {len(lacking.differs)} differ; "
            "nothing is written",
            hint="use the edition of the corpus, the reader and the options from which the keys were made",
        )
    written = {"folder": str(folder), "problems": published.header.problems, "verified": verify}
    verdict = ", as published" if verify else ""
    print_result(written, f"{published.header.problems} problems under {folder}{verdict}", as_json=as_json)

"""The commands that look at a run: ``summary``, ``trace``, ``verify``, ``datasheet``, ``report``, ``diff`` and ``explore``.

Each command imports its view when called, so other commands start fast.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from wdw_build.command import ConfigFile, Host, Json, Overrides, Quiet, Seed
from wdw_build.command.opened import complete_run, open_built, option_for_output, print_json, print_result, progress_of
from wdw_build.core.progress import Progress, printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import in_words
from wdw_build.errors import CheckError, MissingResourceError, UsageError
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.views.dataset import Run, open_run
from wdw_build.views.table import Table, terminal

if TYPE_CHECKING:
    from wdw_build.records import Problem
    from wdw_build.views.diff import Difference


def summary(config: ConfigFile, overrides: Overrides, quiet: Quiet = False, as_json: Json = False) -> None:
    """``summary``."""
    show_summary(open_built(config, overrides, quiet=quiet), as_json=as_json)


def show_summary(pipeline: Pipeline, *, as_json: bool) -> None:
    """Print the summary of a complete run."""
    from wdw_build.views.dataset import facts
    from wdw_build.views.summary import summary as summary_text

    counted = facts(complete_run(pipeline), pipeline.progress, pipeline)
    paths = f"dataset: {pipeline.run_folder / 'export'}\nsummary: {pipeline.run_folder / 'summary.json'}"
    print_result(counted, f"{summary_text(counted)}\n\n{paths}", as_json=as_json)


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
        raise UsageError("give --json or --html, not both", hint="leave out one of them")
    run = open_run(config, overrides)
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

    pipeline = open_built(config, overrides, quiet=quiet)
    result = verified(pipeline.run_folder, pipeline.config, pipeline.progress.say)
    lines = []
    for check in result.checks:
        lines.append(f"{'ok  ' if not check.failures else 'FAIL'} {check.name:<28} {check.checked:>8}  {check.promise}")
        lines += [f"       {printable(example)}" for example in check.examples]
    print_result(result, "\n".join(lines), as_json=as_json)
    if not result.ok:
        failed = {check.name for check in result.checks if check.failures}
        raise CheckError("the dataset breaks a promise (see above)", hint=_remedy(failed, pipeline.run_folder))


def _remedy(failed: Set[str], run_folder: Path) -> str:
    """What to do about failed checks of ``verify``. What was made from a damaged or outdated output may fail, too."""
    if "files" in failed:
        return "wdw-build all with the same options makes the damaged outputs again"
    if "chain" in failed:
        return (
            "wdw-build all with the same options brings every stage up to date; "
            f"-c {run_folder} checks the run with the configuration of its last build"
        )
    if failed == {"exports"}:
        return "wdw-build export with the format and the names of each export that fails writes it again"
    return "wdw-build inspect STAGE --id ID shows a record"


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
    """``datasheet``."""
    from wdw_build.views.dataset import facts
    from wdw_build.views.datasheet import datasheet as sheet
    from wdw_build.views.sections import sections

    pipeline = open_built(config, overrides, quiet=quiet)
    run = complete_run(pipeline)
    counted = facts(run, pipeline.progress)
    content = sheet(counted, pipeline.config, sections(run, counted)).encode("utf-8", "replace")
    path = out or str(run.folder / "DATASHEET.md")
    if path == "-":
        sys.stdout.buffer.write(content)
    else:
        with option_for_output(Path(path), "-o FILE"):
            Path(path).write_bytes(content)
        print_result({"datasheet": path, "bytes": len(content)}, f"datasheet: {path}", as_json=as_json)


def report(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        Option("-o", "--out", metavar="FILE", help="file to write (default: report.html in the run's folder)"),
    ] = None,
) -> None:
    """``report``."""
    from wdw_build.views.dataset import facts
    from wdw_build.views.report import page
    from wdw_build.views.sections import sections

    pipeline = open_built(config, overrides, quiet=quiet)
    run = complete_run(pipeline)
    counted = facts(run, pipeline.progress)
    content = page(run, counted, sections(run, counted), seed, pipeline.progress).encode()
    path = out or run.folder / "report.html"
    with option_for_output(path, "-o FILE"):
        path.write_bytes(content)
    print_result({"report": str(path), "bytes": len(content)}, f"report: {path}", as_json=as_json)


# ---- diff -----------------------------------------------------------------------------------------------------------


def diff(
    old: Annotated[Path, Argument(metavar="RUN", help="configuration or folder of the earlier run")],
    new: Annotated[Path, Argument(metavar="RUN2", help="configuration or folder of the later run")],
    limit: Annotated[
        int | None,
        Option("-n", "--limit", min=0, metavar="N", help="also print at most N ids of each kind and stage (0: all)"),
    ] = None,
    quiet: Quiet = False,
    as_json: Annotated[bool, Option("--json", help="print every difference, then every stage, as JSON lines")] = False,
) -> None:
    """Compare two runs and print the differences."""
    from wdw_build.views.diff import differences, stages

    before, after = (open_run(path) for path in (old, new))
    compared, progress = stages(before, after), progress_of(quiet=quiet)
    if as_json:
        for stage in compared:
            sys.stdout.buffer.writelines(map(jsonl.encode, differences(stage, before, after, progress)))
            sys.stdout.buffer.write(jsonl.encode(stage))
        return
    print(f"from {before.folder}\nto   {after.folder}\n\n{_counts(before, after, progress)}")
    for stage in compared:
        if not stage.same or stage.causes:
            print(f"\n{stage.stage}: {printable(in_words(stage.typed_causes) or 'no recorded cause')}")
            print("\n".join(_differences(differences(stage, before, after, progress), limit)))


def _counts(old: Run, new: Run, progress: Progress) -> str:
    """The strict, relaxed and test problems of both runs, then the records left after each step."""
    from wdw_build.views.dataset import facts
    from wdw_build.views.fact_tables import funnel_steps

    before, after = (dict(funnel_steps(facts(run, progress))) for run in (old, new))
    named_steps = {
        "strict": "after suppression, strict",
        "relaxed": "after suppression, relaxed",
        "test": "splits, test",
    }
    problems = [(name, before.get(step, 0), after.get(step, 0)) for name, step in named_steps.items()]
    steps = [(step, before.get(step, 0), count) for step, count in after.items() if step not in named_steps.values()]
    strict = [{decision.id for decision in run.decisions if decision.strict} for run in (old, new)]
    both = strict[0] & strict[1]
    changed = sum(len({_texts(run.distinct_problems.find(name)) for run in (old, new)}) > 1 for name in both)
    tables = [
        terminal(Table((head, "before", "after", "change"), [(*row, f"{row[2] - row[1]:+}") for row in rows]))
        for head, rows in (("problems", problems), ("funnel", steps))
    ]
    only_before, only_after = (len(names - both) for names in strict)
    tables[0] += (
        f"\nstrict: {len(both) - changed:,} the same, {changed:,} changed, {only_before:,} only before, {only_after:,} only after"
    )
    return "\n\n".join(tables)


def _texts(problem: Problem | None) -> tuple[object, ...]:
    """Question, passage, choices and answer, without sources and scores."""
    if problem is None:
        return ()
    question, passage, names = problem.question, problem.passage, (choice.name for choice in problem.choices)
    return question.sentence, question.blank, passage.article, passage.title, passage.text, problem.answer, *names


def _differences(differences: Iterable[Difference], limit: int | None) -> Iterator[str]:
    """A line for each kind of difference, and below it at most ``limit`` ids (0: all; None: none)."""
    by_kind: defaultdict[str, list[Difference]] = defaultdict(list)
    for difference in differences:
        by_kind[f"{difference.before} -> {difference.after}"].append(difference)
    if not by_kind:
        yield "  the records and rejections are the same"
    for kind, group in by_kind.items():
        fields = ", ".join(dict.fromkeys(field for difference in group for field in difference.fields))
        yield printable(f"  {len(group)}  {kind}{f' ({fields})' if fields else ''}")
        if limit is None:
            continue
        listed = group[:limit] if limit else group
        for difference in listed:
            yield printable(f"    {difference.id}  {', '.join(difference.fields)}".rstrip())
        if len(group) > len(listed):
            yield f"    … and {len(group) - len(listed)} more"


# ---- explore ---------------------------------------------------------------------------------------------------------


def explore(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    sqlite: Annotated[
        Path | None,
        Option("--sqlite", metavar="FILE", help="file to write (default: explore.sqlite in the run's folder)"),
    ] = None,
    no_serve: Annotated[bool, Option("--no-serve", help="only write the file")] = False,
    host: Host = "127.0.0.1",
    port: Annotated[int, Option("--port", min=1, metavar="N", help="port to listen on")] = 8001,
) -> None:
    """``explore``."""
    from wdw_build.views.explore_file import write_file

    if not no_serve and importlib.util.find_spec("datasette") is None:
        raise MissingResourceError(
            "explore serves a run with datasette, which is not installed",
            hint="pip install 'wdw-build[explore]'; --no-serve only writes the SQLite file",
        )
    run = open_run(config, overrides)
    path = sqlite or run.folder / "explore.sqlite"
    try:
        write_file(run, path, progress_of(quiet=quiet))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint="--sqlite FILE names another place") from error
    print_result({"sqlite": str(path)}, f"sqlite: {path}", as_json=as_json)
    if not no_serve:
        _serve(path, run.name, host, port)


def _serve(path: Path, run: str, host: str, port: int) -> None:
    """Serve until Ctrl-C. datasette prints an address with a token, which opens the pages in one browser."""
    from datasette.cli import cli

    from wdw_build.views.explore_file import metadata

    print("The address opens the whole corpus: keep it secret. Ctrl-C stops the server.", flush=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as described:
        json.dump(metadata(run, path.stem), described)
        described.flush()
        arguments = ["--immutable", str(path), "--metadata", described.name, "--root"]
        arguments += ["--setting", "truncate_cells_html", "300", "--host", host, "--port", str(port)]
        cli.main(["serve", *arguments], standalone_mode=False)

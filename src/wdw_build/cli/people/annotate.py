"""``annotate sheet`` and ``annotate import``: the offline forms of a sheet."""

from __future__ import annotations

import argparse

import msgspec

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.cli.base import complete_run, open_pipeline, print_result
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES
from wdw_build.views.sheet import page
from wdw_study.offline_forms import import_answers, read_answers, sheet_lines, write_lines
from wdw_study.private_files import write_private
from wdw_study.sheet_draw import DrawOptions, draw_sheet
from wdw_study.sheet_folder import PAGE, SheetFolder, open_or_draw, open_sheet, sheet_with_hash
from wdw_study.sheets import Sheet


def sheet(options: argparse.Namespace) -> int:
    """``annotate sheet``."""
    folder, _ = open_or_draw_sheet(options)
    lines = write_lines(folder)
    write_private(folder.path / PAGE, page(sheet_lines(folder)).encode())
    written = {"sheet": folder.sheet.name, "page": str(folder.path / PAGE), "lines": str(lines)}
    paths = f"for readers:  {written['page']}\nfor programs: {written['lines']}"
    print_result(options, written, f"{title_of(folder.sheet)}\n{paths}")
    return 0


def import_(options: argparse.Namespace) -> int:
    """``annotate import``."""
    saved = read_answers(options.answers)
    folder = sheet_with_hash(open_run(options.config, STAGES, options.overrides).folder, saved.sheet)
    changes = import_answers(folder, saved, options.person)
    what = f"{changes} changes" if changes else "nothing new"
    found = {"sheet": folder.sheet.name, "person": options.person, "changes": changes}
    print_result(options, found, f"sheet {folder.sheet.name}: {what} from {options.answers}")
    return 0


def open_or_draw_sheet(options: argparse.Namespace) -> tuple[SheetFolder, Progress]:
    """The sheet of the options, drawn if it does not exist."""
    progress = Progress(choose_mode(options.quiet))
    run = open_run(options.config, STAGES, options.overrides)
    if options.sheet:
        return open_sheet(run.folder, options.sheet), progress
    draw = msgspec.structs.replace(
        drawn_as(options),
        strata=tuple(filter(None, map(str.strip, options.strata.split(",")))),
        condition=options.condition,
        task=options.task,
    )
    # A run's folder is taken as it is; the run of a configuration must have been made with it.
    run = run.require_complete() if options.config.is_dir() else complete_run(open_pipeline(options))
    sheet, problems = draw_sheet(run, draw, PunktSplitter().sentences)
    say_if_all("the sheet", sheet.problems, draw, progress)
    return open_or_draw(run.folder, sheet.name, lambda: (sheet, problems)), progress


def drawn_as(options: argparse.Namespace) -> DrawOptions:
    """The draw that the options of ``add_draw`` ask for."""
    return DrawOptions(
        problems=options.problems or DrawOptions().problems,
        or_all=options.problems is None,
        seed=options.seed,
        source=options.source,
    )


def say_if_all(what: str, problems: int, draw: DrawOptions, progress: Progress) -> None:
    """Log that the sheet or sample has all problems, if there are fewer than the draw asks for."""
    if problems < draw.problems:
        progress.say(f"{what} has all {problems} problems, because there are fewer than {draw.problems}")


def title_of(sheet: Sheet) -> str:
    """The name and the size of a sheet, in words."""
    twins = f", {sheet.twins} with a twin on the sheet" if sheet.twins else ""
    return f"sheet {sheet.name}: {sheet.problems} problems{twins}"

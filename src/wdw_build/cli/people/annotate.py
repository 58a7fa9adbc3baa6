"""``annotate``: serves the pages of a sheet, writes its offline forms, and imports answers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import msgspec

from wdw_build.cli.base import complete_run, open_pipeline, print_json, serve_to_people
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES

if TYPE_CHECKING:
    from wdw_build.annotation.sheet_draw import DrawOptions
    from wdw_build.annotation.sheet_folder import SheetFolder
    from wdw_build.annotation.sheets import Sheet


def annotate(options: argparse.Namespace) -> int:
    """``annotate serve|sheet|import|score``."""
    return {"serve": _serve, "sheet": _sheet, "import": _import, "score": _score}[options.action](options)


def _serve(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C, then say where the answers are."""
    from wdw_build.annotation.sheet_folder import count_answers
    from wdw_build.web.annotate import annotate_app
    from wdw_build.web.base import Listener

    folder, progress = _folder(options)
    serve_to_people(
        options,
        Listener(options.host, options.port),
        lambda access, listener: annotate_app(folder, access, listener),
        progress,
        secrets=folder.secrets,
        facts={"sheet": folder.sheet.name, "folder": str(folder.path)},
        title=_title(folder.sheet),
        people="annotators",
        shown="the key",
    )
    persons, answers = count_answers(folder)
    progress.say(
        f"{answers} answers (people: {persons}) are in {folder.path}; to score them: "
        f"wdw-build annotate score -c {options.config} --sheet {folder.sheet.name}"
    )
    return 0


def _sheet(options: argparse.Namespace) -> int:
    from wdw_build.annotation.offline_forms import sheet_lines, write_lines
    from wdw_build.annotation.sheet_folder import PAGE
    from wdw_build.views.sheet import page

    folder, _ = _folder(options)
    lines = write_lines(folder)
    replace_file(folder.path / PAGE, page(sheet_lines(folder)).encode())
    written = {"sheet": folder.sheet.name, "page": str(folder.path / PAGE), "lines": str(lines)}
    if options.json:
        print_json(written)
    else:
        print(f"{_title(folder.sheet)}\nfor readers:  {written['page']}\nfor programs: {written['lines']}")
    return 0


def _import(options: argparse.Namespace) -> int:
    from wdw_build.annotation.offline_forms import import_answers, read_answers
    from wdw_build.annotation.sheet_folder import sheet_with_hash

    saved = read_answers(options.answers)
    folder = sheet_with_hash(open_run(options.config, STAGES, options.overrides).folder, saved.sheet)
    changes = import_answers(folder, saved, options.person)
    if options.json:
        print_json({"sheet": folder.sheet.name, "person": options.person, "changes": changes})
    else:
        what = f"{changes} changes" if changes else "nothing new"
        print(f"sheet {folder.sheet.name}: {what} from {options.answers}")
    return 0


def _score(options: argparse.Namespace) -> int:
    from wdw_build.cli.people.annotate_score import annotate_score

    return annotate_score(options)


def _folder(options: argparse.Namespace) -> tuple[SheetFolder, Progress]:
    """The sheet of the options, drawn if it does not exist."""
    from wdw_build.adapters.punkt import PunktSplitter
    from wdw_build.annotation.sheet_draw import draw_sheet
    from wdw_build.annotation.sheet_folder import open_or_draw, open_sheet

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
    from wdw_build.annotation.sheet_draw import DrawOptions

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


def _title(sheet: Sheet) -> str:
    twins = f", {sheet.twins} with a twin on the sheet" if sheet.twins else ""
    return f"sheet {sheet.name}: {sheet.problems} problems{twins}"

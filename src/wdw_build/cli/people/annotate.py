"""The commands of ``annotate``: a sheet of problems that people judge."""

from __future__ import annotations

import argparse

from wdw_build.cli.base import complete_run, open_pipeline, print_result
from wdw_build.cli.people.serve import announce
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES
from wdw_study import actions
from wdw_study.judging.draw import DrawOptions, draw_sheet
from wdw_study.judging.exchange import import_judgements
from wdw_study.judging.sheets import SheetFolder


def serve(options: argparse.Namespace) -> int:
    """``annotate serve``."""
    from wdw_study.web.server import Listener
    from wdw_study.web.serving import serve_study

    progress, listener = Progress(choose_mode(options.quiet)), Listener(options.host, options.port)
    folder = _open_or_draw(options, progress)
    serve_study(folder, listener, options.invite, announce(options))
    progress.say(f"annotate: stopped; the answers are in {folder.path}; wdw-build annotate score scores them")
    return 0


def _open_or_draw(options: argparse.Namespace, progress: Progress) -> SheetFolder:
    """The sheet of the options, drawn if it does not exist."""
    run = open_run(options.config, STAGES, options.overrides)
    if options.sheet:
        return SheetFolder.open(run.folder, options.sheet)
    # A run's folder is taken as it is; the run of a configuration must have been made with it.
    run = run.require_complete() if options.config.is_dir() else complete_run(open_pipeline(options))
    draw = drawn_as(options, condition=options.condition, task=options.task)
    sheet, problems = draw_sheet(run, draw)
    if sheet.problems < draw.problems:
        progress.say(f"the sheet has all {sheet.problems} problems, because there are fewer than {draw.problems}")
    return SheetFolder.create(run.folder, sheet, problems)


def drawn_as(options: argparse.Namespace, **more: str) -> DrawOptions:
    """The draw that the options ask for."""
    problems = options.problems or DrawOptions().problems
    return DrawOptions(problems=problems, seed=options.seed, source=options.source, **more)  # type: ignore[arg-type]  # choices of the parser


def _opened(options: argparse.Namespace) -> SheetFolder:
    return SheetFolder.open(open_run(options.config, STAGES, options.overrides).folder, options.sheet)


def import_(options: argparse.Namespace) -> int:
    """``annotate import``."""
    folder = _opened(options)
    changes = import_judgements(folder, options.answers)
    found = {"sheet": folder.head.name, "changes": changes}
    print_result(options, found, f"sheet {folder.head.name}: {changes or 'no'} changes from {options.answers}")
    return 0


def score(options: argparse.Namespace) -> int:
    """``annotate score``."""
    print_result(options, *actions.score_sheet(_opened(options), options.persons, options.exclude))
    return 0


def export(options: argparse.Namespace) -> int:
    """``annotate export``."""
    who = options.persons, options.exclude
    print_result(options, *actions.export_sheet(_opened(options), *who, out=options.out, force=options.force))
    return 0


def apply(options: argparse.Namespace) -> int:
    """``annotate apply``."""
    who = options.persons, options.exclude
    print_result(options, *actions.apply_faults(_opened(options), *who, out=options.out, force=options.force))
    return 0


def forget(options: argparse.Namespace) -> int:
    """``annotate forget``."""
    print_result(options, *actions.forget(_opened(options), options.person, is_deleting=options.delete))
    return 0

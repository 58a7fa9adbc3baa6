"""The sheet that ``annotate`` and ``quality`` draw."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from typer import Option

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.annotation.sheet_draw import DrawOptions, draw_sheet
from wdw_build.annotation.sheet_folder import SheetFolder, open_or_draw, open_sheet
from wdw_build.annotation.sheets import Sheet, Task
from wdw_build.cli.base import complete_run, open_pipeline
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.progress import Progress
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES

Problems = Annotated[
    int | None,
    Option(
        "--problems", min=1, metavar="N", help="number of problems to sample (default: 100, or all if there are fewer)"
    ),
]
Source = Annotated[
    Literal["train", "train.relaxed", "validation", "test", "before"] | None,
    Option("--from", help="split to sample from; before: all problems before suppression (default: the dataset)"),
]


def drawn_as(
    problems: int | None,
    seed: int,
    source: str | None,
    *,
    strata: str = "part",
    condition: Condition = "passage",
    task: Task = "answer",
) -> DrawOptions:
    """The draw that the options of the command line ask for."""
    return DrawOptions(
        problems=problems or DrawOptions().problems,
        or_all=problems is None,
        seed=seed,
        source=source or "",
        strata=tuple(filter(None, map(str.strip, strata.split(",")))),
        condition=condition,
        task=task,
    )


def open_or_draw_sheet(
    config: Path, overrides: Sequence[str], name: str, draw: DrawOptions, progress: Progress
) -> SheetFolder:
    """The sheet with a name; without one, the sheet of the draw, which is drawn if it does not exist."""
    run = open_run(config, STAGES, overrides)
    if name:
        return open_sheet(run.folder, name)
    # A run's folder is taken as it is; the run of a configuration must have been made with it.
    is_run = config.is_dir()
    run = run.require_complete() if is_run else complete_run(open_pipeline(config, overrides, quiet=True))
    sheet, problems = draw_sheet(run, draw, PunktSplitter().sentences)
    say_if_all("the sheet", sheet.problems, draw, progress)
    return open_or_draw(run.folder, sheet.name, lambda: (sheet, problems))


def say_if_all(what: str, problems: int, draw: DrawOptions, progress: Progress) -> None:
    """Log that the sheet or sample has all problems, if there are fewer than the draw asks for."""
    if problems < draw.problems:
        progress.say(f"{what} has all {problems} problems, because there are fewer than {draw.problems}")


def title_of(sheet: Sheet) -> str:
    """The name and the size of a sheet, in words."""
    twins = f", {sheet.twins} with a twin on the sheet" if sheet.twins else ""
    return f"sheet {sheet.name}: {sheet.problems} problems{twins}"

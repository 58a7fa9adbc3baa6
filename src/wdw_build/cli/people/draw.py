"""The options of commands that draw problems for people, and what they mean."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from wdw_build.cli.actions import CommandParser, whole_number
from wdw_build.core.progress import Progress

if TYPE_CHECKING:
    from wdw_build.annotation.draw import DrawOptions

_SOURCES = ("train", "train.relaxed", "validation", "test", "before")


def add_draw(parser: CommandParser) -> None:
    """Add ``--problems``, ``--seed`` and ``--from``."""
    parser.add_argument(
        "--problems",
        type=whole_number(1),
        metavar="N",
        help="problems to draw (default: 100, or all if there are fewer)",
    )
    parser.add_argument("--seed", type=whole_number(0), default=0, help="seed of the draw (default %(default)s)")
    parser.add_argument(
        "--from",
        dest="source",
        choices=_SOURCES,
        default="",
        metavar="SPLIT",
        help="draw from train, train.relaxed, validation or test, or from all problems before suppression: before "
        "(default: the dataset)",
    )


def drawn_as(options: argparse.Namespace) -> DrawOptions:
    """The draw that the options of ``add_draw`` ask for."""
    from wdw_build.annotation.draw import DrawOptions

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

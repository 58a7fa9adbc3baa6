"""The options of ``quality``. This module imports nothing heavy: ``--help`` must be fast."""

from __future__ import annotations

from wdw_build.cli.actions import CommandParser, Commands, whole_number

_SOURCES = ("train", "train.relaxed", "validation", "test", "before")


def add_quality(commands: Commands, common: CommandParser) -> None:
    """Add the command with its action ``phenomena``."""
    quality = commands.add_parser(
        "quality", has_actions=True, help="estimate what a sample of problems asks of a reader"
    )
    phenomena = quality.actions.add_parser(
        "phenomena",
        parents=[common],
        help="estimate how many answers need coreference, and compare with people's labels",
    )
    phenomena.add_argument(
        "--problems",
        type=whole_number(1),
        metavar="N",
        help="problems to draw (default: 100, or all if there are fewer)",
    )
    phenomena.add_argument("--seed", type=whole_number(0), default=0, help="seed of the draw (default 0)")
    phenomena.add_argument(
        "--from",
        dest="source",
        choices=_SOURCES,
        default="",
        metavar="SPLIT",
        help="draw from train, train.relaxed, validation or test, or from all problems before suppression: before "
        "(default: the dataset)",
    )

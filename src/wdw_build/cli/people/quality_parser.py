"""The options of ``quality``. This module imports nothing heavy: ``--help`` must be fast."""

from __future__ import annotations

from wdw_build.cli.actions import CommandParser, Commands
from wdw_build.cli.people.draw import add_draw


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
    add_draw(phenomena)

"""The options of ``annotate``. This module imports nothing heavy: ``--help`` must be fast."""

from __future__ import annotations

from pathlib import Path

from wdw_build.cli.actions import CommandParser, Commands
from wdw_build.cli.people.draw import add_draw
from wdw_build.cli.serving import add_address, add_token_file

_CONDITIONS = ("passage", "without", "codes", "surrogate", "codes-without", "surrogate-without")


def add_annotate(commands: Commands, common: CommandParser) -> None:
    """Add the command with its actions ``serve``, ``sheet``, ``import`` and ``score``."""
    annotate = commands.add_parser(
        "annotate", default_action="serve", help="let people answer problems on web pages, and score their answers"
    )
    draw = _with_draw()
    serve = annotate.actions.add_parser(
        "serve", parents=[common, draw], help="draw a sheet of problems and serve its pages (the default action)"
    )
    add_address(serve)
    add_token_file(serve, "annotators'")
    annotate.actions.add_parser(
        "sheet", parents=[common, draw], help="write the sheet as an offline page and as lines for programs"
    )
    imported = annotate.actions.add_parser(
        "import", parents=[common], help="add the answers of an offline page or of a filled-in sheet.jsonl"
    )
    imported.add_argument("answers", type=Path, metavar="ANSWERS", help="the filled-in file")
    imported.add_argument("--as", dest="person", required=True, metavar="NAME", help="name of the person who answered")
    score = annotate.actions.add_parser(
        "score", parents=[common], help="score what people answered: accuracy, agreement, faults, disagreements"
    )
    score.add_argument(
        "--sheet", default="", metavar="NAME", help="the sheet (default: the only one that was answered)"
    )


def _with_draw() -> CommandParser:
    """The options that say which sheet."""
    draw = CommandParser(add_help=False)
    add_draw(draw)
    draw.add_argument(
        "--strata",
        default="part",
        metavar="FIELDS",
        help="draw in proportion to part, choices, pattern, source, window: one or several, separated by commas (default: part)",
    )
    draw.add_argument(
        "--condition",
        choices=_CONDITIONS,
        default="passage",
        metavar="NAME",
        help="what people read: passage, without, codes, surrogate, codes-without, surrogate-without (default: %(default)s)",
    )
    draw.add_argument(
        "--task",
        choices=("answer", "phenomena"),
        default="answer",
        help="answer the problem, or label what finding the given answer takes (default: %(default)s)",
    )
    draw.add_argument(
        "--sheet", default="", metavar="NAME", help="go on with an earlier sheet; the other options are ignored"
    )
    return draw

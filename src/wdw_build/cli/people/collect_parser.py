"""The options of ``collect``. This module imports nothing heavy: ``--help`` must be fast."""

from __future__ import annotations

import argparse
from pathlib import Path

from wdw_build.cli.actions import CommandParser, Commands, whole_number
from wdw_build.cli.serving import add_address, add_token_file

ADVERSARIES = ("shallow", "qa-model", "none")


def add_collect(commands: Commands, common: CommandParser) -> None:
    """Add the command with its actions ``serve``, ``export`` and ``score``."""
    collect = commands.add_parser(
        "collect", default_action="serve", help="let people write questions about passages of the corpus, as for QUOREF"
    )
    named = CommandParser(add_help=False, parents=[common])
    named.add_argument(
        "--collection", default="questions", metavar="NAME", help="name of the collection (default: %(default)s)"
    )
    _add_serve(collect, named)
    export = collect.actions.add_parser("export", parents=[named], help="write the questions in QUOREF's JSON")
    export.add_argument(
        "--confirmed", action="store_true", help="write only the questions that a second person confirmed"
    )
    export.add_argument(
        "--out", type=Path, metavar="DIR", help="folder to write into (default: export in the collection)"
    )
    export.add_argument("--force", action="store_true", help="replace earlier output in DIR")
    collect.actions.add_parser(
        "score", parents=[named], help="print Table 1, exact match and F1 of people and of the adversary, and refusals"
    )


def _add_serve(collect: CommandParser, named: CommandParser) -> None:
    serve = collect.actions.add_parser(
        "serve", parents=[named], help="draw passages and serve the pages (the default action)"
    )
    serve.add_argument("--passages", type=whole_number(1), metavar="N", help="passages to draw (default 30)")
    serve.add_argument("--seed", type=whole_number(0), help="seed of the draw (default 0)")
    serve.add_argument("--max-words", type=whole_number(1), metavar="N", help="most words of a passage (default 400)")
    serve.add_argument(
        "--adversary",
        choices=ADVERSARIES,
        help="what answers questions while people write them (default: shallow)",
    )
    serve.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the model of --adversary qa-model (default: that of the configuration)",
    )
    serve.add_argument(
        "--max-f1",
        type=_share,
        metavar="X",
        help="refuse a question if F1 of the adversary's answer exceeds X (default 0.5)",
    )
    add_address(serve)
    add_token_file(serve, "writers'")


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return share

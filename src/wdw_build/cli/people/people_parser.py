"""The options of ``annotate``, ``collect`` and ``quality``. This module imports nothing heavy: ``--help`` must be fast."""

from __future__ import annotations

import argparse
from pathlib import Path

from wdw_build.cli.actions import CommandParser, Commands, add_address, add_readers, whole_number

_CONDITIONS = ("passage", "without", "codes", "surrogate", "codes-without", "surrogate-without")
_SOURCES = ("train", "train.relaxed", "validation", "test", "before")
_ADVERSARIES = ("shallow", "qa-model", "none")


def add_annotate(commands: Commands, common: CommandParser) -> None:
    """Add the command with its actions ``serve``, ``sheet``, ``import``, ``score``, ``export``, ``apply`` and ``forget``."""
    annotate = commands.add_parser(
        "annotate", default_action="serve", help="let people answer problems on web pages, and score their answers"
    )
    draw = _with_draw()
    serve = annotate.actions.add_parser(
        "serve", parents=[common, draw], help="draw a sheet of problems and serve its pages (the default action)"
    )
    add_address(serve)
    add_readers(serve, "annotators'")
    serve.add_argument(
        "--study",
        type=Path,
        metavar="FILE",
        help="YAML file with instructions, consent, deadline, practice and gold items, and who gets which problems (default: "
        "the one given before)",
    )
    annotate.actions.add_parser(
        "sheet", parents=[common, draw], help="write the sheet as an offline page and as lines for programs"
    )
    imported = annotate.actions.add_parser(
        "import", parents=[common], help="add the answers of an offline page or of a filled-in sheet.jsonl"
    )
    imported.add_argument("answers", type=Path, metavar="ANSWERS", help="the filled-in file")
    imported.add_argument("--as", dest="person", required=True, metavar="NAME", help="name of the person who answered")
    score = annotate.actions.add_parser(
        "score", parents=[common], help="score people's answers: accuracy, agreement, faults, disagreements"
    )
    export = annotate.actions.add_parser(
        "export",
        parents=[common],
        help="write each person's answers, as JSON lines, as CSV, for Label Studio and for Argilla",
    )
    applied = annotate.actions.add_parser(
        "apply", parents=[common], help="write the problems with confirmed faults to a file, for the build to leave out"
    )
    applied.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="file to write (default: faulty.jsonl in the sheet)"
    )
    applied.add_argument("--force", action="store_true", help="replace a file with other problems")
    for action in (score, export, applied):
        action.add_argument(
            "--sheet", default="", metavar="NAME", help="the sheet (default: the only one that was answered)"
        )
        _add_persons(action)
    _add_out(export, "the sheet")
    forgotten = annotate.actions.add_parser(
        "forget", parents=[common], help="show how much the sheet holds of a person; --delete deletes it"
    )
    forgotten.add_argument(
        "--sheet", default="", metavar="NAME", help="the sheet (default: the only one that was answered)"
    )
    _add_forget(forgotten)


def _add_forget(parser: CommandParser) -> None:
    """Add the name and ``--delete``."""
    parser.add_argument("person", metavar="NAME", help="name of the person")
    parser.add_argument("--delete", action="store_true", help="delete what the person did; stop the server before")


def _add_persons(parser: CommandParser) -> None:
    """Add ``--persons`` and ``--exclude``."""
    parser.add_argument(
        "--persons",
        nargs="+",
        default=[],
        metavar="NAME",
        help="count only the work of these people (default: everybody whom the owner has not excluded)",
    )
    parser.add_argument(
        "--exclude", nargs="+", default=[], metavar="NAME", help="do not count the work of these people"
    )


def _add_out(export: CommandParser, place: str) -> None:
    """Add ``--out`` and ``--force``."""
    export.add_argument(
        "-o", "--out", type=Path, metavar="DIR", help=f"folder to write into (default: export in {place})"
    )
    export.add_argument("--force", action="store_true", help="replace an earlier export in the folder")


def _with_draw() -> CommandParser:
    """The options that say which sheet."""
    draw = CommandParser(add_help=False)
    _add_draw(draw)
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
        help="condition in which people read problems: passage, without, codes, surrogate, codes-without, surrogate-without "
        "(default: %(default)s)",
    )
    draw.add_argument(
        "--task",
        choices=("answer", "phenomena"),
        default="answer",
        help="answer the problem, or label the inference that leads to the given answer (default: %(default)s)",
    )
    draw.add_argument(
        "--sheet", default="", metavar="NAME", help="continue with an earlier sheet; the other options are ignored"
    )
    return draw


def _add_draw(parser: CommandParser) -> None:
    """Add ``--problems``, ``--seed`` and ``--from``."""
    parser.add_argument(
        "--problems",
        type=whole_number(1),
        metavar="N",
        help="number of problems to draw (default: 100, or all if there are fewer)",
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


def add_collect(commands: Commands, common: CommandParser) -> None:
    """Add the command with its actions ``serve``, ``export``, ``score`` and ``forget``."""
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
        "--validations", action="store_true", help="also write each person's answer and label for each question"
    )
    _add_out(export, "the collection")
    _add_persons(export)
    score = collect.actions.add_parser(
        "score",
        parents=[named],
        help="print Table 1, the exact match and F1 of people and of the adversary, and the refusals",
    )
    _add_persons(score)
    forgotten = collect.actions.add_parser(
        "forget", parents=[named], help="show how much the collection holds of a person; --delete deletes it"
    )
    _add_forget(forgotten)


def _add_serve(collect: CommandParser, named: CommandParser) -> None:
    serve = collect.actions.add_parser(
        "serve", parents=[named], help="draw passages and serve the pages (the default action)"
    )
    serve.add_argument("--passages", type=whole_number(1), metavar="N", help="number of passages to draw (default 30)")
    serve.add_argument("--seed", type=whole_number(0), help="seed of the draw (default 0)")
    serve.add_argument(
        "--max-words", type=whole_number(1), metavar="N", help="maximum number of words of a passage (default 400)"
    )
    serve.add_argument(
        "--adversary",
        choices=_ADVERSARIES,
        help="model that answers questions while people write them (default: shallow)",
    )
    serve.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the model for --adversary qa-model (default: the one in the configuration)",
    )
    serve.add_argument(
        "--max-f1",
        type=_share,
        metavar="X",
        help="refuse a question if the F1 score of the adversary's answer exceeds X (default 0.5)",
    )
    add_address(serve)
    add_readers(serve, "writers'")


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return share


def add_quality(commands: Commands, common: CommandParser) -> None:
    """Add the command with its action ``phenomena``."""
    quality = commands.add_parser(
        "quality", has_actions=True, help="estimate which reading skills a sample of problems requires"
    )
    phenomena = quality.actions.add_parser(
        "phenomena",
        parents=[common],
        help="estimate how many answers need coreference, and compare with people's labels",
    )
    _add_draw(phenomena)

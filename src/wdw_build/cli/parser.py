"""The commands and their options (argparse); nothing is run here."""

from __future__ import annotations

import argparse
from pathlib import Path

from wdw_build import __version__

_EPILOG = """exit codes: 0 ok, 1 stage or corpus failed, 2 usage or configuration, 3 a resource is missing, 4 a check failed,
130 interrupted. Results go to stdout, log and progress to stderr."""

_NO_ESTIMATE = "with --dry-run: print the plan without trying the stages"


def _count(text: str) -> int:
    """A number of records: 1 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"invalid int value: {text!r}")
    if int(text) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return int(text)


def _natural(text: str) -> int:
    """A seed: 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"invalid value: {text!r}; must be a whole number, 0 or more")
    return int(text)


def _common() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False, parents=[_output()])
    common.add_argument("-c", "--config", type=Path, required=True, metavar="FILE", help="configuration file (YAML)")
    return common


def _output() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="set a key, such as questions.min_tokens=8 (may be repeated)",
    )
    common.add_argument("-q", "--quiet", action="store_true", help="no log and no progress bars")
    common.add_argument("--json", action="store_true", help="machine-readable output")
    return common


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    whole = commands.add_parser("all", parents=[common], help="run every stage that is not up to date, then summarise")
    whole.add_argument("--force", action="store_true", help="run stages even if they are up to date")
    whole.add_argument("--no-estimate", action="store_true", help=_NO_ESTIMATE)
    whole.add_argument(
        "--dry-run", action="store_true", help="print what would run, why, and how long it takes; run nothing"
    )
    run = commands.add_parser("run", parents=[common], help="run one stage, or a range, and what it needs")
    run.add_argument("stage", nargs="?", help="stage to run")
    run.add_argument("--from", dest="first", metavar="STAGE", help="first stage of a range")
    run.add_argument("--to", dest="last", metavar="STAGE", help="last stage of a range")
    run.add_argument("--only", metavar="ID", help="run one record alone and print the result; nothing is stored")
    run.add_argument("--force", action="store_true", help="run the named stages even if they are up to date")
    run.add_argument("--no-estimate", action="store_true", help=_NO_ESTIMATE)
    run.add_argument(
        "--dry-run", action="store_true", help="print what would run, why, and how long it takes; run nothing"
    )


def _add_look(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    status = commands.add_parser(
        "status", parents=[common], help="which stages are up to date, and why others would run"
    )
    status.add_argument("--check", action="store_true", help="exit 4 if a stage would run")
    inspect = commands.add_parser("inspect", parents=[common], help="look at a stage's records or rejections")
    inspect.add_argument("stage", help="stage to look at")
    inspect.add_argument("--id", metavar="ID", help="one record or rejection")
    inspect.add_argument("--sample", type=_count, metavar="N", help="N records drawn at random")
    inspect.add_argument("--seed", type=int, default=0, help="seed of the random sample (default 0)")
    inspect.add_argument(
        "--rejected", nargs="?", const="", metavar="REASON", help="rejections, of one reason or all, instead of records"
    )
    inspect.add_argument(
        "--where", metavar="CONDITION", help="only records that meet a condition, such as 'choices >= 4 and window = 1'"
    )
    inspect.add_argument("--count", action="store_true", help="print the number of records instead")
    inspect.add_argument(
        "--schema", action="store_true", help="print the JSON schema of the record; with --rejected, of a rejection"
    )
    inspect.add_argument("--skip", type=_natural, default=0, metavar="N", help="skip the first N; not with --sample")
    inspect.add_argument(
        "-n", "--limit", type=_natural, default=10, help="most records; not with --sample (default 10, 0: all)"
    )
    trace = commands.add_parser("trace", parents=[common], help="one article, question or problem in every stage")
    trace.add_argument("id", metavar="ID", help="id of the article, question or problem")
    trace.add_argument("--html", action="store_true", help="one self-contained page instead of text")
    trace.add_argument(
        "--as-passage",
        action="store_true",
        help="also the questions that tried it as a passage (reads all of retrieve)",
    )
    explore = commands.add_parser("explore", parents=[common], help="serve a local web page over the run")
    explore.add_argument(
        "--port", type=_natural, default=0, help="port on the loopback address (default: one that is free)"
    )
    commands.add_parser("summary", parents=[common], help="funnel, rejections, Tables 2 and 3 of a complete run")
    commands.add_parser("verify", parents=[common], help="check every promise of the dataset from its files")


def _add_card(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    card = commands.add_parser("card", parents=[common], help="write the datasheet of a complete run, with an audit")
    card.add_argument(
        "--out",
        metavar="FILE",
        help="where to write it (default: DATASHEET.md in the run's folder; -: standard output)",
    )


def _add_quality(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser
) -> None:
    quality = commands.add_parser(
        "quality", parents=[common], help="write a blind sheet of problems for readers, or score it"
    )
    what = quality.add_mutually_exclusive_group(required=True)
    what.add_argument("--sample", type=_count, metavar="N", help="write a sheet of N random problems, and its key")
    what.add_argument(
        "--score", type=Path, metavar="ANSWERS", help="score a filled-in sheet.jsonl, or the file that the page saved"
    )
    quality.add_argument("--seed", type=_natural, metavar="SEED", help="seed of the random sample (default 0)")
    quality.add_argument(
        "--from",
        dest="split",
        choices=["train", "train.relaxed", "validation", "test"],
        metavar="SPLIT",
        help="sample from this split: train, train.relaxed, validation or test (default: all)",
    )


def _add_export(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    export = commands.add_parser("export", parents=[common], help="write the dataset of a complete run in one format")
    export.add_argument(
        "format", metavar="FORMAT", help="jsonl, wdw-xml, squad, parquet, keys, …: see docs/howto/export.md"
    )
    rebuild = commands.add_parser("rebuild", parents=[_output()], help="restore a dataset from keys and a corpus")
    rebuild.add_argument("keys", type=Path, metavar="KEYS", help="folder that holds keys.json")
    rebuild.add_argument(
        "--corpus", type=Path, required=True, metavar="CONFIG", help="configuration file whose section corpus is read"
    )
    rebuild.add_argument(
        "--verify", action="store_true", help="compare with the published dataset; exit 4 if it differs"
    )
    for command, place in ((export, "the run's folder exports"), (rebuild, "rebuilt in output_dir")):
        command.add_argument("--out", type=Path, metavar="DIR", help=f"folder to write into (default: {place})")
        command.add_argument("--force", action="store_true", help="replace the output in DIR")


def _add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    report = commands.add_parser(
        "report", parents=[common], help="write a complete run as one HTML page; -c may be the folder of a run"
    )
    report.add_argument(
        "--against",
        type=Path,
        metavar="RUN",
        help="begin with the changes since another run (its configuration or folder)",
    )
    report.add_argument(
        "--seed", type=_natural, default=0, metavar="SEED", help="seed of the random examples (default 0)"
    )
    report.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the page (default: in the folder of the run)"
    )
    diff = commands.add_parser("diff", help="the differences of two runs by stage and id, and why")
    diff.add_argument("old", type=Path, metavar="RUN", help="the earlier run: its configuration or its folder")
    diff.add_argument("new", type=Path, metavar="RUN2", help="the later run: its configuration or its folder")
    diff.add_argument("-n", "--limit", type=int, default=10, help="most ids of a kind in a stage (default 10, 0: all)")
    diff.add_argument("-q", "--quiet", action="store_true", help="no log and no progress bars")
    diff.add_argument("--json", action="store_true", help="every difference as a JSON line, then every stage")


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``wdw-build``."""
    parser = argparse.ArgumentParser(
        prog="wdw-build",
        epilog=_EPILOG,
        description="Build a person-centred cloze dataset (Who did What) from a dated newswire corpus.",
    )
    parser.add_argument("--version", action="version", version=f"wdw-build {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    common = _common()
    _add_run(commands, common)
    _add_look(commands, common)
    _add_quality(commands, common)
    _add_export(commands, common)
    _add_card(commands, common)
    _add_report(commands, common)
    config = commands.add_parser("config", help="show, check or describe the configuration")
    actions = config.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("show", parents=[common], help="the whole configuration, defaults included")
    actions.add_parser("check", parents=[common], help="decode the file and the reader's options; exit 2 if wrong")
    actions.add_parser("schema", help="JSON schema of the configuration: every key, type, bound and meaning")
    doctor = commands.add_parser("doctor", help="check Java, models and tools, and say how to get what is missing")
    doctor.add_argument("--json", action="store_true", help="machine-readable output")
    return parser

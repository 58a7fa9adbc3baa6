"""The commands and their options. This module runs nothing and imports nothing heavy: ``--help`` must be fast."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wdw_build import __version__
from wdw_build.cli.actions import CommandParser, Commands, RootParser, add_address, whole_number
from wdw_build.cli.people.people_parser import add_annotate, add_collect, add_quality

_EPILOG = """exit codes: 0 ok, 1 a stage or the corpus failed, 2 wrong usage or configuration, 3 a resource is missing, 4 a check
failed, 130 interrupted (129 SIGHUP, 143 SIGTERM). Results go to stdout, log and progress to stderr."""


_EXAMPLES = {
    "all": "all -c articles.yaml",
    "run": "run questions -c articles.yaml",
    "status": "status -c articles.yaml",
    "inspect": "inspect questions --rejected --sample 5 -c articles.yaml",
    "trace": "trace ID -c articles.yaml",
    "summary": "summary -c articles.yaml",
    "verify": "verify -c articles.yaml",
    "annotate": "annotate --problems 50 -c articles.yaml",
    "collect": "collect --passages 20 -c articles.yaml",
    "bench": "bench --systems word-overlap -c articles.yaml",
    "export": "export squad -c articles.yaml --out release",
    "rebuild": "rebuild release/keys --corpus articles.yaml --verify",
    "datasheet": "datasheet -c articles.yaml",
    "report": "report -c articles.yaml",
    "gc": "gc -c articles.yaml",
    "diff": "diff out/runs/first out/runs/second",
    "init": "init articles.csv",
}


class _Completion(argparse.Action):
    """Installs or prints the completion script and ends the program, as ``--version`` does."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, dest, nargs="?", choices=("bash", "zsh", "fish"), **settings)

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, shell: Any, option: str | None = None
    ) -> None:
        from wdw_build.cli import completion

        call = completion.install if self.dest == "install_completion" else completion.show
        print(call(build_parser(), shell))
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``wdw-build``."""
    parser = RootParser(
        prog="wdw-build",
        epilog=_EPILOG,
        description="Build a person-centred cloze dataset (Who did What) from a dated newswire corpus.",
    )
    parser.add_argument("--version", action="version", version=f"wdw-build {__version__}")
    parser.add_argument(
        "--install-completion", action=_Completion, help="install completion for a shell (default: that of $SHELL)"
    )
    parser.add_argument("--show-completion", action=_Completion, help="print the completion script of a shell")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=CommandParser)
    parser.commands = commands
    common = _with_config()
    _add_build(commands, common)
    _add_inspect(commands, common)
    _add_trace(commands, common)
    commands.add_parser(
        "summary", parents=[common], help="print the funnel, the rejections and Tables 2 and 3 of a complete run"
    )
    commands.add_parser("verify", parents=[common], help="check from its files that the dataset keeps every promise")
    add_collect(commands, common)
    add_annotate(commands, common)
    add_quality(commands, common)
    _add_bench(commands, common)
    _add_export(commands, common)
    _add_datasheet(commands, common)
    _add_comparison(commands, common)
    _add_gc(commands, common)
    _add_setup(commands)
    for name, example in _EXAMPLES.items():
        commands.choices[name].epilog = f"example: wdw-build {example}"
    return parser


def _with_output(*, has_log: bool = True) -> CommandParser:
    """The options of every command with a configuration, except the configuration file; ``-q`` only if it has a log."""
    common = CommandParser(add_help=False)
    common.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="change a configuration key, such as questions.min_tokens=8 (may be repeated)",
    )
    if has_log:
        common.add_argument("-q", "--quiet", action="store_true", help="do not print the log or progress bars")
    else:
        common.set_defaults(quiet=True)
    common.add_argument("--json", action="store_true", help="print machine-readable output")
    return common


def _with_config(*, has_log: bool = True) -> CommandParser:
    common = CommandParser(add_help=False, parents=[_with_output(has_log=has_log)])
    about = "configuration file (YAML), or the folder of a run"
    common.add_argument("-c", "--config", type=Path, required=True, metavar="FILE", help=about)
    return common


def _add_build(commands: Commands, common: CommandParser) -> None:
    run_all = commands.add_parser(
        "all", parents=[common], help="run every stage that is not up to date, and print the summary"
    )
    run = commands.add_parser("run", parents=[common], help="run one stage or a range, and the stages that it needs")
    run.add_argument("stage", nargs="?", metavar="STAGE", help="stage to run")
    run.add_argument("--from", dest="first", metavar="STAGE", help="first stage of a range")
    run.add_argument("--to", dest="last", metavar="STAGE", help="last stage of a range")
    run.add_argument("--only", metavar="ID", help="run a single record and print the result without storing it")
    for command, stages in ((run_all, "stages"), (run, "the named stages")):
        command.add_argument("--force", action="store_true", help=f"run {stages} even if they are up to date")
        command.add_argument(
            "--dry-run",
            action="store_true",
            help="print which stages would run, why, and an estimate of the time; do not run them",
        )
        command.add_argument("--no-estimate", action="store_true", help="with --dry-run: do not estimate the time")
    status = commands.add_parser("status", parents=[common], help="print which stages would run, and why")
    status.add_argument(
        "--check", action="store_true", help="exit with 4 if a stage would run, or if the run links to other outputs"
    )


def _add_gc(commands: Commands, common: CommandParser) -> None:
    gc = commands.add_parser(
        "gc", parents=[common], help="show the stored outputs that no run needs any more, and delete them with --delete"
    )
    gc.add_argument("--delete", action="store_true", help="delete these folders instead of only showing them")
    gc.add_argument(
        "--keep-days",
        type=whole_number(0),
        default=1,
        metavar="DAYS",
        help="keep folders that changed within the last DAYS days (default 1)",
    )


def _add_inspect(commands: Commands, common: CommandParser) -> None:
    inspect = commands.add_parser("inspect", parents=[common], help="print the records or rejections of a stage")
    inspect.add_argument("stage", metavar="STAGE", help="stage to inspect")
    inspect.add_argument("--id", metavar="ID", help="print the record or rejection with this id")
    inspect.add_argument("--sample", type=whole_number(1), metavar="N", help="print N randomly sampled records")
    inspect.add_argument("--seed", type=whole_number(0), default=0, help="seed of --sample (default 0)")
    inspect.add_argument(
        "--rejected",
        nargs="?",
        const="",
        metavar="REASON",
        help="print rejections instead of records; with REASON, only rejections for this reason",
    )
    inspect.add_argument(
        "--where",
        metavar="CONDITION",
        help="print only records that meet a condition, such as 'choices >= 4 and window = 1'",
    )
    inspect.add_argument("--count", action="store_true", help="print only the number of records")
    inspect.add_argument("--schema", action="store_true", help="print the JSON schema of the record or rejection")
    inspect.add_argument("--skip", type=whole_number(0), default=0, metavar="N", help="skip the first N records")
    inspect.add_argument(
        "-n", "--limit", type=whole_number(0), default=10, help="print at most LIMIT records (default 10; 0: all)"
    )


def _add_trace(commands: Commands, common: CommandParser) -> None:
    trace = commands.add_parser(
        "trace", parents=[common], help="follow an article, question or problem through every stage"
    )
    trace.add_argument("id", metavar="ID", help="id of the article, question or problem")
    trace.add_argument("--html", action="store_true", help="print one self-contained HTML page")
    trace.add_argument(
        "--as-passage",
        action="store_true",
        help="also list the questions that tried the article as a passage (reads all of retrieve)",
    )
    add_address(commands.add_parser("explore", parents=[common], help="serve web pages to search the run"))


def _add_bench(commands: Commands, common: CommandParser) -> None:
    bench = commands.add_parser(
        "bench", parents=[common], help="train and evaluate reading-comprehension systems on a complete run (Table 4)"
    )
    bench.add_argument(
        "--systems",
        metavar="NAMES",
        help="systems or groups of systems, separated by commas, such as 'probes, word-overlap' or 'all but neural' (default: "
        "bench.systems, or all)",
    )
    bench.add_argument("--list", action="store_true", help="print the names of all systems, and do not run any")
    bench.add_argument("--train", choices=["strict", "relaxed"], help="training problems (default: bench.train)")
    bench.add_argument(
        "--seeds",
        type=whole_number(1),
        metavar="N",
        help="train each system whose training is random N times (default: bench.seeds)",
    )
    bench.add_argument(
        "--pool",
        type=Path,
        action="append",
        default=[],
        metavar="RUN",
        help="also use the problems of another complete run: its configuration or folder (may be repeated)",
    )
    bench.add_argument(
        "--conditions",
        metavar="NAMES",
        help="conditions in which systems read problems, separated by commas: passage, without, codes, surrogate, "
        "codes-without, surrogate-without "
        "(default: bench.conditions)",
    )
    bench.add_argument(
        "--cross-fit",
        type=whole_number(3),
        metavar="K",
        help="answer every problem, before and after suppression, with systems trained on other events, in K folds",
    )
    bench.add_argument(
        "--write-problems",
        type=Path,
        metavar="FILE",
        help="write the problems without their answers, for an external model; --conditions must name one condition",
    )
    bench.add_argument(
        "--alternatives",
        action="store_true",
        help="with --write-problems: write every alternative of every article after dedup, for a model listed in "
        "adversary.systems",
    )
    bench.add_argument(
        "--predictions",
        action="append",
        default=[],
        metavar="[CONDITION=]FILE",
        help="also score the predictions of another system, as JSON lines (may be repeated)",
    )
    bench.add_argument(
        "--format",
        choices=("text", "markdown", "csv", "latex", "json"),
        default="text",
        help="form of the tables (default: %(default)s)",
    )
    bench.add_argument(
        "--show", metavar="ID", help="print what each kept row answered to a problem, and do not run any system"
    )
    bench.add_argument(
        "--forget",
        nargs="?",
        const="",
        metavar="SYSTEMS",
        help="remove the kept rows of these systems, separated by commas, from the tables of the run; without names, all rows",
    )
    bench.add_argument(
        "--learning-curve",
        action="store_true",
        help="also train each system on 1/8, 1/4 and 1/2 of the training problems; each has a row of its own",
    )
    bench.add_argument("--against", metavar="SYSTEM", help="print McNemar's p value of each system against SYSTEM")


def _add_export(commands: Commands, common: CommandParser) -> None:
    export = commands.add_parser("export", parents=[common], help="write the dataset of a complete run in one format")
    export.add_argument("format", metavar="FORMAT", help="jsonl, wdw-xml, squad, parquet, keys, …")
    export.add_argument(
        "--names",
        choices=("original", "codes", "surrogate"),
        help="names of persons: as in the articles, codes, or invented names (default: export.names)",
    )
    rebuild = commands.add_parser(
        "rebuild", parents=[_with_output()], help="write the dataset from its keys and a copy of the corpus"
    )
    rebuild.add_argument("keys", type=Path, metavar="KEYS", help="folder that contains keys.json")
    rebuild.add_argument(
        "--corpus",
        type=Path,
        required=True,
        metavar="CONFIG",
        help="configuration file; only its section corpus is used",
    )
    rebuild.add_argument(
        "--names",
        choices=("published", "original"),
        default="published",
        help="names of persons: those of the published dataset, or those of the articles (default: %(default)s)",
    )
    rebuild.add_argument(
        "--verify", action="store_true", help="compare with the published dataset; exit with 4 if it differs"
    )
    for command, place in ((export, "exports in the run's folder"), (rebuild, "rebuilt in output_dir")):
        command.add_argument("-o", "--out", type=Path, metavar="DIR", help=f"folder to write into (default: {place})")
        command.add_argument("--force", action="store_true", help="replace earlier output in DIR")


def _add_datasheet(commands: Commands, common: CommandParser) -> None:
    datasheet = commands.add_parser(
        "datasheet", parents=[common], help="write the datasheet of a complete run, with an audit"
    )
    datasheet.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="file to write (default: DATASHEET.md in the run's folder; -: standard output)",
    )


def _add_comparison(commands: Commands, common: CommandParser) -> None:
    report = commands.add_parser("report", parents=[common], help="write a complete run as one HTML page")
    report.add_argument(
        "--against", type=Path, metavar="RUN", help="begin with the changes since RUN (a configuration or a folder)"
    )
    report.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="SEED", help="seed of the examples and problems (default 0)"
    )
    report.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="file to write (default: report.html in the run's folder)"
    )
    diff = commands.add_parser("diff", help="print the differences between two runs by stage and id, with their causes")
    diff.add_argument("old", type=Path, metavar="RUN", help="the earlier run: its configuration or folder")
    diff.add_argument("new", type=Path, metavar="RUN2", help="the later run: its configuration or folder")
    diff.add_argument(
        "-n",
        "--limit",
        type=whole_number(0),
        default=10,
        help="print at most LIMIT ids of each kind and stage (default 10; 0: all)",
    )
    diff.add_argument("-q", "--quiet", action="store_true", help="do not print the log or progress bars")
    diff.add_argument("--json", action="store_true", help="print every difference, then every stage, as JSON lines")


def _add_setup(commands: Commands) -> None:
    init = commands.add_parser("init", help="examine a corpus, show how it is read, and write a configuration for it")
    init.add_argument("corpus", nargs="?", metavar="CORPUS", help="file, folder or glob of articles")
    init.add_argument("--sample", action="store_true", help="write the configuration of the embedded sample corpus")
    init.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="file to write (default: named after the corpus, in this folder)",
    )
    init.add_argument("-q", "--quiet", action="store_true", help="do not print the log")
    init.add_argument("--json", action="store_true", help="print machine-readable output")
    config = commands.add_parser("config", help="show, check or describe the configuration")
    actions = config.add_subparsers(dest="action", metavar="ACTION", required=True)
    settings = _with_config(has_log=False)
    actions.add_parser("show", parents=[settings], help="print the whole configuration, with defaults")
    actions.add_parser(
        "check",
        parents=[settings],
        help="check the settings, and show the first article as it is read; exit with 2 if a setting is wrong, with 1 "
        "if the corpus gives no article",
    )
    actions.add_parser("schema", help="print the JSON schema of the configuration: every key, type, bound and meaning")
    setup = commands.add_parser("setup", help="build KenLM's lmplz in this environment, unless it is installed already")
    setup.add_argument("-q", "--quiet", action="store_true", help="do not print the log")
    setup.add_argument("--json", action="store_true", help="print machine-readable output")
    doctor = commands.add_parser(
        "doctor",
        parents=[_with_output(has_log=False)],
        help="check that Java, models and tools are installed, and print how to get missing ones",
    )
    doctor.add_argument(
        "-c",
        "--config",
        type=Path,
        metavar="FILE",
        help="check what this file's configuration needs, and ask the scheduler of its execution.dask",
    )
    doctor.add_argument(
        "--licences",
        action="store_true",
        help="print the licence of each installed package, Java library, program and model, and which are not declared",
    )

"""The commands of ``wdw-build``: a table of their names, help and functions, and what other packages add to it.

The signature of a function declares the options of its command. A command's module is imported when the command is called,
completed or asked for its help, so that ``wdw-build --help`` is fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any, TypeAlias, cast

import typer
from typer import Option
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from wdw_build.command import Actions, Entry
from wdw_build.core.installed import VERSION
from wdw_build.errors import ConfigError, MissingResourceError

GUESTS = "wdw_build.commands"
"""The entry point group of commands from other packages: an ``Entry``, an ``Actions``, a typer app or a function."""
_EPILOG = """Exit codes: 0 ok, 1 a stage or the corpus failed, 2 wrong usage or configuration, 3 a resource is missing, 4 a check
failed, 130 interrupted (129 SIGHUP, 143 SIGTERM). Results go to stdout, log and progress to stderr."""


Command: TypeAlias = TyperCommand | TyperGroup


COMMANDS: Mapping[str, Entry | Actions] = {
    "all": Entry(".commands:run_all", "run every stage that is not up to date, and print the summary", "-c FILE"),
    "run": Entry(".commands:run_stage", "run a stage, and the stages that it needs", "questions -c FILE"),
    "status": Entry(".commands:status", "print which stages would run, and why", "-c FILE"),
    "inspect": Entry(
        ".inspect:inspect", "print the records or rejections of a stage", "questions --rejected --sample 5 -c FILE"
    ),
    "trace": Entry(".views:trace", "follow an article, question or problem through every stage", "ID -c FILE"),
    "explore": Entry(".views:explore", "write the run as one SQLite file, and serve it with datasette", "-c FILE"),
    "summary": Entry(".views:summary", "print the funnel, the rejections and Tables 2 and 3 of a run", "-c FILE"),
    "verify": Entry(".views:verify", "check from the run's files that the dataset keeps every promise", "-c FILE"),
    "export": Entry(".commands:export", "write the dataset of a complete run in one format", "squad -c FILE --out DIR"),
    "rebuild": Entry(
        ".commands:rebuild", "write the dataset from its keys and a copy of the corpus", "release/keys --corpus FILE"
    ),
    "datasheet": Entry(".views:datasheet", "write the datasheet of a complete run", "-c FILE"),
    "report": Entry(".views:report", "write a complete run as one HTML page", "-c FILE"),
    "diff": Entry(".views:diff", "print the differences between two runs, and their causes", "out/runs/a out/runs/b"),
    "gc": Entry(".gc:gc", "show or delete the stored outputs that no run needs", "-c FILE"),
    "init": Entry(".configure:init", "examine a corpus, and write a configuration for it", "articles.csv"),
    "config": Actions(
        "show, check or describe the configuration",
        {
            "show": Entry(".configure:show", "print the whole configuration, with defaults", "-c FILE"),
            "check": Entry(
                ".configure:check", "check the settings, and show the first article as it is read", "-c FILE"
            ),
            "schema": Entry(".configure:schema", "print the JSON schema of the configuration"),
        },
    ),
    "setup": Entry(".doctor:setup", "build KenLM's lmplz in this environment, unless it is already installed"),
    "doctor": Entry(".doctor:doctor", "check that Java, models and tools are installed, or print how to install them"),
}


def application() -> Root:
    """``wdw-build`` with its commands."""
    app = typer.Typer(
        cls=Root,
        help="Build a person-centred cloze dataset (Who did What) from a dated newswire corpus.",
        epilog=_EPILOG,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    root = cast(Root, get_command(app))
    root.commands = {name: made(name, entry) for name, entry in COMMANDS.items()}
    return root


def _root(
    version: Annotated[
        bool, Option("--version", help="print the version", is_eager=True, callback=lambda is_asked: _version(is_asked))
    ] = False,
) -> None:
    """The options that precede a command."""


def _version(is_asked: bool) -> None:
    if is_asked:
        print(f"wdw-build {VERSION}")
        raise typer.Exit


class Root(TyperGroup):
    """The commands of this package, then those of other packages, which are looked up for other names and for the help."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command with a name; None if there is none."""
        if cmd_name not in self.commands:
            self.commands = {**self.commands, **dict(_guests())}
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        self.commands = {**self.commands, **dict(_guests())}
        return super().list_commands(ctx)


class _Lazy(TyperCommand):
    """A command that is made when it is called, completed or asked for its help."""

    def __init__(self, name: str, help: str, make: Callable[[], Any]) -> None:
        super().__init__(name, short_help=help, rich_markup_mode=None)
        self.make = make

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return self.make().make_context(info_name, args, parent, **extra)


class _Command(TyperCommand):
    """A command that says what to install if a library is missing."""

    extra = ""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            raise _missing(error, ctx.info_name, self.extra) from error


class _Group(TyperGroup):
    """A command with actions, one of which may be the default: ``annotate -c FILE`` is ``annotate serve -c FILE``."""

    default = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        is_left_out = not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names)
        return super().parse_args(ctx, [self.default, *args] if self.default and is_left_out else args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        if self.default:
            formatter.write_paragraph()
            formatter.write_text(
                f"Without an action: {self.default}. Its options: {ctx.command_path} {self.default} --help"
            )


def made(path: str, entry: object) -> Command:
    """The command of an ``Entry``, an ``Actions``, a typer app or a function. ``path`` is its name after that of its parent."""
    name = path.split()[-1]
    if isinstance(entry, Actions):
        below = {action: made(f"{path} {action}", of_action) for action, of_action in entry.entries.items()}
        group = _Group(name=name, commands=dict(below), help=entry.help, short_help=entry.help, rich_markup_mode=None)
        group.subcommand_metavar, group.default = "ACTION [ARGS]...", entry.default
        return group
    if isinstance(entry, Entry):
        return _Lazy(name, entry.help, lambda: loaded(path, entry))
    if isinstance(entry, typer.Typer):
        return cast(Command, get_command(entry))
    return _command(name, entry, None, None)


def loaded(path: str, entry: Entry) -> Command:
    """The command of an entry, whose module is imported."""
    module, _, function = entry.target.partition(":")
    try:
        implementation = getattr(import_module(module, "wdw_build.cli"), function)
    except ModuleNotFoundError as error:
        raise _missing(error, path, entry.extra) from error
    command = _command(
        path.split()[-1],
        implementation,
        entry.help,
        f"Example: wdw-build {path} {entry.example}" if entry.example else None,
    )
    command.extra = entry.extra
    return command


def _command(name: str, function: Any, help: str | None, epilog: str | None) -> _Command:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=_Command, help=help, epilog=epilog)(function)
    return cast(_Command, get_command(app))


def _missing(error: ModuleNotFoundError, command: str, extra: str) -> Exception:
    """What to install for a command; the error itself if the command needs no extra."""
    if not extra:
        return error
    hint = f'pip install "wdw-build[{extra}]"'
    return MissingResourceError(f"{error.name} is not installed; wdw-build {command} needs it", hint=hint)


def _guests() -> Iterator[tuple[str, Command]]:
    """The commands of other packages by name; one that cannot be loaded says so when it is called."""
    for point in sorted(entry_points(group=GUESTS)):
        try:
            yield point.name, made(point.name, point.load())
        except Exception as error:
            yield point.name, _Lazy(point.name, "cannot be loaded", _broken(point, error))


def _broken(point: EntryPoint, error: Exception) -> Callable[[], Any]:
    def refuse() -> Any:
        raise ConfigError(
            f"the command {point.name}, entry point {point.value}, cannot be loaded: {type(error).__name__}: {error}",
            hint="correct or uninstall the package that provides it",
        ) from error

    return refuse


REMOVED: Mapping[str, str] = {
    "doctor --licences": "pip-licenses lists the licences of installed packages; NOTICE lists those of models and word lists",
    "inspect --where": "filter the JSON: wdw-build inspect STAGE -n 0 --json -c FILE | jq 'select(...)'",
    "inspect --count": "the summary, or manifest.json in the stage's folder",
    "inspect --skip": "wdw-build inspect STAGE -n 0 --json -c FILE | tail -n +N",
    "--no-estimate": "wdw-build status prints the plan alone",
    "annotate sheet": "wdw-build annotate serves the sheet's pages, and annotate export writes a CSV file",
    "trace --as-passage": "the table candidates of wdw-build explore has the questions that an article was tried for",
    "import --as": "the column person of the table (CSV)",
    "annotate --study": "annotate export, and a tool such as Label Studio for consent, training and attention checks",
    "--strata": "nothing: each part of the dataset gets its share of the sheet",
    "--token-file": "the printed address, at which people sign in with a name",
    "--invite": "the printed address, at which people sign in with a name",
    "--persons": "'Put aside' on the owner's page: the work of these people does not count",
    "--exclude": "'Put aside' on the owner's page: the work of these people does not count",
    "collect --model": "--set bench.settings.qa-model.model=DIR",
    "bench --forget": "delete the files of these systems in runs/RUN/bench/*/predictions",
    "bench --show": "grep -h ID runs/RUN/bench/*/predictions/*",
    "bench --train": "--set bench.train=relaxed",
    "bench --seeds": "--set bench.seeds=3",
    "bench --learning-curve": "nothing: systems are trained on the whole training set",
    "--names surrogate": "--names codes",
    "--condition surrogate": "--condition codes",
    "--condition surrogate-without": "--condition codes-without",
}
"""Removed commands and options, as words of a command line, and what to use instead."""

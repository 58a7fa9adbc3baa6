"""The page of the command line, from the commands and the error classes."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Mapping
from typing import Any

from typer.core import TyperGroup

from reference.tables import page, prose, table
from wdw_build import errors
from wdw_build.cli import INTERRUPTED
from wdw_build.cli.app import application

INTRODUCTION = """Most commands read a configuration file:

```console
$ wdw-build all -c configs/sample.yaml
```

`wdw-build COMMAND --help` prints the options of a command, `wdw-build --version` the version, and
`wdw-build --install-completion` lets your shell complete commands, options, stages and formats. In the table, the first
column links to the options and the second to a guide."""

STREAMS = """## Streams

Standard output contains only the command's result. Log messages, progress bars and errors go to standard error. The first line
of an error says what is wrong and where; the second line says what to try."""

GUESTS = """## Commands of other packages

A package adds a command by an entry point: a function with typer's annotations, or a `typer.Typer`. `-c`, `--set`, `--quiet` and
`--json` are the types `ConfigFile`, `Overrides`, `Quiet` and `Json` of `wdw_build.command`.

```toml
[project.entry-points."wdw_build.commands"]
lengths = "my_package.commands:lengths"
```"""

INTERRUPTION = """Interrupted by Ctrl-C, SIGHUP (the terminal was closed) or SIGTERM (`kill`, a batch system). Finished \
shards are kept; repeat the command to continue."""

# An option that so many commands have is shown as one of most commands.
MOST = 8

# An argument or option, and its meaning.
Row = tuple[str, str]

GUIDES = {
    "all": "../tutorials/first-dataset.md",
    "run": "../howto/rerun-and-resume.md",
    "status": "../howto/rerun-and-resume.md",
    "inspect": "../howto/inspect-records.md",
    "trace": "../howto/trace-a-record.md",
    "explore": "../howto/trace-a-record.md",
    "summary": "../howto/read-the-summary.md",
    "verify": "../howto/verify-a-dataset.md",
    "annotate": "../howto/judge-problems.md",
    "bench": "../howto/measure-difficulty.md",
    "gc": "../howto/rerun-and-resume.md",
    "init": "../tutorials/your-corpus.md",
    "setup": "../howto/install.md",
    "collect": "../howto/collect-questions.md",
    "quality": "../howto/judge-problems.md",
    "export": "../howto/export.md",
    "rebuild": "../howto/publish-without-texts.md",
    "datasheet": "../howto/write-a-datasheet.md",
    "report": "../howto/compare-runs.md",
    "diff": "../howto/compare-runs.md",
    "config": "configuration.md",
    "doctor": "../howto/install.md",
}


def commands() -> str:
    """Every command with its arguments and options, and the exit codes."""
    root = application()
    root.list_commands(None)
    every = {name: _arguments(command) for name, command in root.commands.items()}
    owners = {row: [name for name, rows in every.items() if row in rows] for rows in every.values() for row in rows}
    shared = {row: names for row, names in owners.items() if len(names) > 1}
    sections = {name: _section(name, command, every[name], shared) for name, command in root.commands.items()}
    overview = [
        (_link(name, command, sections[name]), f"[{command.short_help}]({GUIDES[name]})")
        for name, command in root.commands.items()
    ]
    several = [
        (argument, f"{meaning} [{'most' if len(names) >= MOST else ', '.join(names)}]")
        for (argument, meaning), names in shared.items()
    ]
    return page(
        "Command line",
        INTRODUCTION,
        table(("command", "what it does"), overview),
        f"## Options of several commands\n\nThe sections below do not repeat them.\n\n{_listing(several)}",
        *sections.values(),
        GUESTS,
        STREAMS,
        _exit_codes(),
    )


def _leaf(command: Any) -> Any:
    """The command with its parameters."""
    return command.make()


def _link(name: str, command: Any, section: str) -> str:
    shown = f"`{name}`" if isinstance(command, TyperGroup) else f"`{_usage(name, _leaf(command))}`"
    return f"[{shown}](#{name})" if section else shown


def _arguments(command: Any) -> dict[Row, list[str]]:
    """Each argument and option, with the actions of the command that have it."""
    actions = command.commands if isinstance(command, TyperGroup) else {"": command}
    found: dict[Row, list[str]] = {}
    for action, below in actions.items():
        for param in _leaf(below).params:
            found.setdefault(_row(param), []).append(action)
    return found


def _section(name: str, command: Any, arguments: Mapping[Row, list[str]], shared: Mapping[Row, list[str]]) -> str:
    """The actions of a command, and its arguments and options that are not shared; empty if it has neither."""
    own = {row: actions for row, actions in arguments.items() if row not in shared}
    if not isinstance(command, TyperGroup):
        return f"## {name}\n\n{_listing(own)}" if own else ""
    usages = [
        (_usage(f"{name} {action}", _leaf(below)), below.short_help or "") for action, below in command.commands.items()
    ]
    rows = [(argument, f"{meaning} [{', '.join(actions)}]") for (argument, meaning), actions in own.items()]
    return "\n\n".join([f"## {name}", _listing(usages), *([_listing(rows)] if rows else [])])


def _listing(rows: Iterable[Row]) -> str:
    """Arguments and their meanings in two columns, as ``--help`` shows them."""
    listed = list(rows)
    width = min(30, max(len(argument) for argument, _ in listed))
    return "\n".join(["```text", *(f"{argument:<{width}}  {meaning}" for argument, meaning in listed), "```"])


def _usage(path: str, command: Any) -> str:
    """The command with its arguments and its required options, without `-c FILE`."""
    return " ".join([path, *filter(None, map(_piece, command.params))])


def _piece(param: Any) -> str:
    if param.param_type_name == "argument":
        return param.metavar if param.required else f"[{param.metavar}]"
    return f"{param.opts[-1]} {param.metavar}" if param.required and param.name != "config" else ""


def _row(param: Any) -> Row:
    if param.param_type_name == "argument":
        return param.metavar, param.help
    value = "" if param.is_flag else f" {_value(param)}"
    return f"{', '.join(param.opts)}{value}", f"{param.help}{_default(param)}"


def _value(param: Any) -> str:
    """The placeholder of an option's value, or its choices."""
    return str(param.metavar or param.display_type(None))


def _default(param: Any) -> str:
    if param.required:
        return "; required"
    is_shown = param.show_default and param.default not in (None, "") and param.default is not False
    return f" (default: {param.default})" if is_shown and not callable(param.default) else ""


def _exit_codes() -> str:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.WdwError)]
    meanings = {0: ["Done."]}
    for kind in kinds:
        if kind is not errors.WdwError:
            meanings.setdefault(kind.exit_code, []).append(prose(kind.__doc__))
    rows = [(f"`{code}`", " ".join(texts)) for code, texts in sorted(meanings.items())]
    interrupted = (INTERRUPTED, 128 + signal.SIGHUP, 128 + signal.SIGTERM)
    rows.append((", ".join(f"`{code}`" for code in interrupted), INTERRUPTION))
    return f"## Exit codes\n\n{table(('code', 'meaning'), rows)}"

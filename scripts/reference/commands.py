"""The page of the command line, from the parser and the error classes."""

from __future__ import annotations

import argparse
import re
import signal
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from reference.tables import linked, page, prose, table
from wdw_build import errors
from wdw_build.cli import INTERRUPTED
from wdw_build.cli.parser import build_parser

Row = tuple[str, str]
Leaves = Mapping[str, argparse.ArgumentParser]

INTRODUCTION = """Most commands read a configuration file:

```console
$ wdw-build all -c configs/sample.yaml
```

`wdw-build COMMAND --help` prints the options of a command. In the table, the first column links to
the options and the second to a guide."""

SHARED = "The sections below do not repeat these options."

STREAMS = """## Streams

Standard output contains only the command's result. Log messages, progress bars and errors go to standard error. The first line
of an error says what is wrong and where; the second line says what to try."""

INTERRUPTION = """Interrupted by Ctrl-C, SIGHUP (the terminal was closed) or SIGTERM (`kill`, a batch system). Finished \
shards are kept; repeat the command to continue."""

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
    "quality": "../explanation/phenomena.md",
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
    parser = build_parser()
    found = dict(subcommands(parser))
    leaves = {name: _leaves(name, below) for name, (below, _) in found.items()}
    shared = _shared(leaves)
    sections = {name: _section(name, below, leaves[name], shared) for name, (below, _) in found.items()}
    overview = [
        (_link(name, below, is_linked=bool(sections[name])), _guided(text, name))
        for name, (below, text) in found.items()
    ]
    return page(
        "Command line",
        INTRODUCTION,
        table(("command", "what it does"), overview),
        f"## Options without a command\n\n{table(('option', 'meaning'), _options_of(parser).items())}",
        f"## Options of several commands\n\n{SHARED}\n\n{_shared_table(shared, [*chain(*leaves.values())])}",
        *sections.values(),
        STREAMS,
        _exit_codes(),
    )


def subcommands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, tuple[argparse.ArgumentParser, str]]]:
    """The commands of a parser: name, parser and help."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            yield from ((name, (below, helps[name])) for name, below in action.choices.items())


def _leaves(name: str, parser: argparse.ArgumentParser) -> Leaves:
    """The parsers of a command's actions by their full names, or the command's own parser if it has no actions."""
    actions = {f"{name} {action}": below for action, (below, _) in subcommands(parser)}
    return actions or {name: parser}


def _shared(leaves: Mapping[str, Leaves]) -> dict[Row, list[str]]:
    """Options that several commands have, with the names of the commands and actions."""
    owners: dict[Row, list[str]] = {}
    for below in leaves.values():
        for row, names in _owners(below).items():
            owners.setdefault(row, []).extend(names)
    return {row: names for row, names in owners.items() if len({name.split()[0] for name in names}) > 1}


def _owners(leaves: Leaves) -> dict[Row, list[str]]:
    """Option and meaning -> the commands or actions that have it."""
    owners: dict[Row, list[str]] = {}
    for name, parser in leaves.items():
        for row in _options_of(parser).items():
            owners.setdefault(row, []).append(name)
    return owners


def _shared_table(shared: Mapping[Row, list[str]], everything: list[str]) -> str:
    rows = []
    for (option, meaning), names in shared.items():
        others = [name for name in everything if name not in names]
        exceptions = f"all except {_code(_grouped(others))}" if others else "all"
        rows.append((option, exceptions if len(others) < len(names) else _code(_grouped(names)), meaning))
    return table(("option", "commands", "meaning"), rows)


def _grouped(names: Iterable[str]) -> list[str]:
    """The actions of a command in one name: `collect export/score`."""
    actions: dict[str, list[str]] = {}
    for name in names:
        command, _, action = name.partition(" ")
        actions.setdefault(command, []).append(action)
    return [f"{command} {'/'.join(found)}".strip() for command, found in actions.items()]


def _section(name: str, parser: argparse.ArgumentParser, leaves: Leaves, shared: Mapping[Row, list[str]]) -> str:
    """The arguments and options that only this command has; empty if there are none."""
    own = {row: names for row, names in _owners(leaves).items() if row not in shared}
    if list(leaves) != [name]:
        if len(leaves) == 1 and not own:
            return ""
        return f"## {name}\n\n{_actions(parser)}\n\n{_options_of_actions(own)}".rstrip()
    arguments = [(f"`{_metavar(action)}`", linked(_help(parser, action))) for action in _positional(parser)]
    if not (arguments or own):
        return ""
    head = "argument" if arguments else "option"
    return f"## {name}\n\n{table((head, 'meaning'), [*arguments, *own])}"


def _guided(text: str, name: str) -> str:
    """What a command does, as a link to its guide."""
    return f"[{text}]({GUIDES[name]})" if name in GUIDES else text


def _link(name: str, parser: argparse.ArgumentParser, is_linked: bool) -> str:
    """The command with its arguments; a link if it has a section."""
    below = dict(subcommands(parser))
    only = next(iter(below.values()))[0] if len(below) == 1 else parser
    command = f"`{_usage(only).removesuffix(' ACTION ...')}`"
    return f"[{command}](#{name})" if is_linked else command


def _actions(parser: argparse.ArgumentParser) -> str:
    rows = [(f"`{_usage(below)}`", f"{text}.") for _, (below, text) in subcommands(parser)]
    return table(("action", "what it does"), rows)


def _options_of_actions(own: Mapping[Row, list[str]]) -> str:
    rows = [(option, _code([name.split()[1] for name in names]), meaning) for (option, meaning), names in own.items()]
    return table(("option", "actions", "meaning"), rows) if rows else ""


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _usage(parser: argparse.ArgumentParser) -> str:
    """The usage in one line: required options and arguments, without the program's name and `-c FILE`."""
    line = " ".join(parser.format_usage().split()).removeprefix("usage: ")
    required = re.sub(r" \[-(?:[^\[\]]|\[[^\[\]]*\])*\]", "", line)
    return required.removeprefix("wdw-build ").replace(" -c FILE", "")


def _options_of(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Option with its spellings and value -> meaning."""
    found = {}
    for action in parser._actions:
        if action.option_strings and not isinstance(action, argparse._HelpAction):
            value = "" if action.nargs == 0 else f" {_metavar(action)}"
            optional = f" [{_metavar(action)}]" if action.nargs == "?" else value
            required = "; required" if action.required else ""
            *short, long = action.option_strings
            found[", ".join([*(f"`{option}`" for option in short), f"`{long}{optional}`"])] = (
                f"{linked(_help(parser, action))}{required}"
            )
    return found


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The help of an option as argparse prints it, with its default filled in."""
    return parser._get_formatter()._expand_help(action) if action.help else ""


def _positional(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [
        action
        for action in parser._actions
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction)
    ]


def _metavar(action: argparse.Action) -> str:
    if action.choices:
        return f"{{{','.join(map(str, action.choices))}}}" if not action.metavar else str(action.metavar)
    return str(action.metavar or (action.dest.upper() if action.option_strings else action.dest))


def _exit_codes() -> str:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.WdwError)]
    meanings = {0: ["Done."]}
    for kind in kinds:
        if kind is not errors.WdwError:
            meanings.setdefault(kind.exit_code, []).append(prose(kind.__doc__))
    rows = [(f"`{code}`", " ".join(texts)) for code, texts in sorted(meanings.items())]
    interrupted = (INTERRUPTED, 128 + signal.SIGHUP, 128 + signal.SIGTERM)
    rows.append((_code(map(str, interrupted)), INTERRUPTION))
    return f"## Exit codes\n\n{table(('code', 'meaning'), rows)}"

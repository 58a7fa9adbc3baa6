"""The page of the command line, from the parser and the error classes."""

from __future__ import annotations

import argparse
import re
import signal
from collections.abc import Iterator

from reference.tables import linked, page, prose, table
from wdw_build import errors
from wdw_build.cli import INTERRUPTED
from wdw_build.cli.parser import build_parser

Row = tuple[str, str]

INTRODUCTION = """`wdw-build COMMAND` with a configuration file:

```console
$ wdw-build all -c configs/sample.yaml
```

`wdw-build --help` lists the commands, `wdw-build COMMAND --help` the options of one.

`wdw-build --install-completion` lets bash, zsh or fish complete commands, options, stages and formats with the Tab key. It
writes one file, and prints its path and how to remove it. `--install-completion zsh` names the shell;
`--show-completion` prints the script instead. Run it again after an update."""

STREAMS = """## Streams

Standard output has the result of the command, and nothing else. Log, progress and errors go to standard error: a
progress bar on a terminal, elsewhere a line about every ten seconds. An error has two lines: what is wrong and where,
and what to try."""

GUIDES = {
    "all": "[Your first dataset](../tutorials/first-dataset.md), [Estimate how long a run takes](../howto/estimate-a-run.md)",
    "run": "[Run stages again and resume](../howto/rerun-and-resume.md)",
    "status": "[What status says](../howto/rerun-and-resume.md#what-status-says)",
    "inspect": "[Inspect records and rejections](../howto/inspect-records.md)",
    "trace": "[Trace one record](../howto/trace-a-record.md)",
    "explore": "[Explore](../howto/trace-a-record.md#explore)",
    "summary": "[Read the summary](../howto/read-the-summary.md)",
    "verify": "[Verify a dataset](../howto/verify-a-dataset.md)",
    "annotate": "[Let people judge problems](../howto/judge-problems.md)",
    "collect": "[Let people write questions](../howto/collect-questions.md)",
    "quality": "[Does the answer need coreference?](../explanation/phenomena.md)",
    "export": "[Export to other formats](../howto/export.md)",
    "rebuild": "[Publish without the texts](../howto/publish-without-texts.md)",
    "datasheet": "[Write a datasheet](../howto/write-a-datasheet.md)",
    "report": "[As a page](../howto/compare-runs.md#as-a-page)",
    "diff": "[Compare two runs](../howto/compare-runs.md)",
    "config": "[Configuration](configuration.md)",
    "doctor": "[A dataset from your corpus](../tutorials/your-corpus.md)",
}


def commands() -> str:
    """Every command with its arguments and options, and the exit codes."""
    parser = build_parser()
    found = dict(subcommands(parser))
    overview = [(f"[`{name}`](#{name})", f"{text}.") for name, (_, text) in found.items()]
    shared = _options_of(found["summary"][0])
    options = (
        f"## Options of most commands\n\n{table(('option', 'meaning'), shared.items())}\n\n"
        "The sections below list the other options. A command that lacks one of these lists all of its options."
    )
    sections = [_command(name, parser, text, shared) for name, (parser, text) in found.items()]
    return page(
        "Command line",
        INTRODUCTION,
        table(("command", "what it does"), overview),
        f"## Options without a command\n\n{table(('option', 'meaning'), _options_of(parser).items())}",
        options,
        *sections,
        STREAMS,
        _exit_codes(),
    )


def subcommands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, tuple[argparse.ArgumentParser, str]]]:
    """The commands of a parser: name, parser and help."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            yield from ((name, (below, helps[name])) for name, below in action.choices.items())


def _command(name: str, parser: argparse.ArgumentParser, text: str, shared: dict[str, str]) -> str:
    """The section of a command. The options that several of its actions have come before the sections of the actions."""
    actions = dict(subcommands(parser))
    if not actions:
        return _section(name, parser, text, _own_options(parser, shared), "##")
    own = {action: _own_options(below, shared) for action, (below, _) in actions.items()}
    repeated: dict[Row, list[str]] = {}
    for action, given in own.items():
        for row in given:
            repeated.setdefault(row, []).append(action)
    several = {row: names for row, names in repeated.items() if len(names) > 1}
    rows = [
        (option, ", ".join(f"`{action}`" for action in names), meaning) for (option, meaning), names in several.items()
    ]
    sections = [
        _section(f"{name} {action}", below, what, [row for row in own[action] if row not in several], "###")
        for action, (below, what) in actions.items()
    ]
    options = table(("option", "of", "meaning"), rows) if rows else ""
    return "\n\n".join(filter(None, [f"## {name}", _sentence(name, text), options, *sections]))


def _own_options(parser: argparse.ArgumentParser, shared: dict[str, str]) -> list[Row]:
    """The options, without the shared ones if the parser has all of them."""
    options = _options_of(parser)
    if shared.keys() <= options.keys():
        return [row for row in options.items() if row[0] not in shared]
    return list(options.items())


def _section(name: str, parser: argparse.ArgumentParser, text: str, options: list[Row], level: str) -> str:
    arguments = [(f"`{_metavar(action)}`", linked(_help(parser, action))) for action in _positional(parser)]
    parts = [
        f"{level} {name.split()[-1]}",
        _sentence(name, text),
        f"```text\n{_usage(parser)}\n```",
        table(("argument", "meaning"), arguments) if arguments else "",
        table(("option", "meaning"), options) if options else "",
    ]
    return "\n\n".join(filter(None, parts))


def _sentence(name: str, text: str) -> str:
    return f"{text[0].upper()}{text[1:]}." + (f" See {GUIDES[name]}." if name in GUIDES else "")


def _usage(parser: argparse.ArgumentParser) -> str:
    """The usage in one line, optional options left to the tables."""
    line = " ".join(parser.format_usage().split()).removeprefix("usage: ")
    required = re.sub(r" \[-(?:[^\[\]]|\[[^\[\]]*\])*\]", "", line)
    return required.replace(parser.prog, f"{parser.prog} [options]", 1)


def _options_of(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Option with its spellings and value -> meaning."""
    found = {}
    for action in parser._actions:
        if action.option_strings:
            value = "" if action.nargs == 0 else f" {_metavar(action)}"
            optional = f" [{_metavar(action)}]" if action.nargs == "?" else value
            required = "; required" if action.required else ""
            found[", ".join(f"`{option}{optional}`" for option in action.option_strings)] = (
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
    meanings = {
        0: ["Done."],
        INTERRUPTED: ["Interrupted by Ctrl-C. Finished shards are kept: the same command continues."],
        128 + signal.SIGHUP: ["Ended by SIGHUP (the terminal was closed), like Ctrl-C."],
        128 + signal.SIGTERM: ["Ended by SIGTERM (`kill`, a batch system), like Ctrl-C."],
    }
    for kind in kinds:
        if kind is not errors.WdwError:
            meanings.setdefault(kind.exit_code, []).append(prose(kind.__doc__))
    rows = [(f"`{code}`", " ".join(texts)) for code, texts in sorted(meanings.items())]
    return f"## Exit codes\n\n{table(('code', 'meaning'), rows)}"

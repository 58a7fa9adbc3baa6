"""The page of the command line, from the parser and the error classes."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator

from reference.tables import linked, page, prose, table
from wdw_build import errors
from wdw_build.cli import INTERRUPTED
from wdw_build.cli.parser import build_parser

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
    "card": "[Write a datasheet](../howto/write-a-datasheet.md)",
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
        "A command that lacks one of them lists all of its options."
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


def _command(name: str, parser: argparse.ArgumentParser, text: str, shared: dict[str, str], level: str = "##") -> str:
    """The section of a command, or of an action of a command."""
    options = _options_of(parser)
    if shared.keys() <= options.keys():
        options = {option: meaning for option, meaning in options.items() if option not in shared}
    arguments = {f"`{_metavar(action)}`": linked(_help(parser, action)) for action in _positional(parser)}
    actions = dict(subcommands(parser))
    parts = [
        f"{level} {name.split()[-1]}",
        f"{text[0].upper()}{text[1:]}." + (f" See {GUIDES[name]}." if name in GUIDES else ""),
        f"```text\n{' '.join(parser.format_usage().split()).removeprefix('usage: ')}\n```" if not actions else "",
        table(("argument", "meaning"), arguments.items()) if arguments else "",
        table(("option", "meaning"), options.items()) if options and not actions else "",
        *(_command(f"{name} {action}", *below, shared, level="###") for action, below in actions.items()),
    ]
    return "\n\n".join(filter(None, parts))


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

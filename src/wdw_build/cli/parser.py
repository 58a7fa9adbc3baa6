"""The parser of ``wdw-build``, made from ``commands.toml``. This module imports nothing heavy: ``--help`` must be fast."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wdw_build import __version__
from wdw_build.cli.actions import CommandParser, Commands, RootParser

_DECLARED = Path(__file__).parent / "commands.toml"
_EPILOG = """exit codes: 0 ok, 1 a stage or the corpus failed, 2 wrong usage or configuration, 3 a resource is missing, 4 a check
failed, 130 interrupted (129 SIGHUP, 143 SIGTERM). Results go to stdout, log and progress to stderr."""


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
        "--install-completion",
        action=_Completion,
        help="let a shell complete commands and options (default: the shell in $SHELL); repeat after an update",
    )
    parser.add_argument("--show-completion", action=_Completion, help="print the completion script of a shell")
    parser.commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=CommandParser
    )
    declared = tomllib.loads(_DECLARED.read_text(encoding="utf-8"))
    for name, command in declared["commands"].items():
        _add(parser.commands, name, command, declared["groups"])
    return parser


def _add(commands: Commands, name: str, declared: Mapping[str, Any], groups: Mapping[str, Any]) -> None:
    """Add a command, or an action of a command, with its options and its own actions."""
    parser = commands.add_parser(
        name,
        help=declared["help"],
        epilog=f"example: wdw-build {declared['example']}" if "example" in declared else None,
        default_action=declared.get("default_action", ""),
        action_first=declared.get("action_first", False),
    )
    parser.set_defaults(**declared.get("defaults", {}), function=declared.get("function"))
    for option in _options(declared.get("options", ()), groups):
        _add_option(parser, **option)
    if actions := declared.get("actions"):
        parser.actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
        for action, below in actions.items():
            _add(parser.actions, action, below, groups)


def _options(entries: Sequence[Any], groups: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The options, those of named groups included."""
    for entry in entries:
        if isinstance(entry, str):
            yield from _options(groups[entry], groups)
        else:
            yield entry


def _add_option(
    parser: CommandParser, *, flags: str, type: str | None = None, least: int | None = None, **settings: Any
) -> None:
    """Add an option; see ``commands.toml``."""
    convert = _TYPES[type] if type is not None else None if least is None else _whole_number(least)
    if convert is not None:
        settings["type"] = convert
    parser.add_argument(*flags.split(), **settings)


# ---- types of options ------------------------------------------------------------------------------------------------


def _whole_number(least: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number of ``least`` or more."""

    def convert(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
        return int(text)

    return convert


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return share


_TYPES: Mapping[str, Callable[[str], Any]] = {"path": Path, "share": _share}

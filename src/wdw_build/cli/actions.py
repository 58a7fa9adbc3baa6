"""The parser of a command, and options that several commands have.

An action may be the default: ``wdw-build annotate -c FILE`` is ``annotate serve -c FILE``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

_HELP = ("-h", "--help")


class CommandParser(argparse.ArgumentParser):
    """A parser of a command; with ``has_actions`` or ``default_action``, its parsers of actions are added to ``actions``."""

    def __init__(self, *positional: Any, default_action: str = "", has_actions: bool = False, **settings: Any) -> None:
        super().__init__(*positional, **settings)
        self._default_action, self._has_actions = default_action, has_actions
        if default_action or has_actions:
            self.actions = self.add_subparsers(dest="action", metavar="ACTION", required=True)

    def parse_known_args(  # type: ignore[override]  # narrower than the overloads of typeshed; argparse calls it like this
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse; an action that is left out is the default one."""
        given = list(args or ())
        if self._default_action and (not given or given[0] not in (*self.actions.choices, *_HELP)):
            given.insert(0, self._default_action)
        if self._has_actions and given and given[0].startswith("-") and given[0] not in _HELP:
            self.error(f"an action must come first: {', '.join(self.actions.choices)}")
        return super().parse_known_args(given, namespace)


Commands: TypeAlias = "argparse._SubParsersAction[CommandParser]"  # argparse has no public name for it


def whole_number(least: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number of ``least`` or more."""

    def convert(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
        return int(text)

    return convert


def add_address(parser: CommandParser) -> None:
    """Add ``--host`` and ``--port``."""
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (default: 127.0.0.1, this machine only; 0.0.0.0: every network)",
    )
    parser.add_argument("--port", type=whole_number(0), default=0, help="port to listen on (default: a free one)")


def add_token_file(parser: CommandParser, whose: str) -> None:
    """Add ``--token-file``. A token on the command line would be shown by ``ps``."""
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help=f"file with the {whose} token (default: a kept random one)"
    )

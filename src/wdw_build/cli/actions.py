"""The parser of a command. An action may be the default: ``wdw-build annotate -c FILE`` is ``annotate serve -c FILE``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
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

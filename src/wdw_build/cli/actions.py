"""The parsers of ``wdw-build`` and of a command, which say what was meant if something is misspelt or out of place.

An action may be the default: ``wdw-build annotate -c FILE`` is ``annotate serve -c FILE``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, TypeAlias

from wdw_build.errors import meant

_HELP = ("-h", "--help")
# Removed options, and what to use instead.
REMOVED = {
    "--where": "filter the JSON: wdw-build inspect STAGE -n 0 --json -c FILE | jq 'select(...)'",
    "--as-passage": "the table candidates of wdw-build explore has the questions that an article was tried for",
    "--licences": "pip-licenses lists the licences of installed packages; NOTICE states those of models and programs",
}


class RootParser(argparse.ArgumentParser):
    """The parser of ``wdw-build`` itself: a command, then its options. ``help COMMAND`` is ``COMMAND --help``."""

    commands: Commands

    def parse_known_args(  # type: ignore[override]  # as in CommandParser
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse; say what to write for an option before the command, and for a command that is unknown."""
        given = list(args or ())
        if given[:1] == ["help"]:
            given = [*given[1:2], "--help"]
        if not given:
            self.error(f"no command given (wdw-build --help lists them): {', '.join(self.commands.choices)}")
        first = given[0]
        if first.startswith("-") and not _is_option(first, self._option_string_actions):
            command = next((word for word in given if word in self.commands.choices), "COMMAND")
            self.error(f"{first} stands before the command; put options after it: {self.prog} {command} {first} ...")
        is_unknown = bool(first) and not first.startswith("-") and first not in self.commands.choices
        if is_unknown and (near := _meant(first, self.commands.choices)):
            self.error(f"invalid choice: {first!r} is not a command{near}")
        return super().parse_known_args(given, namespace)


class CommandParser(argparse.ArgumentParser):
    """The parser of a command, or of an action of a command.

    ``default_action`` is the action of a command line that names none. With ``action_first``, an option before the action is
    an error that says so.
    """

    actions: Commands

    def __init__(self, *positional: Any, default_action: str = "", action_first: bool = False, **settings: Any) -> None:
        super().__init__(*positional, **settings)
        self._default_action, self._action_first = default_action, action_first
        self._given: list[str] = []

    def parse_known_args(  # type: ignore[override]  # narrower than the overloads of typeshed; argparse calls it like this
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse; an action that is left out is the default one."""
        given = list(args or ())
        if self._default_action and given and not given[0].startswith("-") and given[0] not in self.actions.choices:
            names = ", ".join(self.actions.choices)
            self.error(f"invalid action {given[0]!r}{_meant(given[0], self.actions.choices)} (actions: {names})")
        if self._default_action and (not given or given[0] not in (*self.actions.choices, *_HELP)):
            given.insert(0, self._default_action)
        if self._action_first and given and given[0].startswith("-") and given[0] not in _HELP:
            self.error(f"an action must come first: {', '.join(self.actions.choices)}")
        self._given = given
        if self._subparsers is None:  # the parser of an action checks its own options
            self._check_options(given)
        return super().parse_known_args(given, namespace)

    def error(self, message: str) -> NoReturn:
        """End with the message. An option with an optional value may have taken the argument that is missing."""
        taken = "; --rejected takes the next word as its reason, so put STAGE before it"
        super().error(message + taken * (message.endswith("required: STAGE") and "--rejected" in self._given))

    def format_help(self) -> str:
        """The help; that of the default action follows, because its options can be given without its name."""
        text = super().format_help()
        if not self._default_action:
            return text
        return f"{text}\nThe default action:\n\n{self.actions.choices[self._default_action].format_help()}"

    def _check_options(self, given: Sequence[str]) -> None:
        """End with an error that says what was meant, for an unknown option and for a configuration file without ``-c``."""
        known = self._option_string_actions
        for argument in given:
            if argument == "--":
                return
            name = argument.partition("=")[0]
            if name in REMOVED and name not in known:
                self.error(f"{name} was removed: {REMOVED[name]}")
            if name.startswith("--") and not _is_option(name, known):
                self.error(f"unrecognized arguments: {name}{_meant(name, known)}")
        has_config = any(argument.startswith(("-c", "--c")) for argument in given)
        file = next((argument for argument in given if argument.endswith((".yaml", ".yml"))), "")
        if file and "--config" in known and not has_config and not set(_HELP) & set(given):
            self.error(f"the following arguments are required: -c/--config; did you mean -c {file}?")


def _is_option(argument: str, known: Iterable[str]) -> bool:
    """Whether an argument is an option, with or without ``=VALUE``, or the beginning of a long one."""
    name = argument.partition("=")[0]
    return any(option == name or (name.startswith("--") and option.startswith(name)) for option in known)


def _meant(word: str, known: Iterable[str]) -> str:
    """A question that names the most similar word; empty if none is similar."""
    question = meant(word, known).strip()
    return f"; {question}" if question else ""


Commands: TypeAlias = "argparse._SubParsersAction[CommandParser]"  # argparse has no public name for it

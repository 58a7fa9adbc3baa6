"""Completion of commands, options, stages and formats in bash, zsh and fish.

shtab generates the script from the parser. The script contains every word, so completion does not start Python. Install
the script again after an update of the program or of a package that adds a stage or a format.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from wdw_build.core.installed import install_command
from wdw_build.errors import MissingResourceError, UsageError

SHELLS = ("bash", "zsh", "fish")
_FOLDERS = {"keys", "out"}
_NOTES = {
    "bash": "It works in new shells that load bash-completion (Debian: apt install bash-completion). In others: source {path}",
    "zsh": "It works in new shells if ~/.zshrc has, before compinit: fpath+=({path.parent})",
    "fish": "It works in new shells.",
}


def install(parser: argparse.ArgumentParser, shell: str | None) -> str:
    """Write the completion script to the user's completion folder; returns what was written and how to undo it."""
    shell = _known(shell)
    path, script = _path(shell), show(parser, shell)
    is_current = path.exists() and path.read_text(encoding="utf-8") == script
    if not is_current:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, encoding="utf-8")
    state = "is up to date" if is_current else "written"
    return f"completion for {shell} {state}: {path}\n{_NOTES[shell].format(path=path)}\nUndo: rm {path}"


def show(parser: argparse.ArgumentParser, shell: str | None) -> str:
    """The completion script of one of ``SHELLS``, by default the user's. Changes the parser, which must not parse afterwards."""
    try:
        import shtab
    except ImportError as error:
        raise MissingResourceError("shtab is not installed", hint=install_command("shtab")) from error

    from wdw_build.pipeline import BY_NAME
    from wdw_build.registry import exporter_names

    words: dict[str, Iterable[str]] = {"stage": BY_NAME, "first": BY_NAME, "last": BY_NAME, "format": exporter_names()}
    for action in _actions(parser):
        if action.dest in words:
            action.choices = list(words[action.dest])
        elif action.type is Path:
            action.complete = shtab.DIRECTORY if action.dest in _FOLDERS else shtab.FILE  # type: ignore[attr-defined]  # shtab reads it
    return str(shtab.complete(parser, _known(shell)))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action


def _known(shell: str | None) -> str:
    name = shell or Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        raise UsageError(
            f"no completion for the shell {name!r}" if name else "SHELL is not set",
            hint=f"wdw-build --install-completion {{{','.join(SHELLS)}}}",
        )
    return name


def _path(shell: str) -> Path:
    """The file in which the shell looks for a user's completions."""
    if shell == "zsh":
        return Path.home() / ".zfunc" / "_wdw-build"
    if shell == "fish":
        settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        return settings / "fish" / "completions" / "wdw-build.fish"
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return Path(os.environ.get("BASH_COMPLETION_USER_DIR") or data / "bash-completion") / "completions" / "wdw-build"

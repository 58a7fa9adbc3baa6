"""The command line: runs a command and prints errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from wdw_build.cli.app import REMOVED, application
from wdw_build.cli.process import Terminated, check_arguments, explained, prepare_streams, raised_signals
from wdw_build.core.progress import printable_lines
from wdw_build.errors import UsageError, WdwError

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code (see docs/reference/cli.md)."""
    with raised_signals():
        return _main(sys.argv[1:] if arguments is None else list(arguments))


def _main(given: list[str]) -> int:
    prepare_streams()
    if given[:1] == ["help"]:
        given = [*given[1:], "--help"]
    try:
        check_arguments(given)
        return _run(given)
    except typer.TyperException as error:
        return _report(_usage_error(error, given))
    except WdwError as error:
        return _report(error)
    except KeyboardInterrupt as signalled:
        what = f"ended by a signal ({signalled})" if isinstance(signalled, Terminated) else "interrupted"
        print(f"{what}; a run keeps its finished shards, and the same command resumes from them", file=sys.stderr)
        return signalled.exit_code if isinstance(signalled, Terminated) else INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe (such as head) closed the pipe, which is not an error. Python must not flush stdout again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _report(explained(error))
    except MemoryError:
        return _report(WdwError("out of memory", hint="set fewer execution.workers, or use a machine with more memory"))


def _run(given: list[str]) -> int:
    """Run the command. Unlike ``typer.Typer.__call__``, it leaves exceptions, Ctrl-C included, to the caller."""
    root, code = application(), 0
    if "_WDW_BUILD_COMPLETE" in os.environ:
        root.main(prog_name="wdw-build")  # the shell asks for completions
    try:
        with root.make_context("wdw-build", list(given)) as context:
            root.invoke(context)
    except typer.Exit as leaving:
        code = leaving.exit_code
    sys.stdout.flush()
    return code


def _usage_error(error: typer.TyperException, given: list[str]) -> UsageError:
    """The error of a command line that cannot be parsed, with the help to read, or with what replaced a removed option."""
    words = {word.partition("=")[0] for word in given} | {word.partition("=")[2] for word in given}
    for removed, instead in REMOVED.items():
        if words.issuperset(removed.split()):
            return UsageError(f"{removed} was removed", hint=instead)
    context = getattr(error, "ctx", None)
    hint = f"{context.command_path if context else 'wdw-build'} --help"
    if given and given[0].startswith("-") and (context is None or context.parent is None):
        hint = "put options after the command: wdw-build COMMAND OPTIONS"
    return UsageError(error.format_message(), hint=hint)


def _report(error: WdwError) -> int:
    """Print an error, which may quote the corpus, and return its exit code."""
    print(f"error: {printable_lines(error.message)}", file=sys.stderr)
    if error.hint:
        print(f"  try: {printable_lines(error.hint)}", file=sys.stderr)
    return error.exit_code

"""The command line: runs a command and prints errors, as a process of the operating system.

That has streams and arguments, signals, and errors of the system.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import typer

from wdw_build.cli.app import REMOVED, application
from wdw_build.core.progress import printable, printable_lines
from wdw_build.core.text_files import has_surrogates
from wdw_build.errors import FULL_DISK, READ_ONLY, UsageError, WdwError

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code (see docs/reference/cli.md)."""
    with raised_signals():
        return _main(sys.argv[1:] if arguments is None else list(arguments))


def _main(arguments: list[str]) -> int:
    prepare_streams()
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    try:
        check_arguments(arguments)
        return _run(arguments)
    except typer.TyperException as error:
        return _report(_usage_error(error, arguments))
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


def _run(arguments: list[str]) -> int:
    """Run the command. Unlike ``typer.Typer.__call__``, it leaves exceptions, Ctrl-C included, to the caller."""
    root, code = application(), 0
    if "_WDW_BUILD_COMPLETE" in os.environ:
        root.main(prog_name="wdw-build")  # the shell asks for completions
    try:
        with root.make_context("wdw-build", list(arguments)) as context:
            root.invoke(context)
    except typer.Exit as leaving:
        code = leaving.exit_code
    sys.stdout.flush()
    return code


def _usage_error(error: typer.TyperException, arguments: list[str]) -> UsageError:
    """The error of a command line that cannot be parsed, with the help to read, or with what replaced a removed option."""
    words = {word.partition("=")[0] for word in arguments} | {word.partition("=")[2] for word in arguments}
    for removed, instead in REMOVED.items():
        if words.issuperset(removed.split()):
            return UsageError(f"{removed} was removed", hint=instead)
    context = getattr(error, "ctx", None)
    hint = f"{context.command_path if context else 'wdw-build'} --help"
    if arguments and arguments[0].startswith("-") and (context is None or context.parent is None):
        hint = "put options after the command: wdw-build COMMAND OPTIONS"
    return UsageError(error.format_message(), hint=hint)


def _report(error: WdwError) -> int:
    """Print an error, which may quote the corpus, and return its exit code."""
    print(f"error: {printable_lines(error.message)}", file=sys.stderr)
    if error.hint:
        print(f"  try: {printable_lines(error.hint)}", file=sys.stderr)
    return error.exit_code


# ---- standard streams and arguments ----------------------------------------------------------------------------------

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
_HINTS = {
    errno.ENOENT: "check that the path exists",
    errno.ENOTDIR: "a part of that path is a file, and not a folder",
    errno.EISDIR: "name a file: that path is a folder",
    **dict.fromkeys(READ_ONLY, "you need the permissions to read and write that path; or set another output_dir"),
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "allow more open files (ulimit -n)",
    errno.ENOMEM: "set fewer execution.workers, or use a machine with more memory",
    **dict.fromkeys(
        (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP), "set output_dir to a folder on a file system with file locks"
    ),
    errno.EADDRINUSE: "give another --port",
}
_FULL = "make room on the disk of output_dir, or raise the limit of file sizes; the same command resumes from finished shards"


def prepare_streams() -> None:
    """Open standard streams that the caller closed (``>&-``), and let output escape what its encoding lacks.

    A closed stream would leave its number to the next file that is opened, and libraries would write messages into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def check_arguments(arguments: Iterable[str]) -> None:
    """Raise ``UsageError`` for an argument that is not valid UTF-8: ids are UTF-8, and results name the paths."""
    for argument in arguments:
        if has_surrogates(argument):
            raise UsageError(
                f"the argument '{printable(argument)}' is not valid UTF-8",
                hint="write it in UTF-8; rename a file or folder with such a name, or use a link to it",
            )


# ---- signals: SIGTERM and SIGHUP end a command as Ctrl-C does: workers end, temporary files go, and finished shards are kept


class Terminated(KeyboardInterrupt):
    """A signal other than Ctrl-C ended the command. ``exit_code`` is the one that shells give to the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.strsignal(number))
        self.exit_code = 128 + number


@contextmanager
def raised_signals() -> Iterator[None]:
    """Raise ``Terminated`` for the first SIGTERM or SIGHUP within the block; further ones do not disturb the clean-up.

    A signal that the caller ignores or handles, such as SIGHUP under ``nohup``, is left alone.
    """
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    had_terminal = sys.stderr.isatty()

    def end(number: int, _: FrameType | None) -> None:
        for other in _SIGNALS:
            signal.signal(other, signal.SIG_IGN)
        if had_terminal and not sys.stderr.isatty():
            # The terminal was closed: writing to it would raise errors during the clean-up.
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        raise Terminated(number)

    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# ---- errors of the operating system, and what to do about them ----------------------------------------------------------


def explained(error: OSError) -> WdwError:
    """The error with its file, and with what to do about it."""
    what, number = error.strerror or str(error) or type(error).__name__, error.errno or 0
    path = Path.cwd() / os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else None
    return WdwError(f"{what}: {path}" if path else what, hint=_FULL if number in FULL_DISK else _HINTS.get(number, ""))

"""The command line: parses the options, runs the command and prints errors. A command's module is imported when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from wdw_build.cli.parser import build_parser
from wdw_build.cli.process import Terminated, check_arguments, explained, prepare_streams, raised_signals
from wdw_build.core.progress import printable_lines
from wdw_build.errors import WdwError

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code (see docs/reference/cli.md)."""
    with raised_signals():
        return _main(arguments)


def _main(arguments: Sequence[str] | None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = None
    prepare_streams()
    try:
        check_arguments(given)
        options = build_parser().parse_args(given)
        module, _, function = options.function.partition(":")
        code = int(getattr(import_module(f"wdw_build.cli.{module}"), function)(options))
        sys.stdout.flush()
        return code
    except WdwError as error:
        return _report(error)
    except KeyboardInterrupt as signalled:
        what = f"ended by a signal ({signalled})" if isinstance(signalled, Terminated) else "interrupted"
        print(f"{what}; finished shards are kept, and the same command resumes from them", file=sys.stderr)
        return signalled.exit_code if isinstance(signalled, Terminated) else INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe (such as head) closed the pipe, which is not an error. Python must not flush stdout again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _report(explained(error, options))
    except MemoryError:
        return _report(WdwError("out of memory", hint="set fewer execution.workers, or use a machine with more memory"))


def _report(error: WdwError) -> int:
    """Print an error, which may quote the corpus, and return its exit code."""
    print(f"error: {printable_lines(error.message)}", file=sys.stderr)
    if error.hint:
        print(f"  try: {printable_lines(error.hint)}", file=sys.stderr)
    return error.exit_code

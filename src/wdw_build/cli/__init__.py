"""The command line: parse, call, print. Heavy imports wait until a command needs them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from wdw_build.cli.parser import build_parser
from wdw_build.errors import WdwError

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code (see docs/reference/cli.md)."""
    options = build_parser().parse_args(arguments)
    try:
        from wdw_build.cli import commands

        code = int(commands.COMMANDS[options.command](options))
        sys.stdout.flush()
        return code
    except WdwError as error:
        print(f"error: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"  try: {error.hint}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; finished shards are kept, the same command goes on from there", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe (head) has had enough: not an error. Python must not try to flush again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"error: {error.strerror or error}: {error.filename or 'no file named'}", file=sys.stderr)
        print("  try: check output_dir: the rights to it, the space on its disk", file=sys.stderr)
        return WdwError.exit_code

"""The standard streams and the arguments of the command: what enters as text is UTF-8, and every text can be written."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable

from wdw_build.core.progress import printable
from wdw_build.errors import UsageError


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
        # Python decodes bytes that are not UTF-8 to surrogates.
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise UsageError(
                f"the argument '{printable(argument)}' is not valid UTF-8",
                hint="write it in UTF-8; rename a file or folder with such a name, or use a link to it",
            )

"""The errors that a user can act on; each class carries the exit code of the process.

An error says what is wrong and where and, in ``hint``, what to do. The command line shows these errors as messages. Any
other exception is a defect of the program.
"""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable

# Numbers of an ``OSError`` from a write that finds no room.
FULL_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# Numbers of an ``OSError`` from a write into a folder without write permission, or on a read-only disk.
READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

_DISK_WORDS = ("no space left on device", "disk is full", "quota exceeded")
_MEMORY_WORDS = ("outofmemory", "bad_alloc", "not enough memory", "cannot allocate memory", "can't allocate memory")


def is_full_disk(error: BaseException) -> bool:
    """Whether an exception of Python, the operating system, Java or SQLite says that a write found no room."""
    if isinstance(error, OSError) and error.errno in FULL_DISK:
        return True
    return any(words in str(error).lower() for words in _DISK_WORDS)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception of Python, the operating system, Java, or a library of models says that memory is short."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    return any(words in f"{type(error).__name__} {error}".lower() for words in _MEMORY_WORDS)


def meant(word: str, known: Iterable[str]) -> str:
    """The beginning of a hint: a question that names the most similar known word; empty if none is similar."""
    near = difflib.get_close_matches(word, list(known), 1)
    return f"did you mean {near[0]!r}? " if near else ""


class WdwError(Exception):
    """Base class of the errors that a user can act on."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:
            # Python shows notes below a traceback.
            self.add_note(f"try: {hint}")

    def __reduce__(self) -> tuple[object, ...]:
        # Worker processes pickle errors, and the default pickling loses keyword-only arguments.
        return (_rebuild, (type(self), self.message, self.hint))


def _rebuild(kind: type[WdwError], message: str, hint: str) -> WdwError:
    return kind(message, hint=hint)


class UsageError(WdwError):
    """The command line is wrong: an unknown stage or id, or mutually exclusive options."""

    exit_code = 2


class ConfigError(WdwError):
    """The configuration is wrong: an unknown or missing key, a value out of bounds, or an unknown reader."""

    exit_code = 2


class MissingResourceError(WdwError):
    """A resource is missing: the corpus, Java, a model or a KenLM tool."""

    exit_code = 3


class CorpusError(WdwError):
    """The corpus yields no dataset: it is damaged, names no persons, or is too small."""


class DamagedOutputError(WdwError):
    """The output of a finished stage was changed or truncated."""


class StageError(WdwError):
    """A stage stopped with an unexpected exception."""


class CheckError(WdwError):
    """A check failed: ``status --check``, ``verify``, ``rebuild --verify``."""

    exit_code = 4

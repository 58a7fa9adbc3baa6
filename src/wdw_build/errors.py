"""Errors, named by what the user does next; each class carries the exit code of the process.

Every error says what is wrong, where, and (in ``hint``) what to do. Only these classes reach the command line as a
message; anything else is a defect of the program and is reported as such.
"""

from __future__ import annotations


class WdwError(Exception):
    """Base of all errors that a user can act on. ``exit_code`` is the process's exit status."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling, and errors cross process borders.
        return (_rebuild, (type(self), self.message, self.hint))


def _rebuild(kind: type[WdwError], message: str, hint: str) -> WdwError:
    return kind(message, hint=hint)


class UsageError(WdwError):
    """The command line is wrong: unknown stage, unknown id, options that exclude each other."""

    exit_code = 2


class ConfigError(WdwError):
    """The configuration is wrong: unknown or missing key, a value out of bounds, an unknown reader."""

    exit_code = 2


class MissingResourceError(WdwError):
    """A resource is missing: the corpus, Java, a model, a tool of KenLM."""

    exit_code = 3


class CorpusError(WdwError):
    """The corpus gives no dataset: it is damaged, without persons, or too small."""

    exit_code = 1


class DamagedOutputError(WdwError):
    """A file of a committed stage output was changed or cut off after it was written."""

    exit_code = 1


class StageError(WdwError):
    """A stage stopped on an unexpected exception; the message names stage, record and place."""

    exit_code = 1


class CheckError(WdwError):
    """A check failed: ``status --check``, ``verify``, ``rebuild --verify``."""

    exit_code = 4

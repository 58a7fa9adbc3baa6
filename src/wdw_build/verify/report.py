"""How a check is declared, and the result of ``verify``.

A check is a function. Its name is the name of the check, with hyphens; its docstring is the promise that it checks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

AnyCheck = Callable[..., Any]
_EXAMPLES = 5
_EXAMPLE_CHARACTERS = 400


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one check. ``examples`` are the first failures: the id and the fault."""

    name: str
    promise: str
    checked: int
    failures: int
    examples: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The results of all checks, in the order of ``PROMISES``."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every promise holds."""
        return not any(check.failures for check in self.checks)


def name_of(check: AnyCheck) -> str:
    """The name of a check."""
    return check.__name__.replace("_", "-")


def promise_of(check: AnyCheck) -> str:
    """The promise of a check."""
    return " ".join((check.__doc__ or "").split())


class Recorder:
    """Counts the items and the failures of one check."""

    def __init__(self) -> None:
        self._checked = self._failures = 0
        self._examples: list[str] = []

    def count(self, count: int = 1) -> None:
        """Record that ``count`` more items were checked."""
        self._checked += count

    def fail(self, place: str, fault: str) -> None:
        """Record a failure; ``place`` is an id or a file."""
        self._failures += 1
        if len(self._examples) < _EXAMPLES:
            self._examples.append(f"{place}: {fault}"[:_EXAMPLE_CHARACTERS])

    def result(self, check: AnyCheck) -> Check:
        """The result of a check so far."""
        return Check(
            name=name_of(check),
            promise=promise_of(check),
            checked=self._checked,
            failures=self._failures,
            examples=tuple(self._examples),
        )

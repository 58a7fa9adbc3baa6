"""The result of ``verify``: for each check its promise, the number of checked items, and the failures."""

from __future__ import annotations

import msgspec

from wdw_build.verify.promises import PROMISES

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


class CheckRecorder:
    """Counts the items and the failures of one check."""

    def __init__(self, name: str) -> None:
        self._name = name
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

    def result(self) -> Check:
        """The result so far."""
        return Check(
            name=self._name,
            promise=PROMISES[self._name],
            checked=self._checked,
            failures=self._failures,
            examples=tuple(self._examples),
        )


class Recorders:
    """The recorder of each promise, by the name of the check."""

    def __init__(self) -> None:
        self._recorders = {name: CheckRecorder(name) for name in PROMISES}

    def __getitem__(self, name: str) -> CheckRecorder:
        return self._recorders[name]

    def report(self) -> Report:
        """The results of all checks."""
        return Report(checks=tuple(recorder.result() for recorder in self._recorders.values()))

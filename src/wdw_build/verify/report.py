"""The outcome of ``verify``: for each check what it promises, how much was looked at, and what was wrong."""

from __future__ import annotations

import msgspec

from wdw_build.verify.promises import PROMISES

_EXAMPLES = 5
_EXAMPLE_CHARACTERS = 400


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One check's outcome. ``examples`` are the first failures: the id and what is wrong."""

    name: str
    promise: str
    checked: int
    failures: int
    examples: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of all checks, in the order of ``PROMISES``."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every promise holds."""
        return not any(check.failures for check in self.checks)


class Ledger:
    """Counts one check as it goes."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._checked = self._failures = 0
        self._examples: list[str] = []

    def tried(self, count: int = 1) -> None:
        """Note that so many things were looked at."""
        self._checked += count

    def fail(self, place: str, what: str) -> None:
        """Note a failure: ``place`` is an id or a file."""
        self._failures += 1
        if len(self._examples) < _EXAMPLES:
            self._examples.append(f"{place}: {what}"[:_EXAMPLE_CHARACTERS])

    def close(self) -> Check:
        """The outcome."""
        return Check(
            name=self._name,
            promise=PROMISES[self._name],
            checked=self._checked,
            failures=self._failures,
            examples=tuple(self._examples),
        )


class Book:
    """A ledger for every promise."""

    def __init__(self) -> None:
        self._ledgers = {name: Ledger(name) for name in PROMISES}

    def __getitem__(self, name: str) -> Ledger:
        return self._ledgers[name]

    def close(self) -> Report:
        """All outcomes."""
        return Report(checks=tuple(ledger.close() for ledger in self._ledgers.values()))

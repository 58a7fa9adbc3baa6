"""The adversary in the loop: it answers a question before anybody else does. A failure of it never stops a writer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib.metadata import entry_points

import msgspec

from wdw_build.api import Backends, SpanAdversary, UsageError, printable

# What is asked so that the adversary loads its model and reads a passage.
READING = "Who?"
NO_ADVERSARY = "none"
_GROUP = "wdw_build.span_adversaries"


def span_adversary(name: str, backends: Backends) -> SpanAdversary | None:
    """The adversary of an entry point: a function of the backends and of ``bench.settings`` of its name; None for ``none``.

    Raises ``UsageError`` if no package has it, ``MissingResourceError`` if it lacks a model.
    """
    if name == NO_ADVERSARY:
        return None
    points = {point.name: point for point in entry_points(group=_GROUP)}
    if name not in points:
        raise UsageError(f"there is no adversary {name!r}", hint=f"known: {', '.join([*sorted(points), NO_ADVERSARY])}")
    adversary: SpanAdversary = points[name].load()(backends, backends.config.bench.settings.get(name, {}))
    return adversary


class AdversaryAnswer(msgspec.Struct, frozen=True):
    """The answer of an adversary to a question, as events store it."""

    identity: str
    """Name, version and model of the adversary."""
    spans: tuple[str, ...]
    """Texts of the spans that it extracted; empty: no answer."""
    score: float
    """Its confidence, in [0, 1]."""


class Answerer:
    """Asks an adversary one question at a time. Without an adversary, no question has an answer."""

    def __init__(self, adversary: SpanAdversary | None, report: Callable[[str], None]) -> None:
        self._adversary, self._report = adversary, report
        self._lock = threading.Lock()

    @property
    def exists(self) -> bool:
        """Whether there is an adversary."""
        return self._adversary is not None

    def ask(self, passage: str, question: str) -> AdversaryAnswer | None:
        """The adversary's answer; None without an adversary, or if it fails, which is reported."""
        if self._adversary is None:
            return None
        try:
            with self._lock:
                answer = self._adversary.answer(passage, question)
            return AdversaryAnswer(self._adversary.identity, tuple(answer.spans), float(answer.score))
        except Exception as error:
            self._report(f"the adversary failed: {printable(f'{type(error).__name__}: {error}')}")
            return None

"""Asks the adversary in the background, one question at a time; answers are kept, and newer questions replace older ones.

A model takes up to two seconds, and people type faster. A failure of the model is reported and never stops a writer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Literal, NamedTuple

import msgspec

from wdw_build.core.progress import printable
from wdw_build.ports import SpanAdversary, SpanAnswer

# What is asked so that the adversary reads a passage.
READING = "Who?"
_MOST_KEPT = 4096


class AdversaryAnswer(msgspec.Struct, frozen=True):
    """The answer of an adversary to a question, as events store it."""

    identity: str
    """Name, version and model of the adversary."""
    spans: tuple[str, ...]
    """Texts of the spans that it extracted; empty: no answer."""
    score: float
    """Its confidence, in [0, 1]."""


class Outcome(NamedTuple):
    """What became of a request: answered, failed, still running after the time limit, or dropped for a newer one."""

    state: Literal["answered", "failed", "late", "dropped", "none"]
    answer: AdversaryAnswer | None = None


# Passage and question.
_Request = tuple[str, str]


class Answerer:
    """Answers questions by an adversary in one worker thread; without an adversary the outcome is ``none``."""

    def __init__(self, adversary: SpanAdversary | None, report: Callable[[str], None]) -> None:
        self._adversary, self._report = adversary, report
        self._worker = ThreadPoolExecutor(1, "adversary")
        self._lock = threading.Lock()
        self._kept: dict[_Request, AdversaryAnswer] = {}
        self._waiting: dict[str, tuple[_Request, Future[AdversaryAnswer]]] = {}

    @property
    def identity(self) -> str:
        """The adversary's identity; empty without one."""
        return self._adversary.identity if self._adversary else ""

    def ask(self, slot: str, passage: str, question: str, seconds: float) -> Outcome:
        """Wait at most ``seconds`` for the answer.

        A newer request of the same slot drops one that has not started. Requests with an empty slot are never dropped.
        """
        if self._adversary is None:
            return Outcome("none")
        request = (passage, " ".join(question.split()))
        with self._lock:
            if request in self._kept:
                return Outcome("answered", self._kept[request])
            future = self._future(slot, request)
        try:
            return Outcome("answered", future.result(seconds))
        except CancelledError:
            return Outcome("dropped")
        except TimeoutError:
            return Outcome("late" if not future.done() else "failed")
        except Exception as error:
            self._report(f"the adversary failed: {printable(f'{type(error).__name__}: {error}')}")
            return Outcome("failed")

    def prepare(self, slot: str, passage: str) -> None:
        """Let the adversary read a passage in the background, which takes longer than an answer to a passage it knows."""
        request = (passage, READING)
        with self._lock:
            if self._adversary is not None and request not in self._kept:
                self._future(f"{slot}\x1freading", request)

    def close(self) -> None:
        """Stop the worker; requests that have not started are dropped."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _future(self, slot: str, request: _Request) -> Future[AdversaryAnswer]:
        """The slot's running request if it is the same one, else a new one."""
        earlier = self._waiting.get(slot)
        if earlier is not None and earlier[0] == request and not earlier[1].done():
            return earlier[1]
        if earlier is not None:
            earlier[1].cancel()
        future = self._worker.submit(self._answer, request)
        if slot:
            self._waiting[slot] = (request, future)
        return future

    def _answer(self, request: _Request) -> AdversaryAnswer:
        assert self._adversary is not None  # noqa: S101 (ask returns before)
        found: SpanAnswer = self._adversary.answer(*request)
        answer = AdversaryAnswer(self._adversary.identity, tuple(found.spans), float(found.score))
        with self._lock:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[request] = answer
        return answer

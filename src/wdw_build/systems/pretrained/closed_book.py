"""Closed book: the log probability of the filled sentence under a causal language model, without the passage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from wdw_build.errors import ConfigError
from wdw_build.reading import BLANK, Prediction, ReadingProblem
from wdw_build.systems.pretrained import ClosedBookConfig
from wdw_build.systems.pretrained.causal import AHEAD, CausalModel, Text

# Tokens that a prompt must leave for what is scored.
_LEAST_ROOM = 16


class ClosedBook(CausalModel):
    """Scores each choice by log P(sentence with the name in the blank | prompt).

    ``contrast`` subtracts log P(name | neutral prompt), which makes the score PMI_DC of Holtzman et al. (2021, section 3).
    """

    def __init__(self, settings: ClosedBookConfig) -> None:
        super().__init__(settings)
        self._settings = settings

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``. Reads ``AHEAD`` problems at a time."""
        self._open()
        waiting = iter(problems)
        while batch := list(islice(waiting, AHEAD)):
            sentences = [text for problem in batch for text in self._sentences(problem)]
            scores = self._log_probabilities(sentences)
            if self._settings.contrast:
                context = [*self._start, *self._ids(self._settings.neutral)]
                # Byte-level tokenizers attach the space to the name.
                names = [Text(context, self._ids(f" {choice.name}")) for problem in batch for choice in problem.choices]
                neutral = self._log_probabilities(names)
                scores = [score - subtracted for score, subtracted in zip(scores, neutral, strict=True)]
            remaining = iter(scores)
            for problem in batch:
                yield Prediction(tuple(islice(remaining, len(problem.choices))))

    def _open(self) -> None:
        if self._model is None:
            super()._open()
            self._check_prompts()

    def _check_prompts(self) -> None:
        """Raise ``ConfigError`` if a prompt leaves fewer than ``_LEAST_ROOM`` tokens."""
        for key in ("prompt", "neutral"):
            length = len(self._ids(getattr(self._settings, key)))
            if self._room - length < _LEAST_ROOM:
                raise ConfigError(
                    f"bench.settings.closed-book.{key} has {length} tokens, and the model reads {self._room}",
                    hint=f"shorten it to {max(self._room - _LEAST_ROOM, 0)} tokens",
                )

    def _sentences(self, problem: ReadingProblem) -> list[Text]:
        """The question with each name in the blank; all are cut in the same places if one is longer than the model reads."""
        prompt = self._ids(self._settings.prompt)
        left, blank, right = problem.question.partition(BLANK)
        left = left if blank else f"{left.rstrip()} "
        names = [choice.name for choice in problem.choices]
        room = self._room - len(prompt)
        filled = self._filled(left, names, right)
        while (excess := max(map(len, filled)) - room) > 0 and (left.strip() or right.strip()):
            left, right = self._shortened(left, right, excess)
            filled = self._filled(left, names, right)
        return [Text([*self._start, *prompt], ids[:room]) for ids in filled]

    def _filled(self, left: str, names: Sequence[str], right: str) -> list[list[int]]:
        return self._pieces.ids([f"{left}{name}{right}" for name in names])

    def _shortened(self, left: str, right: str, count: int) -> tuple[str, str]:
        """The texts without ``count`` tokens, rounded up to words: the first ones of ``left``, else the last ones of ``right``."""
        if left.strip():
            spans = self._pieces.pieces(left).spans
            return left[spans[min(count, len(spans)) - 1][1] :].partition(" ")[2], right
        spans = self._pieces.pieces(right).spans
        return left, right[: spans[max(len(spans) - count, 0)][0]].rpartition(" ")[0]

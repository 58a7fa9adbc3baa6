"""Open book: the log probability of each choice under a causal language model that has read passage and question."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from itertools import islice

from wdw_build.reading import BLANK, Prediction, ReadingProblem
from wdw_build.systems.pretrained import OpenBookConfig
from wdw_build.systems.pretrained.causal import AHEAD, CausalModel, Text


class OpenBook(CausalModel):
    """Scores each choice by log P(name or letter | passage, question). A passage that is too long loses its end."""

    def __init__(self, settings: OpenBookConfig) -> None:
        super().__init__(settings)
        self._has_letters = settings.method == "letters"

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``. Reads ``AHEAD`` problems at a time."""
        self._open()
        waiting = iter(problems)
        while batch := list(islice(waiting, AHEAD)):
            scores = iter(self._log_probabilities([text for problem in batch for text in self._texts(problem)]))
            for problem in batch:
                yield Prediction(tuple(islice(scores, len(problem.choices))))

    def _texts(self, problem: ReadingProblem) -> list[Text]:
        """The answers to score, each after the prompt."""
        names = [choice.name for choice in problem.choices]
        letters = [string.ascii_uppercase[at % 26] * (at // 26 + 1) for at in range(len(names))]
        # Byte-level tokenizers attach the space to the word that follows it.
        answers = self._pieces.ids([f" {answer}" for answer in (letters if self._has_letters else names)])
        lines = "".join(f"{letter}. {name}\n" for letter, name in zip(letters, names, strict=True))
        question = problem.question if BLANK in problem.question else f"{problem.question} {BLANK}"
        tail = f"\n\n{question}\n\n"
        tail += f"{lines}The letter of {BLANK}:" if self._has_letters else f"The name of {BLANK}:"
        context = self._context(problem.passage, tail, self._room - max(map(len, answers)))
        return [Text([*self._start, *context], answer) for answer in answers]

    def _context(self, passage: str, tail: str, room: int) -> list[int]:
        """The tokens of passage and tail, at most ``room``; the passage loses its end, and then the tail its beginning."""
        ids = self._ids(passage + tail)
        while (excess := len(ids) - room) > 0 and passage:
            spans = self._pieces.pieces(passage).spans
            passage = passage[: spans[-excess][0]] if excess < len(spans) else ""
            ids = self._ids(passage + tail)
        return ids[-room:] if len(ids) > room else ids

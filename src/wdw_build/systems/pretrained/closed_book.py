"""Closed book: the log probability of the filled sentence under a causal language model, without the passage."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import torch

from wdw_build.errors import ConfigError
from wdw_build.reading import BLANK, Prediction, ReadingProblem, Untrained
from wdw_build.systems.encoders.inputs import WordPieces
from wdw_build.systems.pretrained import ClosedBookConfig, whole_model
from wdw_build.systems.torch_training import reproducible

# Problems that are read ahead.
_AHEAD = 16
# Tokens that a prompt must leave for what is scored.
_LEAST_ROOM = 16


class _Text(NamedTuple):
    """A text to score: the tokens before it, which are not scored, and its own."""

    context: list[int]
    ids: list[int]


class ClosedBook(Untrained):
    """Scores each choice by log P(sentence with the name in the blank | prompt).

    ``contrast`` subtracts log P(name | neutral prompt), which makes the score PMI_DC of Holtzman et al. (2021, section 3).
    """

    def __init__(self, settings: ClosedBookConfig) -> None:
        self._settings = settings
        self._model: Any = None

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``. Reads ``_AHEAD`` problems at a time."""
        self._open()
        waiting = iter(problems)
        while batch := list(islice(waiting, _AHEAD)):
            sentences = [text for problem in batch for text in self._sentences(problem)]
            scores = self._log_probabilities(sentences)
            if self._settings.contrast:
                context = [*self._start, *self._ids(self._settings.neutral)]
                # Byte-level tokenizers attach the space to the name.
                names = [
                    _Text(context, self._ids(f" {choice.name}")) for problem in batch for choice in problem.choices
                ]
                neutral = self._log_probabilities(names)
                scores = [score - subtracted for score, subtracted in zip(scores, neutral, strict=True)]
            remaining = iter(scores)
            for problem in batch:
                yield Prediction(tuple(islice(remaining, len(problem.choices))))

    def _open(self) -> None:
        if self._model is None:
            folder = Path(self._settings.model)
            self._model = whole_model("AutoModelForCausalLM", folder, self.device)
            self._pieces = WordPieces(folder)
            config = self._model.config
            start = config.bos_token_id if config.bos_token_id is not None else config.eos_token_id
            self._start = [] if start is None else [int(start)]
            self._room = getattr(config, "max_position_embeddings", sys.maxsize) - len(self._start)
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

    def _sentences(self, problem: ReadingProblem) -> list[_Text]:
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
        return [_Text([*self._start, *prompt], ids[:room]) for ids in filled]

    def _filled(self, left: str, names: Sequence[str], right: str) -> list[list[int]]:
        return self._pieces.ids([f"{left}{name}{right}" for name in names])

    def _shortened(self, left: str, right: str, count: int) -> tuple[str, str]:
        """The texts without ``count`` tokens, rounded up to words: the first ones of ``left``, else the last ones of ``right``."""
        if left.strip():
            spans = self._pieces.pieces(left).spans
            return left[spans[min(count, len(spans)) - 1][1] :].partition(" ")[2], right
        spans = self._pieces.pieces(right).spans
        return left, right[: spans[max(len(spans) - count, 0)][0]].rpartition(" ")[0]

    def _ids(self, text: str) -> list[int]:
        return self._pieces.ids([text])[0] if text else []

    def _log_probabilities(self, texts: Sequence[_Text]) -> list[float]:
        """The log probability of each text given its context, summed or averaged over its tokens.

        Without a start token or a prompt, the first token of a text is context, not scored.
        """
        size, totals = self._settings.batch, []
        with reproducible(self.device, seed=0), torch.inference_mode():
            for start in range(0, len(texts), size):
                totals += self._totals(texts[start : start + size])
        if self._settings.normalisation == "total":
            return totals
        return [total / max(len(text.ids), 1) for total, text in zip(totals, texts, strict=True)]

    def _totals(self, texts: Sequence[_Text]) -> list[float]:
        rows = [[*text.context, *text.ids] for text in texts]
        width = max(map(len, rows))
        ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows], device=self.device)
        # A causal model does not look ahead, so that the padding on the right changes nothing; the mask is for its positions.
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=self.device)
        logits = self._model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        chosen = logits.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2) - logits.logsumexp(dim=2)
        spans = [(max(len(text.context), 1) - 1, len(row) - 1) for text, row in zip(texts, rows, strict=True)]
        return [float(chosen[index, first:last].double().sum()) for index, (first, last) in enumerate(spans)]

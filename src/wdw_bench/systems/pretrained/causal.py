"""Systems on a causal language model from disk: log probabilities of the choices, with and without the passage."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn.utils.rnn import pad_sequence

from wdw_bench.systems.encoders.inputs import WordPieces
from wdw_bench.systems.pretrained import CausalConfig, ClosedBookConfig, OpenBookConfig, whole_model
from wdw_bench.systems.torch_training import reproducible
from wdw_build.reading import BLANK, Prediction, ReadingProblem, Untrained
from wdw_build.reading.answers import letters


class CausalModel(Untrained):
    """Base class of the systems on a causal language model."""

    def __init__(self, settings: CausalConfig) -> None:
        self._causal = settings
        self._model: Any = None

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """The scores of the choices of each problem."""
        self._open()
        for problem in problems:
            yield Prediction(tuple(self._scores(problem)))

    def _scores(self, problem: ReadingProblem) -> list[float]:
        """The scores of the choices."""
        raise NotImplementedError

    def _open(self) -> None:
        """Load the model, if it is not loaded yet."""
        if self._model is None:
            folder = Path(self._causal.model)
            self._model = whole_model("AutoModelForCausalLM", folder, self.device)
            self._pieces = WordPieces(folder)
            config = self._model.config.get_text_config()
            start = config.bos_token_id if config.bos_token_id is not None else config.eos_token_id
            # Some models have several end tokens.
            self._start = (start[:1] if isinstance(start, list) else [start]) if start is not None else []
            self._room = getattr(config, "max_position_embeddings", sys.maxsize) - len(self._start)

    def _ids(self, text: str) -> list[int]:
        return self._pieces.ids([text])[0] if text else []

    def _log_probabilities(self, context: list[int], texts: Sequence[list[int]]) -> list[float]:
        """The log probability of each text after the context, summed or averaged over its tokens.

        Without a start token or a context, the first token of a text is not scored.
        """
        size, totals = self._causal.batch, []
        context = [*self._start, *context]
        with reproducible(self.device, seed=0), torch.inference_mode():
            # The context is read once, for all texts.
            ids = torch.tensor([context[:-1]], device=self.device)
            past = self._model(input_ids=ids).past_key_values if len(context) > 1 else None
            for start in range(0, len(texts), size):
                totals += self._totals(past, context[-1:], texts[start : start + size])
        if self._causal.normalisation == "total":
            return totals
        return [total / max(len(ids), 1) for total, ids in zip(totals, texts, strict=True)]

    def _totals(self, past: Any, last: list[int], texts: Sequence[list[int]]) -> list[float]:
        """The summed log probabilities after the keys and values of the context, and its last token."""
        rows = [torch.tensor([*last, *ids], dtype=torch.int64) for ids in texts]
        # A causal model does not look ahead, so that the padding on the right changes nothing.
        ids = pad_sequence(rows, batch_first=True).to(self.device)
        if past is not None:
            past = copy.deepcopy(past)
            past.batch_repeat_interleave(len(rows))
        logits = self._model(input_ids=ids, past_key_values=past).logits[:, :-1].float()
        chosen = logits.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2) - logits.logsumexp(dim=2)
        return [float(chosen[index, : len(row) - 1].double().sum()) for index, row in enumerate(rows)]


class ClosedBook(CausalModel):
    """Scores each choice by log P(sentence with the name in the blank | prompt), without the passage.

    ``contrast`` subtracts log P(name | neutral prompt), which makes the score PMI_DC of Holtzman et al. (2021, section 3).
    """

    def __init__(self, settings: ClosedBookConfig) -> None:
        super().__init__(settings)
        self._settings = settings

    def _scores(self, problem: ReadingProblem) -> list[float]:
        """The end of a sentence that is too long is not scored."""
        prompt, neutral = self._ids(self._settings.prompt), self._ids(self._settings.neutral)
        filled = self._pieces.ids([problem.filled(choice.name) for choice in problem.choices])
        scores = self._log_probabilities(prompt, [ids[: self._room - len(prompt)] for ids in filled])
        if not self._settings.contrast:
            return scores
        # Byte-level tokenizers attach the space to the name.
        names = self._pieces.ids([f" {choice.name}" for choice in problem.choices])
        return [score - alone for score, alone in zip(scores, self._log_probabilities(neutral, names), strict=True)]


class OpenBook(CausalModel):
    """Scores each choice by log P(name or letter | passage, question). A passage that is too long loses its end."""

    def __init__(self, settings: OpenBookConfig) -> None:
        super().__init__(settings)
        self._has_letters = settings.method == "letters"

    def _scores(self, problem: ReadingProblem) -> list[float]:
        names = [choice.name for choice in problem.choices]
        known = letters(len(names))
        # Byte-level tokenizers attach the space to the word that follows it.
        answers = self._pieces.ids([f" {answer}" for answer in (known if self._has_letters else names)])
        lines = "".join(f"{letter}. {name}\n" for letter, name in zip(known, names, strict=True))
        tail = f"\n\n{problem.filled(BLANK)}\n\n"
        tail += f"{lines}The letter of {BLANK}:" if self._has_letters else f"The name of {BLANK}:"
        context = self._context(problem.passage, tail, self._room - max(map(len, answers)))
        return self._log_probabilities(context, answers)

    def _context(self, passage: str, tail: str, room: int) -> list[int]:
        """The tokens of passage and tail, at most ``room``; the passage loses its end, and then the tail its beginning."""
        ids = self._ids(passage + tail)
        while (excess := len(ids) - room) > 0 and passage:
            spans = self._pieces.pieces(passage).spans
            passage = passage[: spans[-excess][0]] if excess < len(spans) else ""
            ids = self._ids(passage + tail)
        return ids[-room:] if len(ids) > room else ids

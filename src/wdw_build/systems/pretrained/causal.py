"""Log probabilities of texts under a causal language model from disk."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch

from wdw_build.reading import Untrained
from wdw_build.systems.encoders.inputs import WordPieces
from wdw_build.systems.pretrained import CausalConfig, whole_model
from wdw_build.systems.torch_training import reproducible

# Problems that are read ahead.
AHEAD = 16


class Text(NamedTuple):
    """A text to score: the tokens before it, which are not scored, and its own."""

    context: list[int]
    ids: list[int]


class CausalModel(Untrained):
    """Base class of the systems on a causal language model."""

    def __init__(self, settings: CausalConfig) -> None:
        self._causal = settings
        self._model: Any = None

    def _open(self) -> None:
        """Load the model, if it is not loaded yet."""
        if self._model is None:
            folder = Path(self._causal.model)
            self._model = whole_model("AutoModelForCausalLM", folder, self.device)
            self._pieces = WordPieces(folder)
            config = self._model.config
            start = config.bos_token_id if config.bos_token_id is not None else config.eos_token_id
            self._start = [] if start is None else [int(start)]
            self._room = getattr(config, "max_position_embeddings", sys.maxsize) - len(self._start)

    def _ids(self, text: str) -> list[int]:
        return self._pieces.ids([text])[0] if text else []

    def _log_probabilities(self, texts: Sequence[Text]) -> list[float]:
        """The log probability of each text given its context, summed or averaged over its tokens.

        Without a start token or a prompt, the first token of a text is context, not scored.
        """
        size, totals = self._causal.batch, []
        with reproducible(self.device, seed=0), torch.inference_mode():
            for start in range(0, len(texts), size):
                totals += self._totals(texts[start : start + size])
        if self._causal.normalisation == "total":
            return totals
        return [total / max(len(text.ids), 1) for total, text in zip(totals, texts, strict=True)]

    def _totals(self, texts: Sequence[Text]) -> list[float]:
        rows = [[*text.context, *text.ids] for text in texts]
        width = max(map(len, rows))
        ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows], device=self.device)
        # A causal model does not look ahead, so that the padding on the right changes nothing; the mask is for its positions.
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=self.device)
        logits = self._model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        chosen = logits.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2) - logits.logsumexp(dim=2)
        spans = [(max(len(text.context), 1) - 1, len(row) - 1) for text, row in zip(texts, rows, strict=True)]
        return [float(chosen[index, first:last].double().sum()) for index, (first, last) in enumerate(spans)]

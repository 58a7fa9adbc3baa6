"""Systems on a causal language model from disk: log probabilities of the choices, with and without the passage."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.nn.utils.rnn import pad_sequence

from wdw_bench.systems.encoders.inputs import WordPieces
from wdw_bench.systems.pretrained import CausalConfig, ClosedBookConfig, OpenBookConfig, whole_model
from wdw_bench.systems.torch_training import reproducible
from wdw_build.reading import BLANK, Prediction, ReadingProblem, Untrained
from wdw_build.reading.answers import letters

# Problems that are read ahead.
_AHEAD = 16


class Text(NamedTuple):
    """A text to score: the tokens before it, which are not scored, and its own."""

    context: list[int]
    ids: list[int]


class CausalModel(Untrained):
    """Base class of the systems on a causal language model."""

    def __init__(self, settings: CausalConfig) -> None:
        self._causal = settings
        self._model: Any = None

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """The scores of the choices of each problem. Reads some problems ahead, so that their texts fill batches."""
        self._open()
        waiting = iter(problems)
        while window := list(islice(waiting, _AHEAD)):
            scores = iter(self._scores(window))
            for problem in window:
                yield Prediction(tuple(islice(scores, len(problem.choices))))

    def _scores(self, problems: Sequence[ReadingProblem]) -> list[float]:
        """The scores of the choices of all problems, one after the other."""
        return self._log_probabilities([text for problem in problems for text in self._texts(problem)])

    def _texts(self, problem: ReadingProblem) -> list[Text]:
        """A text to score for each choice."""
        raise NotImplementedError

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
        rows = [torch.tensor([*text.context, *text.ids], dtype=torch.int64) for text in texts]
        # A causal model does not look ahead, so that the padding on the right changes nothing; the mask is for its positions.
        ids, mask = (
            pad_sequence(padded, batch_first=True).to(self.device) for padded in (rows, [*map(torch.ones_like, rows)])
        )
        logits = self._model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        chosen = logits.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2) - logits.logsumexp(dim=2)
        spans = [(max(len(text.context), 1) - 1, len(row) - 1) for text, row in zip(texts, rows, strict=True)]
        return [float(chosen[index, first:last].double().sum()) for index, (first, last) in enumerate(spans)]


class ClosedBook(CausalModel):
    """Scores each choice by log P(sentence with the name in the blank | prompt), without the passage.

    ``contrast`` subtracts log P(name | neutral prompt), which makes the score PMI_DC of Holtzman et al. (2021, section 3).
    """

    def __init__(self, settings: ClosedBookConfig) -> None:
        super().__init__(settings)
        self._settings = settings

    def _scores(self, problems: Sequence[ReadingProblem]) -> list[float]:
        scores = super()._scores(problems)
        if not self._settings.contrast:
            return scores
        context = [*self._start, *self._ids(self._settings.neutral)]
        # Byte-level tokenizers attach the space to the name.
        names = [Text(context, self._ids(f" {choice.name}")) for problem in problems for choice in problem.choices]
        return [score - neutral for score, neutral in zip(scores, self._log_probabilities(names), strict=True)]

    def _texts(self, problem: ReadingProblem) -> list[Text]:
        """The question with each name in the blank, after the prompt; the end of a text that is too long is not scored."""
        prompt = self._ids(self._settings.prompt)
        left, blank, right = problem.question.partition(BLANK)
        left = left if blank else f"{left.rstrip()} "
        filled = self._pieces.ids([f"{left}{choice.name}{right}" for choice in problem.choices])
        return [Text([*self._start, *prompt], ids[: self._room - len(prompt)]) for ids in filled]


class OpenBook(CausalModel):
    """Scores each choice by log P(name or letter | passage, question). A passage that is too long loses its end."""

    def __init__(self, settings: OpenBookConfig) -> None:
        super().__init__(settings)
        self._has_letters = settings.method == "letters"

    def _texts(self, problem: ReadingProblem) -> list[Text]:
        """The answers to score, each after the prompt."""
        names = [choice.name for choice in problem.choices]
        known = letters(len(names))
        # Byte-level tokenizers attach the space to the word that follows it.
        answers = self._pieces.ids([f" {answer}" for answer in (known if self._has_letters else names)])
        lines = "".join(f"{letter}. {name}\n" for letter, name in zip(known, names, strict=True))
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

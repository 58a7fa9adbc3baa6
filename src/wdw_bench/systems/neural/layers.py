"""The layers that the four readers share.

Shapes: B problems, T tokens, P passage tokens, C choices, W distinct words, L characters, D dimensions of a word vector,
H units of an encoder in each direction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from wdw_bench.systems.neural.batches import Batch
from wdw_bench.systems.neural.tokens import FIRST_ENTITY, PADDING

NEVER = -1e4
"""The log of a probability that is taken to be zero, in place of minus infinity, whose gradient is not a number."""


def token_mask(lengths: Tensor, size: int) -> Tensor:
    """(B, size) bool: True for the first ``lengths`` tokens of each row."""
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(1)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """The softmax over the last dimension; positions outside the mask get 0."""
    return scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)


def choice_log_probabilities(scores: Tensor, choices: Tensor) -> Tensor:
    """(B, C) log-probabilities of the choices, from their scores (B, C); minus infinity for missing choices."""
    return scores.masked_fill(~choices, float("-inf")).log_softmax(dim=-1)


def attention_sum(scores: Tensor, batch: Batch) -> Tensor:
    """(B, C) log-probabilities of the choices, from the attention scores (B, P) of the passage tokens.

    A choice gets the sum of the attention over all tokens of its mentions (Kadlec et al. 2016, section 3.1, equation 2),
    divided by the sum over all choices. A choice without mentions gets a probability of nearly 0.
    """
    readable = token_mask(batch.passage_lengths, scores.shape[1])
    attention = scores.masked_fill(~readable, float("-inf")).log_softmax(dim=-1).unsqueeze(1)
    weighted = (attention + batch.mentions.clamp(min=1e-30).log()).masked_fill(batch.mentions == 0, NEVER)
    return choice_log_probabilities(weighted.logsumexp(dim=-1), batch.choices)


class WordVectors(nn.Module):
    """Word vectors of dimension D, of which the padding is 0.

    The vectors of the unknown word, the blank and the entity markers are always trained, those of words on demand.
    """

    def __init__(self, vectors: Tensor, markers: int, train_words: bool) -> None:
        super().__init__()
        self.first_word = FIRST_ENTITY + markers
        special = vectors[: self.first_word].detach().clone()
        special[PADDING] = 0.0
        self.special = nn.Parameter(special)
        self.words = nn.Parameter(vectors[self.first_word :].detach().clone(), requires_grad=train_words)

    @property
    def size(self) -> int:
        """D."""
        return self.words.shape[1]

    def forward(self, ids: Tensor) -> Tensor:
        """The vectors (…, D) of word ids (…)."""
        words = functional.embedding((ids - self.first_word).clamp(min=0), self.words)
        special = functional.embedding(ids.clamp(max=self.first_word - 1), self.special, padding_idx=PADDING)
        return torch.where((ids < self.first_word).unsqueeze(-1), special, words)


class _Reversal(torch.autograd.Function):
    """Reverses each row (B, T, D) within its own length, by the indices (BT,) of the tokens of all rows in the new order.

    A reversal undoes itself, so its gradient is the reversed gradient: deterministic on a GPU, where PyTorch would add up the
    gradients of an arbitrary index.
    """

    @staticmethod
    def forward(ctx: Any, rows: Tensor, order: Tensor) -> Tensor:
        ctx.save_for_backward(order)
        return rows.flatten(0, 1).index_select(0, order).view_as(rows)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (order,) = ctx.saved_tensors
        return gradient.flatten(0, 1).index_select(0, order).view_as(gradient), None


def _reversed(rows: Tensor, order: Tensor) -> Tensor:
    result: Tensor = _Reversal.apply(rows, order)  # type: ignore[no-untyped-call]  # torch ships no type for it
    return result


class BidirectionalEncoder(nn.Module):
    """A bidirectional GRU with H units in each direction.

    The backward direction reads every sequence reversed within its own length, so that padding never comes before a token.
    This is faster on a CPU than packed sequences, which PyTorch steps through with a batch of changing size.
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.ahead = nn.GRU(inputs, hidden, batch_first=True)
        self.back = nn.GRU(inputs, hidden, batch_first=True)

    def initialise(self, weights: Callable[[Tensor], Tensor]) -> None:
        """Give each gate's weights their initial values by a function that works in place, and set the biases to 0."""
        for parameter in self.parameters():
            for gate in parameter.detach().chunk(len(parameter) // self.ahead.hidden_size):
                if gate.dim() > 1:
                    weights(gate)
                else:
                    gate.zero_()

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """The states (B, T, 2H) of both directions, 0 at padding, of inputs (B, T, D)."""
        size = inputs.shape[1]
        mask = token_mask(lengths, size)
        positions = torch.arange(size, device=inputs.device)
        order = torch.where(mask, lengths.unsqueeze(1) - 1 - positions, positions)
        order = (order + size * torch.arange(len(inputs), device=inputs.device).unsqueeze(1)).flatten()
        ahead, _ = self.ahead(inputs)
        back, _ = self.back(_reversed(inputs, order))
        states = torch.cat([ahead, _reversed(back, order)], dim=-1)
        return states * mask.unsqueeze(-1)

    def ends(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """(B, 2H): the forward state at the last token and the backward state at the first one."""
        states = self(inputs, lengths)
        hidden = states.shape[2] // 2
        last = state_at(states, lengths - 1)
        return torch.cat([last[:, :hidden], states[:, 0, hidden:]], dim=-1)


def state_at(states: Tensor, index: Tensor) -> Tensor:
    """(B, H): the state of each row of states (B, T, H) at an index (B,)."""
    return states[torch.arange(len(states), device=states.device), index]


class CharacterEncoder(nn.Module):
    """Vectors of words from their characters: the ends of a bidirectional GRU, projected linearly."""

    def __init__(self, characters: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.vectors = nn.Embedding(characters, hidden, padding_idx=PADDING)
        self.encoder = BidirectionalEncoder(hidden, hidden)
        self.project = nn.Linear(2 * hidden, outputs)

    def forward(self, types: Tensor) -> Tensor:
        """The vectors (W, outputs) of words that are given by character ids (W, L)."""
        lengths = (types != PADDING).sum(dim=1).clamp(min=1)
        ends: Tensor = self.project(self.encoder.ends(self.vectors(types), lengths))
        return ends


class OutputVectors(nn.Module):
    """The output vectors of the choices, with which readers that do not point into the passage score them.

    Anonymised names have a trained vector for each entity marker, and 0 for markers that training did not see. A raw name
    has the mean of the vectors of its words, projected linearly.
    """

    def __init__(self, markers: int, words: WordVectors, outputs: int) -> None:
        super().__init__()
        self.markers = nn.Parameter(torch.empty(markers, outputs).uniform_(-0.01, 0.01)) if markers else None
        self.project = None if markers else nn.Linear(words.size, outputs, bias=False)

    def forward(self, batch: Batch, words: WordVectors) -> Tensor:
        """(B, C, outputs) for the choices of a batch."""
        if self.markers is not None:
            known = (batch.choice_entities >= FIRST_ENTITY).unsqueeze(-1)
            return functional.embedding((batch.choice_entities - FIRST_ENTITY).clamp(min=0), self.markers) * known
        known = (batch.choice_words != PADDING).unsqueeze(-1)
        mean = (words(batch.choice_words) * known).sum(dim=2) / known.sum(dim=2).clamp(min=1)
        assert self.project is not None  # noqa: S101 - one of the two is always there
        vectors: Tensor = self.project(mean)
        return vectors
